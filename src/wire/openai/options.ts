/** How a turn is lowered for an API of OpenAI's shape. */
import { openAIPlatforms } from '../../cache/capability-rule.ts'
import type { OpenAIPlatform } from '../../cache/index.ts'

/** The values that options may have, for callers without types. */
export const openAIChoices: Readonly<Record<'platform' | 'updates' | 'cacheKey', readonly unknown[]>> = {
  platform: openAIPlatforms,
  updates: ['native', 'tagged'],
  cacheKey: ['prompt', 'session', false],
}

/** Options that Chat Completions and Responses share. All but `expectedTurns` must stay the same for as long as a session lives. */
export interface OpenAIOptions {
  /** Who serves the API; OpenAI unless said. */
  readonly platform?: OpenAIPlatform
  /** In place of what the capability table says: updates as messages of their own, or as tagged text. */
  readonly updates?: 'native' | 'tagged'
  /**
   * What `prompt_cache_key`, or what the platform has instead, stands for where the parameters name none: `'prompt'` is a
   * hash of instructions and tools, which forks and sub-agents share; `'session'` is one of the session and these, for those
   * above some 15 requests a minute on models before GPT-5.6; `false` sends none. Unless said, it is `'prompt'`, and `'session'`
   * on xAI and OpenRouter, whose keys name a conversation.
   */
  readonly cacheKey?: 'prompt' | 'session' | false
  /**
   * In place of what the capability table says: `true` for a deployment under a name of its own of GPT-5.6 or later, `false` for
   * a provisioned one, which takes none.
   */
  readonly breakpoints?: boolean
  /**
   * How many requests of this conversation are expected from this one on, itself counted; some unless said. With 1, nothing
   * is written at its end: on GPT-5.6 and later a write costs more than plain input.
   */
  readonly expectedTurns?: number
}
