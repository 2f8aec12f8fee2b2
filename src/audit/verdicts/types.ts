/** What a cache made of a turn, and why. */
import type { PredictedUsage, Prediction } from '../../cache/index.ts'
import type { Divergence } from '../explain/first-difference.ts'
import type { Turn } from '../record/types.ts'

export type VerdictKind =
  | 'first'
  | 'warm-start'
  | 'appended'
  | 'repeat'
  | 'prewarm'
  | 'rewritten'
  | 'scope'
  | 'compacted'
  | 'server-edited'
  | 'expired'
  | 'below-minimum'
  | 'unmarked'
  | 'out-of-window'
  | 'not-yet-readable'
  | 'provider-miss'
  | 'failed'
  | 'unknown'

/** One thing that holds of a turn. */
export interface Reason {
  readonly kind: VerdictKind
  /** Tokens that would have been read without it, by the simulator; 0 where it took nothing. */
  readonly tokens: number
  /** Names, numbers and what is missing, in a sentence for a person; holds no text of the log but names of parameters and models. */
  readonly detail: string
  /** Paths, parameters. */
  readonly parameters?: readonly string[]
}

/** What the figures of a turn rest on: a simulation of its body, or its reported usage alone. */
export type Basis = 'simulated' | 'reported'

/** What the rules alone come to for a turn. */
export interface Uncorrected {
  /** Tokens. */
  readonly read: number
  /** What of the parent's prompt is lost, by reason: of those that took something. */
  readonly reasons: readonly Reason[]
}

/** A turn, judged. */
export interface Verdict {
  readonly turn: Turn
  readonly parent: Turn | null
  readonly verdict: VerdictKind
  /** All that hold; the verdict is one of them. Never empty. */
  readonly reasons: readonly Reason[]
  /** From 0 to 1. */
  readonly confidence: number
  /** The provider's or client's own word for a miss. */
  readonly providerReason: string | null
  /** Where the canonical prompts first differ; null where the turn begins with all of the parent. */
  readonly divergence: Divergence | null
  /** Null where there is no body. */
  readonly prediction: Prediction | null
  /** Of a prediction that was corrected by what is known of the provider's own misses: what the simulator says. */
  readonly predicted: PredictedUsage | null
  readonly basis: Basis
  /** min(total, parent's total) less the common prefix, in tokens; null where there is no parent to compare. */
  readonly rewrittenTokens: number | null
  /**
   * Tokens of the parent's prompt that were live in the simulated cache before and were not read: the loss that culprits
   * share. 0 where nothing was lost.
   */
  readonly lostTokens: number
  /** What the rules alone come to, whatever was reported as cached; null where the turn was not played. */
  readonly uncorrected: Uncorrected | null
  /** Seconds since the parent; null where a time is missing. */
  readonly gapSeconds: number | null
  /** The lifetime of the entry that counted; null where none is marked or the provider names none. */
  readonly ttlSeconds: number | null
  /** The reported read agrees with the prediction; null where the turn was not warm or one of both is not known. */
  readonly reproduced: boolean | null
  /** What the log lacks for a surer verdict, and how to record it. */
  readonly missing: readonly string[]
}

/** Miss reasons that the provider logged, against ours: how often each pair was seen. */
export interface Confusion {
  readonly provider: string
  readonly ours: VerdictKind
  readonly count: number
}
