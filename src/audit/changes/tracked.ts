/** Spans between two versions of a text: where each was, where it is, and which difference belongs to which. */
import { isOneValue } from './one-value.ts'
import type { Placed, Span } from './span.ts'
import type { Stretch } from './stretch.ts'

/** A span in two versions, with the difference in it, where there is one. */
export interface Tracked {
  readonly span: Span
  before: { start: number; end: number }
  after: { start: number; end: number }
  stretch: Stretch | null
  /** The spans of the version before that it stands for in the next. */
  replaced?: readonly Placed[]
}

/** UTF-16 units that may stand between the parts of one value. */
const LONGEST_GAP = 40

/** True for two spans that share a unit, or stand at one place. */
export function overlaps(one: Placed, other: Placed): boolean {
  if (one.start === other.start && one.end === other.end) return true
  return one.start < other.end && one.end > other.start
}

/** Where a span ends in the second version. */
export function endOf({ before, after, stretch }: Tracked): number {
  return stretch === null
    ? after.end
    : Math.max(after.end, stretch.after.end + Math.max(0, before.end - stretch.before.end))
}

/** A span in which nothing differs, `shift` units further on. */
export function moved({ span, start, end }: Placed, shift: number): Tracked {
  return { span, before: { start, end }, after: { start: start + shift, end: end + shift }, stretch: null }
}

/** Whether a difference belongs to a span: it overlaps it, or goes on from its rim within the line. */
export function meets(placed: Placed, { before, after }: Stretch, first: string, second: string): boolean {
  if (placed.start < before.end && placed.end > before.start) return true
  if (placed.start > before.end || placed.end < before.start) return false
  // They only touch. What stands on lines of its own is not of a value inside a line.
  if (placed.start === placed.end || standsOnLines(placed, first)) return true
  const texts = [first.slice(before.start, before.end), second.slice(after.start, after.end)]
  return placed.end === before.start
    ? !texts.some((text) => text.startsWith('\n'))
    : !texts.some((text) => text.endsWith('\n'))
}

function standsOnLines({ start, end }: Placed, text: string): boolean {
  const isAtStart = start === 0 || text.charAt(start) === '\n' || text.charAt(start - 1) === '\n'
  return isAtStart && (end === text.length || text.charAt(end) === '\n' || text.charAt(end - 1) === '\n')
}

/** Whether the value of the difference before reaches over this one, or up to it within the line. */
export function holds({ before, after }: Tracked, stretch: Stretch, first: string, second: string): boolean {
  if (stretch.before.start < before.end || stretch.after.start < after.end) return true
  if (stretch.before.start > before.end) return false
  const texts = [
    first.slice(stretch.before.start, stretch.before.end),
    second.slice(stretch.after.start, stretch.after.end),
  ]
  return !texts.some((text) => text.startsWith('\n'))
}

/** Lets a span reach over one more difference. */
export function extend(tracked: Tracked, { before, after }: Stretch): void {
  const start = tracked.stretch ?? { before, after }
  tracked.stretch = {
    before: { start: start.before.start, end: before.end },
    after: { start: start.after.start, end: after.end },
  }
  tracked.before.end = Math.max(tracked.before.end, before.end)
  tracked.after.end = Math.max(tracked.after.end, after.end)
}

/** A difference over several spans, cut where the text between them stands in both. */
export function cutBetween(stretch: Stretch, old: readonly Placed[], first: string, second: string): Stretch[] {
  const inside = old.filter(({ start, end }) => start < stretch.before.end && end > stretch.before.start)
  if (inside.length < 2) return [stretch]
  const parts: Stretch[] = []
  let [before, after] = [stretch.before.start, stretch.after.start]
  for (const [index, { end }] of inside.slice(0, -1).entries()) {
    const next = inside[index + 1] as Placed
    const stable = first.slice(end, next.start)
    const at = stable === '' ? -1 : second.indexOf(stable, after)
    if (at < 0 || at + stable.length > stretch.after.end) continue
    parts.push({ before: { start: before, end }, after: { start: after, end: at } })
    before = next.start
    after = at + stable.length
  }
  parts.push({ before: { start: before, end: stretch.before.end }, after: { start: after, end: stretch.after.end } })
  return parts.filter(
    (part) => first.slice(part.before.start, part.before.end) !== second.slice(part.after.start, part.after.end),
  )
}

/** Neighbours of which the text between says that they are one value, as the parts of a date. */
export function joinNeighbours(tracked: Tracked[], first: string, second: string): void {
  for (let index = tracked.length - 1; index > 0; index--) {
    const [one, other] = [tracked[index - 1] as Tracked, tracked[index] as Tracked]
    const gap = second.slice(one.after.end, other.after.start)
    const values = [
      second.slice(one.after.start, one.after.end),
      second.slice(other.after.start, other.after.end),
    ] as const
    if (
      gap.length > LONGEST_GAP ||
      gap !== first.slice(one.before.end, other.before.start) ||
      !isOneValue(...values, gap)
    )
      continue
    one.span.join(other.span)
    const stretch =
      one.stretch === null || other.stretch === null
        ? (one.stretch ?? other.stretch)
        : {
            before: { start: one.stretch.before.start, end: other.stretch.before.end },
            after: { start: one.stretch.after.start, end: other.stretch.after.end },
          }
    tracked.splice(index - 1, 2, {
      span: one.span.root,
      before: { start: one.before.start, end: other.before.end },
      after: { start: one.after.start, end: other.after.end },
      stretch,
    })
  }
}
