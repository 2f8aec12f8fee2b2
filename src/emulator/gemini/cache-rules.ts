/** What Gemini allows of explicit caches, as a table. */
import type { Rule } from '../../cache/rule.ts'

/** Models without explicit caches. */
export const withoutExplicitCache: Rule & { readonly models: RegExp } = {
  since: '2026-11-30',
  source: 'ai.google.dev/gemini-api/docs/caching, as third parties read it: Gemini 4 caches implicitly only',
  confidence: 'reported',
  models: /^gemini-4-/,
}

/** How long an explicit cache lives that names no end. */
export const explicitLifetime: Rule & { readonly milliseconds: number } = {
  since: '2026-11-30',
  source: 'ai.google.dev/gemini-api/docs/caching',
  confidence: 'official',
  milliseconds: 3_600_000,
}
