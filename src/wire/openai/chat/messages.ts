/**
 * From entries to messages of Chat Completions. A span is what stands between two answers: results next to their calls, then
 * what users said, with a native update before the last of it and tagged ones at its end. These are a message of their own
 * on OpenAI, which finds what it cached at the ends of messages, so that none may grow when an aborted request is sent again;
 * elsewhere they are in the user's message, because a template may want roles to alternate.
 *
 * Two odd cases. A span without a user message (a tool loop) has a native update behind the results, marked where marks are
 * taken, because no later message covers it. And where a user may not speak directly after a tool, updates stand inside the
 * last result, and an empty answer comes between a result and what a user said meanwhile.
 */
import type { ChatCompletionMessageParam } from 'openai/resources/chat/completions'
import type { OpenAIPlatform } from '../../../cache/index.ts'
import type { AdmittedUpdate, Entry } from '../../../session/types.ts'
import { foreignRole } from '../../errors.ts'
import { lowerUpdates, spansOf, type Span } from '../../spans.ts'
import { NO_CONTENT } from '../../text.ts'
import { toolIds } from '../../../session/tools.ts'
import type { MarkRules } from '../breakpoints.ts'
import { markedContent, markLast, withoutMarks } from '../parts.ts'
import { isOpenAIs, splitAtUpdate, systemRole } from '../updates.ts'
import { bareMessage, openAIChatFormat } from './format.ts'

type Message = ChatCompletionMessageParam

/** How the entries of one turn are lowered. */
export interface ChatRules {
  readonly platform: OpenAIPlatform
  readonly nonce: string
  /** Updates with the system's authority go out as messages of their own. */
  readonly native: boolean
  readonly userAfterTool: boolean
  readonly marks: MarkRules
}

/** What lowering could not do as asked, counted. */
export interface ChatTally {
  tagged: number
  blank: number
  /** Ids of the tools that were appended, which this API has no place for. */
  readonly added: Set<string>
}

/** The messages behind the leading ones, oldest first. Messages that need no change are the entries' own. */
export function lowerChat(entries: readonly Entry<Message>[], rules: ChatRules, tally: ChatTally): Message[] {
  const messages: Message[] = []
  for (const span of spansOf(entries, ({ role }) => role === 'assistant')) {
    const said = lowerSpan(span, rules, tally)
    const isMarked = span.answer === undefined ? rules.marks.open : rules.marks.answered
    messages.push(...(isMarked ? markLast(said, marked) : said))
    if (span.answer !== undefined) messages.push(lowerMessage(span.answer.message, tally))
  }
  return messages
}

function lowerSpan({ inputs, updates }: Span<Message>, rules: ChatRules, tally: ChatTally): Message[] {
  const { native, tagged } = textsOf(updates, rules, tally)
  const { before, last } = splitAtUpdate(inputs, kindOf)
  const said = before.map((message) => lowerMessage(message, tally))
  const own: Message[] = tagged.length === 0 ? [] : [{ role: 'user', content: tagged.join('\n\n') }]
  if (last !== undefined) {
    const asked = lowerMessage(last, tally)
    const pending = isOpenAIs(rules.platform) ? [asked, ...own] : [withText(asked, tagged)]
    const all = [...said, ...native, ...pending]
    if (isOpenAIs(rules.platform)) return all
    return rules.userAfterTool ? joined(all) : parted(joined(all))
  }
  const result = said.at(-1)
  if (!rules.userAfterTool && result?.role === 'tool')
    return [...said.slice(0, -1), withText(result, tagged), ...native]
  const covered = own.length > 0 || !rules.marks.updates
  return [...said, ...(covered ? native : native.map(marked)), ...own]
}

const toolId = toolIds(openAIChatFormat)

function textsOf(
  updates: readonly AdmittedUpdate[],
  { native, nonce, platform }: ChatRules,
  tally: ChatTally,
): { readonly native: readonly Message[]; readonly tagged: readonly string[] } {
  const lowered = lowerUpdates(updates, { native, nonce })
  tally.tagged += lowered.degraded
  tally.blank += lowered.blank
  for (const tool of lowered.added) tally.added.add(toolId(tool))
  const own = lowered.native.join('\n\n')
  return { native: own === '' ? [] : [{ role: systemRole(platform), content: own }], tagged: lowered.tagged }
}

function kindOf({ role }: Message): 'user' | 'result' {
  if (role === 'tool') return 'result'
  if (role === 'user') return 'user'
  throw foreignRole(role, 'openAIChatFormat')
}

/** The message as it is sent: without marks, an answer without what belongs to a response, and none without anything to say. */
function lowerMessage(message: Message, tally: ChatTally): Message {
  const bare = withoutMarks(bareMessage(message), 'content')
  if (saysSomething(bare)) return bare
  tally.blank++
  return { ...bare, content: NO_CONTENT }
}

const otherwise = ['tool_calls', 'function_call', 'refusal', 'audio'] as const

/** False for a message without content, which is refused; that of an answer may be missing where it has something else. */
function saysSomething(message: Message): boolean {
  const { content } = message
  if (Array.isArray(content) ? content.length > 0 : typeof content === 'string') return true
  const fields = message as object as { readonly [name: string]: unknown }
  return message.role === 'assistant' && otherwise.some((name) => fields[name] !== undefined && fields[name] !== null)
}

/** The message with texts at its end: a string stays one, because not every server takes parts. */
function withText<M extends Message>(message: M, texts: readonly string[]): M {
  if (texts.length === 0) return message
  const { content } = message as { content?: unknown }
  if (typeof content === 'string') return { ...message, content: [content, ...texts].join('\n\n') }
  const parts = Array.isArray(content) ? (content as readonly unknown[]) : []
  return { ...message, content: [...parts, ...texts.map((text) => ({ type: 'text', text }))] }
}

/** Neighbouring user messages as one: a model's template may want roles to alternate. */
function joined(messages: readonly Message[]): Message[] {
  const all: Message[] = []
  for (const message of messages) {
    const before = all.at(-1)
    if (message.role === 'user' && before?.role === 'user') all[all.length - 1] = joinedTo(before, message)
    else all.push(message)
  }
  return all
}

function joinedTo(one: UserMessage, other: UserMessage): UserMessage {
  if (typeof one.content === 'string' && typeof other.content === 'string') return withText(one, [other.content])
  return { ...one, content: [...partsOf(one), ...partsOf(other)] }
}

type UserMessage = Extract<Message, { readonly role: 'user' }>

function partsOf({ content }: UserMessage): Exclude<UserMessage['content'], string> {
  return typeof content === 'string' ? [{ type: 'text', text: content }] : content
}

/** An empty answer between each result and the user message that would follow it directly. */
function parted(messages: readonly Message[]): Message[] {
  return messages.flatMap((message, index) =>
    message.role === 'user' && messages[index - 1]?.role === 'tool'
      ? [{ role: 'assistant' as const, content: NO_CONTENT }, message]
      : [message],
  )
}

/** The message with a mark at its end, or itself where it takes none. */
export function marked<M extends Message>(message: M): M {
  const content = markedContent((message as { content?: unknown }).content, 'text')
  return content === undefined ? message : ({ ...message, content } as unknown as M)
}
