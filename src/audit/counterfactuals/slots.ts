/**
 * Segments of a frozen request, and how they become a request that can be played.
 *
 * A slot that stands in the request as it was sent is one object for all requests that have its element, and a run of
 * such slots becomes the element itself: so what freezing does not touch costs a comparison of references. What it does
 * touch is put together once, and found by what it is made of.
 */
import { digest } from '../../base/digest.ts'
import type { Breakpoint, CountTokens } from '../../cache/index.ts'
import type { ItemSegment } from '../../cache/layout/types.ts'
import type { PreparedItem, PreparedPlace } from '../../cache/layout/prepared.ts'
import type { Block, Element, Place } from '../record/types.ts'
import { substitute, type Substitution } from './substitutions.ts'

/** What a segment holds, as a cache sees it: a block of the log, or one that was never sent. */
export type FrozenBlock = Pick<
  Block,
  'digest' | 'section' | 'role' | 'type' | 'joined' | 'markable' | 'tokens' | 'text' | 'length'
>

/** A segment of a frozen request. */
export interface Slot {
  readonly block: FrozenBlock
  /** Of the request that sent it, or sent what it stands for. */
  readonly place: Place
  /** Among the segments of the element; -1 for what was never sent. */
  readonly index: number
  /** As it was sent, or as `block` was. */
  readonly mark: Breakpoint | null
  /** Stands where the frozen request before has it, wherever it was sent. */
  readonly held: boolean
  /** A definition that was sent among the tools, and is told in the conversation instead. */
  readonly native: boolean
  /** What of its text stands as it was first sent; empty where all of it is as sent, or none of it is known. */
  readonly substitutions: readonly Substitution[]
}

const sent = new WeakMap<Place, readonly Slot[]>()

/** The segments of an element as it was sent. */
export function sentSlots(place: Place): readonly Slot[] {
  const known = sent.get(place)
  if (known !== undefined) return known
  const { blocks, marks } = place.raw
  const slots = blocks.map((block, index): Slot => ({
    block,
    place,
    index,
    mark: marks[index] ?? null,
    held: false,
    native: false,
    substitutions: [],
  }))
  sent.set(place, slots)
  return slots
}

/** True for a slot that stands in its request as it was sent. */
export function isSent(slot: Slot): boolean {
  return slot.index >= 0 && sentSlots(slot.place)[slot.index] === slot
}

/** Makes blocks and elements that were never sent, each once. */
export class Foundry {
  readonly #countTokens: CountTokens
  readonly #blocks = new Map<string, FrozenBlock>()
  readonly #items = new Map<string, PreparedItem>()

  constructor(countTokens: CountTokens) {
    this.#countTokens = countTokens
  }

  /** A block of a text that nobody sent, or of which nobody knows that it was. */
  block(like: Omit<FrozenBlock, 'digest' | 'text' | 'length' | 'tokens'>, text: string, tokens?: number): FrozenBlock {
    const { section, role, type, joined, markable } = like
    const key = `${joined ? '' : '+'}${section} ${role} ${type} ${text}`
    const known = this.#blocks.get(key)
    if (known !== undefined) return known
    const block: FrozenBlock = {
      section,
      role,
      type,
      joined,
      markable,
      digest: digest(text),
      text,
      length: text.length,
      tokens: tokens ?? this.#countTokens(text),
    }
    this.#blocks.set(key, block)
    return block
  }

  /** `actual` with its substitutions made; where a text is not kept, a block that stands for what it would be. */
  edited(actual: Block, before: FrozenBlock, substitutions: readonly Substitution[]): FrozenBlock {
    if (substitutions.length === 0) return actual
    const text = actual.text === null ? null : substitute(actual.text, substitutions)
    if (text !== null) {
      const tokens = text.length <= COUNTED_WHOLE ? undefined : this.#tokensOf(actual, substitutions)
      return this.block(actual, text, tokens)
    }
    const { section, role, type, joined, markable } = actual
    const identity = digest(`${before.digest} ${actual.digest}`)
    const { length, tokens } = before
    return { section, role, type, joined, markable, digest: identity, text: null, length, tokens }
  }

