/** A turn as a list of segments, made when it is asked for and not kept. */
import { itemPath } from '../../cache/layout/layout.ts'
import type { Segment, Turn } from './types.ts'

/** The segments of a turn in the provider's cache order. */
export function segmentsOf({ places, automatic }: Pick<Turn, 'places' | 'automatic'>): Segment[] {
  const segments: Segment[] = []
  for (const place of places) {
    const { blocks, paths, marks } = place.raw
    const path = itemPath(place)
    for (let index = 0; index < blocks.length; index++) {
      const block = blocks[index]
      if (block === undefined) continue
      segments.push({ block, path: path + (paths[index] ?? ''), breakpoint: marks[index] ?? null })
    }
  }
  if (automatic === null) return segments
  const last = segments.findLastIndex(({ block }) => block.markable)
  const segment = segments[last]
  if (segment !== undefined && segment.breakpoint === null) segments[last] = { ...segment, breakpoint: automatic }
  return segments
}
