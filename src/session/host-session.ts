/**
 * A session whose conversation the host keeps. The log holds a digest per message and where each update stands; the
 * messages themselves come with every turn.
 *
 * Invariant: what has been answered never changes. A boundary compares the history given with the digests; the open tail,
 * after the last answer, may be rearranged freely.
 */
import { canonicalJson, NotJsonError } from '../base/json.ts'
import { digest } from '../base/digest.ts'
import type { Usage } from '../base/usage.ts'
import type { StaleSource } from '../context/index.ts'
import type { Circumstances, Decision } from './boundary.ts'
import type { SessionEnvironment } from './environment.ts'
import { reading } from './check-messages.ts'
import { HistoryRewrittenError, MessageInvalidError, NotSupportedError, ToolResultsPendingError } from './errors.ts'
import type { EventDraft } from './event.ts'
import { forkLog } from './fork.ts'
import { originsOf } from './history-fold.ts'
import type { SeenHistory } from './history-fold.ts'
import { checkId } from './ids.ts'
import { EventLog } from './log.ts'
import { recordMove, recordRefusal } from './pending.ts'
import { boundaryDraft, epochDraft, takeBoundary } from './take-boundary.ts'
import { BoundaryTurn } from './turn.ts'
import type { Entry, Format, HistoryMark, HostSession, Refusal, SessionEvent, Turn, Verification } from './types.ts'
import { admitUsage } from './usage.ts'
import { verifyLog } from './verify.ts'

interface HostTurnOptions<M, H> {
  history: readonly M[]
  host?: H
  answered?: { revision: number; usage?: Usage }
  onRewrite?: 'throw' | 'epoch'
}

/** How the history given relates to the one recorded. */
interface Comparison {
  readonly digests: readonly string[]
  /** What the turn saw that the history goes on from: the newest, or the one whose answer is new in it. */
  readonly known: SeenHistory
  /** Digests of that turn that still hold. */
  readonly keep: number
  /** Messages up to and including the last answer. */
  readonly fixed: number
  /** Index of the first answered message that is not what it was; null where none is. */
  readonly rewrittenAt: number | null
}

export class AttachedSession<M, H> implements HostSession<M, H> {
  readonly id: string
  readonly format: Format<M>
  readonly #environment: SessionEnvironment<M, H>
  readonly #log: EventLog<M>
  /** The canonical JSON of the messages that the last turn of this object saw, by index. */
  #held: readonly string[] = []
  #heldDigests: readonly string[] = []
  #entries: readonly Entry<M>[] = []

  constructor(id: string, environment: SessionEnvironment<M, H>) {
    this.id = checkId('A session id', id)
    this.format = environment.format
    this.#environment = environment
    this.#log = new EventLog(id, 'host', environment)
  }

  async turn(given: HostTurnOptions<M, H>): Promise<Turn<M>> {
    const options = withAdmittedUsage(given)
    const log = this.#log
    const { fold } = log
    const identities = this.#identities(options.history)
    const { format } = this
    const calls = reading(format, () => format.openCalls(options.history))
    if (calls.length > 0) throw new ToolResultsPendingError(this.id, calls, options.history, 'hosted')
    const digests = this.#digests(identities)
    await log.catchUp()
    return takeBoundary(log, this.#environment, options.host, () => {
      const comparison = this.#compare(options, digests)
      const { rewrittenAt } = comparison
      if (rewrittenAt !== null && options.onRewrite !== 'epoch') throw this.#rewritten(rewrittenAt, identities)
      return {
        circumstances: this.#circumstances(options, comparison),
        draft: (decision) => {
          if (rewrittenAt !== null && decision.type !== 'epoch') {
            throw this.#rewritten(rewrittenAt, identities, decision.stale)
          }
          return this.#draft(decision, comparison, options)
        },
        turn: (decision) => {
          this.#held = identities
          this.#heldDigests = digests
          this.#entries = this.#interleave(options.history)
          return new BoundaryTurn(this.id, fold, this.#entries, decision, refuseAnswer)
        },
      }
    })
  }

