/** The types of the AI SDK adapter: what it takes and what it gives back. */
import type { LanguageModel, ModelMessage, SystemModelMessage } from 'ai'
import type { CacheTtl, Platform } from '../../cache/index.ts'
import type { LoweringWarning } from '../warnings.ts'
import type { ProviderOptions } from './provider-options.ts'

/** How to lower a turn. All must stay the same for as long as a session lives. */
export interface AiSdkOptions {
  /** What the model really is, where a wrapper or a router hides it: `'anthropic/claude-opus-5'`, or another model object. */
  readonly model?: LanguageModel
  /** Where the package really sends requests, where its `baseURL` is somebody else's: `'foundry'`, `'openrouter'`. */
  readonly platform?: Platform
  /** In place of what the tables say: updates as messages of the system's, or as tagged text. */
  readonly updates?: 'native' | 'tagged'
  /** In place of what the tables say: tools that were appended go with updates, or wait for the next epoch. */
  readonly tools?: 'native' | 'held'
  /** On Claude: how long what the breakpoints write is kept; `'5m'` unless said. `head` may not be shorter than `tail`. */
  readonly ttl?: CacheTtl | { readonly head: CacheTtl; readonly tail: CacheTtl }
  /** On OpenAI: what `promptCacheKey` stands for; the prompt unless said. */
  readonly cacheKey?: 'prompt' | 'session' | false
  /** How many requests this conversation is expected to have; for 1, nothing of it is written to the cache. */
  readonly expectedTurns?: number
}

/** A prompt, ready for `generateText` or `streamText`. */
export interface AiSdkPrompt {
  /** What stands before the conversation; `system` in older releases of the SDK. */
  readonly instructions: SystemModelMessage[]
  /** The conversation. Where a native update stands in it, the SDK takes it with `allowSystemInMessages` only. */
  readonly messages: ModelMessage[]
  /** For the call as a whole; empty where there are none. */
  readonly providerOptions: ProviderOptions
  /** What could not be done as asked; empty when all could. */
  readonly warnings: readonly LoweringWarning[]
}
