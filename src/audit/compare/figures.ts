/** Averages of a report: per turn, and per million tokens of input. A turn counts where the figure and its input are known. */
import { comparableTurns, countTokens, predictedHitRate } from '../gates/counted.ts'
import type { AuditReport, AuditTurn } from '../report/types.ts'
import type { ComparedFigures, ComparedLog } from './types.ts'

/** An amount over some turns, and the input of these. */
interface Sum {
  readonly amount: number
  readonly turns: number
  readonly input: number
}

/** One side of a comparison. */
export function figuresOf(report: AuditReport): ComparedLog {
  const { inputs, totals, streams } = report
  const answered = streams.flatMap(({ turns }) => turns).filter(({ verdict }) => verdict !== 'failed')
  const comparable = comparableTurns(report)
  const sums = {
    cost: sumOver(answered, costOf),
    asSent: asSentOf(report),
    lostTokens: sumOver(answered, ({ lost }) => lost.tokens),
    rewrittenTokens: sumOf(comparable.map(({ turn, lost }) => ({ amount: lost, turns: 1, input: inputOf(turn) ?? 0 }))),
  }
  return {
    files: inputs.map(({ file }) => file),
    streams: totals.streams,
    turns: answered.length,
    comparableTurns: comparable.length,
    hitRate: totals.hitRate,
    predictedHitRate: predictedHitRate(countTokens(comparable)),
    inputTokensPerTurn: perTurn(sumOver(answered, inputOf)),
    perTurn: mapFigures(sums, perTurn),
    perMillion: mapFigures(sums, ({ amount, input }) => (input === 0 ? null : (1e6 * amount) / input)),
  }
}

function perTurn({ amount, turns }: Sum): number | null {
  return turns === 0 ? null : amount / turns
}

function mapFigures(
  sums: Readonly<Record<keyof ComparedFigures, Sum>>,
  figure: (sum: Sum) => number | null,
): ComparedFigures {
  const { cost, asSent, lostTokens, rewrittenTokens } = sums
  return {
    cost: figure(cost),
    asSent: figure(asSent),
    lostTokens: figure(lostTokens),
    rewrittenTokens: figure(rewrittenTokens),
  }
}

function sumOver(turns: readonly AuditTurn[], amountOf: (turn: AuditTurn) => number | null): Sum {
  return sumOf(
    turns.flatMap((turn) => {
      const [amount, input] = [amountOf(turn), inputOf(turn)]
      return amount === null || input === null ? [] : { amount, turns: 1, input }
    }),
  )
}

function sumOf(parts: readonly Sum[]): Sum {
  const sum = { amount: 0, turns: 0, input: 0 }
  for (const { amount, turns, input } of parts) {
    sum.amount += amount
    sum.turns += turns
    sum.input += input
  }
  return sum
}

/** As reported, or else by the rules. */
function inputOf({ tokens, predicted }: AuditTurn): number | null {
  if (tokens.total !== null) return tokens.total
  return predicted === null ? null : predicted.read + predicted.write + predicted.uncached
}

function costOf({ cost }: AuditTurn): number | null {
  if (cost === null) return null
  const known = [cost.read, cost.write, cost.uncached, cost.output].filter((part) => part !== null)
  return known.length === 0 ? null : known.reduce((sum, part) => sum + part, 0)
}

/** Conversations that were played and have a price. */
function asSentOf({ streams }: AuditReport): Sum {
  return sumOf(
    streams.flatMap(({ turns, counterfactual }) => {
      const { cost = null, tokens } = counterfactual?.asSent ?? {}
      if (cost === null || tokens === undefined) return []
      const answered = turns.filter(({ verdict }) => verdict !== 'failed').length
      return { amount: cost, turns: answered, input: tokens.total }
    }),
  )
}
