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
  const uncovered: number[] = []
  let answered = 0
  for (const span of spansOf(entries, ({ role }) => role === 'assistant')) {
    const said = lowerSpan(span, rules, tally)
    messages.push(...said)
    if (said.at(-1)?.role === 'system') uncovered.push(messages.length - 1)
    if (span.answer === undefined) continue
    if (said.length > 0) answered = messages.length
    messages.push(lowerAnswer(span.answer.message, span.answer.epoch >= rules.reasoningFrom, tally))
  }
  return { messages, answered, uncovered }
}

const toolId = toolIdOf(aiSdkFormat)

function lowerSpan({ inputs, updates }: Span<ModelMessage>, rules: MessageRules, tally: MessageTally): ModelMessage[] {
  const results = inputs.filter(({ role }) => role === 'tool').map(bareMessage)
  const users = inputs.filter(({ role }) => role !== 'tool').map(bareMessage)
  // On Claude a system message may not follow an answer, so there must be something before it.
  const native = rules.native === 'before-user' || (rules.native === 'last' && inputs.length > 0)
  const lowered = lowerUpdates(updates, { native, nonce: rules.nonce, toolId })
  tally.tagged += lowered.degraded
  if (rules.native !== null) tally.misplaced += lowered.degraded
  tally.blank += lowered.blank
  for (const tool of lowered.added) tally.added.add(toolId(tool))

  const own: ModelMessage[] =
    lowered.native.length === 0 ? [] : [{ role: 'system', content: lowered.native.join('\n\n') }]
  const last = users.pop()
  const spoken = withTexts(last, lowered.tagged)
  if (rules.native === 'before-user' && last !== undefined) return [...results, ...users, ...own, ...spoken]
  return [...results, ...users, ...spoken, ...own]
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

function lowerAnswer(message: ModelMessage, withReasoning: boolean, tally: MessageTally): ModelMessage {
  const bare = bareMessage(message)
  if (withReasoning || bare.role !== 'assistant' || typeof bare.content === 'string') return bare
  const content = bare.content.filter(({ type }) => type !== 'reasoning')
  if (content.length === bare.content.length) return bare
  tally.reasoning += bare.content.length - content.length
  return { ...bare, content: content.length > 0 ? content : [{ type: 'text', text: NO_CONTENT }] }
}
