/** What a session must know about messages of Bedrock's Converse API (`Message`). */
import type { Message } from '@aws-sdk/client-bedrock-runtime'
import { isPlainObject, type Json } from '../../base/json.ts'
import { MessageInvalidError, ToolInvalidError } from '../../session/errors.ts'
import type { Format } from '../../session/types.ts'
import { refuseSystemRole } from '../errors.ts'
import { decodeBytes, encodeBytes } from '../bytes.ts'

/**
 * Messages as `@aws-sdk/client-bedrock-runtime` types them, `user` and `assistant` only: system messages are the session's to
 * send. A user message that carries tool results, with or without other blocks, is a `'tool-result'`. Tools that the service
 * runs itself bring their own results. Bytes of images and documents are stored in base64.
 */
export const bedrockFormat: Format<Message> = {
  id: 'bedrock',
  kind(message) {
    const { role, content } = checked(message)
    if (role === 'assistant') return 'assistant'
    return content.some(({ toolResult }) => toolResult !== undefined) ? 'tool-result' : 'user'
  },
  openCalls(messages) {
    const open = new Set<string>()
    for (const { content = [] } of messages) {
      for (const { toolUse, toolResult } of content) {
        if (toolUse?.toolUseId !== undefined && toolUse.type === undefined) open.add(toolUse.toolUseId)
        else if (toolResult?.toolUseId !== undefined) open.delete(toolResult.toolUseId)
      }
    }
    return [...open]
  },
  results({ role, content = [] }) {
    if (role !== 'user') return []
    return content.flatMap(({ toolResult }) => toolResult?.toolUseId ?? [])
  },
  identity(message) {
    const { role, content } = checked(message)
    const seen = content.filter(({ cachePoint }) => cachePoint === undefined)
    const [only] = seen
    const text = seen.length === 1 && only !== undefined && Object.keys(only).length === 1 ? only['text'] : undefined
    return { role, content: typeof text === 'string' ? text : (encodeBytes(seen) as Json) }
  },
  toolId(tool) {
    const { name } = Object.assign({}, tool['toolSpec'], tool['systemTool']) as { name?: unknown }
    if (typeof name === 'string') return name
    throw new ToolInvalidError(
      `A tool of the bedrock format has the keys ${JSON.stringify(Object.keys(tool))} and no name. ` +
        'Pass { toolSpec: { name, ... } } or { systemTool: { name } }; breakpoints are placed by the adapter.',
    )
  },
  encode: (message) => encodeBytes(message) as Json,
  decode: (json) => decodeBytes(json) as Message,
}

interface CheckedMessage {
  readonly role: 'user' | 'assistant'
  readonly content: readonly Readonly<Record<string, unknown>>[]
}

function checked(message: unknown): CheckedMessage {
  if (typeof message !== 'object' || message === null) throw invalid(`is ${message === null ? 'null' : typeof message}`)
  const { role, content } = message as { role?: unknown; content?: unknown }
  refuseSystemRole(role)
  if (role !== 'user' && role !== 'assistant') throw invalid('has no role "user" or "assistant"')
  if (!Array.isArray(content) || !content.every(isBlock)) throw invalid('has content that is no array of blocks')
  return { role, content: content as CheckedMessage['content'] }
}

/** A block, or a part of a tool's result: an object that keeps text and results where they belong. */
function isBlock(block: unknown): boolean {
  if (typeof block !== 'object' || block === null || !isPlainObject(block)) return false
  const { text, toolResult } = block
  if (text !== undefined && typeof text !== 'string') return false
  if (toolResult === undefined) return true
  if (typeof toolResult !== 'object' || toolResult === null) return false
  const { content = [] } = toolResult as { content?: unknown }
  return Array.isArray(content) && content.every(isBlock)
}

function invalid(problem: string): MessageInvalidError {
  return new MessageInvalidError(
    `A message of the bedrock format ${problem}. ` +
      'Pass a Message of @aws-sdk/client-bedrock-runtime, or the format of your messages.',
  )
}
