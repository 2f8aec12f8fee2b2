/**
 * Stretches of text that change, followed from version to version of a block.
 *
 * A span is known by where it stands: each version of a block has the extents of its spans, found by mapping those of
 * the version before through the difference. So it stays the same span when the text around it changes too, when its
 * value grows, and when another stream sends the same block. Extents of one block never overlap.
 *
 * Odd cases: a difference that runs over several spans is cut where the text between them is found again, else it is a
 * span of its own (a rewrite) when long, and joins them when short. A block that comes back has its extents already, and
 * spans that meet there are one.
 */
import type { Block } from '../record/types.ts'
import { ownText } from './own-text.ts'
import { noteSurroundings, Span, type Placed } from './span.ts'
import { cutBetween, endOf, extend, holds, joinNeighbours, meets, moved, overlaps, type Tracked } from './tracked.ts'
import { valueExtents } from './value-extent.ts'
import type { Stretch } from './stretch.ts'

/** A span changed between two versions of a block. */
export interface SpanChange extends Stretch {
  readonly span: Span
  /** Whole values, cut to what is kept. */
  readonly values: { readonly before: string; readonly after: string }
}

/** Units of a difference over several spans that still make one value. */
const SHORT = 60

/** All spans of a log. */
export class Spans {
  readonly #placed = new WeakMap<Block, readonly Placed[]>()
  #count = 0

  /** The spans that changed from one version (`first`, of block `before`) to the next; `stretches` are their difference. */
  track(before: Block, after: Block, first: string, second: string, stretches: readonly Stretch[]): SpanChange[] {
    const old = this.#placed.get(before) ?? []
    const cut = stretches.flatMap((stretch) => cutBetween(stretch, old, first, second))
    const tracked = this.#assign(cut, old, first, second)
    const added = tracked.some(({ span }) => span.isNew)
    if (added) joinNeighbours(tracked, first, second)
    this.#placed.set(
      before,
      tracked.flatMap(({ span, before: extent, replaced }) => replaced ?? [{ span, ...extent }]),
    )
    this.#place(
      after,
      tracked.map(({ span, after: extent }) => ({ span, ...extent })),
    )
    if (added) noteSurroundings(this.#placed.get(after) ?? [], second)
    return changesOf(tracked, first, second)
  }

  #assign(stretches: readonly Stretch[], old: readonly Placed[], first: string, second: string): Tracked[] {
    const all: Tracked[] = []
    let next = 0
    let shift = 0
    for (const stretch of stretches) {
      for (let placed = old[next]; placed !== undefined && placed.end < stretch.before.start; placed = old[++next]) {
        all.push(moved(placed, shift))
      }
      const touched: Placed[] = []
      for (
        let placed = old[next];
        placed !== undefined && meets(placed, stretch, first, second);
        placed = old[++next]
      ) {
        touched.push(placed)
      }
      const last = all.at(-1)
      if (touched.length > 0) all.push(this.#covering(touched, stretch))
      else if (last !== undefined && last.stretch !== null && holds(last, stretch, first, second)) extend(last, stretch)
      else {
        // What only touches this difference and is not of it stands in front.
        let placed = old[next]
        while (placed !== undefined && placed.end <= stretch.before.start) {
          all.push(moved(placed, shift))
          placed = old[++next]
        }
        all.push(this.#found(stretch, first, second, all.at(-1), placed))
      }
      shift = stretch.after.end - stretch.before.end
    }
    for (const placed of old.slice(next)) all.push(moved(placed, shift))
    for (const tracked of all) tracked.after.end = endOf(tracked)
    return all
  }

  #found(
    stretch: Stretch,
    first: string,
    second: string,
    last: Tracked | undefined,
    next: Placed | undefined,
  ): Tracked {
    const room = next === undefined ? second.length : next.start + stretch.after.end - stretch.before.end
    const { before, after } = valueExtents(first, second, stretch, {
      before: { start: last?.before.end ?? 0, end: next?.start ?? first.length },
      after: { start: last === undefined ? 0 : endOf(last), end: Math.max(room, stretch.after.end) },
    })
    return { span: new Span(this.#count++), before: { ...before }, after: { ...after }, stretch }
  }

  /** The span that a difference changes; where there are several and it is long, a new one in their place. */
  #covering(touched: readonly Placed[], stretch: Stretch): Tracked {
    const [one, ...others] = touched as [Placed, ...Placed[]]
    const end = others.at(-1) ?? one
    const { before, after } = stretch
    const length = Math.max(before.end - before.start, after.end - after.start)
    if (others.length > 0 && length > SHORT) {
      return { span: new Span(this.#count++), before: { ...before }, after: { ...after }, stretch, replaced: touched }
    }
    for (const other of others) one.span.join(other.span)
    const start = Math.min(one.start, before.start)
    return {
      span: one.span.root,
      before: { start, end: Math.max(end.end, before.end) },
      // In front of the difference nothing of the span has changed.
      after: { start: after.start - (before.start - start), end: after.end },
      stretch,
    }
  }

  #place(block: Block, placed: readonly Placed[]): void {
    const known = this.#placed.get(block)
    if (known === undefined) {
      this.#placed.set(block, placed)
      return
    }
    const result = [...known]
    for (const extent of placed) {
      const met = known.filter((other) => overlaps(extent, other))
      const [only] = met
      if (only === undefined) result.push(extent)
      else if (met.length === 1) only.span.join(extent.span)
    }
    this.#placed.set(
      block,
      result.sort((one, other) => one.start - other.start || one.end - other.end),
    )
  }
}

function changesOf(tracked: readonly Tracked[], first: string, second: string): SpanChange[] {
  const changes: SpanChange[] = []
  for (const { span, before, after, stretch } of tracked) {
    if (stretch === null) continue
    const values = { before: ownText(first, before.start, before.end), after: ownText(second, after.start, after.end) }
    changes.push({ span, values, before: stretch.before, after: stretch.after })
  }
  return changes
}
