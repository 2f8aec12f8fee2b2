/** Alignments of turns that nothing changed in, which nobody needs to write down. */
import type { Alignment, Step } from '../changes/types.ts'
import type { Block, Place, Turn } from '../record/types.ts'

/** What two turns begin with alike is the same; what the turn has behind it is new. */
export function alignByIdentity(turn: Turn, parent: Turn): Alignment {
  const [before, after] = [segmentCount(parent), segmentCount(turn)]
  const steps: Step[] = []
  const common = commonSegments(turn, parent)
  for (let at = 0; at < common; at++) steps.push({ type: 'same', from: at, to: at })
  for (let from = common; from < before; from++) steps.push({ type: 'removed', from, culprit: null })
  for (let to = common; to < after; to++) steps.push({ type: 'appended', to })
  return { turn, parent, steps, parameters: [], notes: [] }
}

/** How many segments a turn has. */
export function segmentCount({ places }: Turn): number {
  let count = 0
  for (let at = 0; at < places.length; at++) count += (places[at] as Place).raw.blocks.length
  return count
}

/** How many segments two turns begin with alike, element by element. */
export function commonSegments(turn: Turn, parent: Turn): number {
  let common = 0
  for (let at = 0; at < turn.places.length; at++) {
    const { raw } = turn.places[at] as Place
    const earlier = parent.places[at]?.raw
    const alike = earlier === raw ? raw.blocks.length : commonBlocks(raw.blocks, earlier?.blocks ?? [])
    common += alike
    if (alike < raw.blocks.length) break
  }
  return common
}

function commonBlocks(blocks: readonly Block[], earlier: readonly Block[]): number {
  let at = 0
  while (at < blocks.length && blocks[at] === earlier[at]) at++
  return at
}
