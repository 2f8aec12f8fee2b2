/** The types of the Chat Completions adapter: what it takes and what it gives back. */
import type {
  ChatCompletionCreateParams,
  ChatCompletionCreateParamsNonStreaming,
  ChatCompletionCreateParamsStreaming,
} from 'openai/resources/chat/completions'
import type { LoweringWarning } from '../../warnings.ts'

/** The provider's own parameters, without the messages, which a turn supplies. */
export type OpenAIChatParams = Omit<ChatCompletionCreateParams, 'messages' | 'stream'> & {
  readonly stream?: boolean
  readonly messages?: never
}

/** The request's body in the SDK's own type, streaming or not as the parameters say. */
export type OpenAIChatBody<P> = P extends { readonly stream: true }
  ? ChatCompletionCreateParamsStreaming
  : true extends ('stream' extends keyof P ? P['stream'] : false)
    ? ChatCompletionCreateParams
    : ChatCompletionCreateParamsNonStreaming

/** One request, ready to be sent. */
export interface OpenAIChatRequest<P> {
  /** For `client.chat.completions.create(body, { headers })`; the same text for the same turn, parameters and options. */
  readonly body: OpenAIChatBody<P>
  /** Headers that the body needs beyond the SDK's own. */
  readonly headers: Record<string, string>
  /** What could not be done as asked; empty when all could. */
  readonly warnings: readonly LoweringWarning[]
}
