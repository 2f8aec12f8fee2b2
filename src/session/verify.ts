/**
 * Replays a whole log against the laws: every row is intact and where it belongs, every past turn is rebuilt, and each
 * answered request is a prefix of the later ones of its epoch. Reads only.
 *
 * What no log can show is that its newest rows vanished: nothing that is left refers to them. A process that had read them
 * can tell.
 */
import { canonicalJson } from '../base/json.ts'
import { EventUnreadableError, SessionDeletedError } from './errors.ts'
import { escapeRendered } from './escape.ts'
import { decodeEvent, encodeMessage } from './event.ts'
import { Contradiction, Fold } from './fold.ts'
import type { EventLog } from './log.ts'
import { asWithheld, decodeRecord, isPurged } from './retention.ts'
import type { StoredEvent } from './store.ts'
import { toolIds, TOOLS_KEY } from './tools.ts'
import type { AdmittedUpdate, Format, Problem, SessionEvent, ToolChanges, Verification } from './types.ts'

/** Purges that one verification may be overtaken by. */
const MAX_OVERTAKEN = 5

/** With `digests`, those of a history that the host holds, also checks it against what was answered. */
export async function verifyLog<M>(log: EventLog<M>, digests?: readonly string[]): Promise<Verification> {
  for (let attempt = 1; ; attempt++) {
    const { problems, first } = await replayLog(log, digests)
    const isOvertaken = problems.length > 0 && first !== undefined && (await log.isGone(first))
    if (!isOvertaken || attempt === MAX_OVERTAKEN) return { ok: problems.length === 0, problems }
    // A purge took rows away while they were read.
  }
}

/** The problems of a log, and the first row that was replayed. */
async function replayLog<M>(
  log: EventLog<M>,
  digests: readonly string[] | undefined,
): Promise<{ problems: readonly Problem[]; first: StoredEvent | undefined }> {
  let first: StoredEvent | undefined
  const unreadable = await openingFailure(log)
  const { head } = log.fold
  const replay = new Replay(log)
  for await (const row of log.rows(0)) {
    try {
      if (replay.start === 0 && isPurged(row)) {
        decodeRecord(log.session, row, log.format)
        continue
      }
      first ??= row
      replay.place(row)
      const isLeft = isPurged(row) && replay.begun === 0
      replay.take((isLeft ? asWithheld : decodeEvent)(log.session, row, log.format))
    } catch (error) {
      if (!(error instanceof EventUnreadableError)) throw error
      replay.report(row.revision, 'integrity', error.message)
    }
  }
  if (replay.revision < head) {
    replay.report(replay.revision + 1, 'integrity', `the row is missing; this process has read up to ${head}`)
  }
  replay.finish(unreadable, digests)
  return { problems: replay.problems, first }
}

/** Why this process cannot read the session; row by row, the replay shows where. */
async function openingFailure<M>(log: EventLog<M>): Promise<EventUnreadableError | null> {
  try {
    await log.catchUp()
    return null
  } catch (error) {
    if (error instanceof EventUnreadableError) return error
    // Rows that this process had read are gone or others: the replay finds which.
    if (error instanceof SessionDeletedError) return null
    throw error
  }
}

class Replay<M> {
  readonly problems: Problem[] = []
  /** Of the row at hand. */
  revision = 0
  /** Of the first row; in a purged log it is not 1. */
  start = 0
  /** Of the first that holds anything: a fork of a purged log begins with rows that do not. */
  begun = 0
  readonly #log: EventLog<M>
  readonly #fold: Fold<M>
  readonly #events: SessionEvent<M>[] = []
  readonly #ids = new Set<string>()
  /** Where the epochs in the log begin to keep messages in view: a purge leaves a log that begins at one of them. */
  readonly #viewStarts = new Set<number>()
  /** What each turn since the last answer showed, by revision. */
  readonly #turns = new Map<number, readonly unknown[]>()
  #newest = 0
  /** What the newest answered turn of the epoch showed. */
  #answered: readonly unknown[] = []
  #fixed = 0
  /** False once an event could not be folded: what follows can then only be checked row by row. */
  #replaying = true

  constructor(log: EventLog<M>) {
    this.#log = log
    this.#fold = new Fold(log.format)
  }

  report(revision: number, law: Problem['law'], message: string): void {
    if (law === 'integrity') this.#replaying = false
    this.problems.push({ revision, law, message })
  }

  /** Takes up the next row. */
  place(row: StoredEvent): void {
    const { revision, type } = row
    if (this.begun === 0 && type !== 'withheld' && !isPurged(row)) this.begun = revision
    if (this.start === 0) this.start = revision
    else if (revision !== this.revision + 1) {
      this.report(this.revision + 1, 'integrity', `the row is missing; the next one is ${revision}`)
    }
    this.revision = revision
  }

