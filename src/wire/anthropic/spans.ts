/**
 * From entries to messages. A span is what stands between two answers; it becomes one user message (tool results next to
 * the calls they answer, then what users said, then tagged updates, each in log order) and, where updates are native,
 * one system message after it.
 *
 * The invariant: a span is lowered from the span alone and from what is constant within an epoch, so a span that was
 * answered never changes again. The last span is still open: two inputs and two updates that an interrupt left there are
 * arranged as the API wants them. The odd case is a span of updates only, possible in a history that the host keeps: a
 * system message may not follow an answer, so there the updates are tagged on every model.
 */
import type { ContentBlockParam, MessageParam, TextBlockParam } from '@anthropic-ai/sdk/resources/messages'
import { renderSystemForWire } from '../../prompt/index.ts'
import type { Entry } from '../../session/types.ts'
import { RequestInvalidError } from '../errors.ts'
import { tagUpdate } from '../update-tag.ts'
import { bare, isBlank, NO_CONTENT, isSendable, lowerAnswer, lowerBlock, textBlock, type LeftOut } from './blocks.ts'

/** How the entries of one turn are lowered. */
export interface SpanRules {
  /** Updates with the system's authority go out as system messages. */
  readonly native: boolean
  /** Thinking is left out of entries of epochs before this one. */
  readonly thinkingFrom: number
  readonly nonce: string
}

/** What lowering could not do as asked, counted. */
export interface Tally extends LeftOut {
  /** Updates with the system's authority that were tagged. */
  tagged: number
}

/** The messages of a request, oldest first, none of them marked. Messages that need no change are the entries' own. */
export function lowerEntries(entries: readonly Entry<MessageParam>[], rules: SpanRules, tally: Tally): MessageParam[] {
  const lowering: Lowering = { entries, rules, tally, messages: [] }
  let start = 0
  for (let index = 0; index < entries.length; index++) {
    const entry = entries[index]
    if (entry?.type !== 'message' || entry.message.role !== 'assistant') continue
    lowerSpan(lowering, start, index)
    lowering.messages.push(lowerAnswer(entry.message, entry.epoch >= rules.thinkingFrom, tally))
    start = index + 1
  }
  lowerSpan(lowering, start, entries.length)
  return lowering.messages
}

interface Lowering {
  readonly entries: readonly Entry<MessageParam>[]
  readonly rules: SpanRules
  readonly tally: Tally
  readonly messages: MessageParam[]
}

/** Lowers the entries from `start` to before `end`, of which none is an answer, onto the end of the messages. */
function lowerSpan({ entries, rules, tally, messages }: Lowering, start: number, end: number): void {
  const input = lowerInputs(entries, start, end, tally)
  const native = rules.native && input !== undefined
  const system: TextBlockParam[] = []
  const tagged: TextBlockParam[] = []
  for (let index = start; index < end; index++) {
    const entry = entries[index]
    if (entry?.type !== 'update') continue
    for (const part of entry.parts) {
      const text = renderSystemForWire(part.text)
      if (isBlank(text)) {
        tally.blank++
      } else if (native && part.authority === 'system') {
        system.push(textBlock(text))
      } else {
        tagged.push(textBlock(tagUpdate(rules.nonce, text)))
        if (part.authority === 'system') tally.tagged++
      }
    }
  }
  if (tagged.length > 0) messages.push({ role: 'user', content: [...blocksOf(input), ...tagged] })
  else if (input !== undefined) messages.push(input)
  if (system.length > 0) messages.push({ role: 'system', content: system })
}

/** What users and tools said in a span, as one message, tool results first; `undefined` where nobody said anything. */
function lowerInputs(
  entries: readonly Entry<MessageParam>[],
  start: number,
  end: number,
  tally: Tally,
): MessageParam | undefined {
  let only: MessageParam | undefined
  let several = false
  for (let index = start; index < end; index++) {
    const entry = entries[index]
    if (entry?.type !== 'message') continue
    if (entry.message.role !== 'user') throw foreign(entry.message.role)
    several = only !== undefined
    only = entry.message
  }
  if (only === undefined) return undefined
  if (!several && isSendable(only.content, true)) return bare(only)
  const results: ContentBlockParam[] = []
  const others: ContentBlockParam[] = []
  for (let index = start; index < end; index++) {
    const entry = entries[index]
    if (entry?.type !== 'message') continue
    for (const block of blocksOf(entry.message)) {
      const lowered = lowerBlock(block, true, tally)
      if (lowered !== undefined) (lowered.type === 'tool_result' ? results : others).push(lowered)
    }
  }
  const content = [...results, ...others]
  return { role: 'user', content: content.length > 0 ? content : NO_CONTENT }
}

function blocksOf(message: MessageParam | undefined): readonly ContentBlockParam[] {
  if (message === undefined) return []
  return typeof message.content === 'string' ? [textBlock(message.content)] : message.content
}

function foreign(role: string): RequestInvalidError {
  return new RequestInvalidError(
    `A message of role ${JSON.stringify(role)} has no place in a Messages request. ` +
      'Create the sessions with anthropicFormat, which refuses it where it comes in.',
  )
}
