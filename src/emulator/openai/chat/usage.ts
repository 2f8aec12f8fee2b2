/**
 * Usage as Chat Completions reports it: a total that contains what was read and written. OpenAI spells the details of the
 * cache in `prompt_tokens_details`, and so do its copies, except DeepSeek, which splits the prompt in hit and miss.
 */
import type { Json } from '../../../base/json.ts'
import type { PredictedUsage } from '../../../cache/simulator/types.ts'
import type { AnswerTokens } from '../../answer-tokens.ts'
import { providerOf } from '../../../cache/providers/provider-of.ts'
import { hasBreakpoints } from '../models.ts'

export function chatUsage(model: string, usage: PredictedUsage, output: AnswerTokens): Json {
  const provider = providerOf(model)
  const counts = {
    prompt_tokens: usage.total,
    completion_tokens: output.total,
    total_tokens: usage.total + output.total,
  }
  if (provider === 'openai') {
    return {
      ...counts,
      prompt_tokens_details: {
        cached_tokens: usage.read,
        audio_tokens: 0,
        ...(hasBreakpoints(model) ? { cache_write_tokens: writtenTokens(usage) } : {}),
      },
      completion_tokens_details: {
        reasoning_tokens: output.thinking,
        audio_tokens: 0,
        accepted_prediction_tokens: 0,
        rejected_prediction_tokens: 0,
      },
    }
  }
  const reasoning = output.thinking > 0 ? { completion_tokens_details: { reasoning_tokens: output.thinking } } : {}
  const details = { cached_tokens: usage.read }
  if (provider === 'deepseek') {
    return {
      ...counts,
      prompt_tokens_details: details,
      prompt_cache_hit_tokens: usage.read,
      prompt_cache_miss_tokens: usage.total - usage.read,
      ...reasoning,
    }
  }
  if (provider === 'openrouter') {
    return {
      ...counts,
      prompt_tokens_details: { ...details, cache_write_tokens: writtenTokens(usage) },
      ...reasoning,
    }
  }
  return { ...counts, prompt_tokens_details: details, ...reasoning }
}

/** All writes, whatever their lifetime. */
export function writtenTokens({ write5m, write30m, write1h }: PredictedUsage): number {
  return write5m + write30m + write1h
}
