/** The rows of the capability tables: where requests are sent, what may be asked of a model, and which models are meant. */
import type { ModelRange } from './anthropic/models.ts'
import type { OpenAIModelRange } from './openai/models.ts'
import type { Rule } from './rule.ts'

/** Where Claude is served: the Claude API, Claude Platform on AWS, Amazon Bedrock, Google Cloud, Microsoft Foundry. */
export type AnthropicPlatform = (typeof anthropicPlatforms)[number]
export const anthropicPlatforms = ['anthropic', 'aws', 'bedrock', 'vertex', 'foundry'] as const

/**
 * Who serves an API of OpenAI's shape: OpenAI, Azure, other makers, hosts of open models, and `self-hosted` for vLLM, SGLang,
 * llama.cpp and Ollama.
 */
export type OpenAIPlatform = (typeof openAIPlatforms)[number]
export const openAIPlatforms = [
  'openai',
  'azure',
  'deepseek',
  'xai',
  'mistral',
  'kimi',
  'qwen',
  'minimax',
  'zai',
  'groq',
  'together',
  'fireworks',
  'openrouter',
  'self-hosted',
] as const

/** Where Gemini is served: the Developer API, Google Cloud. */
export type GeminiPlatform = (typeof geminiPlatforms)[number]
export const geminiPlatforms = ['gemini', 'gemini-vertex'] as const

/** The Converse API of Amazon Bedrock. */
export type BedrockPlatform = 'bedrock-converse'

/** Where a request is sent. */
export type Platform = AnthropicPlatform | OpenAIPlatform | GeminiPlatform | BedrockPlatform

/**
 * - `native-updates`: a system or developer message in the middle of a conversation, kept where it stands.
 * - `native-tools`: the definition of a tool that the request's `tools` do not have, in the middle of a conversation.
 * - `thinking-binding`: a thinking block is refused, or dropped, once the prefix that it was produced under has changed.
 * - `user-after-tool`: a user message directly after a tool's.
 * - `several-heads`: several system messages at the front, each a place of its own.
 * - `breakpoints`: places marked for caching.
 * - `prewarm`: a request that only fills the cache.
 */
export type Feature =
  | 'native-updates'
  | 'native-tools'
  | 'thinking-binding'
  | 'user-after-tool'
  | 'several-heads'
  | 'breakpoints'
  | 'prewarm'

/** Some models: of Anthropic, of OpenAI, or whatever the platform serves. */
export type ModelSelector =
  | ({ readonly maker: 'anthropic' } & ModelRange)
  | ({ readonly maker: 'openai' } & OpenAIModelRange)
  | 'any'

/** One row of a table: later rows win over earlier ones. */
export interface CapabilityRule extends Rule {
  readonly feature: Feature
  readonly platforms: readonly Platform[]
  readonly models: ModelSelector
  readonly supported: boolean
}