  /** The elements of slots in their order, marked as `marks` says. */
  places(slots: readonly Slot[], marks: readonly (Breakpoint | null)[]): readonly PreparedPlace[] {
    const places: PreparedPlace[] = []
    for (let start = 0; start < slots.length;) {
      const end = endOfElement(slots, start)
      const { place } = slots[start] as Slot
      places.push(isWhole(slots, marks, start, end) ? place : this.#place(slots.slice(start, end), marks, start))
      start = end
    }
    return places
  }

  #place(slots: readonly Slot[], marks: readonly (Breakpoint | null)[], start: number): PreparedPlace {
    const [first] = slots as [Slot]
    const { list, index, variant } = first.place
    const { section, role } = first.block
    const key = slots.map((slot, at) => `${partOf(slot)} ${nameOf(marks[start + at] ?? null)}`).join('\n')
    let raw = this.#items.get(key)
    if (raw === undefined) {
      raw = new FrozenElement(
        slots,
        slots.map((_, at) => marks[start + at] ?? null),
      )
      this.#items.set(key, raw)
    }
    return { section, role, list, index, variant, raw, mark: null }
  }

  /** Counting a long text again for a stretch of it would cost more than all the rest. */
  #tokensOf({ tokens, text }: Block, substitutions: readonly Substitution[]): number {
    let sum = tokens
    for (const { start, end, original } of substitutions) {
      const [from, to] = [start - AROUND, end + AROUND]
      const before = (text ?? '').slice(Math.max(0, from), start)
      const after = (text ?? '').slice(end, to)
      const actual = (text ?? '').slice(start, end)
      sum += this.#countTokens(before + (original ?? '') + after) - this.#countTokens(before + actual + after)
    }
    return Math.max(0, sum)
  }
}

/** UTF-16 units of a text that is counted anew when a stretch of it is another. */
const COUNTED_WHOLE = 4_000
/** Units on each side that are counted with a stretch: tokens reach over its ends. */
const AROUND = 32

class FrozenElement implements PreparedItem {
  readonly segments: readonly ItemSegment[]
  readonly #slots: readonly Slot[]
  readonly #marks: readonly (Breakpoint | null)[]
  #textSegments: readonly ItemSegment[] | null = null

  constructor(slots: readonly Slot[], marks: readonly (Breakpoint | null)[]) {
    this.segments = slots.map(({ block, index }, at) => ({
      path: `[${index < 0 ? at : index}]`,
      type: block.type,
      content: block.digest,
      joined: block.joined,
      markable: block.markable,
      mark: marks[at] ?? null,
      text: '',
      tokens: block.tokens,
    }))
    this.#slots = slots
    this.#marks = marks
  }

  get textSegments(): readonly ItemSegment[] {
    this.#textSegments ??= this.segments.map((segment, at) => {
      const { block, place, index } = this.#slots[at] as Slot
      const element: Element = place.raw
      // As it was sent it may be measured otherwise than by its text.
      const own = index >= 0 && element.blocks[index] === block ? element.textSegments[index] : undefined
      if (own !== undefined) return { ...own, mark: this.#marks[at] ?? null }
      return block.text === null ? segment : { ...segment, text: block.text, tokens: 0 }
    })
    return this.#textSegments
  }
}

function endOfElement(slots: readonly Slot[], start: number): number {
  const { place, block, index } = slots[start] as Slot
  let end = start + 1
  for (; end < slots.length; end++) {
    const slot = slots[end] as Slot
    if (slot.place !== place || slot.block.section !== block.section || slot.block.role !== block.role) break
    // What was never sent, and what was held in its place, is an element of its own.
    if (index < 0 || slot.index <= (slots[end - 1] as Slot).index) break
  }
  return end
}

function isWhole(slots: readonly Slot[], marks: readonly (Breakpoint | null)[], start: number, end: number): boolean {
  const { place } = slots[start] as Slot
  const own = sentSlots(place)
  if (end - start !== own.length) return false
  for (let at = start; at < end; at++) {
    const slot = slots[at] as Slot
    if (slot.block !== own[at - start]?.block || (marks[at] ?? null) !== own[at - start]?.mark) return false
  }
  return true
}

function partOf({ block }: Slot): string {
  const { section, role, type, joined, markable, digest: hash } = block
  return `${joined ? '' : '+'}${section} ${role} ${type}${markable ? '' : '!'} ${hash}`
}

function nameOf(mark: Breakpoint | null): string {
  return mark === null ? '' : `${mark.kind} ${mark.ttl}`
}
