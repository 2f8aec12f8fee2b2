/**
 * Claude Code session files: `~/.claude/projects/<project>/<session>.jsonl` and the `subagents/agent-*.jsonl` below.
 *
 * They have the messages and what each answer cost, and neither system prompt nor tools. The order is that of the file.
 * Resuming and forking copy lines into a new file, so an answer counts once per run, for the file that is read first.
 * Odd cases: old versions write sub-agents into the session's own file, between the lines of the main loop; an answer
 * that the client made itself (`<synthetic>`) is no call, unless it says that one failed.
 */
import { field, has, list, textOf } from '../../../cache/layout/peek.ts'
import { at, fields, type Fields } from '../../../cache/usage/fields.ts'
import type { Exchange } from '../../exchange.ts'
import type { Head, LogReader, ReaderInput } from '../types.ts'
import { ChangeLog } from './change-log.ts'
import { Answer, keyOf } from './claude-code-answer.ts'
import { Conversation, type Entry, type Message } from './claude-code-conversation.ts'
import { jsonEvents, nameOf, timeOf } from './json-records.ts'

/** Reader of Claude Code sessions. */
export const claudeCode: LogReader = {
  id: 'claude-code',
  title: 'Claude Code session',
  hint: 'For whole requests set CLAUDE_CODE_ENABLE_TELEMETRY=1, OTEL_LOGS_EXPORTER=otlp and OTEL_LOG_RAW_API_BODIES=file:/absolute/folder (Claude Code 2.1.111 or newer), and audit that folder.',
  recognises: (head) => head.records.some(isSessionLine) || beginsSession(head),
  async *read(input) {
    const session = new Session(input)
    for await (const { record, line } of jsonEvents(input)) {
      session.take(record, line)
      yield* session.ready()
    }
    session.end()
    yield* session.ready()
  },
}

function isSessionLine(record: Fields): boolean {
  if (record['type'] === 'summary') return has(record, 'leafUuid')
  const named = has(record, 'uuid') || record['parentUuid'] !== undefined
  return typeof record['type'] === 'string' && has(record, 'sessionId') && named
}

const opening = new Set(['file-history-snapshot', 'queue-operation', 'permission-mode', 'last-prompt'])

/** Nothing but bookkeeping in the head, or a first message that is longer than the head. */
function beginsSession({ records: [first], start }: Head): boolean {
  if (first !== undefined) return opening.has(textOf(first, 'type'))
  return has(start, 'parentUuid') && has(start, 'isSidechain')
}

/** Calls that follow each other: the main loop of a session, or one sub-agent. */
interface Thread {
  readonly sidechain: boolean
  readonly changes: ChangeLog
  last: Entry | undefined
  open: Answer | undefined
}

const seenKey = 'claude-code:answers'

class Session {
  readonly #input: ReaderInput
  readonly #seen: Set<unknown>
  readonly #conversation = new Conversation()
  readonly #threads = new Map<string, Thread>()
  readonly #threadOf = new WeakMap<Entry, Thread>()
  /** In the order of the file; those behind one that is not complete wait for it. */
  #queue: Answer[] = []

