/** What a session must know about messages of the Messages API (`MessageParam`). */
import type { MessageParam } from '@anthropic-ai/sdk/resources/messages'
import { isPlainObject, type Json } from '../../base/json.ts'
import { MessageInvalidError, ToolInvalidError } from '../../session/errors.ts'
import type { Format } from '../../session/types.ts'
import { refuseSystemRole } from '../errors.ts'

/**
 * Messages as `@anthropic-ai/sdk` types them, `user` and `assistant` only: system messages are the session's to send. A
 * user message that carries tool results, with or without other blocks, is a `'tool-result'`. Only client tools
 * (`tool_use`) wait for a result; server tools bring their own.
 */
export const anthropicFormat: Format<MessageParam> = {
  id: 'anthropic',
  kind(message) {
    const { role, content } = checked(message)
    if (role === 'assistant') return 'assistant'
    return typeof content !== 'string' && content.some((block) => block['type'] === 'tool_result')
      ? 'tool-result'
      : 'user'
  },
  openCalls(messages) {
    const open = new Set<string>()
    for (const { content } of messages) {
      if (typeof content === 'string') continue
      for (const block of content) {
        if (block.type === 'tool_use') open.add(block.id)
        else if (block.type === 'tool_result') open.delete(block.tool_use_id)
      }
    }
    return [...open]
  },
  results({ content }) {
    if (typeof content === 'string') return []
    return content.flatMap((block) => (block.type === 'tool_result' ? [block.tool_use_id] : []))
  },
  identity(message) {
    const { role, content } = checked(message)
    return { role, content: contentIdentity(content) }
  },
  toolId({ name, type, mcp_server_name: server }) {
    if (typeof name === 'string') return name
    // No tool may have this for a name.
    if (type === 'mcp_toolset' && typeof server === 'string') return `mcp_toolset:${server}`
    throw new ToolInvalidError(
      'A tool of the anthropic format has no name. Pass a tool of @anthropic-ai/sdk, as `tools` of a request holds it.',
    )
  },
}

interface CheckedMessage {
  readonly role: 'user' | 'assistant'
  readonly content: string | readonly Block[]
}
type Block = { readonly [key: string]: Json }

function checked(message: unknown): CheckedMessage {
  if (typeof message !== 'object' || message === null) throw invalid(`is ${message === null ? 'null' : typeof message}`)
  const { role, content } = message as { role?: unknown; content?: unknown }
  refuseSystemRole(role)
  if (role !== 'user' && role !== 'assistant') throw invalid('has no role "user" or "assistant"')
  if (typeof content !== 'string' && !(Array.isArray(content) && content.every(isBlock))) {
    throw invalid(
      'has content that is neither a string nor an array of blocks with a type, and text where they are text',
    )
  }
  return { role, content }
}

function isBlock(block: unknown): block is Block {
  if (typeof block !== 'object' || block === null || !isPlainObject(block)) return false
  const { type, text } = block
  return typeof type === 'string' && (type !== 'text' || typeof text === 'string')
}

function invalid(problem: string): MessageInvalidError {
  return new MessageInvalidError(
    `A message of the anthropic format ${problem}. Pass a MessageParam of @anthropic-ai/sdk, or the format of your messages.`,
  )
}

function contentIdentity(content: string | readonly Block[]): Json {
  if (typeof content === 'string') return content
  const blocks = content.map(blockIdentity)
  const [only] = blocks
  return blocks.length === 1 && only !== undefined && isPlainText(only) ? (only['text'] ?? '') : blocks
}

function blockIdentity(block: Block): Block {
  const { cache_control: _mark, ...seen } = block
  // Blocks inside a tool result, a search result or a document may be marked too; a tool's input is the model's own.
  const { content, source } = seen
  if (block['type'] === 'tool_result' && isBlocks(content)) return { ...seen, content: contentIdentity(content) }
  if (block['type'] === 'search_result' && isBlocks(content)) return { ...seen, content: content.map(blockIdentity) }
  if (block['type'] === 'document' && isObject(source) && isBlocks(source['content'])) {
    return { ...seen, source: { ...source, content: source['content'].map(blockIdentity) } }
  }
  return seen
}

function isBlocks(value: Json | undefined): value is readonly Block[] {
  return Array.isArray(value) && value.every(isBlock)
}

function isObject(value: Json | undefined): value is Block {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

function isPlainText(block: Block): boolean {
  return block['type'] === 'text' && typeof block['text'] === 'string' && Object.keys(block).length === 2
}
