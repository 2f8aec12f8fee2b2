/**
 * Freezing a turn that has all of its parent in its place: what differs from the request as it was sent is carried over
 * piece by piece, and nothing else is looked at. What comes out is what {@link freeze} comes to the long way.
 */
import type { Json } from '../../base/json.ts'
import type { PreparedPlace } from '../../cache/layout/prepared.ts'
import type { Place, Turn } from '../record/types.ts'
import type { Standing } from './arrange.ts'
import { editedSlot } from './edited-slot.ts'
import type { FrozenTurn } from './freeze.ts'
import type { FreezeOptions } from './freezing-turn.ts'
import type { GroupTurn } from './group.ts'
import type { Edit } from './kept.ts'
import { freezeParameters } from './parameters.ts'
import { Piece, placesOf, standingOf, type Pieces } from './pieces.ts'
import { sentSlots, type Slot } from './slots.ts'
import { isTold } from './update-text.ts'

/**
 * The frozen turn; null where it has to be put together the long way: something moved, or has to be told, or calls are
 * named anew. `before` is the parent, frozen, or null where that is as it was sent.
 */
export function goOn(call: GroupTurn, before: FrozenTurn | null, options: FreezeOptions): FrozenTurn | null {
  const { turn, parent, inPlace: edits, alignment } = call
  if (parent === null || edits === null || tellsOrRenames(edits, options)) return null
  const earlier: Pieces | null = before === null ? new Map() : before.pieces
  if (earlier === null || movesLastMark(turn, earlier)) return null
  const pieces = new Map<number, Piece>()
  for (const [element, piece] of earlier) {
    const [was, now] = [parent.places[element], turn.places[element]]
    pieces.set(element, was === undefined || now === undefined ? piece : piece.movedTo(was, now))
  }
  const isFrozen = (culprit: string | null): boolean => culprit !== null && options.culprits.has(culprit)
  for (const edit of edits) {
    const place = turn.places[edit.element] as Place
    const sentBefore = sentSlots(parent.places[edit.element] as Place)[edit.offset] as Slot
    const sent = sentSlots(place)[edit.offset] as Slot
    const prior = priorOf(earlier.get(edit.element), edit.offset) ?? sentBefore
    const slot = editedSlot({ prior, sentBefore, sent, hunks: edit.hunks }, isFrozen, turn.format, options.foundry)
    putSlot(pieces, { edit, place, slot }, earlier.get(edit.element))
  }
  const parameters = before?.parameters ?? new Map<string, Json>()
  return new CarriedTurn(turn, pieces, {
    parameters: alignment === undefined ? parameters : freezeParameters(alignment, parameters, isFrozen),
    places: placesOf(turn, pieces, options.foundry),
  })
}

class CarriedTurn implements FrozenTurn {
  readonly parameters: ReadonlyMap<string, Json>
  readonly places: readonly PreparedPlace[]
  readonly pieces: Pieces
  readonly #turn: Turn

  constructor(turn: Turn, pieces: Pieces, { parameters, places }: Pick<FrozenTurn, 'parameters' | 'places'>) {
    this.#turn = turn
    this.pieces = pieces
    this.parameters = parameters
    this.places = places
  }

  get standing(): readonly Standing[] {
    return standingOf(this.#turn, this.pieces)
  }
}

function tellsOrRenames(edits: readonly Edit[], { culprits, updates }: FreezeOptions): boolean {
  for (const { kind } of culprits.values()) if (kind === 'tool-call-ids') return true
  return edits.some(({ hunks }) =>
    hunks.some(({ culprit }) => {
      const kind = culprit === null ? undefined : culprits.get(culprit)?.kind
      return kind !== undefined && isTold(kind, updates)
    }),
  )
}

/** The last segment has a mark, and something that was not sent stands behind it. */
function movesLastMark({ places }: Turn, pieces: Pieces): boolean {
  const last = places.length - 1
  return pieces.get(last)?.isLonger === true && (places[last]?.raw.marks.at(-1) ?? null) !== null
}

function priorOf(piece: Piece | undefined, at: number): Slot | undefined {
  return piece?.slots.find(({ offset }) => offset === at)?.slot
}

/** Puts a slot in place of the one at its segment; a piece that is as it was sent is none. `like` is that of the parent. */
function putSlot(
  pieces: Map<number, Piece>,
  { edit, place, slot }: { readonly edit: Edit; readonly place: Place; readonly slot: Slot },
  like: Piece | undefined,
): void {
  const { element, offset } = edit
  const sent = sentSlots(place)
  const slots = pieces.get(element)?.slots ?? sent.map((one, at) => ({ slot: one, offset: at }))
  const changed = slots.map((one) => (one.offset === offset ? { slot, offset } : one))
  const isAsSent = changed.length === sent.length && changed.every((one, at) => one.slot === sent[at])
  if (isAsSent) pieces.delete(element)
  else pieces.set(element, new Piece(changed, like))
}