  take(event: SessionEvent<M>): void {
    if (!this.#replaying) return
    try {
      this.#checkTexts(event)
      this.#checkFrozen(event)
      this.#fold.apply(event)
    } catch (error) {
      this.#reportRefusal(event.revision, error)
      return
    }
    this.#events.push(event)
    this.#checkOnce(event)
    if (event.type === 'epoch') this.#viewStarts.add(event.view.from)
    // Before the first epoch of a purged log, what was in view is only known in part.
    if (!this.#fold.isWhole) return
    if (event.type === 'boundary' || event.type === 'epoch') this.#checkTurn(event)
    if (event.type === 'answer') {
      this.#answered = this.#turns.get(this.#newest) ?? []
      this.#turns.clear()
    }
  }

  /** An event that the fold does not take: it contradicts those before it, or has not the shape of its type. */
  #reportRefusal(revision: number, error: unknown): void {
    if (error instanceof Contradiction) this.report(revision, error.law, error.message)
    else this.report(revision, 'integrity', `the event cannot be replayed: ${String(error)}`)
    this.#replaying = false
  }

  #checkOnce(event: SessionEvent<M>): void {
    if (!('id' in event)) return
    const id = `${event.type} ${event.id}`
    if (this.#ids.has(id))
      this.report(event.revision, 'once', `the ${event.type} ${JSON.stringify(event.id)} is there twice`)
    this.#ids.add(id)
  }

  /** The texts of a boundary must tell what the snapshot then holds. */
  #checkTexts(event: SessionEvent<M>): void {
    if (event.type !== 'boundary' || event.update === null) return
    const { update, revision } = event
    const parts = update.parts.flatMap((part) => part.keys)
    const changes = update.changes.map((change) => change.key).filter((key) => key !== TOOLS_KEY || saysOfTools(update))
    if (canonicalJson(parts.toSorted()) !== canonicalJson(changes.toSorted())) {
      this.report(revision, 'belief', 'the parts of the update speak of other sources than its changes')
    }
    if (linesOf(update.text) !== linesOf(update.parts.map((part) => part.text).join('\n\n'))) {
      this.report(revision, 'belief', 'the text of the update is not that of its parts')
    }
    if (update.tools !== undefined) this.#checkToolTexts(update, update.tools, revision)
    if ((update.tools !== undefined) !== update.changes.some(({ key }) => key === TOOLS_KEY)) {
      this.report(revision, 'belief', 'the changes of the update and its tools do not agree')
    }
    for (const { key, kind } of update.changes) {
      const removed = this.#fold.snapshot[key]?.removed
      if (kind === 'removed' && (removed === undefined || !update.text.includes(removed))) {
        this.report(revision, 'belief', `${key} is gone, but the update lacks the text that was stored for that`)
      }
    }
  }

