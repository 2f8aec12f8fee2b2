/**
 * What conversations begin with, frozen over all of a family: the first turn of each takes the form that the earlier one
 * has which it was held against, and that the form of the one before. So what differs between sessions only is shared.
 *
 * An opening is told by what it has come to and not by what changed: a conversation has to be told of a value whenever it
 * is not the one that it begins with, also where the session before had the same.
 */
import type { Json } from '../../base/json.ts'
import type { Alignment, Hunk } from '../changes/types.ts'
import type { Turn } from '../record/types.ts'
import type { Standing } from './arrange.ts'
import { withTold, type FrozenTurn } from './freeze.ts'
import { FreezingTurn, slotsOf, type Arranged, type FreezeOptions } from './freezing-turn.ts'
import type { Slot } from './slots.ts'
import { Telling } from './telling.ts'

/** A first turn held against an earlier one. */
export interface Opening {
  /** Of the two turns, cut off behind their openings. */
  readonly alignment: Alignment
  /** Culprits that differ, in the order of the request. */
  readonly culprits: readonly string[]
}

/** By the number of the first turn, of all streams of a log. */
export type Openings = ReadonlyMap<number, Opening>

/** The openings of one play. */
export class FrozenOpenings {
  readonly #openings: Openings
  readonly #options: FreezeOptions
  /** By turn number: null where it is as it was sent. */
  readonly #frozen = new Map<number, Arranged | null>()
  readonly #isIdle: boolean

  constructor(openings: Openings, options: FreezeOptions) {
    this.#openings = openings
    this.#options = options
    this.#isIdle = ![...openings.values()].some((opening) => this.#isChanged(opening))
  }

  /** A first turn, frozen; null where it is as it was sent. */
  of(turn: Turn): FrozenTurn | null {
    if (this.#isIdle || turn.places.length === 0) return null
    const opening = this.#opening(turn.number)
    const length = slotsOf(this.#openings.get(turn.number)?.alignment.turn ?? turn).length
    return opening === null ? null : openTurn(turn, opening, length, this.#options)
  }

  #opening(number: number): Arranged | null {
    const chain: (readonly [number: number, opening: Opening])[] = []
    for (let at = number; !this.#frozen.has(at);) {
      const opening = this.#openings.get(at)
      if (opening === undefined) break
      chain.push([at, opening])
      at = opening.alignment.parent.number
    }
    for (const [at, opening] of chain.reverse()) {
      const before = this.#frozen.get(opening.alignment.parent.number) ?? null
      const isAsSent = before === null && !this.#isChanged(opening)
      this.#frozen.set(at, isAsSent ? null : freezeOpening(opening.alignment, before, this.#options))
    }
    return this.#frozen.get(number) ?? null
  }

  #isChanged({ culprits }: Opening): boolean {
    return culprits.some((culprit) => this.#options.culprits.has(culprit))
  }
}

function freezeOpening(alignment: Alignment, before: Arranged | null, options: FreezeOptions): Arranged {
  const standing = before === null ? null : [...before.standing, ...before.apart]
  return new FreezingTurn(alignment, standing, { ...options, telling: null }, before ?? undefined).run()
}

/** The whole turn with a frozen opening, which stands for so many of its segments. */
function openTurn(turn: Turn, opening: Arranged, length: number, options: FreezeOptions): FrozenTurn {
  const { standing, apart, left, absent } = opening
  const telling = new Telling(turn, options)
  const sent = slotsOf(turn)
  for (const { slot, origin } of [...standing, ...apart]) {
    const culprit = origin < 0 ? left.get(slot) : undefined
    if (culprit !== undefined) telling.add(culprit, '')
    const block = sent[origin]?.block
    if (block !== undefined) for (const hunk of hunksOf(slot)) telling.addHunk(hunk.culprit, hunk, block)
  }
  for (const [at, culprit] of absent) {
    const block = sent[at]?.block
    if (block !== undefined) telling.add(culprit, block.text ?? '', block.text === null ? block.tokens : 0)
  }
  const rest = sent.slice(length).map((slot, at): Standing => ({ slot, origin: length + at }))
  const isNew = new Set(sent.flatMap(({ block }, at) => (block.section === 'messages' ? [at] : [])))
  const untold = { standing: [...standing, ...rest], apart, telling, isNew, parameters: new Map<string, Json>() }
  return withTold(turn, untold, options)
}

/** Where a segment has another text than the one that stands for it. */
function hunksOf({ substitutions }: Slot): readonly (Hunk & { readonly culprit: string })[] {
  return substitutions.map(({ start, end, culprit }) => ({
    before: { start, end },
    after: { start, end },
    culprit,
  }))
}
