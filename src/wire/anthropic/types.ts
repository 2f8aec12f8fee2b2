/** The types of the Messages API adapter: what it takes and what it gives back. */
import type {
  MessageCreateParams,
  MessageCreateParamsNonStreaming,
  MessageCreateParamsStreaming,
  TextBlockParam,
} from '@anthropic-ai/sdk/resources/messages'
import type { AnthropicPlatform, CacheTtl } from '../../cache/index.ts'
import type { AnthropicWarning } from './warnings.ts'

/** The provider's own parameters, without the two that a turn supplies. */
export type AnthropicParams = Omit<MessageCreateParams, 'messages' | 'system' | 'stream'> & {
  readonly stream?: boolean
  readonly messages?: never
  readonly system?: never
}

/** How to lower a turn. */
export interface AnthropicOptions {
  /** Where the request is sent; the Claude API unless said. */
  readonly platform?: AnthropicPlatform
  /**
   * How long what the breakpoints write is kept; `'5m'` unless said. `head` is for instructions and baseline, `tail`
   * for the conversation, and may not be longer.
   */
  readonly ttl?: CacheTtl | { readonly head: CacheTtl; readonly tail: CacheTtl }
}

/** The request's body in the SDK's own type, streaming or not as the parameters say; `system` is always blocks. */
export type AnthropicBody<P> = { system: TextBlockParam[] } & (P extends { readonly stream: true }
  ? MessageCreateParamsStreaming
  : true extends ('stream' extends keyof P ? P['stream'] : false)
    ? MessageCreateParams
    : MessageCreateParamsNonStreaming)

/** One request, ready to be sent. */
export interface AnthropicRequest<P> {
  /** For `client.messages.create(body)`; its JSON text is the same for the same turn, parameters and options. */
  readonly body: AnthropicBody<P>
  /** Headers that the body needs beyond the SDK's own. */
  readonly headers: Record<string, string>
  /** What could not be done as asked; empty when all could. */
  readonly warnings: readonly AnthropicWarning[]
}
