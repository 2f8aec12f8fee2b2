/** Which cache settings an OpenAI model takes: from GPT-5.6 on the caller places breakpoints and names a lifetime. */
import { openAIBoundaries } from '../../cache/openai/caching.ts'
import { isOpenAIModelIn } from '../../cache/openai/models.ts'

/** True from GPT-5.6 on: breakpoints, `prompt_cache_options` and reported writes. */
export function hasBreakpoints(id: string): boolean {
  return isOpenAIModelIn(id, openAIBoundaries.models)
}
