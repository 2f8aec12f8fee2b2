/** What a session must know about messages of the AI SDK (`ModelMessage`). */
import type { ModelMessage } from 'ai'
import { isPlainObject, type Json } from '../../base/json.ts'
import { MessageInvalidError, ToolInvalidError } from '../../session/errors.ts'
import type { Format, Tool } from '../../session/types.ts'
import { refuseSystemRole } from '../errors.ts'
import { decodeBytes, encodeBytes } from '../bytes.ts'
import { bareMessage } from './provider-options.ts'

interface Part {
  readonly type: string
  readonly toolCallId?: string
  readonly approvalId?: string
  readonly providerExecuted?: boolean
}

/**
 * Messages as `ai` types them, `user`, `assistant` and `tool`; what the system says is the session's to send. A call that the
 * provider runs itself brings its own result; a call that waits for an approval is open until its result is there.
 */
export const aiSdkFormat: Format<ModelMessage> = {
  id: 'ai-sdk',
  kind(message) {
    const { role } = checked(message)
    return role === 'assistant' ? 'assistant' : role === 'tool' ? 'tool-result' : 'user'
  },
  openCalls(messages) {
    const open = new Set<string>()
    for (const message of messages) {
      for (const part of partsOf(message)) {
        if (part.toolCallId === undefined) continue
        if (part.type === 'tool-call' && part.providerExecuted !== true) open.add(part.toolCallId)
        else if (part.type === 'tool-result') open.delete(part.toolCallId)
      }
    }
    return [...open]
  },
  results(message) {
    if (message.role !== 'tool') return []
    return partsOf(message).flatMap(({ type, toolCallId }) =>
      type === 'tool-result' && toolCallId !== undefined ? [toolCallId] : [],
    )
  },
  identity(message) {
    const { role, content, ...rest } = bareMessage(checked(message))
    return encodeBytes({ role, content: contentIdentity(content), ...rest }) as Json
  },
  toolId(tool: Tool) {
    const { name } = tool
    if (typeof name === 'string' && name !== '') return name
    throw new ToolInvalidError(
      'A tool of the AI SDK has no name. Give what toolsOf makes of the tools that you pass to streamText.',
    )
  },
  encode: (message) => encodeBytes(message) as Json,
  decode: (json) => decodeBytes(json) as ModelMessage,
}

function partsOf({ content }: ModelMessage): readonly Part[] {
  return typeof content === 'string' ? [] : content
}

function checked(message: unknown): ModelMessage {
  if (typeof message !== 'object' || message === null || !isPlainObject(message)) throw invalid('is no object')
  const { role, content } = message
  refuseSystemRole(role)
  if (role !== 'user' && role !== 'assistant' && role !== 'tool')
    throw invalid('has no role "user", "assistant" or "tool"')
  if (typeof content !== 'string' && !Array.isArray(content))
    throw invalid('has content that is neither a string nor parts')
  return message as unknown as ModelMessage
}

function invalid(problem: string): MessageInvalidError {
  return new MessageInvalidError(
    `A message of the ai-sdk format ${problem}. Pass a ModelMessage of ai; convertToModelMessages makes them of UI messages.`,
  )
}

/** The SDK itself makes one text part of a string. */
function contentIdentity(content: ModelMessage['content']): unknown {
  if (typeof content === 'string') return content
  const [only] = content as readonly { readonly type: string; readonly text?: unknown }[]
  const plain = content.length === 1 && only?.type === 'text' && Object.keys(only).length === 2
  return plain ? only.text : content
}
