/** A request that only fills the cache. */
import type { ResponseInputItem } from 'openai/resources/responses/responses'
import type { TurnView } from '../../../session/types.ts'
import { RequestInvalidError } from '../../errors.ts'
import { decideFeature } from '../../features.ts'
import { lowerResponses } from './to-openai-responses.ts'
import type { OpenAIResponsesOptions, OpenAIResponsesParams, OpenAIResponsesRequest } from './types.ts'

/**
 * The request of a turn, to be answered with nothing: what it sends can be read by the requests after it. Nothing needs to
 * have been said yet. `params` are those of the real requests, because another effort or format is another cache. Throws
 * `RequestInvalidError` for a model or platform that is not known to take it, and for `previous`.
 */
export function prewarm<P extends OpenAIResponsesParams>(
  turn: TurnView<ResponseInputItem>,
  params: P,
  options: Omit<OpenAIResponsesOptions, 'previous'> = {},
): OpenAIResponsesRequest<Omit<P, 'stream'>> {
  const { model } = params
  const platform = options.platform ?? 'openai'
  const supported = decideFeature(turn, { model, platform, feature: 'prewarm' })
  if (supported !== 'supported') {
    throw new RequestInvalidError(
      `${model} on ${platform} is not known to take a request that only fills the cache. Send the first real request alone instead, and the others after it.`,
    )
  }
  if ((options as OpenAIResponsesOptions).previous !== undefined) {
    throw new RequestInvalidError('A request that fills the cache holds the whole conversation. Leave `previous` out.')
  }
  const { stream: _stream, ...kept } = params
  const prompt_cache_options = { ...params.prompt_cache_options, prewarm: true }
  const { body, headers, warnings } = lowerResponses(turn, { ...kept, prompt_cache_options } as never, options)
  return {
    body,
    headers,
    warnings: warnings.filter(({ type }) => type !== 'nothing-to-answer'),
    chained: false,
  }
}
