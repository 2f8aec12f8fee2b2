/**
 * What gates count: tokens that the rules lose because of what the caller sent, as `rewritten`, `scope` or `unmarked`. What
 * was reported for a turn is never among it, so that a provider's own miss fails no gate, and neither does a pause, a
 * compaction or a short prompt.
 *
 * The odd case: a provider that lets another model answer than was asked for changes the scope too, and the caller did
 * nothing. That is not counted.
 */
import type { AuditReport, AuditTurn, PredictedLoss } from '../report/types.ts'
import type { VerdictKind } from '../verdicts/types.ts'

const countedReasons: ReadonlySet<VerdictKind> = new Set(['rewritten', 'scope', 'unmarked'])

/** A turn that continues another one and that the rules say something about. */
export interface ComparableTurn {
  readonly stream: string
  readonly turn: AuditTurn
  /** What the rules read. */
  readonly read: number
  /** What the rules lose, as far as it is counted. */
  readonly lost: number
  /** The parts of `lost`. */
  readonly losses: readonly PredictedLoss[]
}

/** What gates hold against their limits. */
export interface CountedTokens {
  readonly turns: number
  readonly read: number
  readonly lost: number
}

/** All turns that gates look at, in the order of the report. */
export function comparableTurns({ streams }: Pick<AuditReport, 'streams'>): readonly ComparableTurn[] {
  return streams.flatMap(({ id, turns }) =>
    turns.flatMap((turn) => {
      const { parent, predicted } = turn
      const played = predicted?.byRulesAlone ?? null
      if (parent === null || played === null) return []
      const losses = played.lost.filter(isCounted)
      return { stream: id, turn, read: played.read, lost: sumOf(losses), losses }
    }),
  )
}

/** Sums over turns. */
export function countTokens(turns: readonly ComparableTurn[]): CountedTokens {
  return {
    turns: turns.length,
    read: turns.reduce((sum, { read }) => sum + read, 0),
    lost: turns.reduce((sum, { lost }) => sum + lost, 0),
  }
}

/**
 * Tokens read over tokens that were live in the simulated cache and stood in the request before: what is read, and what is
 * lost as far as it is counted. Null where nothing was there to be read.
 */
export function predictedHitRate({ read, lost }: CountedTokens): number | null {
  return read + lost === 0 ? null : read / (read + lost)
}

function isCounted({ reason, parameters }: PredictedLoss): boolean {
  const isProviders = parameters.length > 0 && parameters.every((name) => name === 'served model')
  return countedReasons.has(reason) && !isProviders
}

function sumOf(losses: readonly PredictedLoss[]): number {
  return losses.reduce((sum, { tokens }) => sum + tokens, 0)
}
