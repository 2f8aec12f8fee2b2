/** Differences of the bytes that no model sees: a text sent once as a string and once as a list of one, keys in another order. */
import { itemPath } from '../../cache/layout/layout.ts'
import type { Element, Turn } from '../record/types.ts'
import { sameBlocks } from './appended-only.ts'

/** Elements that are named; the rest is counted. */
const NAMED = 3

/** A sentence on what is written another way in `turn` and has the same content, if anything is. A moved breakpoint is not. */
export function rewritten(parent: Turn, turn: Turn): readonly string[] {
  const paths: string[] = []
  const end = Math.min(parent.places.length, turn.places.length)
  for (let index = 0; index < end; index++) {
    const [one, other] = [parent.places[index], turn.places[index]]
    if (one === undefined || other === undefined || one.raw === other.raw) continue
    if (sameBlocks(one.raw, other.raw) && sameMarks(one.raw, other.raw) && isWrittenOtherwise(one.raw, other.raw))
      paths.push(itemPath(other))
  }
  if (paths.length === 0) return nothing
  const more = paths.length > NAMED ? ` and ${paths.length - NAMED} more` : ''
  return [`Written in another way, with the same content: ${paths.slice(0, NAMED).join(', ')}${more}.`]
}

const nothing: readonly string[] = []

/** Elements also differ in what was thought and is not sent on, and that nobody wrote another way. */
function isWrittenOtherwise({ raw: one }: Element, { raw: other }: Element): boolean {
  if (one === null || other === null) return false
  return JSON.stringify(one) !== JSON.stringify(other)
}

function sameMarks(one: Element, other: Element): boolean {
  return one.marks.every((mark, index) => {
    const second = other.marks[index] ?? null
    return mark === second || (mark !== null && second !== null && mark.ttl === second.ttl && mark.kind === second.kind)
  })
}