  constructor(input: ReaderInput) {
    this.#input = input
    const known = input.shared.get(seenKey)
    this.#seen = known instanceof Set ? known : new Set()
    input.shared.set(seenKey, this.#seen)
  }

  /** Calls that are complete, and before which none is missing. */
  *ready(): Iterable<Exchange> {
    let count = 0
    for (const { exchange } of this.#queue) {
      if (exchange === undefined) break
      count++
      if (exchange !== null) yield exchange
    }
    if (count > 0) this.#queue = this.#queue.slice(count)
  }

  end(): void {
    for (const thread of this.#threads.values()) this.#close(thread)
  }

  take(record: Fields, line: number): void {
    const type = record['type']
    if (typeof type !== 'string') {
      this.#input.unread({ line, kind: 'unknown-shape', message: 'The line has no type.' })
      return
    }
    const isMessage = type === 'user' || type === 'assistant'
    if (isMessage && fields(record['message']) === undefined) {
      this.#input.unread({ line, kind: 'unknown-shape', message: `The ${type} line has no message.` })
      return
    }
    const uuid = nameOf(record['uuid'])
    // Titles, snapshots of files and queues are no part of the conversation; and some lines are written twice.
    if (uuid === undefined ? !isMessage : this.#conversation.has(uuid)) return
    const message = isMessage ? messageOf(record) : undefined
    const parent = this.#parentOf(record, message)
    const thread = this.#threadFor(record, uuid, parent)
    if (type === 'system') this.#takeBoundary(record, thread)
    if (type === 'user') noteUser(thread.changes, record)
    const answer = type === 'assistant' ? this.#answerIn(record, line, thread) : undefined
    thread.last = this.#conversation.add(uuid, { parent, message, time: timeOf(record['timestamp']) }, answer)
    this.#threadOf.set(thread.last, thread)
  }

  /** `null` is a root, but not of what answers something; a line that does not say follows the one before. */
  #parentOf(record: Fields, message: Message | undefined): Entry | undefined {
    const parent = record['parentUuid']
    const previous = this.#threads.get(threadKey(record))?.last
    if (typeof parent === 'string') return this.#conversation.find(parent, previous)
    const answers = message?.role === 'assistant' || this.#conversation.answers(message?.content)
    return parent === null && !answers ? undefined : previous
  }

  #threadFor(record: Fields, uuid: string | undefined, parent: Entry | undefined): Thread {
    const sidechain = record['isSidechain'] === true
    const key = threadKey(record, uuid)
    const inherited = parent === undefined ? undefined : this.#threadOf.get(parent)
    const known = inherited?.sidechain === sidechain ? inherited : this.#threads.get(key)
    const thread = known ?? { sidechain, changes: new ChangeLog(), last: undefined, open: undefined }
    // Resuming gives a session a new id in the middle of a file.
    if (known === undefined || !sidechain) this.#threads.set(key, thread)
    return thread
  }

  #takeBoundary(record: Fields, thread: Thread): void {
    const micro = record['subtype'] === 'microcompact_boundary'
    if (!micro && record['subtype'] !== 'compact_boundary') return
    this.#close(thread)
    const about = record[micro ? 'microcompactMetadata' : 'compactMetadata']
    thread.changes.compacted(micro ? 'tool results' : (nameOf(field(about, 'trigger')) ?? 'whole'))
    for (const call of list(field(about, 'compactedToolIds'))) this.#conversation.prune(call)
    const kept = field(about, 'preservedSegment')
    const tail = {
      head: textOf(kept, 'headUuid'),
      tail: textOf(kept, 'tailUuid'),
      anchor: textOf(kept, 'anchorUuid'),
    }
    this.#conversation.keep(tail)
  }

  /** The answer that a line is a block of; undefined for what the client said in the model's place. */
  #answerIn(record: Fields, line: number, thread: Thread): Answer | undefined {
    const model = at(record, 'message', 'model')
    const failed = record['isApiErrorMessage'] === true
    if (model === '<synthetic>' && !failed) return undefined
    const { open, changes } = thread
    if (open?.key !== undefined && open.key === keyOf(record)) {
      open.take(record)
      return open
    }
    this.#close(thread)
    if (!failed) {
      changes.set('model', model)
      changes.set('client-version', record['version'])
      changes.set('directory', record['cwd'])
      changes.set('branch', record['gitBranch'])
    }
    const answer = new Answer(record, line, failed ? undefined : changes.take())
    thread.open = answer
    this.#queue.push(answer)
    return answer
  }

  /** No more lines of the answer can come once another one has begun. */
  #close(thread: Thread): void {
    const { open, changes } = thread
    if (open === undefined) return
    thread.open = undefined
    const { key } = open
    if (key !== undefined && this.#seen.has(key)) open.exchange = null
    else open.exchange = open.toExchange(this.#input.name, this.#conversation.sentFor(open), changes.current('model'))
    if (key !== undefined) this.#seen.add(key)
  }
}

/** `root` names a sub-agent that has no id. */
function threadKey(record: Fields, root = ''): string {
  const session = textOf(record, 'sessionId')
  return record['isSidechain'] === true ? `${session}\n${nameOf(record['agentId']) ?? root}` : session
}

/** What is sent back of a line; the report of a failed call never is. */
function messageOf(record: Fields): Message | undefined {
  const content = at(record, 'message', 'content')
  if (record['isApiErrorMessage'] === true || content === undefined) return undefined
  return { role: record['type'] === 'user' ? 'user' : 'assistant', content }
}

/** A prompt says with which settings it is to be answered; a summary, that it stands for what was before. */
function noteUser(changes: ChangeLog, record: Fields): void {
  if (record['isCompactSummary'] === true) changes.compacted()
  const thinking = record['thinkingMetadata']
  const budget = field(thinking, 'maxThinkingTokens')
  const effort = field(thinking, 'disabled') === true ? 'none' : (field(thinking, 'level') ?? budget)
  changes.set('effort', typeof effort === 'number' ? String(effort) : effort)
  changes.set('permissions', record['permissionMode'])
}
