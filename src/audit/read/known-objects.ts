/** Objects in lists as they stood in documents, found by their bytes; the latest within a bound. */
import { hasBytes, sumOf, type Stretch } from './same-bytes.ts'

/** An object that was read before. */
export interface KnownObject {
  readonly value: unknown
  /** In bytes. */
  readonly length: number
  /** What stood behind it the last time: a conversation goes on as it did. */
  next: KnownObject | undefined
}

interface Kept extends KnownObject, Stretch {
  view: DataView
  from: number
  usedBy: number
  dropped: boolean
  next: Kept | undefined
}

/** Finds objects that were read before. */
export class KnownObjects {
  readonly #most: number
  readonly #byStart = new Map<number, Kept[]>()
  readonly #room = new Room()
  #bytes = 0
  #uses = 0

  /** Keeps at most so many bytes in all. */
  constructor(most: number) {
    this.#most = most
  }

  /** The object that stands in a document at `at`, where it is known; `expected` is looked at first. */
  find(document: DataView, at: number, expected: KnownObject | undefined): KnownObject | undefined {
    const likely = expected as Kept | undefined
    const found =
      likely !== undefined && !likely.dropped && hasBytes(document, at, likely)
        ? likely
        : this.#byStart.get(startOf(document, at))?.find((kept) => hasBytes(document, at, kept))
    if (found !== undefined) found.usedBy = ++this.#uses
    return found
  }

  /** Remembers what `bytes` are parsed to. */
  add(bytes: Uint8Array, value: unknown): KnownObject {
    const { length } = bytes
    const { view, from } = this.#room.put(bytes)
    const kept: Kept = { value, length, next: undefined, view, from, usedBy: ++this.#uses, dropped: false }
    const rivals = this.#rivalsOf(kept)
    // Its bytes are let go of with the next of those that were met longest ago.
    if (rivals.unshift(kept) > MOST_RIVALS) drop(rivals.pop())
    this.#bytes += length
    return kept
  }

  /** Forgets what was met longest ago. */
  trim(): void {
    if (this.#bytes <= this.#most) return
    const all = [...this.#byStart.values()].flat().toSorted((one, other) => other.usedBy - one.usedBy)
    this.#byStart.clear()
    this.#bytes = 0
    const kept: Kept[] = []
    for (const each of all) {
      if (this.#bytes + each.length > this.#most * KEPT_SHARE) break
      this.#bytes += each.length
      this.#rivalsOf(each).push(each)
      kept.push(each)
    }
    for (const each of all.slice(kept.length)) drop(each)
    for (const each of kept) if (each.next?.dropped === true) each.next = undefined
    this.#room.gather(kept)
  }

  /** Those that begin alike. */
  #rivalsOf({ view, from }: Kept): Kept[] {
    const start = startOf(view, from)
    const rivals = this.#byStart.get(start) ?? []
    this.#byStart.set(start, rivals)
    return rivals
  }
}

const KEPT_SHARE = 0.75
/** Bytes by which objects are looked up; what is no longer has no place here. */
const START = 96
/** Objects that start alike. */
const MOST_RIVALS = 16

function startOf(text: DataView, at: number): number {
  return sumOf(text, at, Math.min(at + START, text.byteLength))
}

/** Each that is forgotten would otherwise keep the one behind it alive. */
function drop(kept: Kept | undefined): void {
  if (kept === undefined) return
  kept.dropped = true
  kept.next = undefined
}

/** Bytes of one piece. */
const PIECE = 1_048_576

/**
 * Copies of bytes, put one behind the other in large pieces of memory. Thousands of small ones, among the large ones that
 * a log comes in, would leave the memory in fragments of several times their size. Pieces are used again: the engine
 * would be late to give them back.
 */
class Room {
  #pieces: DataView[] = []
  #free: DataView[] = []
  #open: DataView = new DataView(new ArrayBuffer(0))
  #used = 0

  /** Copies bytes, and says where they are now. */
  put(bytes: Uint8Array): Pick<Stretch, 'view' | 'from'> {
    if (this.#used + bytes.length > this.#open.byteLength) {
      const free = bytes.length > PIECE ? undefined : this.#free.pop()
      this.#open = free ?? new DataView(new ArrayBuffer(Math.max(PIECE, bytes.length)))
      this.#used = 0
      this.#pieces.push(this.#open)
    }
    const from = this.#used
    new Uint8Array(this.#open.buffer, from, bytes.length).set(bytes)
    this.#used += bytes.length
    return { view: this.#open, from }
  }

  /** Moves what is still needed together, piece by piece, so that it takes one more than there are at most. */
  gather(needed: readonly Kept[]): void {
    const standing = Map.groupBy(needed, ({ view }) => view)
    const before = this.#pieces
    this.#pieces = []
    this.#used = this.#open.byteLength
    for (const piece of before) {
      for (const each of standing.get(piece) ?? []) {
        const { view, from } = this.put(new Uint8Array(piece.buffer, each.from, each.length))
        each.view = view
        each.from = from
      }
      if (piece.byteLength === PIECE) this.#free.push(piece)
    }
  }
}
