/** What a session must know about messages of Chat Completions (`ChatCompletionMessageParam`). */
import type { ChatCompletionMessageParam } from 'openai/resources/chat/completions'
import type { Json } from '../../../base/json.ts'
import { MessageInvalidError, ToolInvalidError } from '../../../session/errors.ts'
import type { Format, Tool } from '../../../session/types.ts'
import { refuseSystemRole } from '../../errors.ts'
import { contentIdentity } from '../parts.ts'

/**
 * Messages as `openai` types them: `user`, `assistant` and `tool`. What the system says is the session's to send. The message
 * of a completion (`choices[0].message`) can be recorded as it came.
 */
export const openAIChatFormat: Format<ChatCompletionMessageParam> = {
  id: 'openai-chat',
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
    for (const message of messages) {
      if (message.role === 'assistant') for (const { id } of message.tool_calls ?? []) open.add(id)
      else if (message.role === 'tool') open.delete(message.tool_call_id)
    }
    return [...open]
  },
  results(message) {
    return message.role === 'tool' ? [message.tool_call_id] : []
  },
  identity(message) {
    roleOf(message)
    const seen: Record<string, unknown> = {}
    for (const [key, value] of Object.entries(bareMessage(message))) {
      if (value !== null && value !== undefined) seen[key] = key === 'content' ? contentIdentity(value) : value
    }
    return seen as Json
  },
  toolId,
}

/** The name of a function or of a custom tool. */
function toolId(tool: Tool): string {
  const { function: fn, custom } = tool as { function?: { name?: unknown }; custom?: { name?: unknown } }
  const name = fn?.name ?? custom?.name
  if (typeof name === 'string' && name !== '') return name
  throw new ToolInvalidError(
    `A tool of Chat Completions has no name: ${JSON.stringify(tool).slice(0, 120)}. ` +
      "Give it as { type: 'function', function: { name, ... } }.",
  )
}

function roleOf(message: unknown): 'user' | 'assistant' | 'tool' {
  const role = typeof message === 'object' && message !== null ? (message as { role?: unknown }).role : undefined
  if (role === 'user' || role === 'assistant' || role === 'tool') return role
  refuseSystemRole(role)
  throw new MessageInvalidError(
    `A message of the openai-chat format has no role "user", "assistant" or "tool". Pass a ChatCompletionMessageParam of openai.`,
  )
}

/** What a completion's message says about itself only, and other servers refuse to be sent. */
const responseOnly = new Set(['annotations', 'parsed'])

/** The message without what belongs to a response: itself, where there is nothing of that. */
export function bareMessage(message: ChatCompletionMessageParam): ChatCompletionMessageParam {
  if (message.role !== 'assistant') return message
  const fields = Object.entries(message)
  if (fields.every(([key, value]) => isSent(key, value) && !(key === 'audio' && hasData(value)))) return message
  const kept = fields.filter(([key, value]) => isSent(key, value))
  const named = kept.map(([key, value]) =>
    key === 'audio' ? [key, { id: (value as { id: string }).id }] : [key, value],
  )
  return Object.fromEntries(named)
}

/** Fields that are `null` say nothing, and an empty list of calls, which some servers answer with, is refused. */
function isSent(key: string, value: unknown): boolean {
  if (responseOnly.has(key) || (value === null && key !== 'content')) return false
  return key !== 'tool_calls' || !Array.isArray(value) || value.length > 0
}

/** Speech that was answered is sent back by its id. */
function hasData(audio: unknown): boolean {
  return typeof audio === 'object' && audio !== null && 'data' in audio
}
