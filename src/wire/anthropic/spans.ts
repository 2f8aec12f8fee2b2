/**
 * From entries to messages. A span is what stands between two answers; it becomes one user message (tool results next to
 * the calls they answer, then what users said, then tagged updates, each in log order) and, where updates are native,
 * one system message after it.
 *
 * The invariant: a span is lowered from what was said up to its end and from what is constant within an epoch, so a span that
 * was answered never changes again. The last span is still open: two inputs and two updates that an interrupt left there are
 * arranged as the API wants them. The odd case is a span of updates only, possible in a history that the host keeps: a
 * system message may not follow an answer, so there the updates are tagged on every model, and tools wait for the next span.
 */
import type { ContentBlockParam, MessageParam } from '@anthropic-ai/sdk/resources/messages'
import type { AdmittedUpdate, Entry, TurnView } from '../../session/types.ts'
import { foreignRole } from '../errors.ts'
import { lowerUpdates } from '../spans.ts'
import { NO_CONTENT } from '../text.ts'
import { bare, isSendable, lowerAnswer, lowerBlock, textBlock, type LeftOut } from './blocks.ts'
import { InlineTools } from './inline-tools.ts'

/** How the entries of one turn are lowered. */
export interface SpanRules {
  /** Updates with the system's authority go out as system messages. */
  readonly native: boolean
  /** Tools that were added go out with them. */
  readonly nativeTools: boolean
  /** Thinking is left out of entries of epochs before this one. */
  readonly thinkingFrom: number
}

/** The messages of a request and what could not be done as asked, counted. */
export interface LoweredEntries extends LeftOut {
  /** Oldest first, none of them marked. Messages that need no change are the entries' own. */
  readonly messages: MessageParam[]
  /** Updates with the system's authority that were tagged. */
  tagged: number
  readonly tools: InlineTools
}

/** Lowers the entries of a turn. */
export function lowerEntries(
  { entries, nonce, tools }: Pick<TurnView<MessageParam>, 'entries' | 'nonce' | 'tools'>,
  rules: SpanRules,
): LoweredEntries {
  const lowered: LoweredEntries = {
    messages: [],
    tagged: 0,
    thinking: 0,
    blank: 0,
    tools: new InlineTools(tools?.definitions ?? []),
  }
  // Runs over every entry of every request, and a list per span would cost more than all the rest.
  let start = 0
  for (let index = 0; index < entries.length; index++) {
    const entry = entries[index]!
    if (entry.type !== 'message' || entry.message.role !== 'assistant') continue
    lowerSpan(lowered, entries, start, index, rules, nonce)
    lowered.messages.push(lowerAnswer(entry.message, entry.epoch >= rules.thinkingFrom, lowered))
    start = index + 1
  }
  lowerSpan(lowered, entries, start, entries.length, rules, nonce)
  return lowered
}

/** Lowers the entries from `start` to before `end`, of which none is an answer, onto the end of the messages. */
function lowerSpan(
  lowered: LoweredEntries,
  entries: readonly Entry<MessageParam>[],
  start: number,
  end: number,
  rules: SpanRules,
  nonce: string,
): void {
  const { messages, tools } = lowered
  const only = end - start === 1 && tools.idle ? entries[start]! : undefined
  if (only?.type === 'message') {
    messages.push(lowerInput(only.message, lowered))
    return
  }
  const inputs: MessageParam[] = []
  const updates: AdmittedUpdate[] = []
  for (const entry of entries.slice(start, end)) {
    if (entry.type === 'update') updates.push(entry)
    else inputs.push(entry.message)
  }
  const input = inputs.length > 1 ? merge(inputs, lowered) : inputs[0] && lowerInput(inputs[0], lowered)
  const native = rules.native && input !== undefined
  const said = lowerUpdates(updates, { native, nonce })
  for (const update of updates) if (update.tools !== undefined) tools.note(update.tools)
  lowered.tagged += said.degraded
  lowered.blank += said.blank
  if (said.tagged.length > 0) {
    messages.push({ role: 'user', content: [...(input ? blocksOf(input) : []), ...said.tagged.map(textBlock)] })
  } else if (input !== undefined) messages.push(input)
  const directives = native && rules.nativeTools ? tools.take() : []
  const content = [...said.native.map(textBlock), ...directives]
  if (content.length > 0) messages.push({ role: 'system', content })
}

/** What a user or a tool said: the message itself where it can be sent. */
function lowerInput(message: MessageParam, leftOut: LeftOut): MessageParam {
  if (message.role !== 'user') throw foreignRole(message.role, 'anthropicFormat')
  return isSendable(message.content, true) ? bare(message) : merge([message], leftOut)
}

/** All that users and tools said in a span, as one message, tool results first. */
function merge(inputs: readonly MessageParam[], leftOut: LeftOut): MessageParam {
  const results: ContentBlockParam[] = []
  const others: ContentBlockParam[] = []
  for (const message of inputs) {
    if (message.role !== 'user') throw foreignRole(message.role, 'anthropicFormat')
    for (const block of blocksOf(message)) {
      const lowered = lowerBlock(block, true, leftOut)
      if (lowered !== undefined) (lowered.type === 'tool_result' ? results : others).push(lowered)
    }
  }
  const content = [...results, ...others]
  return { role: 'user', content: content.length > 0 ? content : NO_CONTENT }
}

function blocksOf({ content }: MessageParam): readonly ContentBlockParam[] {
  return typeof content === 'string' ? [textBlock(content)] : content
}
