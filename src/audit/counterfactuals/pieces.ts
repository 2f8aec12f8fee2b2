/**
 * A frozen request as the one that was sent with some elements replaced: the form that most frozen requests have, and that
 * the next turn needs no more than a few of. A piece stands for one element, with what only the frozen request has behind
 * or inside of it.
 */
import type { PreparedPlace } from '../../cache/layout/prepared.ts'
import type { Place, Turn } from '../record/types.ts'
import type { Standing } from './arrange.ts'
import { sentSlots, type Foundry, type Slot } from './slots.ts'

/** A slot, and which segment of its element it stands for: -1 for what only the frozen request has. */
export interface PieceSlot {
  readonly slot: Slot
  readonly offset: number
}

/** What stands for an element. */
export class Piece {
  readonly slots: readonly PieceSlot[]
  #places: readonly PreparedPlace[] | null = null

  /** `like` stands for the element in the turn before. */
  constructor(slots: readonly PieceSlot[], like?: Piece) {
    this.slots = slots
    if (like !== undefined && isAlike(like.slots, slots)) this.#places = like.#places
  }

  /** Its elements, with marks where they were sent. */
  placesBy(foundry: Foundry): readonly PreparedPlace[] {
    this.#places ??= foundry.places(
      this.slots.map(({ slot }) => slot),
      this.slots.map(({ slot, offset }) => (offset < 0 ? null : slot.mark)),
    )
    return this.#places
  }

  /** Ends with something that was not sent there. */
  get isLonger(): boolean {
    return (this.slots.at(-1)?.offset ?? 0) < 0
  }

  /** The same for the next turn, in which the element is `after`. */
  movedTo(before: Place, after: Place): Piece {
    if (before === after) return this
    const [sentBefore, sent] = [sentSlots(before), sentSlots(after)]
    return new Piece(
      this.slots.map((one) => {
        const [was, now] = [sentBefore[one.offset], sent[one.offset]]
        return was === undefined || now === undefined ? one : { slot: keptSlot(one.slot, was, now), offset: one.offset }
      }),
      this,
    )
  }
}

/** The same elements come of both. */
function isAlike(one: readonly PieceSlot[], other: readonly PieceSlot[]): boolean {
  if (one.length !== other.length) return false
  return one.every(({ slot, offset }, at) => {
    const { slot: like, offset: likeOffset } = other[at] as PieceSlot
    const isSame = slot.block === like.block && isOwn(slot) === isOwn(like)
    return isSame && offset === likeOffset && sameMark(slot.mark, like.mark)
  })
}

/** As its element was sent, a block is measured as it was then. */
function isOwn({ block, place, index }: Slot): boolean {
  return place.raw.blocks[index] === block
}

function sameMark(one: Slot['mark'], other: Slot['mark']): boolean {
  return one === other || (one?.kind === other?.kind && one?.ttl === other?.ttl)
}

/** The slot of a segment that is there still, in the form that it is frozen in; `hold` keeps it where it is. */
export function keptSlot(prior: Slot, sentBefore: Slot, sent: Slot, hold = false): Slot {
  const held = hold || prior.held
  if (prior.block === sentBefore.block) return held ? { ...sent, held } : sent
  return { ...sent, held, block: prior.block, native: prior.native, substitutions: prior.substitutions }
}

/** By the index of the element; -1 for what stands in front of all. */
export type Pieces = ReadonlyMap<number, Piece>

/** The pieces of a frozen request; null where it has not all that was sent, or in another order. */
export function piecesOf({ places }: Turn, standing: readonly Standing[]): Pieces | null {
  const pieces = new Map<number, Piece>()
  let [element, offset, next] = [-1, 0, 0]
  let own: readonly Slot[] = []
  let slots: PieceSlot[] = []
  const close = (): void => {
    const isAsSent = slots.length === own.length && slots.every(({ slot }, at) => slot === own[at])
    if (!isAsSent) pieces.set(element, new Piece(slots))
  }
  for (const { slot, origin } of standing) {
    if (origin >= 0) {
      if (origin !== next++ || slot.native) return null
      while (offset === own.length && element < places.length) {
        close()
        element++
        own = element < places.length ? sentSlots(places[element] as Place) : []
        slots = []
        offset = 0
      }
    }
    slots.push({ slot, offset: origin < 0 ? -1 : offset++ })
  }
  close()
  const isWhole = offset === own.length && places.slice(element + 1).every(({ raw }) => raw.blocks.length === 0)
  return isWhole ? pieces : null
}

/** All that stands in a frozen request. */
export function standingOf({ places }: Turn, pieces: Pieces): readonly Standing[] {
  const standing: Standing[] = []
  let first = 0
  const add = ({ slots }: Piece): void => {
    for (const { slot, offset } of slots) standing.push({ slot, origin: offset < 0 ? -1 : first + offset })
  }
  const front = pieces.get(-1)
  if (front !== undefined) add(front)
  for (const [element, place] of places.entries()) {
    const piece = pieces.get(element)
    const sent = sentSlots(place)
    if (piece !== undefined) add(piece)
    else for (const [offset, slot] of sent.entries()) standing.push({ slot, origin: first + offset })
    first += sent.length
  }
  return standing
}

/** The elements of a frozen request. */
export function placesOf({ places }: Turn, pieces: Pieces, foundry: Foundry): readonly PreparedPlace[] {
  if (pieces.size === 0) return places
  const made: PreparedPlace[] = places.slice()
  // From the end, so that what is put in moves nothing that is still to come.
  for (const element of [...pieces.keys()].sort((one, other) => other - one)) {
    const stand = pieces.get(element)?.placesBy(foundry) ?? []
    if (element >= 0 && stand.length === 1) made[element] = stand[0] as PreparedPlace
    else made.splice(Math.max(0, element), element < 0 ? 0 : 1, ...stand)
  }
  return made
}
