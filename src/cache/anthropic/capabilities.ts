/**
 * Which Claude models, on which platforms, take what. One row holds for some versions of one family; a model or a
 * platform that no row names is unknown, and callers then do what every model takes.
 */
import type { Rule } from '../rule.ts'
import type { ModelRange } from './models.ts'

/** Where Claude is served: the Claude API, Claude Platform on AWS, Amazon Bedrock, Google Cloud, Microsoft Foundry. */
export type AnthropicPlatform = 'anthropic' | 'aws' | 'bedrock' | 'vertex' | 'foundry'

/**
 * - `native-updates`: a plain-text `role: 'system'` message in the middle of a conversation.
 * - `thinking-binding`: a thinking block is refused, or dropped, once the prefix that it was produced under has changed.
 */
export type AnthropicFeature = 'native-updates' | 'thinking-binding'

/** One row of the table: later rows win over earlier ones. */
export interface CapabilityRule extends Rule, ModelRange {
  readonly feature: AnthropicFeature
  readonly platforms: readonly AnthropicPlatform[]
  readonly supported: boolean
}

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

/** Every row, oldest first. */
export const anthropicCapabilities: readonly CapabilityRule[] = [
  { ...takesUpdates, family: 'opus', versions: ['4.8', '5.0', '5.5'] },
  { ...takesUpdates, family: 'fable', versions: ['5.0', '5.1'] },
  { ...takesUpdates, family: 'mythos', versions: ['5.0', '5.1'] },
  { ...takesUpdates, family: 'sonnet', versions: ['5.5'] },
  { ...takesUpdates, family: 'haiku', versions: ['5.5'] },
  { ...refusesUpdates, family: 'opus', through: '4.7' },
  { ...refusesUpdates, family: 'sonnet', through: '5.0' },
  { ...refusesUpdates, family: 'haiku', through: '4.5' },
  { ...bindsThinking, family: 'fable', versions: ['5.1', '5.2'] },
  { ...bindsThinking, family: 'mythos', versions: ['5.1', '5.2'] },
  { ...bindsThinking, family: 'opus', versions: ['5.5'] },
  { ...bindsThinking, family: 'sonnet', versions: ['5.5'] },
  { ...bindsThinking, family: 'haiku', versions: ['5.5'] },
  // Not on the page yet; a refusal is answered by a new epoch with tagged text.
  { ...takesUpdates, family: 'fable', versions: ['5.2'], since: '2026-11-09', confidence: 'assumed' },
]
