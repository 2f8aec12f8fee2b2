/**
 * What Claude's API refuses and models and tools do write: blank text, an answer that ends in reasoning, a message without
 * content. The SDK leaves out empty text only. Depends on the message alone, so it is lowered the same in every later request.
 */
import type { ModelMessage } from 'ai'
import { isBlank, NO_CONTENT } from '../text.ts'

interface Part {
  readonly type: string
  readonly text?: unknown
  readonly output?: { readonly type: string; readonly value?: unknown }
}

/** The message as it can be sent; itself where it can. What is left out or stood in for is counted. */
export function sendable(message: ModelMessage, leftOut: { blank: number }): ModelMessage {
  const { content } = message
  if (typeof content === 'string') {
    if (!isBlank(content)) return message
    leftOut.blank++
    return { ...message, content: NO_CONTENT } as ModelMessage
  }
  const parts = (content as readonly Part[]).flatMap((part) => sendableParts(part, leftOut))
  const isWhole = parts.length === content.length && parts.every((part, index) => part === content[index])
  // A tool's message may hold an answer to an approval alone, which the SDK takes out itself.
  if (message.role === 'tool') return isWhole ? message : ({ ...message, content: parts } as ModelMessage)
  if (parts.length === 0 || parts.at(-1)?.type === 'reasoning') {
    if (content.length === 0) leftOut.blank++
    return { ...message, content: [...parts, { type: 'text', text: NO_CONTENT }] } as ModelMessage
  }
  return isWhole ? message : ({ ...message, content: parts } as ModelMessage)
}

function sendableParts(part: Part, leftOut: { blank: number }): Part[] {
  if (isBlankText(part)) {
    leftOut.blank++
    return []
  }
  const { output } = part
  if (output?.type !== 'content' || !Array.isArray(output.value)) return [part]
  const all = output.value as readonly Part[]
  const value = all.filter((item) => !isBlankText(item))
  if (value.length === all.length) return [part]
  leftOut.blank += all.length - value.length
  return [{ ...part, output: { ...output, value } }]
}

function isBlankText({ type, text }: Part): boolean {
  return type === 'text' && typeof text === 'string' && isBlank(text)
}
