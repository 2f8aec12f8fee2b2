/**
 * Past turns, rebuilt from the log of a session (law 9): as `turn()` returned them, and what was answered.
 *
 * Two things a log does not hold: what could not be observed at a boundary (`stale` is empty, `tools.held` too), and a
 * boundary that had nothing to write. Such a quiet turn is known by its answer alone: one that nobody answered is not there.
 */
import { digest } from '../base/digest.ts'
import { canonicalJson } from '../base/json.ts'
import type { Usage } from '../base/usage.ts'
import type { Snapshot } from '../context/index.ts'
import { joinSystemPrompt } from '../prompt/index.ts'
import type { Decision } from './boundary.ts'
import { EventUnreadableError, NotSupportedError } from './errors.ts'
import { Contradiction, Fold } from './fold.ts'
import { BoundaryTurn } from './turn.ts'
import type { AdmittedUpdate, Entry, EpochCause, Format, SessionEvent, TurnView } from './types.ts'

/** What a past turn can be rebuilt of: a session of either kind. */
export interface Replayable<M> {
  readonly id: string
  readonly format: Format<M>
  events(): AsyncIterable<SessionEvent<M>>
}

export interface ReplayOptions<M> {
  /** The history of a session whose history the host keeps, as it is now. */
  readonly history?: readonly M[] | undefined
}

/** A past turn. */
export interface ReplayedTurn<M> {
  readonly revision: number
  readonly epoch: number
  /** Why an epoch started at this boundary, if one did. */
  readonly started: EpochCause | null
  /** What this boundary admitted. */
  readonly update: AdmittedUpdate | null
  /** When its boundary was taken, ISO 8601; of a quiet one, when what it was taken for was written: it came no earlier. */
  readonly at: string
  /** Its boundary had nothing to write, so that it came some time between `at` and its answer. */
  readonly quiet: boolean
  /** There was something to answer: an entry, and not an answer, came last. */
  readonly asks: boolean
  /** As `turn()` returned it. `null` where the history that the host keeps no longer holds all that it was sent. */
  readonly view: TurnView<M> | null
  /** What the model had been told by then, and when. */
  readonly snapshot: Snapshot
  readonly toldAt: ReadonlyMap<string, string>
  readonly answer: ReplayedAnswer<M> | null
}

/** What came back for a past turn. */
export interface ReplayedAnswer<M> {
  /** Of the event that recorded it; where the host keeps the history, of the boundary that saw it there. */
  readonly revision: number
  /** When that was, ISO 8601. */
  readonly at: string
  /** Where the host keeps the history: the assistant messages directly behind the turn, none where they are gone from it. */
  readonly messages: readonly M[]
  readonly usage?: Usage
}

/**
 * Every past turn of a session, oldest first, each once it is known whether it was answered. Reads the whole log. Throws
 * `EventUnreadableError` for a log that cannot be replayed.
 */
export async function* replayTurns<M>(
  session: Replayable<M>,
  options: ReplayOptions<M> = {},
): AsyncGenerator<ReplayedTurn<M>> {
  const replay = new TurnReplay(session.id, session.format, options)
  for await (const event of session.events()) yield* replay.take(event)
  yield* replay.finish()
}

/** The turn as it would have been with another baseline. */
export function withBaseline<M>(view: TurnView<M>, baseline: string): TurnView<M> {
  return { ...view, baseline, system: joinSystemPrompt(view.instructions, baseline) }
}

type BoundaryEvent<M> = Extract<SessionEvent<M>, { type: 'boundary' | 'epoch' }>
type AnswerEvent<M> = Extract<SessionEvent<M>, { type: 'answer' }>

/** A turn that may still be answered. */
interface WaitingTurn<M> {
  readonly turn: Omit<ReplayedTurn<M>, 'answer'>
  /** What it saw of the host's history. */
  readonly digests: readonly string[]
  answer: ReplayedAnswer<M> | null
}

class TurnReplay<M> {
  readonly #session: string
  readonly #format: Format<M>
  readonly #history: readonly M[] | undefined
  readonly #digests: readonly string[]
  readonly #fold: Fold<M>
  /** When the revision of the fold was written. */
  #revisionAt = ''
  /** Since the last answer, oldest first. */
  #waiting: WaitingTurn<M>[] = []

  constructor(session: string, format: Format<M>, { history }: ReplayOptions<M>) {
    this.#session = session
    this.#format = format
    this.#history = history
    this.#digests = (history ?? []).map((message) => digest(canonicalJson(this.#format.identity(message))))
    this.#fold = new Fold(this.#format)
  }

