/** The way of nearly every turn: it has all of its parent, and goes on. */
import type { Element, Turn } from '../record/types.ts'
import type { KeptStep } from './alignment.ts'

/** The steps where a turn begins with its parent and only adds messages; null otherwise. */
export function appendedOnly(parent: Turn, turn: Turn): KeptStep[] | null {
  let count = 0
  for (const [index, place] of parent.places.entries()) {
    const other = turn.places[index]
    if (other === undefined || other.section !== place.section) return null
    if (other !== place && !sameBlocks(place.raw, other.raw)) return null
    count += place.raw.blocks.length
  }
  let more = 0
  for (let index = parent.places.length; index < turn.places.length; index++) {
    const place = turn.places[index]
    if (place?.section !== 'messages') return null
    more += place.raw.blocks.length
  }
  const steps: KeptStep[] = []
  if (count > 0) steps.push({ type: 'same', from: 0, to: 0, count })
  if (more > 0) steps.push({ type: 'appended', to: count, count: more })
  return steps
}

/** True for two elements that are the same to the model. */
export function sameBlocks(one: Element, other: Element): boolean {
  if (one === other) return true
  return one.blocks.length === other.blocks.length && one.blocks.every((block, index) => block === other.blocks[index])
}
