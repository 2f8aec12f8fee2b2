/** The types of the Messages API adapter: what it takes and what it gives back. */
import type {
  MessageCreateParams,
  MessageCreateParamsNonStreaming,
  MessageCreateParamsStreaming,
  TextBlockParam,
} from '@anthropic-ai/sdk/resources/messages'
import type { AnthropicPlatform, CacheTtl } from '../../cache/index.ts'
import type { LoweringWarning } from '../warnings.ts'

/** The provider's own parameters, without those that a turn supplies: `tools` only where the session has none. */
export type AnthropicParams = Omit<MessageCreateParams, 'messages' | 'system' | 'stream'> & {
  readonly stream?: boolean
  readonly messages?: never
  readonly system?: never
}

/** How to lower a turn. All but `ttl` and `expectedTurns` must be the same in every request of a session. */
export interface AnthropicOptions {
  /** Where the request is sent; the Claude API unless said. */
  readonly platform?: AnthropicPlatform
  /**
   * How long what the breakpoints write is kept; `'5m'` unless said. `head` is for tools, instructions and baseline, `tail`
   * for the conversation, and may not be longer.
   */
  readonly ttl?: CacheTtl | { readonly head: CacheTtl; readonly tail: CacheTtl }
  /**
   * How many requests of this conversation are expected from this one on, itself counted; some unless said. With 1, nothing is
   * written at its end, since nobody would read it.
   */
  readonly expectedTurns?: number
  /** Sends updates as system messages, or as tagged text, whatever is known of the model. A refusal still wins. */
  readonly updates?: 'native' | 'tagged'
  /** Sends tools that were added in mid-conversation, or holds them until the next epoch, whatever is known of the model. */
  readonly tools?: 'native' | 'held'
}

/** The request's body in the SDK's own type, streaming or not as the parameters say; `system` is always blocks. */
export type AnthropicBody<P> = { system: TextBlockParam[] } & (P extends { readonly stream: true }
  ? MessageCreateParamsStreaming
  : true extends ('stream' extends keyof P ? P['stream'] : false)
    ? MessageCreateParams
    : MessageCreateParamsNonStreaming)

/** One request, ready to be sent. */
export interface AnthropicRequest<P> {
  /** For `client.messages.create(body, { headers })`; its JSON text is the same for the same turn, parameters and options. */
  readonly body: AnthropicBody<P>
  /** Headers that the body needs beyond the SDK's own. */
  readonly headers: Record<string, string>
  /** What could not be done as asked; empty when all could. */
  readonly warnings: readonly LoweringWarning[]
}