  /** Applies an event, and returns the turns that it settles. */
  take(event: SessionEvent<M>): readonly ReplayedTurn<M>[] {
    if (event.type === 'answer' && this.#fold.isWhole) return this.#takeAnswer(event)
    const { fixed } = this.#fold.history
    this.#apply(event)
    if (event.type !== 'boundary' && event.type !== 'epoch') return []
    // In a purged log, turns before its first epoch are only known in part.
    if (!this.#fold.isWhole) return []
    if (event.history !== undefined) this.#findAnswer(event, fixed)
    // A turn of a host's history may be answered until another one of its open tail is, or the epoch ends.
    const open = event.type === 'boundary' && event.history?.fixed === fixed
    const settled = open ? [] : this.finish()
    this.#waiting.push(this.#turn(decisionOf(event), event.at, false))
    return settled
  }

  finish(): readonly ReplayedTurn<M>[] {
    const settled = this.#waiting.map(({ turn, answer }): ReplayedTurn<M> => ({ ...turn, answer }))
    this.#waiting = []
    return settled
  }

  #takeAnswer(event: AnswerEvent<M>): readonly ReplayedTurn<M>[] {
    let settled: readonly ReplayedTurn<M>[] = []
    // An answer before any epoch is for the fold to refuse.
    if (this.#waiting.at(-1)?.turn.revision !== event.turn && this.#fold.epoch !== null) {
      settled = this.finish()
      this.#waiting.push(this.#turn({ type: 'none', stale: [], held: [] }, this.#revisionAt, true))
    }
    this.#apply(event)
    const { revision, at, messages, usage } = event
    this.#waiting.at(-1)!.answer = { revision, at, messages, ...(usage !== undefined && { usage }) }
    return settled
  }

  #apply(event: SessionEvent<M>): void {
    const before = this.#fold.revision
    try {
      this.#fold.apply(event)
    } catch (cause) {
      if (!(cause instanceof Contradiction)) throw cause
      throw new EventUnreadableError(this.#session, event.revision, cause.message, { cause })
    }
    if (this.#fold.revision !== before) this.#revisionAt = event.at
  }

  /** The turn that the folded state now is. */
  #turn(decision: Decision, at: string, quiet: boolean): WaitingTurn<M> {
    const fold = this.#fold
    const hosted = fold.mode === 'host'
    const { digests } = fold.history.seen
    const entries = hosted ? this.#interleave() : fold.entries
    const shown = new BoundaryTurn(this.#session, fold, entries ?? [], decision, refusePast)
    const { revision, epoch, started, update } = shown
    const asks = hosted ? digests.length > fold.history.fixed : fold.entries.length > 0 && !fold.endsWithAnswer
    const { snapshot } = fold
    const toldAt = new Map(fold.toldAt)
    const view = entries === null ? null : shown
    return {
      turn: { revision, epoch, started, update, at, quiet, asks, view, snapshot, toldAt },
      digests,
      answer: null,
    }
  }

  /** The host's messages with the updates between them; `null` where one that was seen is no longer there. */
  #interleave(): readonly Entry<M>[] | null {
    const { updates, seen } = this.#fold.history
    if (this.#history === undefined || !isPrefix(seen.digests, this.#digests)) return null
    const entries: Entry<M>[] = []
    let next = 0
    for (let index = 0; index <= seen.digests.length; index++) {
      while (updates[next]?.position === index) entries.push(updates[next++]!.entry)
      if (index === seen.digests.length) break
      const [revision, epoch] = [seen.revisions[index]!, seen.epochs[index]!]
      entries.push({ revision, epoch, type: 'message', message: this.#history[index]! })
    }
    return entries
  }

  /** Where the history that a boundary saw holds a new answer: to the turn that the host named, or else to the newest. */
  #findAnswer({ history, revision, at }: BoundaryEvent<M>, fixed: number): void {
    const named = history!.answered
    const waiting =
      named === undefined ? this.#waiting.at(-1) : this.#waiting.find(({ turn }) => turn.revision === named.revision)
    if (waiting === undefined) return
    const { seen } = this.#fold.history
    // A rewritten history is no answer to what it no longer holds, and a turn without an open tail asked nothing.
    const follows = history!.fixed > fixed && isPrefix(waiting.digests, seen.digests) && waiting.turn.asks
    if (named === undefined && !follows) return
    const messages = this.#answerBehind(waiting.digests.length)
    waiting.answer = { revision, at, messages, ...(named?.usage !== undefined && { usage: named.usage }) }
  }

  #answerBehind(start: number): readonly M[] {
    const { digests } = this.#fold.history.seen
    if (this.#history === undefined || !isPrefix(digests.slice(0, start), this.#digests)) return []
    let end = start
    while (
      end < Math.min(digests.length, this.#history.length) &&
      digests[end] === this.#digests[end] &&
      this.#format.kind(this.#history[end]!) === 'assistant'
    )
      end++
    return this.#history.slice(start, end)
  }
}

/** What was decided at a boundary, as far as a turn shows it. */
function decisionOf<M>(event: BoundaryEvent<M>): Decision {
  const unlogged = { stale: [], held: [] }
  if (event.type === 'epoch') {
    const { cause, baseline, snapshot, tools, view } = event
    const compacts = view.summary !== null
    return { type: 'epoch', cause, compacts, start: { baseline, snapshot }, tools, ...unlogged }
  }
  const { update, snapshot } = event
  return update === null ? { type: 'none', ...unlogged } : { type: 'update', update, advance: snapshot, ...unlogged }
}

function isPrefix(start: readonly string[], whole: readonly string[]): boolean {
  return start.length <= whole.length && start.every((one, index) => one === whole[index])
}

function refusePast(): Promise<never> {
  return Promise.reject(new NotSupportedError('A past turn takes no answer. Take a new turn.'))
}
