/** What a turn and an earlier one begin with in common, by identity of blocks; breakpoints do not count. */
import { itemPath } from '../../cache/layout/layout.ts'
import { firstDifference, type Divergence } from '../explain/first-difference.ts'
import { segmentsOf } from '../record/segments.ts'
import type { Block, Place } from '../record/types.ts'

/** A common start. */
export interface Common {
  readonly segments: number
  /** The counter's estimate, as in `Turn.tokens`. */
  readonly tokens: number
}

/** The longest common start. Where both have the same elements, a comparison each. */
export function commonPrefix(one: readonly Place[], other: readonly Place[]): Common {
  let index = 0
  let segments = 0
  let tokens = 0
  while (index < one.length && index < other.length) {
    const { raw } = one[index] as Place
    if (raw !== (other[index] as Place).raw) break
    segments += raw.blocks.length
    tokens += raw.tokens
    index++
  }
  const [rest, otherRest] = [blocksFrom(one, index), blocksFrom(other, index)]
  for (;;) {
    const { value: block, done } = rest.next()
    if (done === true || block !== otherRest.next().value) return { segments, tokens }
    segments++
    tokens += block.tokens
  }
}

function* blocksFrom(places: readonly Place[], from: number): Generator<Block, undefined> {
  for (let index = from; index < places.length; index++) yield* (places[index] as Place).raw.blocks
}

/** The number of segments. */
function countSegments(places: readonly Place[]): number {
  return places.reduce((sum, { raw }) => sum + raw.blocks.length, 0)
}

/** Where `places` differ first from those of an earlier turn; null where they begin with all of them. */
export function divergenceOf(places: readonly Place[], earlier: readonly Place[], common: Common): Divergence | null {
  if (common.segments >= countSegments(earlier)) return null
  const [first, second] = [earlier, places].map((list) =>
    segmentsOf({ places: list, automatic: null }).map(({ block, path }) => ({
      path,
      block,
      section: block.section,
      type: block.type,
      content: block.text,
    })),
  )
  return firstDifference(first ?? [], second ?? [], common.segments, (a, b) => a.block === b.block)
}

/** Segments from the start through the one at `path`; 0 where there is none. The end is looked at first. */
export function segmentsThrough(places: readonly Place[], path: string): number {
  for (let index = places.length - 1; index >= 0; index--) {
    const place = places[index] as Place
    const start = itemPath(place)
    if (!path.startsWith(start)) continue
    const inside = place.raw.paths.lastIndexOf(path.slice(start.length))
    if (inside >= 0) return countSegments(places.slice(0, index)) + inside + 1
  }
  return 0
}
