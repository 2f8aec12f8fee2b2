/**
 * Breakpoints of a frozen request: each on the segment that it was sent on. Where the frozen request has none of that
 * segment, on the one before it. Tools that are held in another order than they were sent in have the marks by place: a
 * client marks the last of them, whichever it is. A mark on the end of a request stays on the end, behind what is told
 * there: that belongs to the turn.
 */
import type { Breakpoint } from '../../cache/index.ts'
import type { Standing } from './arrange.ts'
import type { Slot } from './slots.ts'

/** The mark of each slot in `standing`; `sent` are the segments of the turn as they were sent. */
export function placeMarks(sent: readonly Slot[], standing: readonly Standing[]): readonly (Breakpoint | null)[] {
  const marks = new Array<Breakpoint | null>(standing.length).fill(null)
  const positions = positionsOf(sent.length, standing)
  let last = -1
  for (let index = 0; index < sent.length; index++) {
    const position = positions[index] ?? -1
    if (position >= 0) last = position
    const mark = sent[index]?.mark ?? null
    if (mark !== null && last >= 0) marks[last] ??= mark
  }
  const end = standing.findLastIndex(({ slot }) => slot.block.markable)
  if (last >= 0 && end > last && marks[last] !== null && isEnd(sent)) {
    marks[end] = marks[last] ?? null
    marks[last] = null
  }
  return marks
}

/** The last segment has a mark. */
function isEnd(sent: readonly Slot[]): boolean {
  return (sent.at(-1)?.mark ?? null) !== null
}

/** Where each segment of the turn stands; -1 for what does not stand among its like. */
function positionsOf(length: number, standing: readonly Standing[]): Int32Array {
  const positions = new Int32Array(length).fill(-1)
  const held: number[] = []
  for (let at = 0; at < standing.length; at++) {
    const { slot, origin } = standing[at] as Standing
    if (origin < 0 || slot.native) continue
    positions[origin] = at
    if (slot.block.section === 'tools') held.push(origin)
  }
  if (!standing.some(({ slot, origin }) => origin >= 0 && slot.held && slot.block.section === 'tools')) return positions
  const places = held.map((origin) => positions[origin] ?? -1).sort((one, other) => one - other)
  for (const [rank, origin] of held.toSorted((one, other) => one - other).entries()) {
    positions[origin] = places[rank] ?? -1
  }
  return positions
}