  /** Of the words, only that they name each tool: a later release may choose others. */
  #checkToolTexts(update: AdmittedUpdate, { added, removed, restored }: ToolChanges, revision: number): void {
    const said = update.parts.find(({ keys }) => keys.includes(TOOLS_KEY))
    const unsaid = [...removed, ...restored].filter(
      (id) => said?.text.includes(escapeRendered(JSON.stringify(id))) !== true,
    )
    if (unsaid.length > 0) {
      this.report(revision, 'belief', `the text of the update does not speak of the tools ${unsaid.join(', ')}`)
    }
    if (said !== undefined && said.authority !== 'system') {
      this.report(revision, 'belief', 'the update speaks of tools with the authority of a user')
    }
    const ids = [added.map(toolIds(this.#log.format)), removed, restored]
    if (ids.some((list) => new Set(list).size !== list.length)) {
      this.report(revision, 'belief', 'the update speaks of a tool twice')
    }
    if (update.changes.some(({ key, kind }) => key === TOOLS_KEY && kind !== 'changed')) {
      this.report(revision, 'belief', 'the tools as a whole can neither come nor go')
    }
  }

  /** Frozen tools stand in the order of their ids, each once. */
  #checkFrozen(event: SessionEvent<M>): void {
    if (event.type !== 'epoch' || event.tools === null) return
    const ids = event.tools.map(toolIds(this.#log.format))
    const misplaced = ids.find((id, index) => index > 0 && ids[index - 1]! >= id)
    if (misplaced === undefined) return
    this.report(event.revision, 'belief', `the tool ${JSON.stringify(misplaced)} is frozen out of order, or twice`)
  }

  #checkTurn(event: Extract<SessionEvent<M>, { type: 'boundary' | 'epoch' }>): void {
    const fold = this.#fold
    const { history, revision } = event
    if (fold.inbox.length > 0) {
      this.report(revision, 'atomic', `the boundary left ${fold.inbox.length} inputs in the inbox`)
    }
    if (event.type === 'epoch') this.#answered = []
    else if (history !== undefined && history.fixed > this.#fixed) {
      this.#answered = this.#turns.get(history.answered?.revision ?? this.#newest) ?? []
      this.#turns.clear()
    }
    this.#fixed = history?.fixed ?? 0
    this.#newest = revision
    const shown = history === undefined ? fold.entries : sequenceOf(fold)
    const split = firstDifference(this.#answered, shown)
    if (split !== -1) this.report(revision, 'prefix', `entry ${split} is not what the model has answered to`)
    this.#turns.set(revision, shown)
  }

  /** Opens the log as a new process would, and holds that against the replay and against what this process believes. */
  finish(unreadable: EventUnreadableError | null, digests: readonly string[] | undefined): void {
    if (this.start > 1 && !this.#viewStarts.has(this.begun)) {
      this.report(1, 'integrity', `the row is missing; the next one is ${this.start}`)
    }
    if (!this.#replaying) return
    const fold = this.#fold
    const opened = new Fold(this.#log.format)
    const from = fold.epoch?.view.from ?? 1
    try {
      for (const event of this.#events) if (event.revision >= from) opened.apply(event)
    } catch (error) {
      if (!(error instanceof Contradiction)) throw error
      this.report(fold.head, 'replayable', `opening the session from its epoch fails: ${error.message}`)
    }
    this.#compare(opened, 'opening the session from its epoch')
    if (unreadable === null) this.#compare(this.#log.fold, 'what this process holds of the session')
    else if (this.problems.length === 0) this.report(unreadable.revision, 'replayable', unreadable.message)
    if (digests === undefined) return
    const { history } = fold
    for (let index = 0; index < history.fixed; index++) {
      if (digests[index] !== history.seen.digests[index]) {
        const problem = index < digests.length ? 'is not what the model has answered to' : 'is gone'
        this.report(history.seen.revisions[index]!, 'prefix', `message ${index} of the history ${problem}`)
        return
      }
    }
  }

  #compare(other: Fold<M>, what: string): void {
    // While this ran, the process may have folded events that the replay has not seen.
    if (other.head !== this.#fold.head) return
    const { format } = this.#log
    if (JSON.stringify(stateOf(other, format)) !== JSON.stringify(stateOf(this.#fold, format))) {
      this.report(this.#fold.head, 'replayable', `${what} gives another state than replaying its whole log`)
    }
  }
}

/** New tools come without words. */
function saysOfTools({ tools }: AdmittedUpdate): boolean {
  return tools !== undefined && tools.removed.length + tools.restored.length > 0
}

/** The parts of an update have its texts in another order. */
function linesOf(text: string): string {
  return text.split('\n').sort().join('\n')
}

/** Where `later` first differs from `earlier`, or -1. A loop, because it runs over all entries at every turn. */
function firstDifference(earlier: readonly unknown[], later: readonly unknown[]): number {
  for (let index = 0; index < earlier.length; index++) if (earlier[index] !== later[index]) return index
  return -1
}

/** A host's history as the model saw it: digests of messages, and the updates between them. */
function sequenceOf<M>({ history }: Fold<M>): readonly unknown[] {
  const sequence: unknown[] = []
  let next = 0
  const { digests } = history.seen
  for (let index = 0; index <= digests.length; index++) {
    while (history.updates[next]?.position === index) sequence.push(history.updates[next++]!.entry)
    if (index < digests.length) sequence.push(digests[index])
  }
  return sequence
}

/** All that a fold has come to, as JSON: both sides were read from the same rows, so that even the order of keys is the same. */
function stateOf<M>(fold: Fold<M>, format: Format<M>): unknown {
  const encode = (message: M): unknown => encodeMessage(format, message)
  const { epoch, revision, snapshot, tools, moved, refusals, compaction, history } = fold
  return {
    epoch,
    revision,
    snapshot,
    tools: tools && [[...tools.defined], tools.turn],
    moved,
    refusals,
    entries: fold.entries.map((entry) =>
      entry.type === 'message' ? { ...entry, message: encode(entry.message) } : entry,
    ),
    inbox: fold.inbox.map((input) => ({ ...input, message: encode(input.message) })),
    compaction: compaction && { ...compaction, summary: compaction.summary.map(encode) },
    history: [history.seen, history.fixed, sequenceOf(fold)],
  }
}
