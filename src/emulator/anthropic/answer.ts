/** An answer as a message of the Messages API. */
import type { Json } from '../../base/json.ts'
import { tokenRatio } from '../../cache/anthropic/tokens.ts'
import type { Prediction } from '../../cache/simulator/types.ts'
import type { CountTokens } from '../../cache/tokens/count-tokens.ts'
import { answerTokens } from '../answer-tokens.ts'
import type { Answer, EndpointRequest } from '../types.ts'
import { usageOf, type AnthropicUsage } from './usage.ts'

/** A block of an answer. */
export type AnswerBlock =
  | { readonly type: 'thinking'; readonly thinking: string; readonly signature: string }
  | { readonly type: 'text'; readonly text: string; readonly citations: null }
  | {
      readonly type: 'tool_use'
      readonly id: string
      readonly name: string
      readonly input: Json
      readonly caller: { readonly type: 'direct' }
    }

/** A whole message. */
export interface AnthropicMessage {
  readonly id: string
  readonly type: 'message'
  readonly role: 'assistant'
  readonly model: string
  readonly content: readonly AnswerBlock[]
  readonly container: null
  readonly stop_reason: 'end_turn' | 'tool_use' | 'max_tokens'
  readonly stop_sequence: null
  readonly stop_details: null
  readonly usage: AnthropicUsage
  readonly diagnostics: Json
  /** Only where the request asks for it. */
  readonly input_transformations?: Json
}

/** What a message is made from besides the answer. */
export interface MessageParts {
  readonly request: EndpointRequest
  readonly prediction: Prediction
  readonly countTokens: CountTokens
  readonly diagnostics: Json
  readonly transformations: Json | undefined
  /** Signs a thinking block. */
  readonly sign: (thinking: string) => string
}

/** The id of the message that answers a request. */
export function messageId({ id }: EndpointRequest): string {
  return `msg_${id}`
}

/** The message. A request for no tokens only fills the cache: it is answered with nothing. */
export function toMessage(answer: Answer, parts: MessageParts): AnthropicMessage {
  const { request, prediction, countTokens, diagnostics, transformations } = parts
  const prewarm = request.body['max_tokens'] === 0
  const said = prewarm ? {} : answer
  const calls = said.toolCalls?.length ?? 0
  // As the same text is estimated when it is sent back.
  const scaled: CountTokens = (text) => Math.round(countTokens(text) * tokenRatio(request.model))
  return {
    id: messageId(request),
    type: 'message',
    role: 'assistant',
    model: request.model,
    content: contentOf(said, parts),
    container: null,
    stop_reason: prewarm ? 'max_tokens' : calls > 0 ? 'tool_use' : 'end_turn',
    stop_sequence: null,
    stop_details: null,
    usage: usageOf(request, prediction, answerTokens(said, scaled)),
    diagnostics,
    ...(transformations === undefined ? {} : { input_transformations: transformations }),
  }
}

function contentOf(
  { thinking = '', text = '', toolCalls = [] }: Answer,
  { request, sign }: MessageParts,
): AnswerBlock[] {
  const content: AnswerBlock[] = []
  if (thinking !== '') content.push({ type: 'thinking', thinking, signature: sign(thinking) })
  if (text !== '') content.push({ type: 'text', text, citations: null })
  for (const [index, { name, input, id = `toolu_${request.id}${index}` }] of toolCalls.entries()) {
    content.push({ type: 'tool_use', id, name, input, caller: { type: 'direct' } })
  }
  return content
}
