/** `usageMetadata`: the prompt contains what was cached; the cached count is left out where it is 0, as Google does. */
import type { Json } from '../../base/json.ts'
import type { PredictedUsage } from '../../cache/simulator/types.ts'
import type { AnswerTokens } from '../answer-tokens.ts'

export function geminiUsage(usage: PredictedUsage, output: AnswerTokens): { readonly [key: string]: Json } {
  return {
    promptTokenCount: usage.total,
    candidatesTokenCount: output.text + output.toolCalls,
    totalTokenCount: usage.total + output.total,
    ...(usage.read > 0
      ? {
          cachedContentTokenCount: usage.read,
          cacheTokensDetails: [{ modality: 'TEXT', tokenCount: usage.read }],
        }
      : {}),
    promptTokensDetails: [{ modality: 'TEXT', tokenCount: usage.total }],
    ...(output.thinking > 0 ? { thoughtsTokenCount: output.thinking } : {}),
  }
}
