/** One turn of a report, and what is summed up or odd about several. */
import type { Usage } from '../base/usage.ts'
import type { ReplayedTurn } from '../session/replay.ts'
import { costOf, sumCosts, type PriceSettings } from './cost.ts'
import type { Expected, ReportAnomaly, Shortfall, Totals, TurnReport } from './types.ts'

/** What playing the body of a turn has shown. */
export interface PlayedTurn {
  readonly model: string | null
  readonly expected: Expected | null
  readonly shortfall: Shortfall | null
}

/** A turn, as far as it is known before the log has been read to its end. */
export function turnReport(
  turn: ReplayedTurn<unknown>,
  { model, expected, shortfall }: PlayedTurn,
  prices: PriceSettings,
): Omit<TurnReport, 'inherited'> {
  const { revision, epoch, started, at, quiet, update, answer } = turn
  const usage = answer?.usage ?? null
  return {
    revision,
    epoch,
    at,
    started,
    quiet,
    model,
    update: update?.changes.map(({ key }) => key) ?? [],
    answeredAt: answer?.at ?? null,
    usage,
    hitRate: usage === null ? null : rate(usage.read, usage.total),
    cost: usage === null ? null : costOf(usage, model, at, prices),
    expected,
    shortfall,
  }
}

/** What is odd about a turn of the session's own; `isLast`: an answer may still come. */
export function anomaliesOf(
  { revision, answeredAt, usage }: Omit<TurnReport, 'inherited'>,
  { asks, isLast }: { readonly asks: boolean; readonly isLast: boolean },
): readonly ReportAnomaly[] {
  if (answeredAt === null) {
    if (!asks || isLast) return []
    const message = 'No answer was recorded before the conversation went on.'
    return [{ revision, type: 'unanswered', message }]
  }
  if (usage === null) {
    const message = 'The answer was recorded without usage, and is in no total.'
    return [{ revision, type: 'no-usage', message }]
  }
  return (usage.anomalies ?? []).map(({ type, message }) => ({ revision, type: 'usage', about: type, message }))
}

/** Sums over the turns that are not inherited. */
export function totalsOf(turns: readonly TurnReport[], notRebuilt: number): Totals {
  const own = turns.filter(({ inherited }) => !inherited)
  const usages = own.flatMap(({ usage }) => (usage === null ? [] : [usage]))
  const rated = usages.filter(({ read, total }) => read !== undefined && total !== undefined && read <= total)
  return {
    turns: own.length,
    answered: own.filter(({ answeredAt }) => answeredAt !== null).length,
    withUsage: usages.length,
    inherited: turns.length - own.length,
    notRebuilt,
    tokens: {
      total: sum(usages, ({ total }) => total),
      read: sum(usages, ({ read }) => read),
      written: sum(usages, writtenOf),
      uncached: sum(usages, ({ uncached }) => uncached),
      output: sum(usages, ({ output }) => output),
    },
    hitRate: rate(
      sum(rated, ({ read }) => read),
      sum(rated, ({ total }) => total),
    ),
    cost: sumCosts(own.flatMap(({ cost }) => (cost === null ? [] : [cost]))),
    shortfall: own.reduce((tokens, { shortfall }) => tokens + (shortfall?.tokens ?? 0), 0),
  }
}

function writtenOf({ write5m = 0, write30m = 0, write1h = 0 }: Usage): number {
  return write5m + write30m + write1h
}

function sum(usages: readonly Usage[], tokensOf: (usage: Usage) => number | undefined): number {
  return usages.reduce((total, usage) => total + (tokensOf(usage) ?? 0), 0)
}

function rate(read: number | undefined, total: number | undefined): number | null {
  // More read than there was is no rate; the report of usage says so among the anomalies.
  return read === undefined || total === undefined || total <= 0 || read > total ? null : read / total
}
