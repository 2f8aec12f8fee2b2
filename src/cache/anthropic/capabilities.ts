/**
 * Which Claude models, on which platforms, take what. One row holds for some versions of one family; a model or a
 * platform that no row names is unknown, and callers then do what every model takes.
 */
import type { CapabilityRule, AnthropicPlatform } from '../capability-rule.ts'

const systemMessages = 'https://platform.claude.com/docs/en/build-with-claude/mid-conversation-system-messages'
const prefixChecks = 'https://platform.claude.com/docs/en/build-with-claude/preserved-thinking/prefix-checks'

const everywhere: readonly AnthropicPlatform[] = ['anthropic', 'aws', 'bedrock', 'vertex', 'foundry']
// Foundry was named once and is absent from later pages, Claude Platform on AWS was never named: unknown, so not here.
const namedForUpdates: readonly AnthropicPlatform[] = ['anthropic', 'bedrock', 'vertex']

const takesUpdates = {
  feature: 'native-updates',
  platforms: namedForUpdates,
  supported: true,
  since: '2026-11-01',
  source: systemMessages,
  confidence: 'official',
} as const

const refusesUpdates = { ...takesUpdates, platforms: everywhere, supported: false } as const

const bindsThinking = {
  feature: 'thinking-binding',
  platforms: everywhere,
  supported: true,
  since: '2026-11-01',
  source: prefixChecks,
  confidence: 'official',
} as const

const takesTools = {
  feature: 'native-tools',
  // By value. The other platforms take references to tools that the request defines already.
  platforms: ['anthropic'],
  supported: true,
  since: '2026-12-01',
  source: systemMessages,
  confidence: 'official',
} as const

const marked = {
  platforms: everywhere,
  models: 'any',
  supported: true,
  since: '2026-12-01',
  source: 'https://platform.claude.com/docs/en/build-with-claude/prompt-caching',
  confidence: 'official',
} as const

function claude(family: string, range: { versions?: readonly string[]; through?: string }) {
  return { models: { maker: 'anthropic', family, ...range } } as const
}

/** Every row, oldest first. */
export const anthropicCapabilities: readonly CapabilityRule[] = [
  { ...takesUpdates, ...claude('opus', { versions: ['4.8', '5.0', '5.5'] }) },
  { ...takesUpdates, ...claude('fable', { versions: ['5.0', '5.1'] }) },
  { ...takesUpdates, ...claude('mythos', { versions: ['5.0', '5.1'] }) },
  { ...takesUpdates, ...claude('sonnet', { versions: ['5.5'] }) },
  { ...takesUpdates, ...claude('haiku', { versions: ['5.5'] }) },
  { ...refusesUpdates, ...claude('opus', { through: '4.7' }) },
  { ...refusesUpdates, ...claude('sonnet', { through: '5.0' }) },
  { ...refusesUpdates, ...claude('haiku', { through: '4.5' }) },
  { ...bindsThinking, ...claude('fable', { versions: ['5.1', '5.2'] }) },
  { ...bindsThinking, ...claude('mythos', { versions: ['5.1', '5.2'] }) },
  { ...bindsThinking, ...claude('opus', { versions: ['5.5'] }) },
  { ...bindsThinking, ...claude('sonnet', { versions: ['5.5'] }) },
  { ...bindsThinking, ...claude('haiku', { versions: ['5.5'] }) },
  // Not on the page yet; a refusal is answered by a new epoch with tagged text.
  { ...takesUpdates, ...claude('fable', { versions: ['5.2'] }), since: '2026-11-09', confidence: 'assumed' },
  { ...takesTools, ...claude('opus', { versions: ['4.8', '5.0', '5.5'] }) },
  { ...takesTools, ...claude('fable', { versions: ['5.0', '5.1'] }) },
  { ...takesTools, ...claude('mythos', { versions: ['5.0', '5.1'] }) },
  { ...takesTools, ...claude('sonnet', { versions: ['5.5'] }) },
  { ...takesTools, ...claude('haiku', { versions: ['5.5'] }) },
  { ...marked, feature: 'breakpoints' },
  { ...marked, feature: 'prewarm', platforms: ['anthropic'] },
]