  #compare({ history, answered }: HostTurnOptions<M, H>, digests: readonly string[]): Comparison {
    const { history: recorded, epoch } = this.#log.fold
    const fixed = history.findLastIndex((message) => this.#isAnswer(message)) + 1
    const compare = (known: SeenHistory): Omit<Comparison, 'rewrittenAt'> => ({
      digests,
      known,
      keep: commonPrefix(known.digests, digests),
      fixed,
    })
    const latest = compare(recorded.seen)
    if (epoch === null) return { ...latest, rewrittenAt: null }
    if (latest.keep < recorded.fixed) return { ...latest, rewrittenAt: latest.keep }
    if (fixed <= recorded.fixed) return { ...latest, fixed: recorded.fixed, rewrittenAt: null }
    // The history holds a new answer: all that its turn saw must be there, as it was, and directly before it.
    if (answered === undefined) return { ...latest, rewrittenAt: this.#firstUnlike(latest, history) }
    const turn = recorded.turn(answered.revision)
    if (turn === undefined) {
      throw new MessageInvalidError(
        `answered.revision ${answered.revision} is no turn of session ${JSON.stringify(this.id)} that still waits for its answer. ` +
          'Pass the revision of the turn whose answer the history holds.',
      )
    }
    const named = compare(turn)
    return { ...named, rewrittenAt: this.#firstUnlike(named, history) }
  }

  /** Where a history with a new answer differs from what its turn saw, followed by that answer. */
  #firstUnlike({ known, keep }: Omit<Comparison, 'rewrittenAt'>, history: readonly M[]): number | null {
    if (keep < known.digests.length) return keep
    // A turn without an open tail asked nothing, so that what follows it need not be an answer.
    const asked = keep > this.#log.fold.history.fixed
    return asked && !this.#isAnswer(history[keep]!) ? keep : null
  }

  #isAnswer(message: M): boolean {
    return this.#environment.format.kind(message) === 'assistant'
  }

