/**
 * Breakpoints that never read: they stand on a block that is not sent again. A block at the end of one call that is gone
 * or stands elsewhere in the next costs only itself, unless the breakpoint stands on it and none stands in front of it.
 */
import type { Segment } from '../../record/types.ts'
import type { Act } from '../finding.ts'
import type { BareStep } from '../align.ts'
import { skeleton } from '../skeleton.ts'

/** What became of the parent's end. */
export interface LostEnd {
  /** The last message segment that both have at one place, -1 where there is none. */
  readonly lastSame: number
  /** The breakpoint on what was lost is the only one in the conversation. */
  readonly wastes: boolean
}

/** Looks at the end of a parent's conversation. */
export function lostEnd(before: readonly Segment[], steps: readonly BareStep[]): LostEnd {
  let lastSame = -1
  for (const step of steps) {
    if (step.type === 'same' && before[step.from]?.block.section === 'messages')
      lastSame = Math.max(lastSame, step.from)
  }
  const marked = (segment: Segment, index: number, kept: boolean): boolean =>
    segment.breakpoint !== null && segment.block.section === 'messages' && index <= lastSame === kept
  const wastes =
    before.some((segment, index) => marked(segment, index, false)) &&
    !before.some((segment, index) => marked(segment, index, true))
  return { lastSame, wastes }
}

/** The act of a block at the end that is not sent again there; null where nothing was lost by it and it does not come back. */
export function endAct(text: string | null, again: boolean, wastes: boolean): Act | null {
  const act = { type: 'act', key: skeleton(text ?? '') } as const
  if (wastes) {
    const asMove = again ? act.key : null
    return { ...act, key: '', kind: 'breakpoint-wasted', confidence: 0.85, counting: 'always', asMove }
  }
  return again ? { ...act, kind: 'moved-block', confidence: 0.6, counting: 'never' } : null
}
