/**
 * The requests of a conversation as they would have been with some culprits frozen: each from the frozen request of its
 * parent and from what changed between the two as they were sent.
 *
 * What belongs to a frozen culprit keeps the form that the frozen parent has: text, order, definitions, results that were
 * pruned. All else is as it was sent. A change of a value costs one update, which stays where it was told. With nothing
 * frozen, or before the first change of a frozen culprit, a request is the one that was sent, and no work is done.
 */
import type { Json } from '../../base/json.ts'
import type { PreparedPlace } from '../../cache/layout/prepared.ts'
import type { Alignment } from '../changes/types.ts'
import type { Turn } from '../record/types.ts'
import type { Standing } from './arrange.ts'
import { FreezingTurn, slotsOf, type FreezeOptions } from './freezing-turn.ts'
import { placeMarks } from './marks.ts'
import { freezeParameters } from './parameters.ts'
import { piecesOf, type Pieces } from './pieces.ts'
import { insertTold, updateSlot } from './told.ts'
import { Telling } from './telling.ts'

/** A request with some culprits frozen. */
export interface FrozenTurn {
  readonly standing: readonly Standing[]
  /** Values of parameters that are frozen, by name. */
  readonly parameters: ReadonlyMap<string, Json>
  readonly places: readonly PreparedPlace[]
  /** What differs from the request as it was sent; null where its order does, or some of it is gone. */
  readonly pieces: Pieces | null
}

/** `turn` with the culprits frozen; `before` is its parent, frozen, or null where that is as it was sent. */
export function freeze(alignment: Alignment, before: FrozenTurn | null, options: FreezeOptions): FrozenTurn {
  const { turn, steps } = alignment
  const telling = new Telling(turn, options)
  const { standing, apart } = new FreezingTurn(alignment, before?.standing ?? null, { ...options, telling }).run()
  const isNew = new Set(steps.flatMap((step) => (step.type === 'appended' ? [step.to] : [])))
  const isFrozen = (culprit: string | null): boolean => culprit !== null && options.culprits.has(culprit)
  const parameters = freezeParameters(alignment, before?.parameters ?? new Map(), isFrozen)
  return withTold(turn, { standing, apart, telling, isNew, parameters }, options)
}

/** What stands in a frozen turn, and what it has to tell. */
export interface Untold {
  readonly standing: readonly Standing[]
  /** Definitions that are told in the conversation. */
  readonly apart: readonly Standing[]
  readonly telling: Telling
  /** Segments that the turn brought. */
  readonly isNew: ReadonlySet<number>
  readonly parameters: ReadonlyMap<string, Json>
}

/** The frozen turn, with what it tells behind what it brought. */
export function withTold(turn: Turn, untold: Untold, { foundry }: FreezeOptions): FrozenTurn {
  const { apart, telling, isNew, parameters } = untold
  const place = turn.places.findLast(({ section }) => section === 'messages')
  const update = telling.update()
  const told: Standing[] = []
  if (place !== undefined && update !== null) {
    told.push({ slot: updateSlot(turn, update.text, update.extraTokens, place, foundry), origin: -1 })
  }
  if (place !== undefined) told.push(...apart)
  const standing = insertTold(turn, untold.standing, told, isNew)
  const places = foundry.places(
    standing.map(({ slot }) => slot),
    placeMarks(slotsOf(turn), standing),
  )
  return new ArrangedTurn(turn, { standing, parameters, places })
}

/** A turn whose segments were put in order. */
class ArrangedTurn implements FrozenTurn {
  readonly standing: readonly Standing[]
  readonly parameters: ReadonlyMap<string, Json>
  readonly places: readonly PreparedPlace[]
  readonly #turn: Turn
  #pieces: Pieces | null | undefined

  constructor(turn: Turn, { standing, parameters, places }: Omit<FrozenTurn, 'pieces'>) {
    this.#turn = turn
    this.standing = standing
    this.parameters = parameters
    this.places = places
  }

  get pieces(): Pieces | null {
    if (this.#pieces === undefined) this.#pieces = piecesOf(this.#turn, this.standing)
    return this.#pieces
  }
}
