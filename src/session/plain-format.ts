/**
 * The format of a session that was given none: messages are JSON objects with a `role`, in the shape that most chat
 * APIs share. `assistant` answers, `tool` carries a tool result (`tool_call_id`), everything else is a user's; an
 * assistant message may hold `tool_calls: [{ id }]`.
 */
import { isPlainObject, type Json } from '../base/json.ts'
import { MessageInvalidError } from './errors.ts'
import type { Format } from './types.ts'

/** A message with a role; the rest is the host's. */
export interface PlainMessage {
  readonly role: string
  readonly content?: unknown
  readonly tool_calls?: readonly { readonly id: string }[]
  readonly tool_call_id?: string
}

/** See {@link PlainMessage}. Throws `MessageInvalidError` for a message without a role. */
export const plainFormat: Format<PlainMessage> = {
  id: 'plain',
  kind(message) {
    switch (roleOf(message)) {
      case 'assistant':
        return 'assistant'
      case 'tool':
        return 'tool-result'
      default:
        return 'user'
    }
  },
  openCalls(messages) {
    const open = new Set<string>()
    for (let index = 0; index < messages.length; index++) {
      const { tool_calls: calls, tool_call_id: answered } = messages[index]!
      // Most have neither; a list to stand in for what is missing would be most of the work.
      if (calls !== undefined && calls !== null) for (const call of calls) open.add(call.id)
      if (answered !== undefined) open.delete(answered)
    }
    return [...open]
  },
  results(message) {
    return message.tool_call_id === undefined ? [] : [message.tool_call_id]
  },
  identity(message) {
    const seen = withoutMark(message)
    if (!Array.isArray(message.content)) return seen
    const parts: unknown[] = message.content.map(withoutMark)
    return { ...seen, content: (parts.length === 1 && isTextPart(parts[0]) ? parts[0].text : parts) as Json }
  },
}

/** Gateways that take this shape read cache marks from messages and from parts; a model sees neither. */
function withoutMark(value: unknown): { readonly [key: string]: Json } {
  if (typeof value !== 'object' || value === null || !isPlainObject(value)) return value as never
  const { cache_control: _mark, ...seen } = value
  return seen as { readonly [key: string]: Json }
}

function roleOf(message: PlainMessage): string {
  if (typeof message !== 'object' || message === null || typeof message.role !== 'string') {
    throw new MessageInvalidError(
      'A message of the plain format must be an object with a role. For another message type, pass its format to createSessions.',
    )
  }
  return message.role
}

function isTextPart(part: unknown): part is { type: 'text'; text: string } {
  if (typeof part !== 'object' || part === null || !isPlainObject(part)) return false
  return part['type'] === 'text' && typeof part['text'] === 'string' && Object.keys(part).length === 2
}
