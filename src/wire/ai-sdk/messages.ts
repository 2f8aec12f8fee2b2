/**
 * From entries to messages of the AI SDK. A span is what stands between two answers: results next to their calls, then what
 * users said, with updates where the provider behind the package wants them: a native one behind all of it on Claude, and
 * before the last user message on OpenAI; tagged text behind the last user message.
 */
import type { ModelMessage } from 'ai'
import type { Entry } from '../../session/types.ts'
import { lowerUpdates, spansOf, type Span } from '../spans.ts'
import { NO_CONTENT } from '../text.ts'
import { toolIdOf } from '../tools.ts'
import { aiSdkFormat } from './format.ts'
import { bareMessage } from './provider-options.ts'

/** How the entries of one turn are lowered. */
export interface MessageRules {
  readonly nonce: string
  /** Where a native update stands in its span; `null` where there is none. */
  readonly native: 'last' | 'before-user' | null
  /** Tagged text is a message of its own, because no message may grow where entries end with messages. */
  readonly apart: boolean
  /** Reasoning is left out of entries of epochs before this one. */
  readonly reasoningFrom: number
}

/** What lowering found, beside the messages. */
export interface MessageTally {
  tagged: number
  /** Of the tagged ones, those for which there was no place though the model takes them natively. */
  misplaced: number
  blank: number
  reasoning: number
  readonly added: Set<string>
}

/** The lowered conversation. */
export interface LoweredMessages {
  readonly messages: ModelMessage[]
  /** How many of them, from the start, were sent with the last answered request; 0 where none was. */
  readonly answered: number
  /** Index of the last message of each span that was answered. */
  readonly ends: readonly number[]
  /** Indexes of native updates that no later message of their span covers. */
  readonly uncovered: readonly number[]
}

/** The messages, oldest first. Messages that need no change are the entries' own. */
export function lowerMessages(
  entries: readonly Entry<ModelMessage>[],
  rules: MessageRules,
  tally: MessageTally,
): LoweredMessages {
  const messages: ModelMessage[] = []
  const ends: number[] = []
  const uncovered: number[] = []
  for (const span of spansOf(entries, ({ role }) => role === 'assistant')) {
    const said = lowerSpan(span, rules, tally)
    messages.push(...said)
    if (said.at(-1)?.role === 'system') uncovered.push(messages.length - 1)
    if (span.answer === undefined) continue
    if (said.length > 0) ends.push(messages.length - 1)
    messages.push(lowerAnswer(span.answer.message, span.answer.epoch >= rules.reasoningFrom, tally))
  }
  return { messages, answered: (ends.at(-1) ?? -1) + 1, ends, uncovered }
}

const toolId = toolIdOf(aiSdkFormat)

function lowerSpan({ inputs, updates }: Span<ModelMessage>, rules: MessageRules, tally: MessageTally): ModelMessage[] {
  const results = inputs.filter(({ role }) => role === 'tool').map(bareMessage)
  const users = inputs.filter(({ role }) => role !== 'tool').map(bareMessage)
  // On Claude a system message may not follow an answer, so there must be something before it.
  const native = rules.native === 'before-user' || (rules.native === 'last' && inputs.length > 0)
  const lowered = lowerUpdates(updates, { native, nonce: rules.nonce })
  tally.tagged += lowered.degraded
  if (rules.native !== null) tally.misplaced += lowered.degraded
  tally.blank += lowered.blank
  for (const tool of lowered.added) tally.added.add(toolId(tool))

  const own: ModelMessage[] =
    lowered.native.length === 0 ? [] : [{ role: 'system', content: lowered.native.join('\n\n') }]
  if (rules.native === 'before-user') {
    const last = users.pop()
    return [...results, ...users, ...own, ...(last === undefined ? [] : [last]), ...apart(lowered.tagged)]
  }
  if (rules.apart) return [...results, ...users, ...apart(lowered.tagged), ...own]
  const last = users.pop()
  return [...results, ...users, ...withTexts(last, lowered.tagged), ...own]
}

function apart(texts: readonly string[]): ModelMessage[] {
  return texts.length === 0 ? [] : [{ role: 'user', content: textParts(texts) }]
}

function textParts(texts: readonly string[]): { readonly type: 'text'; readonly text: string }[] {
  return texts.map((text) => ({ type: 'text', text }))
}

/** The last user message with tagged texts behind it, or one of those alone. */
function withTexts(message: ModelMessage | undefined, texts: readonly string[]): ModelMessage[] {
  if (texts.length === 0) return message === undefined ? [] : [message]
  if (message?.role !== 'user') return [...(message === undefined ? [] : [message]), ...apart(texts)]
  const { content } = message
  const said = typeof content === 'string' ? textParts([content]) : content
  return [{ ...message, content: [...said, ...textParts(texts)] }]
}

function lowerAnswer(message: ModelMessage, withReasoning: boolean, tally: MessageTally): ModelMessage {
  const bare = bareMessage(message)
  if (withReasoning || bare.role !== 'assistant' || typeof bare.content === 'string') return bare
  const content = bare.content.filter(({ type }) => type !== 'reasoning')
  if (content.length === bare.content.length) return bare
  tally.reasoning += bare.content.length - content.length
  return { ...bare, content: content.length > 0 ? content : [{ type: 'text', text: NO_CONTENT }] }
}
