/**
 * Stored messages as Converse takes them. Almost every message is, and is then sent by reference; a copy is made where several
 * are merged, and of one that holds a breakpoint (they are placed anew in each request), blank text, or reasoning that may not
 * be sent. What is left out depends on the message alone, so a message is lowered the same in every later request.
 */
import type { ContentBlock, Message, ToolResultContentBlock } from '@aws-sdk/client-bedrock-runtime'
import { foreignRole } from '../errors.ts'
import type { LeftOut } from '../tagged-spans.ts'
import { isBlank, NO_CONTENT } from '../text.ts'

/** An answer as it is sent. Where nothing is left, or reasoning would end it, a text stands in: both are refused. */
export function assistantMessage(message: Message, withReasoning: boolean, leftOut: LeftOut): Message {
  const { content = [] } = message
  if (isSendable(content, withReasoning) && content.at(-1)?.reasoningContent === undefined) return message
  // A model may answer a tool result with nothing at all.
  if (content.length === 0) leftOut.blank++
  const blocks = lowerBlocks(content, withReasoning, leftOut)
  if (blocks.at(-1)?.reasoningContent !== undefined) blocks.push({ text: NO_CONTENT })
  return { role: 'assistant', content: orNothing(blocks) }
}

/** One user message: tool results first, as the API wants them next to their calls, then what users said, then `tagged`. */
export function userMessage(inputs: readonly Message[], tagged: readonly string[], leftOut: LeftOut): Message {
  const foreign = inputs.find(({ role }) => role !== 'user')
  if (foreign !== undefined) throw foreignRole(foreign.role, 'bedrockFormat')
  const [only] = inputs
  if (inputs.length === 1 && tagged.length === 0 && only !== undefined && isSendable(only.content ?? [], true)) {
    return only
  }
  const blocks = lowerBlocks(
    inputs.flatMap(({ content = [] }) => content),
    true,
    leftOut,
  )
  const { results = [], others = [] } = Object.groupBy(blocks, ({ toolResult }) =>
    toolResult === undefined ? 'others' : 'results',
  )
  return { role: 'user', content: orNothing([...results, ...others, ...tagged.map((text) => ({ text }))]) }
}

/**
 * The messages in alternation, the user's first, as the API wants them: answers without anything between them are one, which is
 * how a model goes on with an answer, and before a leading answer stands a message without content.
 */
export function alternating(messages: readonly Message[], leftOut: LeftOut): Message[] {
  const merged: Message[] = []
  if (messages[0]?.role === 'assistant') {
    leftOut.blank++
    merged.push({ role: 'user', content: orNothing([]) })
  }
  for (const message of messages) {
    const before = merged.at(-1)
    if (before?.role !== message.role) merged.push(message)
    else {
      merged[merged.length - 1] = {
        role: message.role,
        content: [...(before?.content ?? []), ...(message.content ?? [])],
      }
    }
  }
  return merged
}

/** True for a message of which nothing was left. */
export function saysNothing({ content = [] }: Message): boolean {
  return content.every(({ text }) => text === NO_CONTENT)
}

/** True when blocks can be sent as they are: nothing to leave out, tool results first, and not empty. */
function isSendable(content: readonly ContentBlock[], withReasoning: boolean): boolean {
  let resultsMayFollow = true
  for (const block of content) {
    if (block.cachePoint !== undefined) return false
    if (block.toolResult !== undefined) {
      if (!resultsMayFollow || block.toolResult.content?.some(isBlankBlock)) return false
      continue
    }
    if (isBlankBlock(block) || (!withReasoning && block.reasoningContent !== undefined)) return false
    resultsMayFollow = false
  }
  return content.length > 0
}

function lowerBlocks(content: readonly ContentBlock[], withReasoning: boolean, leftOut: LeftOut): ContentBlock[] {
  const blocks: ContentBlock[] = []
  for (const block of content) {
    if (block.cachePoint !== undefined) continue
    if (isBlankBlock(block)) leftOut.blank++
    else if (block.reasoningContent !== undefined && !withReasoning) leftOut.thinking++
    else blocks.push(withoutBlankResult(block, leftOut))
  }
  return blocks
}

/** The block, or a copy of a tool result without blank text. */
function withoutBlankResult(block: ContentBlock, leftOut: LeftOut): ContentBlock {
  const { toolResult } = block
  const { content = [] } = toolResult ?? {}
  if (toolResult === undefined || !content.some(isBlankBlock)) return block
  const kept = content.filter((part) => !isBlankBlock(part))
  leftOut.blank += content.length - kept.length
  return { toolResult: { ...toolResult, content: kept.length > 0 ? kept : [{ text: NO_CONTENT }] } }
}

/**
 * "The text field in the ContentBlock object at messages.446.content.0 is blank" (https://github.com/LibreChat-AI/agents/pull/501),
 * and so inside a tool result (https://github.com/NousResearch/hermes-agent/issues/55092).
 */
function isBlankBlock({ text }: ContentBlock | ToolResultContentBlock): boolean {
  return text !== undefined && isBlank(text)
}

function orNothing(blocks: ContentBlock[]): ContentBlock[] {
  return blocks.length > 0 ? blocks : [{ text: NO_CONTENT }]
}
