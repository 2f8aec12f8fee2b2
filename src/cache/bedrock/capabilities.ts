/** What models take through Amazon Bedrock's Converse API. Claude's Messages API on Bedrock is in Anthropic's table. */
import type { CapabilityRule } from '../capability-rule.ts'

const guide = 'https://docs.aws.amazon.com/bedrock/latest/userguide/prompt-caching.html'

/** Every row, oldest first. */
export const bedrockCapabilities: readonly CapabilityRule[] = [
  {
    feature: 'native-updates',
    platforms: ['bedrock-converse'],
    models: 'any',
    // The role is in the enumeration, and models reject it at any position.
    supported: false,
    since: '2026-12-01',
    source: 'https://github.com/BerriAI/litellm/pull/41082',
    confidence: 'reported',
  },
  {
    feature: 'breakpoints',
    platforms: ['bedrock-converse'],
    models: { maker: 'anthropic', family: '*' },
    supported: true,
    since: '2026-12-01',
    source: guide,
    confidence: 'official',
  },
  ...(['5.1', '5.2'] as const).flatMap((version) =>
    (['fable', 'mythos'] as const).map((family): CapabilityRule => bindsThinking(family, version)),
  ),
  ...(['opus', 'sonnet', 'haiku'] as const).map((family): CapabilityRule => bindsThinking(family, '5.5')),
]

function bindsThinking(family: string, version: string): CapabilityRule {
  return {
    feature: 'thinking-binding',
    platforms: ['bedrock-converse'],
    models: { maker: 'anthropic', family, versions: [version] },
    supported: true,
    since: '2026-12-01',
    source: 'https://platform.claude.com/docs/en/build-with-claude/preserved-thinking/prefix-checks',
    confidence: 'official',
  }
}
