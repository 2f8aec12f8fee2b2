/**
 * What differs between a turn and its parent: every place, not only the first. An alignment says for each segment of both
 * where it went; joined over turns, its changes are culprits.
 *
 * Segments are named by their index in `segmentsOf(turn)`.
 */
import type { Section } from '../../cache/index.ts'
import type { Turn } from '../record/types.ts'

/** What kind of value or act a culprit is. */
export type CulpritKind =
  | 'clock'
  | 'date'
  | 'git'
  | 'path'
  | 'id'
  | 'counter'
  | 'remaining-tokens'
  | 'rules-text'
  | 'tool-reordered'
  | 'tool-added'
  | 'tool-removed'
  | 'tool-edited'
  | 'schema-key-order'
  | 'tool-call-ids'
  | 'argument-order'
  | 'moved-block'
  | 'pruned-result'
  | 'thinking-dropped'
  | 'image-replaced'
  | 'breakpoint-wasted'
  | 'header-block'
  | 'parameter'
  | 'unknown'

/** A stretch of text that differs, in UTF-16 units into the contents of the two blocks. */
export interface Hunk {
  readonly before: { readonly start: number; readonly end: number }
  readonly after: { readonly start: number; readonly end: number }
  /** The id of the culprit that it belongs to; null where it is only noted. */
  readonly culprit: string | null
}

/**
 * What became of the parent's segments:
 * - `same`: one block in both.
 * - `edited`: another block at the same place; `hunks` in order, not empty.
 * - `moved`: the same block in another order among its neighbours (tools reordered, a reminder moved to the newest message).
 * - `removed`: in the parent only. `inserted`: in the turn only, in front of something that the parent had.
 * - `appended`: new at the end of the conversation, which is no change.
 * `culprit` as in a hunk.
 */
export type Step =
  | { readonly type: 'same'; readonly from: number; readonly to: number }
  | { readonly type: 'edited'; readonly from: number; readonly to: number; readonly hunks: readonly Hunk[] }
  | { readonly type: 'moved'; readonly from: number; readonly to: number; readonly culprit: string | null }
  | { readonly type: 'removed'; readonly from: number; readonly culprit: string | null }
  | { readonly type: 'inserted'; readonly to: number; readonly culprit: string | null }
  | { readonly type: 'appended'; readonly to: number }

/** A turn held against its parent. */
export interface Alignment {
  readonly turn: Turn
  readonly parent: Turn
  /** Each segment of both is in exactly one step; in the order of the turn, removed ones where they stood. */
  readonly steps: readonly Step[]
  /** Scope parameters that differ, each with the culprit that it is. */
  readonly parameters: readonly { readonly name: string; readonly culprit: string | null }[]
  /** Differences of the bytes that no model sees, in words for a person. */
  readonly notes: readonly string[]
}

/** One value, ordering or placement that differs again and again. */
export interface Culprit {
  /** Of kind, normalised path and anchor: the same in every run over the same log. */
  readonly id: string
  readonly kind: CulpritKind
  readonly section: Section
  /** Indexes of messages are `*` where it moves with the conversation: `system[0]`, `messages[*].content[0]`, `tools[read_file]`, `parameter tool_choice`. */
  readonly path: string
  /** UTF-16 units into the segment, where it first differed; null where it is no stretch of text. */
  readonly offset: number | null
  /** The text around it, at most 40 characters on each side; empty where it is no stretch of text. */
  readonly anchor: { readonly before: string; readonly after: string }
  /** Where it was seen to change: from turn to turn, or between sessions of a family, or both. */
  readonly scope: 'within' | 'between' | 'both'
  /** In the order of turns, each once in a row, as they stand in the log. At most 50. */
  readonly values: readonly string[]
  /** Turns that differ from their parent here (for `between`: first turns that differ from another stream's). */
  readonly occurrences: readonly {
    readonly turn: Turn
    readonly before: string | null
    readonly after: string | null
  }[]
  /** How sure the kind and the blame are, from 0 to 1. */
  readonly confidence: number
  /** False for what costs nothing by the evidence: it is shown as a note, and in no sum. */
  readonly counts: boolean
}

/** All that was found in one stream, or between the streams of a family. */
export interface Changes {
  /** By turn number; none for turns without a parent. */
  readonly alignments: ReadonlyMap<number, Alignment>
  readonly culprits: readonly Culprit[]
  /**
   * The first turn held against that of an earlier stream of the family, both cut off behind what they have in common by
   * their kind; none for the first of a family, and for a fork.
   */
  readonly opening?: Alignment | undefined
}
