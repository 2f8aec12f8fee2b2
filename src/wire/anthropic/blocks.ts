/**
 * Stored messages as the API takes them. Almost every message is, and is then sent by reference; a copy is made only of
 * one that holds a cache mark (breakpoints are placed anew in each request), blank text (the API refuses it, though
 * models do write it), what belongs to a response only (its id, its usage), thinking at its end or, where asked, any
 * thinking. What is left out depends on the message alone, so a message is lowered the same in every later request.
 */
import type {
  ContentBlockParam,
  MessageParam,
  RedactedThinkingBlockParam,
  TextBlockParam,
  ThinkingBlockParam,
} from '@anthropic-ai/sdk/resources/messages'
import { isBlank, NO_CONTENT } from '../text.ts'

/** What was left out of a request, counted. */
export interface LeftOut {
  thinking: number
  blank: number
}

/** A text block without a mark. */
export function textBlock(text: string): TextBlockParam {
  return { type: 'text', text }
}

/**
 * An assistant message as it is sent: itself, or a copy without what may not be sent. One that would end in thinking ends in
 * {@link NO_CONTENT}: "The final block in an assistant message cannot be `thinking`".
 */
export function lowerAnswer(message: MessageParam, withThinking: boolean, leftOut: LeftOut): MessageParam {
  const { content } = message
  if (isSendable(content, withThinking)) return bare(message)
  const blocks: ContentBlockParam[] = []
  for (const block of typeof content === 'string' ? [textBlock(content)] : content) {
    const lowered = lowerBlock(block, withThinking, leftOut)
    if (lowered !== undefined) blocks.push(lowered)
  }
  if (blocks.length > 0) {
    if (isThinking(blocks.at(-1)!)) blocks.push(textBlock(NO_CONTENT))
    return { role: 'assistant', content: blocks }
  }
  // A model may answer a tool result with nothing at all.
  if (content.length === 0 && typeof content !== 'string') leftOut.blank++
  return { role: 'assistant', content: NO_CONTENT }
}

/**
 * The message itself, or a copy of what the API takes of it: what `messages.create` returns is a message too, and may have
 * been recorded as it came, with its id, model, stop reason and usage.
 */
export function bare(message: MessageParam): MessageParam {
  // Runs over every message of every request and mostly finds nothing to do; a list of the keys would be an array each time.
  for (const key in message) {
    if (key !== 'role' && key !== 'content') return { role: message.role, content: message.content } as MessageParam
  }
  return message
}

/** True when content can be sent as it is: nothing to leave out, nothing marked, tool results first, and not empty. */
export function isSendable(content: MessageParam['content'], withThinking: boolean): boolean {
  if (typeof content === 'string') return !isBlank(content)
  let resultsMayFollow = true
  // Runs over every block of every request.
  for (let index = 0; index < content.length; index++) {
    const block = content[index] as ContentBlockParam
    if (isMarked(block)) return false
    switch (block.type) {
      case 'tool_result':
        if (!resultsMayFollow || (typeof block.content === 'object' && !isPlain(block.content))) return false
        continue
      case 'search_result':
      case 'document':
        if (withoutMark(block) !== block) return false
        break
      case 'text':
        if (isBlank(block.text)) return false
        break
      case 'thinking':
      case 'redacted_thinking':
        if (!withThinking || index === content.length - 1) return false
        break
      default:
    }
    resultsMayFollow = false
  }
  return content.length > 0
}

/** The block as it is sent: itself, a copy without marks, or `undefined` when it is left out. */
export function lowerBlock(
  block: ContentBlockParam,
  withThinking: boolean,
  leftOut: LeftOut,
): ContentBlockParam | undefined {
  if (isThinking(block)) {
    if (withThinking) return block
    leftOut.thinking++
    return undefined
  }
  if (block.type === 'text' && isBlank(block.text)) {
    leftOut.blank++
    return undefined
  }
  const unmarked = withoutMark(block)
  if (unmarked.type !== 'tool_result' || typeof unmarked.content !== 'object' || isPlain(unmarked.content)) {
    return unmarked
  }
  const nested = unmarked.content.filter((part) => !isBlankPart(part))
  leftOut.blank += unmarked.content.length - nested.length
  return { ...unmarked, content: nested.map(withoutMark) }
}

function isThinking(block: ContentBlockParam): block is ThinkingBlockParam | RedactedThinkingBlockParam {
  return block.type === 'thinking' || block.type === 'redacted_thinking'
}

interface Part {
  readonly type: string
  readonly text?: unknown
}

/** True when nothing inside a tool result is marked or blank. */
function isPlain(parts: readonly Part[]): boolean {
  return parts.every((part) => withoutMark(part) === part && !isBlankPart(part))
}

function isBlankPart({ type, text }: Part): boolean {
  return type === 'text' && typeof text === 'string' && isBlank(text)
}

function isMarked(block: object): boolean {
  return (block as { cache_control?: unknown }).cache_control !== undefined
}

/** The block itself, or a copy without the marks on it and, where it quotes a document or a search result, inside of it. */
export function withoutMark<B extends Part>(block: B): B {
  const { cache_control: mark, ...rest } = block as B & { cache_control?: unknown }
  const unmarked = mark === undefined ? block : (rest as unknown as B)
  const { content, source } = unmarked as B & Quoting
  if (block.type === 'search_result' && Array.isArray(content)) return withUnmarked(unmarked, 'content', content)
  if (block.type !== 'document' || !Array.isArray(source?.content)) return unmarked
  const quoted = withUnmarked(source, 'content', source.content)
  return quoted === source ? unmarked : { ...unmarked, source: quoted }
}

/** Where the blocks that may hold other blocks have them. */
interface Quoting {
  readonly content?: unknown
  readonly source?: { readonly content?: unknown }
}

function withUnmarked<T extends object>(holder: T, key: 'content', parts: readonly Part[]): T {
  const unmarked = parts.map(withoutMark)
  return unmarked.every((part, index) => part === parts[index]) ? holder : { ...holder, [key]: unmarked }
}
