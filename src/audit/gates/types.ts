/** Limits that a log has to keep, and what became of each. All figures are predictions by the provider's rules. */
import type { CulpritKind } from '../changes/types.ts'
import type { AuditReport, AuditTurn, PredictedLoss } from '../report/types.ts'

/** The limits. What is left out is not checked. */
export interface Gates {
  /** Tokens that may be lost as `rewritten`, `scope` and `unmarked`, over the whole log. */
  readonly maxRewrittenTokens?: number | undefined
  /** Tokens read over those that could have been; from 0 to 1. */
  readonly minHitRate?: number | undefined
  /** An earlier report: no culprit may be new, and what is lost per turn may not be 10 % more. */
  readonly baseline?: Pick<AuditReport, 'streams' | 'culprits'> | undefined
  /** Turns that have to be comparable for any of it to mean something; 2 unless given. */
  readonly minTurns?: number | undefined
}

/** What became of them. */
export interface GatesResult {
  /** With too few turns, nothing is said, whatever the checks came to. */
  readonly outcome: 'passed' | 'failed' | 'too-few-turns'
  /** Turns that have a parent and a prediction. */
  readonly comparableTurns: number
  readonly minTurns: number
  readonly checks: readonly GateCheck[]
  /** The turns that lost most, the worst first; at most 5. */
  readonly worstTurns: readonly GateTurn[]
}

/** A report as the command prints it where it was given limits. */
export interface GatedReport extends AuditReport {
  readonly gates: GatesResult
}

/** One limit. */
export type GateCheck =
  | {
      readonly gate: 'max-rewritten-tokens'
      readonly passed: boolean
      readonly tokens: number
      readonly limit: number
    }
  | {
      readonly gate: 'min-hit-rate'
      readonly passed: boolean
      /** Null where nothing was there to be read. */
      readonly hitRate: number | null
      readonly limit: number
      readonly read: number
      /** What could have been read. */
      readonly reusable: number
    }
  | {
      readonly gate: 'baseline-culprits'
      readonly passed: boolean
      /** Those that the baseline does not have, the most expensive first. */
      readonly new: readonly GateCulprit[]
    }
  | {
      readonly gate: 'baseline-loss'
      readonly passed: boolean
      readonly tokensPerTurn: number
      readonly baselineTokensPerTurn: number
    }

/** A culprit, by name. */
export interface GateCulprit {
  readonly id: string
  readonly kind: CulpritKind
  readonly path: string
  /**
   * A culprit of the baseline of the same kind and path, which is gone: perhaps the same one, with other text around it.
   * Null where there is none.
   */
  readonly resembles: string | null
}

/** A turn that lost what is counted. */
export interface GateTurn {
  readonly stream: string
  /** As in the report. */
  readonly turn: number
  readonly source: AuditTurn['source']
  readonly tokens: number
  readonly losses: readonly PredictedLoss[]
  /** Ids, in the order in which the provider reads them. */
  readonly culprits: readonly string[]
}
