/** What the cache did, as the Messages API reports it. */
import type { Prediction } from '../../cache/simulator/types.ts'
import type { AnswerTokens } from '../answer-tokens.ts'
import { text } from '../fields.ts'
import type { EndpointRequest } from '../types.ts'

/** The `usage` of a message. */
export interface AnthropicUsage {
  readonly input_tokens: number
  readonly cache_creation_input_tokens: number
  readonly cache_read_input_tokens: number
  readonly cache_creation: { readonly ephemeral_5m_input_tokens: number; readonly ephemeral_1h_input_tokens: number }
  readonly output_tokens: number
  readonly output_tokens_details: { readonly thinking_tokens: number }
  readonly server_tool_use: null
  readonly service_tier: 'standard'
  readonly inference_geo: string | null
  readonly speed: string
}

/** `input_tokens` are those neither read nor written. */
export function usageOf({ body }: EndpointRequest, { usage }: Prediction, output: AnswerTokens): AnthropicUsage {
  return {
    input_tokens: usage.uncached,
    cache_creation_input_tokens: usage.write5m + usage.write1h,
    cache_read_input_tokens: usage.read,
    cache_creation: { ephemeral_5m_input_tokens: usage.write5m, ephemeral_1h_input_tokens: usage.write1h },
    output_tokens: output.total,
    output_tokens_details: { thinking_tokens: output.thinking },
    server_tool_use: null,
    service_tier: 'standard',
    inference_geo: text(body['inference_geo']) ?? null,
    speed: text(body['speed']) ?? 'standard',
  }
}