  #draft(decision: Decision, comparison: Comparison, options: HostTurnOptions<M, H>): EventDraft<M> | null {
    const { fold } = this.#log
    if (decision.type === 'epoch') {
      return epochDraft(this.#log, this.#environment, options.host, decision, {
        promoted: [],
        view: { from: fold.head + 1, through: 0, summary: null },
        history: this.#mark(comparison, options, true),
      })
    }
    const { keep, fixed, digests, known } = comparison
    const seen = keep === known.digests.length && keep === digests.length && fixed === fold.history.fixed
    if (decision.type === 'none' && seen) return null
    return boundaryDraft(this.#log, decision, { promoted: [], history: this.#mark(comparison, options, false) })
  }

  /** An epoch event holds every digest, so that a session can be opened from it alone. */
  #mark(comparison: Comparison, { answered }: HostTurnOptions<M, H>, whole: boolean): HistoryMark {
    const { digests, known, keep, fixed } = comparison
    const { history, epoch } = this.#log.fold
    return {
      keep: whole ? 0 : keep,
      digests: whole ? digests : digests.slice(keep),
      fixed,
      ...(answered !== undefined && epoch !== null && fixed > history.fixed && { answered }),
      ...(whole && keep > 0 && { origins: originsOf(known, keep) }),
    }
  }

  #circumstances({ history, host }: HostTurnOptions<M, H>, comparison: Comparison): Circumstances {
    const { fold } = this.#log
    const environment = this.#environment
    const { id } = this
    return {
      admits: history.length > comparison.fixed,
      inToolLoop: () =>
        history.slice(comparison.fixed).some((message) => environment.format.kind(message) === 'tool-result'),
      rewritten: comparison.rewrittenAt !== null,
      instructionsChanged: () => environment.instructionsChanged(id, host, fold.epoch?.instructions),
    }
  }

  /** The host's messages with the updates between them; the same array where nothing is new. */
  #interleave(history: readonly M[]): readonly Entry<M>[] {
    const { updates, seen } = this.#log.fold.history
    const entries: Entry<M>[] = []
    let next = 0
    for (let index = 0; index <= history.length; index++) {
      while (next < updates.length && updates[next]!.position === index) entries.push(updates[next++]!.entry)
      if (index < history.length) {
        const [revision, epoch] = [seen.revisions[index]!, seen.epochs[index]!]
        entries.push({ revision, epoch, type: 'message', message: history[index]! })
      }
    }
    const same =
      this.#entries.length === entries.length &&
      entries.every((entry, index) => sameEntry(entry, this.#entries[index]!))
    return same ? this.#entries : Object.freeze(entries)
  }

  #identities(history: readonly M[]): readonly string[] {
    if (!Array.isArray(history)) {
      throw new MessageInvalidError(`The history of session ${JSON.stringify(this.id)} must be an array of messages.`)
    }
    return history.map((message, index) => identityText(this.#environment.format, message, index))
  }

  /** Hashes only what the last turn of this object did not see. */
  #digests(identities: readonly string[]): readonly string[] {
    return identities.map((text, index) => (this.#held[index] === text ? this.#heldDigests[index]! : digest(text)))
  }

  #rewritten(
    index: number,
    identities: readonly string[],
    blocking: readonly StaleSource[] = [],
  ): HistoryRewrittenError {
    const held = this.#heldDigests[index] === this.#log.fold.history.seen.digests[index]
    return new HistoryRewrittenError(this.id, index, {
      before: held ? this.#held[index] : undefined,
      after: identities[index],
      blocking: blocking.map((source) => source.key),
    })
  }

  move(): Promise<void> {
    return recordMove(this.#log)
  }

  refused(refusal: Refusal): Promise<void> {
    return recordRefusal(this.#log, refusal, 'host')
  }

  async fork(id: string): Promise<HostSession<M, H>> {
    const child = new AttachedSession(id, this.#environment)
    await this.#log.catchUp()
    await forkLog(this.#log, child.id, 'host')
    return child
  }

  async *events(options: { after?: number } = {}): AsyncGenerator<SessionEvent<M>> {
    await this.#log.catchUp()
    yield* this.#log.events(options.after ?? 0)
  }

  verify(options?: { history: readonly M[] }): Promise<Verification> {
    return verifyLog(this.#log, options && this.#identities(options.history).map(digest))
  }
}

function identityText<M>(format: Format<M>, message: M, index: number): string {
  try {
    return reading(format, () => {
      // Also refuses what is no message of this format.
      format.kind(message)
      return canonicalJson(format.identity(message))
    })
  } catch (error) {
    const { cause } = error as Error
    if (!(cause instanceof NotJsonError)) throw error
    throw new MessageInvalidError(
      `Message ${index} of the history has no JSON identity: ${cause.message}. Give the format an identity that is JSON.`,
      { cause },
    )
  }
}

function commonPrefix(a: readonly string[], b: readonly string[]): number {
  const end = Math.min(a.length, b.length)
  for (let index = 0; index < end; index++) if (a[index] !== b[index]) return index
  return end
}

function sameEntry<M>(a: Entry<M>, b: Entry<M>): boolean {
  if (a === b) return true
  return (
    a.type === 'message' &&
    b.type === 'message' &&
    a.message === b.message &&
    a.revision === b.revision &&
    a.epoch === b.epoch
  )
}

function withAdmittedUsage<M, H>(options: HostTurnOptions<M, H>): HostTurnOptions<M, H> {
  const { answered } = options
  if (answered?.usage === undefined) return options
  return { ...options, answered: { ...answered, usage: admitUsage(answered.usage) } }
}

function refuseAnswer(): Promise<never> {
  return Promise.reject(
    new NotSupportedError(
      'turn.answer() is for sessions that keep the conversation. Here the host does: put the answer into the history of the next turn.',
    ),
  )
}
