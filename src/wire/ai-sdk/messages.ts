/**
 * From entries to messages of the AI SDK. A span is what stands between two answers: results next to their calls, then what
 * users said, with updates where the provider behind the package wants them: a native one behind all of it on Claude, and
 * before the last user message on OpenAI; tagged text at the end of the last user message, and on OpenAI behind it, since what
 * was cached is found there at the ends of messages, so that none may grow when an aborted request is sent again.
 */
import type { ModelMessage } from 'ai'
import type { Entry } from '../../session/types.ts'
import { lowerUpdates, spansOf, type Span } from '../spans.ts'
import type { AppendedTools } from './appended-tools.ts'
import { bareMessage, type ProviderOptions } from './provider-options.ts'
import { sendable } from './sendable.ts'

/** How the entries of one turn are lowered. */
export interface MessageRules {
  readonly nonce: string
  /** Updates with the system's authority go out as system messages. */
  readonly native: boolean
  /** The provider whose places for updates and rules for content hold; `other` where only the SDK's do. */
  readonly provider: 'claude' | 'openai' | 'other'
  /** The name under which a system message has its tools. */
  readonly optionsOf: string | undefined
  /** Reasoning is left out of entries of epochs before this one. */
  readonly reasoningFrom: number
}

/** What lowering found, beside the messages. */
export interface MessageTally {
  tagged: number
  blank: number
  reasoning: number
  readonly tools: AppendedTools
}

/** What was said between two answers, by its place among the messages: from `start` to before `end`. */
export interface SaidSpan {
  readonly start: number
  readonly end: number
  readonly answered: boolean
}

/** The lowered conversation. */
export interface LoweredMessages {
  readonly messages: ModelMessage[]
  /** How many of them, from the start, were sent with the last answered request; 0 where none was. */
  readonly answered: number
  /** The spans in which something was said, oldest first. */
  readonly spans: readonly SaidSpan[]
}

/** The messages, oldest first. Messages that need no change are the entries' own. */
export function lowerMessages(
  entries: readonly Entry<ModelMessage>[],
  rules: MessageRules,
  tally: MessageTally,
): LoweredMessages {
  const messages: ModelMessage[] = []
  const spans: SaidSpan[] = []
  let answered = 0
  for (const span of spansOf(entries, ({ role }) => role === 'assistant')) {
    const start = messages.length
    messages.push(...lowerSpan(span, rules, tally))
    const end = messages.length
    if (end > start) spans.push({ start, end, answered: span.answer !== undefined })
    if (span.answer === undefined) continue
    if (end > start) answered = end
    messages.push(lowerAnswer(span.answer.message, span.answer.epoch >= rules.reasoningFrom, rules, tally))
  }
  return { messages, answered, spans }
}

function lowerSpan({ inputs, updates }: Span<ModelMessage>, rules: MessageRules, tally: MessageTally): ModelMessage[] {
  const said = inputs.map((message) => lowerMessage(message, rules, tally))
  const results = said.filter(({ role }) => role === 'tool')
  const users = said.filter(({ role }) => role !== 'tool')
  // On Claude a system message may not follow an answer, so there must be something before it.
  const native = rules.native && (rules.provider !== 'claude' || said.length > 0)
  const lowered = lowerUpdates(updates, { native, nonce: rules.nonce })
  tally.tagged += lowered.degraded
  tally.blank += lowered.blank
  for (const { tools } of updates) if (tools !== undefined) tally.tools.note(tools)
  const own = systemMessages(lowered.native.join('\n\n'), native ? tally.tools.take() : undefined, rules)
  const last = users.pop()
  if (rules.provider === 'openai') {
    const tagged = withTexts(undefined, lowered.tagged)
    return [...results, ...users, ...own, ...(last === undefined ? [] : [last]), ...tagged]
  }
  return [...results, ...users, ...withTexts(last, lowered.tagged), ...own]
}

/** What the system says in mid-conversation. OpenAI's package takes tools in a message without a text only. */
function systemMessages(
  content: string,
  options: ProviderOptions[string] | undefined,
  { provider, optionsOf = provider }: MessageRules,
): ModelMessage[] {
  const text: ModelMessage[] = content === '' ? [] : [{ role: 'system', content }]
  if (options === undefined) return text
  const providerOptions = { [optionsOf]: options }
  if (provider === 'claude') return [{ role: 'system', content, providerOptions }]
  return [{ role: 'system', content: '', providerOptions }, ...text]
}

/** The last user message with tagged texts behind it, or one of those alone. */
function withTexts(message: ModelMessage | undefined, texts: readonly string[]): ModelMessage[] {
  if (texts.length === 0) return message === undefined ? [] : [message]
  const parts = texts.map((text) => ({ type: 'text' as const, text }))
  if (message?.role !== 'user') return [...(message === undefined ? [] : [message]), { role: 'user', content: parts }]
  const { content } = message
  const said = typeof content === 'string' ? [{ type: 'text' as const, text: content }] : content
  return [{ ...message, content: [...said, ...parts] }]
}

/** What a user or a tool said, or a model: without marks, and on Claude without what the API refuses. */
function lowerMessage(message: ModelMessage, { provider }: MessageRules, tally: MessageTally): ModelMessage {
  const bare = bareMessage(message)
  return provider === 'claude' ? sendable(bare, tally) : bare
}

function lowerAnswer(
  message: ModelMessage,
  withReasoning: boolean,
  rules: MessageRules,
  tally: MessageTally,
): ModelMessage {
  if (withReasoning || message.role !== 'assistant' || typeof message.content === 'string') {
    return lowerMessage(message, rules, tally)
  }
  const content = message.content.filter(({ type }) => type !== 'reasoning')
  tally.reasoning += message.content.length - content.length
  return lowerMessage(content.length === message.content.length ? message : { ...message, content }, rules, tally)
}
