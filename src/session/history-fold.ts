/**
 * What the log knows of a history that the host keeps: a digest per message, how much of it has been answered, and where
 * between the messages each update stands.
 *
 * Invariant: messages before `fixed` may never change within the session's epochs. What follows them is the open tail;
 * when the host rearranges that, updates in it move along, so that each still stands after all that it came with.
 */
import type { Entry, HistoryMark, MessageOrigin } from './types.ts'

/** An entry that is an update; it has no message, so it fits any host's type. */
export type UpdateEntry = Extract<Entry<never>, { readonly type: 'update' }>

/** An update, and how many messages stand before it. */
interface AnchoredUpdate {
  readonly entry: UpdateEntry
  position: number
}

/** What a turn saw of the history, per message. */
export interface SeenHistory {
  readonly digests: readonly string[]
  /** Of the event that brought the message. */
  readonly revisions: readonly number[]
  /** Under which it came. */
  readonly epochs: readonly number[]
}

/** A turn that may still be answered, and where the updates stood for it. */
interface TurnMark extends SeenHistory {
  readonly revision: number
  readonly positions: readonly number[]
}

export class HistoryFold {
  /** What the newest turn saw. */
  seen: SeenHistory = { digests: [], revisions: [], epochs: [] }
  /** How many messages, from the start, have been answered or are answers. */
  fixed = 0
  readonly updates: AnchoredUpdate[] = []
  /** Turns since the last answer, oldest first: the next history may hold the answer to any of them. */
  #turns: TurnMark[] = []

  /** What the turn at a revision saw, if it may still be answered. */
  turn(revision: number): SeenHistory | undefined {
    return this.#turns.find((mark) => mark.revision === revision)
  }

  /** Takes in what a boundary saw. Answers came under `answerEpoch`, what followed them under `tailEpoch`. */
  apply(mark: HistoryMark, revision: number, answerEpoch: number, tailEpoch: number): void {
    // An answer fixes what its own turn saw, however the open tail has been rearranged since.
    const answered = this.#turns.find((turn) => turn.revision === mark.answered?.revision)
    const known = answered ?? this.seen
    const digests = [...known.digests.slice(0, mark.keep), ...mark.digests]
    const revisions = known.revisions.slice(0, mark.keep)
    const epochs = known.epochs.slice(0, mark.keep)
    for (let index = mark.keep; index < digests.length; index++) {
      revisions.push(revision)
      epochs.push(index < mark.fixed ? answerEpoch : tailEpoch)
    }
    for (const [start, end, origin, epoch] of mark.origins ?? []) {
      revisions.fill(origin, start, end)
      epochs.fill(epoch, start, end)
    }
    for (const [index, update] of this.updates.entries()) {
      // An update that came after the turn which was answered has not been seen: it moves behind the answer.
      const position = answered === undefined ? update.position : (answered.positions[index] ?? Infinity)
      update.position = Math.min(position, digests.length)
    }
    if (mark.fixed !== this.fixed) this.#turns = []
    this.fixed = mark.fixed
    this.seen = { digests, revisions, epochs }
    this.#markTurn(revision)
  }

  /** Puts an update at the end, as part of the boundary that was applied last. */
  admit(entry: UpdateEntry): void {
    this.updates.push({ entry, position: this.seen.digests.length })
    this.#turns.pop()
    this.#markTurn(entry.revision)
  }

  #markTurn(revision: number): void {
    this.#turns.push({ ...this.seen, revision, positions: this.updates.map((update) => update.position) })
  }

  /** Earlier updates leave the view, and turns of earlier epochs can no longer be answered. */
  startEpoch(): void {
    this.updates.length = 0
    this.#turns = []
  }
}

/** Where the first `count` messages came from, in runs. */
export function originsOf({ revisions, epochs }: SeenHistory, count: number): MessageOrigin[] {
  const runs: [number, number, number, number][] = []
  for (let index = 0; index < count; index++) {
    const last = runs.at(-1)
    const [revision, epoch] = [revisions[index]!, epochs[index]!]
    if (last?.[2] === revision && last[3] === epoch) last[1] = index + 1
    else runs.push([index, index + 1, revision, epoch])
  }
  return runs
}
