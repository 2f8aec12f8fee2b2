/** Sums over all turns of a report. */
import type { VerdictKind } from '../verdicts/types.ts'
import { maskKeys } from './keys.ts'
import { hitRate, sumKnown, sumTokens } from './tokens.ts'
import type { StreamResult } from './stream.ts'
import type { TurnResult } from './turn.ts'
import type { AuditTotals, AuditUnpriced, Loss, ModelTotals, OtherLoss } from './types.ts'

/** What providers say they charged for a turn, by its index. */
export type ReportedCharges = ReadonlyMap<number, number>

/** The sums. */
export function totalsOf(
  streams: readonly StreamResult[],
  failed: number,
  charges: ReportedCharges,
  avoidable: number | null,
): AuditTotals {
  const turns = streams.flatMap((stream) => stream.turns)
  const tokens = turns.map(({ turn }) => turn.tokens)
  const priced = turns.filter((one) => one.priced?.type === 'priced').length
  const verdicts = new Map<VerdictKind, number>()
  for (const { turn } of turns) verdicts.set(turn.verdict, (verdicts.get(turn.verdict) ?? 0) + 1)
  return {
    turns: turns.length,
    streams: streams.length,
    failed,
    tokens: sumTokens(tokens),
    hitRate: hitRate(tokens),
    cost: costOf(turns),
    priced,
    unpriced: turns.length - priced - failed,
    billed: charges.size === 0 ? null : { amount: sumKnown([...charges.values()]) ?? 0, turns: charges.size },
    avoidable,
    lost: lossOf(turns.flatMap(({ share }) => share)),
    otherLosses: otherLosses(turns),
    verdicts: [...verdicts]
      .map(([verdict, count]) => ({ verdict, turns: count }))
      .sort((one, other) => other.turns - one.turns),
  }
}

/** Of what was reported; null where nothing of it has a price. */
function costOf(turns: readonly TurnResult[]): number | null {
  return sumKnown(turns.map(({ priced }) => (priced?.type === 'priced' ? priced.amount : null)))
}

function lossOf(shares: readonly Loss[]): Loss {
  return {
    tokens: shares.reduce((sum, { tokens }) => sum + tokens, 0),
    cost: shares.length === 0 ? 0 : sumKnown(shares.map(({ cost }) => cost)),
  }
}

function otherLosses(turns: readonly TurnResult[]): readonly OtherLoss[] {
  const unattributed = turns.flatMap(({ share }) => share.filter(({ culprit }) => culprit === null))
  return [...Map.groupBy(unattributed, ({ reason }) => reason)]
    .map(([reason, shares]) => ({ reason, turns: shares.length, ...lossOf(shares) }))
    .sort((one, other) => other.tokens - one.tokens)
}

/** By provider and model, the most expensive first. */
export function modelTotals(streams: readonly StreamResult[]): readonly ModelTotals[] {
  const all = streams.flatMap(({ stream: { provider }, turns }) => turns.map((one) => ({ ...one, provider })))
  return [...Map.groupBy(all, ({ provider, turn }) => JSON.stringify([provider, turn.model])).values()]
    .map((turns) => {
      const tokens = turns.map(({ turn }) => turn.tokens)
      const [{ provider, turn }] = turns as [(typeof turns)[number]]
      return {
        provider,
        model: turn.model,
        turns: turns.length,
        tokens: sumTokens(tokens),
        hitRate: hitRate(tokens),
        cost: costOf(turns),
      }
    })
    .sort((one, other) => (other.cost ?? 0) - (one.cost ?? 0) || other.turns - one.turns)
}

/** Why turns have no price, the most frequent reason first. */
export function unpricedOf(results: readonly TurnResult[]): readonly AuditUnpriced[] {
  const unknown = results.flatMap(({ turn: { model }, priced }) =>
    priced?.type === 'unknown' ? [{ model, reason: priced.reason, message: maskKeys(priced.message) }] : [],
  )
  return [...Map.groupBy(unknown, ({ model, reason }) => JSON.stringify([model, reason])).values()]
    .map((alike) => ({ ...(alike as [AuditUnpricedReason])[0], turns: alike.length }))
    .sort((one, other) => other.turns - one.turns)
}

type AuditUnpricedReason = Omit<AuditUnpriced, 'turns'>
