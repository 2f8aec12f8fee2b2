/** A message as the events in which the Messages API streams it. */
import type { Json } from '../../base/json.ts'
import { pieces } from '../pieces.ts'
import type { StreamEvent } from '../types.ts'
import type { AnswerBlock, AnthropicMessage } from './answer.ts'

/**
 * The events. The input side of the usage is known at the start; the usage at the end is cumulative. Only the final
 * event says why the model stopped.
 */
export function toEvents(message: AnthropicMessage): readonly StreamEvent[] {
  const { content, usage, stop_reason: stopReason } = message
  const start = { ...message, content: [], stop_reason: null, usage: { ...usage, output_tokens: 1 } }
  return [
    event('message_start', { message: start as unknown as Json }),
    ...content.flatMap((block, index) => [
      event('content_block_start', { index, content_block: opening(block) }),
      ...(index === 0 ? [event('ping')] : []),
      ...deltas(block).map((delta) => event('content_block_delta', { index, delta })),
      event('content_block_stop', { index }),
    ]),
    event('message_delta', {
      delta: { stop_reason: stopReason, stop_sequence: null, stop_details: null, container: null },
      usage: {
        input_tokens: usage.input_tokens,
        cache_creation_input_tokens: usage.cache_creation_input_tokens,
        cache_read_input_tokens: usage.cache_read_input_tokens,
        output_tokens: usage.output_tokens,
        output_tokens_details: { ...usage.output_tokens_details },
        server_tool_use: null,
      },
    }),
    event('message_stop'),
  ]
}

function event(type: string, rest: { readonly [key: string]: Json } = {}): StreamEvent {
  return { event: type, data: { type, ...rest } }
}

/** A block before anything was said in it. */
function opening(block: AnswerBlock): Json {
  switch (block.type) {
    case 'thinking':
      return { type: 'thinking', thinking: '', signature: '' }
    case 'text':
      return { type: 'text', text: '', citations: null }
    case 'tool_use':
      return { ...block, input: {} }
  }
}

function deltas(block: AnswerBlock): readonly Json[] {
  switch (block.type) {
    case 'thinking':
      return [
        ...pieces(block.thinking).map((thinking) => ({ type: 'thinking_delta', thinking })),
        { type: 'signature_delta', signature: block.signature },
      ]
    case 'text':
      return pieces(block.text).map((text) => ({ type: 'text_delta', text }))
    case 'tool_use':
      return ['', ...pieces(JSON.stringify(block.input))].map((json) => ({
        type: 'input_json_delta',
        partial_json: json,
      }))
  }
}
