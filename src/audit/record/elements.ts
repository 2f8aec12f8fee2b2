/**
 * Every element of a body once. An element that was sent before is found by one comparison, with what followed its
 * neighbour the last time, or with those of its fingerprint; it is neither cut nor hashed again, and its place in the
 * list is the same object as long as it does not move.
 */
import {
  segmentKey,
  type Breakpoint,
  type FormatReader,
  type Item,
  type ItemSegment,
} from '../../cache/layout/types.ts'
import { sameItem } from '../../cache/simulator/same-item.ts'
import type { Blocks } from './blocks.ts'
import { fingerprint } from './fingerprint.ts'
import type { Block, Element, Place } from './types.ts'

/** The elements of a log. */
export class Elements {
  readonly #blocks: Blocks
  readonly #byFingerprint = new Map<number, KeptElement[]>()

  constructor(blocks: Blocks) {
    this.#blocks = blocks
  }

  /**
   * The items of the body of turn number `turn`, in its order. Throws `RequestUnreadableError` for one that cannot be
   * cut.
   */
  places(items: readonly Item[], reader: FormatReader, turn: number): readonly Place[] {
    let before: KeptElement | undefined
    return items.map((item) => {
      const expected = before?.next
      const element = expected?.is(item) === true ? expected : this.#element(item, reader, turn)
      element.use(turn)
      if (before !== undefined) before.next = element
      before = element
      return element.at(item)
    })
  }

  #element(item: Item, reader: FormatReader, turn: number): KeptElement {
    const print = fingerprint(item.raw)
    const bucket = this.#byFingerprint.get(print)
    const known = bucket?.find((element) => element.is(item))
    if (known !== undefined) return known
    const element = new KeptElement(item, cut(item, reader), this.#blocks, turn)
    if (bucket === undefined) this.#byFingerprint.set(print, [element])
    else if (bucket.unshift(element) > RIVALS) bucket.pop()
    return element
  }

  /** Forgets elements of which a text is gone: they can be compared no more. */
  forget(): void {
    for (const [print, bucket] of this.#byFingerprint) {
      const kept = bucket.filter((element) => element.keep())
      if (kept.length === 0) this.#byFingerprint.delete(print)
      else if (kept.length < bucket.length) this.#byFingerprint.set(print, kept)
    }
  }

  /** Nothing more comes: the elements as they came are needed no more. */
  end(): void {
    for (const bucket of this.#byFingerprint.values()) for (const element of bucket) element.letGo()
    this.#byFingerprint.clear()
  }
}

/** Elements of one fingerprint that are remembered; it takes bad luck to have two. */
const RIVALS = 16

function cut(item: Item, reader: FormatReader): readonly ItemSegment[] {
  const segments = reader.split(item)
  const last = segments.at(-1)
  if (item.mark === null || last === undefined) return segments
  return [...segments.slice(0, -1), { ...last, mark: item.mark }]
}

class KeptElement implements Element {
  readonly blocks: readonly Block[]
  readonly paths: readonly string[]
  readonly marks: readonly (Breakpoint | null)[]
  readonly tokens: number
  raw: unknown
  /** What followed it the last time; a conversation goes on as it did. */
  next: KeptElement | undefined = undefined
  #item: Omit<Item, 'raw'> | null
  /** Per block: what was counted is not the content. Null where that is so for none. */
  readonly #measured: readonly boolean[] | null
  /** Where it stood the last time. */
  #place: Place | null = null
  #segments: readonly ItemSegment[] | null = null
  #textSegments: readonly ItemSegment[] | null = null

  constructor(item: Item, segments: readonly ItemSegment[], blocks: Blocks, turn: number) {
    this.raw = item.raw
    const { section, role, list, index, variant, mark } = item
    this.#item = { section, role, list, index, variant, mark }
    this.blocks = segments.map((segment) => blocks.of(item, segment, turn))
    this.paths = pathsOf(segments)
    this.marks = segments.every((segment) => segment.mark === null)
      ? noMarksFor(segments.length)
      : segments.map((segment) => segment.mark)
    const measured = segments.map(({ text, tokens }) => text !== undefined || tokens !== undefined)
    this.#measured = measured.includes(true) ? measured : null
    this.tokens = this.blocks.reduce((sum, { tokens }) => sum + tokens, 0)
  }

