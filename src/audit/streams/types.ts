/** Turns that belong together. */
import type { Turn } from '../record/types.ts'

/** A turn and the earlier one that it goes on from. */
export interface LinkedTurn {
  readonly turn: Turn
  /**
   * The turn whose messages it continues longest. Null where it begins a conversation: for the first of a stream that is
   * no fork, and for each of a stream of side calls (titles, topics), which have nothing to do with one another.
   */
  readonly parent: Turn | null
  /** Its canonical prompt is that of the parent, which did not fail. */
  readonly repeats: boolean
}

/**
 * A conversation: turns that each continue the one before. A fork is a stream of its own whose first turn has its parent
 * in another stream.
 */
export interface Stream {
  /** From its first turn's source and digest: the same log gives the same ids. */
  readonly id: string
  /** The stream that it forked off, and the number of the turn there. */
  readonly parent: { readonly stream: string; readonly turn: number } | null
  /** Streams with alike tools and system have one. */
  readonly family: string
  /** In the order of the logs. */
  readonly turns: readonly LinkedTurn[]
}
