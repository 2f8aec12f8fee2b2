/** Which models, on which platforms that speak Chat Completions or Responses, take what. */
import type { CapabilityRule } from '../capability-rule.ts'

const guide = {
  since: '2026-12-01',
  source: 'https://developers.openai.com/api/docs/guides/prompt-caching',
  confidence: 'official',
} as const
const azure = {
  since: '2026-12-01',
  source: 'https://learn.microsoft.com/azure/ai-services/openai/how-to/prompt-caching',
  confidence: 'assumed',
} as const

const gpt = { models: { maker: 'openai', family: 'gpt' } } as const
const gptFrom56 = { models: { maker: 'openai', family: 'gpt', from: '5.6' } } as const
const gptThrough55 = { models: { maker: 'openai', family: 'gpt', through: '5.5' } } as const
const reasoning = { models: { maker: 'openai', family: 'o' } } as const

/** The message is refused, or moved to the front, which loses the whole prefix. */
const refusesUpdates = { feature: 'native-updates', models: 'any', supported: false, since: '2026-12-01' } as const

/** Every row, oldest first. */
export const openAICapabilities: readonly CapabilityRule[] = [
  { ...guide, ...gpt, feature: 'native-updates', platforms: ['openai'], supported: true },
  { ...guide, ...reasoning, feature: 'native-updates', platforms: ['openai'], supported: true },
  { ...azure, ...gpt, feature: 'native-updates', platforms: ['azure'], supported: true },
  { ...azure, ...reasoning, feature: 'native-updates', platforms: ['azure'], supported: true },
  // An item of Responses; Chat Completions has none. No page names the models that take it: assumed with breakpoints.
  { ...guide, ...gptFrom56, feature: 'native-tools', platforms: ['openai'], supported: true, confidence: 'assumed' },
  { ...guide, ...gptFrom56, feature: 'breakpoints', platforms: ['openai'], supported: true },
  { ...azure, ...gptFrom56, feature: 'breakpoints', platforms: ['azure'], supported: true, confidence: 'reported' },
  { ...guide, ...gptThrough55, feature: 'breakpoints', platforms: ['openai', 'azure'], supported: false },
  { ...guide, ...reasoning, feature: 'breakpoints', platforms: ['openai', 'azure'], supported: false },
  { ...guide, ...gptFrom56, feature: 'prewarm', platforms: ['openai'], supported: true },
  { ...guide, models: 'any', feature: 'several-heads', platforms: ['openai', 'azure', 'xai'], supported: true },
  {
    feature: 'native-updates',
    platforms: ['xai'],
    models: 'any',
    supported: true,
    since: '2026-12-01',
    source: 'https://docs.x.ai/developers/advanced-api-usage/prompt-caching',
    confidence: 'assumed',
  },
  {
    ...refusesUpdates,
    platforms: ['deepseek'],
    source: 'https://api-docs.deepseek.com/guides/kv_cache',
    confidence: 'reported',
  },
  {
    ...refusesUpdates,
    platforms: ['qwen', 'minimax', 'self-hosted'],
    // "System message must be at the beginning": the open templates, and one client's profile of the hosted ones.
    source: 'https://github.com/BerriAI/litellm/pull/42126',
    confidence: 'reported',
  },
  {
    ...refusesUpdates,
    platforms: ['mistral', 'kimi', 'zai', 'groq', 'together', 'fireworks', 'openrouter'],
    source: 'https://github.com/BerriAI/litellm/pull/36559',
    confidence: 'assumed',
  },
  {
    feature: 'user-after-tool',
    platforms: ['mistral'],
    models: 'any',
    supported: false,
    since: '2026-12-01',
    // Code 3230, "Unexpected role 'user' after role 'tool'"; another client no longer sees it.
    source: 'https://docs.mistral.ai',
    confidence: 'reported',
  },
]