  get segments(): readonly ItemSegment[] {
    // Told apart by their digests, and counted already.
    this.#segments ??= this.blocks.map((block, index) => ({ ...this.#segment(block, index, ''), tokens: block.tokens }))
    return this.#segments
  }

  get textSegments(): readonly ItemSegment[] {
    this.#textSegments ??= this.blocks.map((block, index) =>
      this.#segment(block, index, this.#measured?.[index] === true ? block.digest : (block.text ?? block.digest)),
    )
    return this.#textSegments
  }

  #segment(block: Block, index: number, text: string): ItemSegment {
    const { type, digest, joined, markable } = block
    return {
      path: this.paths[index] ?? '',
      type,
      content: digest,
      text,
      joined,
      markable,
      mark: this.marks[index] ?? null,
      key: segmentKey(block, { joined, type, content: digest }),
    }
  }

  is({ section, role, variant, mark, list, raw }: Item): boolean {
    const own = this.#item
    return (
      own !== null &&
      own.section === section &&
      own.role === role &&
      own.variant === variant &&
      sameMark(own.mark, mark) &&
      kindOf(own.list) === kindOf(list) &&
      sameItem(this.raw, raw) &&
      // The order of a definition's own keys is no content, and yet something that changed.
      (section !== 'tools' || sameOrder(this.raw, raw))
    )
  }

  use(turn: number): void {
    for (const block of this.blocks) block.usedBy = turn
  }

  at({ section, role, list, index, variant }: Item): Place {
    const known = this.#place
    if (known !== null && known.index === index && known.list === list) return known
    this.#place = { section, role, list, index, raw: this, variant, mark: null }
    return this.#place
  }

  /** Whether it can still be found. Otherwise lets go of what it holds. */
  keep(): boolean {
    if (this.blocks.every(({ text }) => text !== null)) return true
    this.letGo()
    this.#textSegments = null
    return false
  }

  /** Of what it is found by. */
  letGo(): void {
    this.raw = null
    this.next = undefined
    this.#item = null
    this.#place = null
  }
}

// Nearly every element has one segment and no mark, and there are as many elements as there is text.
const singlePaths = new Map<string, readonly string[]>()
const unmarked: (readonly null[])[] = []
const MOST_SHARED = 256

function pathsOf(segments: readonly ItemSegment[]): readonly string[] {
  const [only] = segments
  if (segments.length !== 1 || only === undefined) return segments.map(({ path }) => path)
  const known = singlePaths.get(only.path)
  if (known !== undefined) return known
  const made = [only.path]
  if (singlePaths.size < MOST_SHARED) singlePaths.set(only.path, made)
  return made
}

function noMarksFor(length: number): readonly null[] {
  if (length >= MOST_SHARED) return new Array<null>(length).fill(null)
  unmarked[length] ??= new Array<null>(length).fill(null)
  return unmarked[length]
}

function sameOrder(one: unknown, other: unknown): boolean {
  if (typeof one !== 'object' || typeof other !== 'object' || one === null || other === null) return true
  const keys = Object.keys(other)
  return Object.keys(one).every((key, index) => key === keys[index])
}

function sameMark(one: Breakpoint | null, other: Breakpoint | null): boolean {
  return one === other || (one !== null && other !== null && one.ttl === other.ttl && one.kind === other.kind)
}

/** Items of an earlier response are cut like those of the request itself. */
function kindOf(list: string): string {
  const end = list.lastIndexOf(').')
  return end < 0 ? list : list.slice(end + 2) === 'output' ? 'input' : list.slice(end + 2)
}
