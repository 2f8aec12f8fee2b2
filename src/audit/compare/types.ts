/**
 * Two reports side by side, as JSON: `indelible.compare/1`, which only grows. Logs differ in length, so figures are per
 * turn and per million tokens of input. What was not reported, or is not known, is `null` and never 0.
 */
import type { CulpritKind } from '../changes/types.ts'
import type { AuditCulprit } from '../report/types.ts'

/** The whole of it. */
export interface AuditComparison {
  readonly schema: 'indelible.compare/1'
  readonly currency: 'USD'
  readonly before: ComparedLog
  readonly after: ComparedLog
  readonly culprits: {
    /** The most expensive first, as in all three. */
    readonly gone: readonly ComparedCulprit[]
    readonly new: readonly ComparedCulprit[]
    readonly left: readonly LeftCulprit[]
  }
}

/** One side. */
export interface ComparedLog {
  /** Names of the files that it was made of. */
  readonly files: readonly string[]
  readonly streams: number
  /** Those that were answered. */
  readonly turns: number
  /** Those that continue another one and have a prediction. */
  readonly comparableTurns: number
  /** Share of the input that was read, as reported; from 0 to 1. */
  readonly hitRate: number | null
  /** Tokens read over those that could have been, by the rules. */
  readonly predictedHitRate: number | null
  /** Tokens of input per turn. */
  readonly inputTokensPerTurn: number | null
  readonly perTurn: ComparedFigures
  /** Per million tokens of input of the same turns. */
  readonly perMillion: ComparedFigures
}

/** Averages, each over the turns of which it is known. */
export interface ComparedFigures {
  /** What was reported, output too, in USD at list prices. */
  readonly cost: number | null
  /** What the rules come to for the calls as they were sent, in USD at list prices. */
  readonly asSent: number | null
  /** Tokens that the cache had and did not serve, for whatever reason. */
  readonly lostTokens: number | null
  /** Tokens that the rules lose as `rewritten`, `scope` and `unmarked`: what gates count. */
  readonly rewrittenTokens: number | null
}

/** A culprit of one side. */
export interface ComparedCulprit {
  readonly id: string
  readonly kind: CulpritKind
  readonly path: string
  readonly scope: AuditCulprit['scope']
  readonly loss: CulpritLoss
}

/** A culprit of both sides. */
export interface LeftCulprit extends Omit<ComparedCulprit, 'loss'> {
  /** Where the text around it was edited and its id is another one: the one that it had. Null where the id is the same. */
  readonly idBefore: string | null
  readonly before: CulpritLoss
  readonly after: CulpritLoss
}

/** What was lost for a culprit, over the turns of its log. */
export interface CulpritLoss {
  readonly tokensPerTurn: number
  /** USD; null where nothing of it has a price. */
  readonly costPerTurn: number | null
}
