/** Two turns that are held against each other, as those who name their differences see them. */
import type { Segment, Turn } from '../record/types.ts'
import type { BareStep } from './align.ts'
import { lostEnd, type LostEnd } from './classify/breakpoints.ts'
import type { Finding } from './finding.ts'
import type { TextOf } from './text-of.ts'

/** A parent and a turn, aligned. */
export class AlignedPair {
  readonly parent: Turn
  readonly turn: Turn
  readonly before: readonly Segment[]
  readonly after: readonly Segment[]
  readonly steps: readonly BareStep[]
  readonly textOf: TextOf
  readonly end: LostEnd
  /** Something new follows at the end of the conversation. */
  readonly goesOn: boolean

  constructor(
    turns: { readonly parent: Turn; readonly turn: Turn },
    segments: { readonly before: readonly Segment[]; readonly after: readonly Segment[] },
    steps: readonly BareStep[],
    textOf: TextOf,
  ) {
    this.parent = turns.parent
    this.turn = turns.turn
    this.before = segments.before
    this.after = segments.after
    this.steps = steps
    this.textOf = textOf
    this.end = lostEnd(segments.before, steps)
    this.goesOn = steps.some(({ type }) => type === 'appended')
  }

  /** What all findings have; `from` is the segment of the parent, null where there is none. */
  finding(section: Finding['section'], from: number | null, path: string): FindingHead {
    const { turn, parent, goesOn } = this
    const isTail = section === 'messages' && from !== null && from > this.end.lastSame
    const isMarked = from !== null && (this.before[from]?.breakpoint ?? null) !== null
    return { turn, other: parent, section, path, segment: null, isTail, isMarked, goesOn }
  }
}

/** A finding without what was found. */
export type FindingHead = Omit<Finding, 'before' | 'after' | 'form' | 'blames'>
