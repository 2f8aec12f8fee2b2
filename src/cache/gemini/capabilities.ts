/** What Gemini's models take. */
import type { CapabilityRule } from '../capability-rule.ts'

/** Every row, oldest first. */
export const geminiCapabilities: readonly CapabilityRule[] = [
  {
    feature: 'native-updates',
    platforms: ['gemini', 'gemini-vertex'],
    models: 'any',
    // Roles are `user` and `model`; what adapters hoist into `systemInstruction` rewrites the front.
    supported: false,
    since: '2026-12-01',
    source: 'https://github.com/BerriAI/litellm/pull/42126',
    confidence: 'reported',
  },
]
