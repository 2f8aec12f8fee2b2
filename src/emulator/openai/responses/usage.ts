/** Usage as Responses reports it: a total that contains what was read and written. Nothing is written before GPT-5.6. */
import type { Json } from '../../../base/json.ts'
import type { PredictedUsage } from '../../../cache/simulator/types.ts'
import type { AnswerTokens } from '../../answer-tokens.ts'
import { providerOf } from '../../../cache/providers/provider-of.ts'
import { writtenTokens } from '../chat/usage.ts'
import { hasBreakpoints } from '../models.ts'

export function responsesUsage(model: string, usage: PredictedUsage, output: AnswerTokens): Json {
  return {
    input_tokens: usage.total,
    input_tokens_details: {
      cached_tokens: usage.read,
      cache_write_tokens: hasBreakpoints(model) || providerOf(model) === 'openrouter' ? writtenTokens(usage) : 0,
    },
    output_tokens: output.total,
    output_tokens_details: { reasoning_tokens: output.thinking },
    total_tokens: usage.total + output.total,
  }
}
