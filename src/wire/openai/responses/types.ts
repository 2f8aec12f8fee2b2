/** The types of the Responses adapter: what it takes and what it gives back. */
import type {
  ResponseCreateParams,
  ResponseCreateParamsNonStreaming,
  ResponseCreateParamsStreaming,
} from 'openai/resources/responses/responses'
import type { LoweringWarning } from '../../warnings.ts'
import type { OpenAIOptions } from '../options.ts'

/** The provider's own parameters, without those that a turn supplies. */
export type OpenAIResponsesParams = Omit<
  ResponseCreateParams,
  'input' | 'instructions' | 'previous_response_id' | 'conversation' | 'stream' | 'model'
> & {
  readonly model: NonNullable<ResponseCreateParams['model']>
  readonly stream?: boolean
  readonly input?: never
  readonly instructions?: never
  readonly previous_response_id?: never
  readonly conversation?: never
}

/** How to lower a turn for Responses. */
export interface OpenAIResponsesOptions extends OpenAIOptions {
  /** In place of what the capability table says: appended tools as `additional_tools`, or held until the next epoch. */
  readonly tools?: 'native' | 'held'
  /**
   * The response to go on from, and the revision of its answer (of the receipt that `turn.answer` gave; where the host keeps
   * the history, of the turn that was answered). Only what came after it is sent; a new epoch is sent whole and unchained.
   */
  readonly previous?: { readonly id: string; readonly revision: number }
}

/** The request's body in the SDK's own type, streaming or not as the parameters say; `input` is always items. */
export type OpenAIResponsesBody<P> = {
  input: Extract<ResponseCreateParams['input'], readonly unknown[]>
} & (P extends {
  readonly stream: true
}
  ? ResponseCreateParamsStreaming
  : true extends ('stream' extends keyof P ? P['stream'] : false)
    ? ResponseCreateParams
    : ResponseCreateParamsNonStreaming)

/** One request, ready to be sent. */
export interface OpenAIResponsesRequest<P> {
  /** For `client.responses.create(body, { headers })`; the same text for the same turn, parameters and options. */
  readonly body: OpenAIResponsesBody<P>
  /** Headers that the body needs beyond the SDK's own. */
  readonly headers: Record<string, string>
  /** What could not be done as asked; empty when all could. */
  readonly warnings: readonly LoweringWarning[]
  /** The body goes on from `previous`; false where it is whole. */
  readonly chained: boolean
}
