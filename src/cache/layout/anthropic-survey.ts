/**
 * One look over the messages of an Anthropic body, for what decides how all of them are read. It runs over the whole
 * conversation with every request, so it looks at roles and block types and nothing else.
 */
import { RequestUnreadableError } from './errors.ts'
import { expectObject } from './expect.ts'
import { field } from './peek.ts'

/** What the messages hold, and where. -1 is nowhere. */
export interface Survey {
  /** Where the conversation begins: at the last block that stands for all before it. */
  readonly start: { readonly message: number; readonly block: number }
  readonly lastUser: number
  /** The last user message that brings no tool results. */
  readonly lastPlainUser: number
  readonly images: boolean
  readonly citations: boolean
}

interface MessageShape {
  readonly role?: unknown
  readonly content?: unknown
}

interface BlockShape {
  readonly type?: unknown
  readonly content?: unknown
}

/** Throws {@link RequestUnreadableError} for a message without a role. */
export function surveyMessages(messages: readonly unknown[]): Survey {
  const found = { message: 0, block: 0, lastUser: -1, lastPlainUser: -1, images: false, citations: false }
  for (let index = 0; index < messages.length; index++) {
    const message = messages[index] as MessageShape | null | undefined
    const role = message?.role
    if (typeof role !== 'string' || typeof message !== 'object') throw noMessage(message, index)
    const { content } = message as MessageShape
    let results = false
    if (Array.isArray(content)) {
      for (let position = 0; position < content.length; position++) {
        const block = content[position] as BlockShape | null | undefined
        switch (block?.type) {
          case 'text':
          case 'tool_use':
          case 'thinking':
            break
          case 'tool_result':
            results = true
            if (Array.isArray(block.content)) for (const inner of block.content) note(inner, found)
            break
          case 'compaction':
            if (role === 'assistant') {
              found.message = index
              found.block = position
            }
            break
          default:
            note(block, found)
        }
      }
    }
    if (role !== 'user') continue
    found.lastUser = index
    if (!results) found.lastPlainUser = index
  }
  const { message, block, ...rest } = found
  return { ...rest, start: { message, block } }
}

function note(block: unknown, found: { images: boolean; citations: boolean }): void {
  const type = field(block, 'type')
  if (type === 'image') found.images = true
  else if (type === 'document' || type === 'search_result') {
    found.citations ||= field(field(block, 'citations'), 'enabled') === true
  }
}

function noMessage(message: unknown, index: number): RequestUnreadableError {
  const path = `messages[${index}]`
  if (typeof message !== 'object' || message === null) return new RequestUnreadableError(path, 'a message', message)
  return new RequestUnreadableError(`${path}.role`, 'a role', expectObject(message, path)['role'])
}
