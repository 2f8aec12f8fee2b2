/**
 * What a turn keeps of its parent where it stands. Nearly every turn has all segments of its parent in their places, a few
 * of them with another text, and something new behind them: then nothing has to be arranged anew, and what is known of the
 * parent holds for the turn but for those few.
 */
import type { Alignment, Hunk } from '../changes/types.ts'
import type { Element, Place, Turn } from '../record/types.ts'

/** A segment with another text than at the same place of the parent. */
export interface Edit {
  /** Index of the element, and of the segment in it. */
  readonly element: number
  readonly offset: number
  readonly hunks: readonly Hunk[]
}

/**
 * The edits that turn `parent` into the first part of `turn`; empty where that begins with all of it. Null where a segment
 * is elsewhere or gone, or an element has others than it had.
 */
export function editsInPlace(turn: Turn, parent: Turn, alignment: Alignment | undefined): readonly Edit[] | null {
  const { places } = parent
  if (turn.places.length < places.length) return null
  const edited: Omit<Edit, 'hunks'>[] = []
  for (let element = 0; element < places.length; element++) {
    const before = places[element] as Place
    const after = turn.places[element] as Place
    if (before === after || before.raw === after.raw) continue
    if (before.raw.blocks.length !== after.raw.blocks.length) return null
    for (const offset of differing(before.raw, after.raw)) edited.push({ element, offset })
  }
  if (edited.length === 0) return []
  const hunks = alignment === undefined ? null : hunksInPlace(alignment)
  if (hunks === null) return null
  const edits: Edit[] = []
  let [segment, counted] = [0, 0]
  for (const { element, offset } of edited) {
    for (; counted < element; counted++) segment += (places[counted] as Place).raw.blocks.length
    const found = hunks.get(segment + offset)
    if (found === undefined) return null
    edits.push({ element, offset, hunks: found })
  }
  return edits
}

function differing(before: Element, after: Element): readonly number[] {
  const offsets: number[] = []
  for (let offset = 0; offset < before.blocks.length; offset++) {
    if (before.blocks[offset] !== after.blocks[offset]) offsets.push(offset)
  }
  return offsets
}

/** The hunks of edited segments, by their index; null where a step moves anything. */
function hunksInPlace({ steps }: Alignment): ReadonlyMap<number, readonly Hunk[]> | null {
  const hunks = new Map<number, readonly Hunk[]>()
  for (const step of steps) {
    if (step.type === 'appended') continue
    if ((step.type !== 'same' && step.type !== 'edited') || step.from !== step.to) return null
    if (step.type === 'edited') hunks.set(step.to, step.hunks)
  }
  return hunks
}
