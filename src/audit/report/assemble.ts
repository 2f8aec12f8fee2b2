/**
 * The report of an audit, put together from what its parts found. Nothing is analysed here: prices are applied, what was
 * lost is handed to culprits so that the sums agree, and texts are masked.
 */
import { newestRule, ownPrices, type PriceTable } from '../../cache/index.ts'
import type { Changes, Culprit } from '../changes/types.ts'
import type { Counterfactual } from '../counterfactuals/types.ts'
import type { Unread } from '../read/types.ts'
import type { Turn } from '../record/types.ts'
import type { Stream } from '../streams/types.ts'
import type { Confusion, Verdict } from '../verdicts/types.ts'
import { byMoney, culpritReport, joinCulprits } from './culprits.ts'
import { maskKeys } from './keys.ts'
import { Masking, type MaskingOptions } from './masking.ts'
import { counterfactualReport, sharesByCulprit, streamReport } from './stream.ts'
import { modelTotals, totalsOf, unpricedOf } from './totals.ts'
import { toTime } from './turn.ts'
import type { AuditFamily, AuditInput, AuditReport, Generator } from './types.ts'

/** What the parts of an audit found. */
export interface ReportParts {
  readonly inputs: readonly AuditInput[]
  readonly unread: readonly Unread[]
  readonly streams: readonly Stream[]
  /** By turn number: one for each turn of each stream. */
  readonly verdicts: ReadonlyMap<number, Verdict>
  readonly confusion: readonly Confusion[]
  /** By stream id. */
  readonly changes: ReadonlyMap<string, Changes>
  /** By stream id; streams that cannot be played have none. */
  readonly counterfactuals: ReadonlyMap<string, Counterfactual>
  /** Over all streams. */
  readonly total: Counterfactual
}

/** How to report. */
export interface ReportOptions extends MaskingOptions {
  /** Of the package. */
  readonly version: string
  /** In place of the package's own. */
  readonly prices?: PriceTable | undefined
  /** Today; without it, announced prices count as prices. */
  readonly now?: Date | undefined
}

/** Puts the report together. */
export function assemble(parts: ReportParts, options: ReportOptions): AuditReport {
  const { prices = ownPrices, now, version } = options
  const masking = new Masking(options)
  const culprits = joinCulprits(parts.changes.values())
  const culpritsOn = culpritsByTurn(culprits)
  const results = parts.streams.map((stream) =>
    streamReport({
      stream,
      verdicts: parts.verdicts,
      changes: parts.changes.get(stream.id),
      counterfactual: parts.counterfactuals.get(stream.id),
      culprits,
      culpritsOn,
      masking,
      prices,
    }),
  )
  const turns = results.flatMap((result) => result.turns)
  const linked = parts.streams.flatMap((stream) => stream.turns.map(({ turn }) => ({ turn, stream: stream.id })))
  const streamOf = new Map(linked.map(({ turn, stream }) => [turn.number, stream]))
  const shares = sharesByCulprit(turns)
  const total = parts.counterfactuals.size === 0 ? unplayed(parts.total) : parts.total
  const { asSent, floor, savings } = total
  const judged = [...parts.verdicts.values()].filter(({ reproduced }) => reproduced !== null)
  return {
    schema: 'indelible.audit/1',
    generator: generatorOf({ version, prices, now }),
    currency: 'USD',
    range: rangeOf(linked.map(({ turn }) => turn)),
    inputs: parts.inputs,
    totals: totalsOf(
      results,
      linked.filter(({ turn }) => turn.failed).length,
      new Map(
        linked.flatMap(({ turn }) => (turn.usage?.cost === undefined ? [] : [[turn.number, turn.usage.cost.amount]])),
      ),
      asSent.cost === null || floor.cost === null ? null : asSent.cost - floor.cost,
    ),
    byModel: modelTotals(results),
    streams: results.map(({ stream }) => stream),
    families: familiesOf(parts.streams),
    culprits: [...culprits.values()]
      .map((culprit) =>
        culpritReport(
          culprit,
          shares.get(culprit.id) ?? [],
          savings.get(culprit.id),
          (turn) => streamOf.get(turn),
          masking,
        ),
      )
      .sort(byMoney),
    counterfactual: counterfactualReport(total, culprits),
    reproduced: { warm: judged.filter(({ reproduced }) => reproduced === true).length, of: judged.length },
    anomalies: linked.flatMap(({ turn, stream }) =>
      (turn.usage?.anomalies ?? []).map(({ type, message }) => ({
        stream,
        turn: turn.number,
        type,
        message: maskKeys(message),
      })),
    ),
    unpriced: unpricedOf(turns),
    unread: parts.unread,
    confusion: parts.confusion.map((pair) => ({ ...pair, provider: maskKeys(pair.provider) })),
  }
}

/** What a report says of its maker. */
export function generatorOf({
  version,
  prices = ownPrices,
  now,
}: Pick<ReportOptions, 'version' | 'prices' | 'now'>): Generator {
  return { version, rulesAsOf: newestRule, pricesAsOf: newestPrice(prices, now) }
}

/** Where nothing could be played, nothing is known, which is not a cost of 0. */
function unplayed(total: Counterfactual): Counterfactual {
  return { ...total, asSent: { ...total.asSent, cost: null }, floor: { ...total.floor, cost: null } }
}

function culpritsByTurn(culprits: ReadonlyMap<string, Culprit>): ReadonlyMap<number, readonly Culprit[]> {
  const differences = [...culprits.values()].flatMap((culprit) =>
    [...new Set(culprit.occurrences.map(({ turn }) => turn.number))].map((turn) => ({ turn, culprit })),
  )
  const on = new Map<number, readonly Culprit[]>()
  for (const [turn, found] of Map.groupBy(differences, (one) => one.turn)) {
    on.set(
      turn,
      found.map(({ culprit }) => culprit),
    )
  }
  return on
}

function rangeOf(turns: readonly Turn[]): AuditReport['range'] {
  let [from, to]: (number | undefined)[] = []
  for (const { exchange } of turns) {
    const { startedAt = exchange.endedAt, endedAt = startedAt } = exchange
    if (startedAt === undefined || endedAt === undefined) continue
    from = from === undefined ? startedAt : Math.min(from, startedAt)
    to = to === undefined ? endedAt : Math.max(to, endedAt)
  }
  return { from: toTime(from), to: toTime(to) }
}

function familiesOf(streams: readonly Stream[]): readonly AuditFamily[] {
  return [...Map.groupBy(streams, ({ family }) => family)]
    .filter(([, members]) => members.length > 1)
    .map(([id, members]) => ({ id, streams: members.map((stream) => stream.id) }))
}

/** The newest day on which a price of the table changed, not after today. */
function newestPrice({ rows }: PriceTable, now: Date | undefined): string | null {
  const today = now?.toISOString().slice(0, 10)
  const days = rows.flatMap(({ from }) => (from === undefined || (today !== undefined && from > today) ? [] : [from]))
  return days.reduce<string | null>((newest, day) => (newest === null || day > newest ? day : newest), null)
}
