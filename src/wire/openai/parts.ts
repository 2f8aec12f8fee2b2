/**
 * Content as both APIs have it: a string, or a list of parts that may be marked. Marks are placed anew in each request, so
 * those of stored messages are taken off; content that has none is sent by reference.
 */
import { openAIBreakpoints } from '../../cache/index.ts'
import { markKeys } from '../../cache/layout/openai-parts.ts'
import { MessageInvalidError } from '../../session/errors.ts'

/** A part of either API. */
export interface Part {
  readonly type: string
  readonly text?: string
  readonly [key: string]: unknown
}

/** The mark itself. */
const BREAKPOINT = { mode: 'explicit' } as const

/** What of `holder` is content by its parts, without marks; `holder` itself where it has none. */
export function withoutMarks<T extends object>(holder: T, key: keyof T & string): T {
  const bare = unmarked(holder)
  const content: unknown = bare[key]
  if (!Array.isArray(content)) return bare
  const parts = content as readonly object[]
  const plain = parts.map(unmarked)
  return plain.every((part, index) => part === parts[index]) ? bare : { ...bare, [key]: plain }
}

function unmarked<T extends object>(value: T): T {
  if (typeof value !== 'object' || value === null || !markKeys.some((key) => key in value)) return value
  return Object.fromEntries(Object.entries(value).filter(([key]) => !markKeys.includes(key))) as T
}

/** The content with a mark on its last part that takes one; `undefined` where none does. `type` is that of a text part. */
export function markedContent(content: unknown, type: 'text' | 'input_text'): readonly Part[] | undefined {
  if (typeof content === 'string') {
    return content === '' ? undefined : [{ type, text: content, prompt_cache_breakpoint: BREAKPOINT }]
  }
  if (!Array.isArray(content)) return undefined
  const parts = content as readonly Part[]
  const markable = new Set([type, ...openAIBreakpoints.markable])
  const last = parts.findLastIndex((part) => markable.has(part.type) && part.text !== '')
  if (last < 0) return undefined
  return parts.map((part, index) => (index === last ? { ...part, prompt_cache_breakpoint: BREAKPOINT } : part))
}

/** Marks the last of some messages that takes a mark; `mark` gives the message itself back where it takes none. */
export function markLast<M>(messages: readonly M[], mark: (message: M) => M): readonly M[] {
  for (let index = messages.length - 1; index >= 0; index--) {
    const message = messages[index]!
    const withMark = mark(message)
    if (withMark !== message) return messages.with(index, withMark)
  }
  return messages
}

/** What the model sees of content: without marks, and one text as a string. Throws `MessageInvalidError` for a part that is none. */
export function contentIdentity(content: unknown): unknown {
  if (!Array.isArray(content)) return content ?? null
  if (content.some((part) => typeof part !== 'object' || part === null)) {
    throw new MessageInvalidError(
      'A message of the OpenAI formats has a part that is no object. Pass parts as openai types them.',
    )
  }
  const parts = content.map((part) => unmarked(part as object) as Part)
  const [only] = parts
  const plain =
    parts.length === 1 && only !== undefined && typeof only.text === 'string' && Object.keys(only).length === 2
  return plain ? only.text : parts
}
