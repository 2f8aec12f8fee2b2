/** One difference between a turn and the one it is held against, before it is known which culprit it is of. */
import type { Section } from '../../cache/index.ts'
import type { Turn } from '../record/types.ts'
import type { Span } from './span.ts'
import type { CulpritKind } from './types.ts'

/** Something in an alignment that will name its culprit. */
export interface Blame {
  culprit: string | null
}

/** What decides whether a difference is in the sums: itself, or the evidence that reads were lost by it. */
export type Counting = 'always' | 'never' | 'when-reads-are-lost'

/** A difference of which the form says what it is. */
export interface Act {
  readonly type: 'act'
  readonly kind: CulpritKind
  /** Acts of one kind and key are one culprit. */
  readonly key: string
  readonly confidence: number
  readonly counting: Counting
  /** The key of the moved block that it is too; a block that was seen to move before is told as that. */
  readonly asMove?: string | null
}

/** A stretch of text that differs; what it is, its values tell over turns. */
export interface Stretched {
  readonly type: 'span'
  readonly span: Span
  /** UTF-16 units into the segment of the turn. */
  readonly offset: number
  readonly role: string
  /** Where in its block it stands. */
  readonly place: 'whole' | 'start' | 'middle' | 'end'
  readonly operation: 'inserted' | 'removed' | 'replaced'
  /** UTF-16 units of the block. */
  readonly blockLength: number
}

/** A difference. */
export interface Finding {
  readonly turn: Turn
  readonly other: Turn
  readonly section: Section
  /** In the turn; of what was removed, in the other. */
  readonly path: string
  /** Index of the segment in the turn, or where it would stand; null for a parameter. */
  readonly segment: number | null
  readonly before: string | null
  readonly after: string | null
  readonly form: Act | Stretched
  /** Behind the last message that both have: in a fork, and where nothing follows, it is what the caller wanted anew. */
  readonly isTail: boolean
  /** The conversation goes on behind it. */
  readonly goesOn: boolean
  /** The segment carried a breakpoint before. */
  readonly isMarked: boolean
  readonly blames: readonly Blame[]
}
