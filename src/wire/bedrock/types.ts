/** The types of the Converse adapter: what it takes and what it gives back. */
import type {
  ConverseCommandInput,
  Message,
  SystemContentBlock,
  ToolConfiguration,
} from '@aws-sdk/client-bedrock-runtime'
import type { CacheTtl } from '../../cache/index.ts'
import type { LoweringWarning } from '../warnings.ts'

/** The SDK's own parameters, without what a turn supplies. `toolConfig.tools` only where the session has none. */
export type BedrockParams = Omit<ConverseCommandInput, 'messages' | 'system' | 'toolConfig'> & {
  readonly messages?: never
  readonly system?: never
  readonly toolConfig?: Partial<ToolConfiguration>
}

/** How to lower a turn. */
export interface BedrockOptions {
  /**
   * How long what the breakpoints write is kept; `'5m'` unless said. `head` is for instructions and baseline, `tail` for the
   * conversation, and may not be longer.
   */
  readonly ttl?: CacheTtl | { readonly head: CacheTtl; readonly tail: CacheTtl }
  /**
   * Whether the model takes breakpoints, where the caller knows better than the table: for an inference profile whose id
   * names no model, or a Nova model that takes them.
   */
  readonly breakpoints?: boolean
  /** How many requests this conversation will still make, this one included; 1 writes no tail. */
  readonly expectedTurns?: number
}

/** The request in the SDK's own type. */
export interface BedrockBody extends ConverseCommandInput {
  system: SystemContentBlock[]
  messages: Message[]
}

/** One request, ready to be sent. */
export interface BedrockRequest {
  /** For `new ConverseCommand(body)` and `new ConverseStreamCommand(body)`; the same for the same turn, parameters and options. */
  readonly body: BedrockBody
  /** Headers that the body needs beyond the SDK's own: none. */
  readonly headers: Record<string, string>
  /** What could not be done as asked; empty when all could. */
  readonly warnings: readonly LoweringWarning[]
}
