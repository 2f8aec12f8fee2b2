/** What a request came to: the tokens that the answer reports, and their list price. */
import { price, readUsage } from '../../cache/index.ts'
import { CommandError } from '../errors.ts'

/** One request, or the sum of several. The buckets of the input never overlap, and add up to its `total`. */
export interface Bill {
  /** Tokens that the cache served. */
  readonly read: number
  /** Tokens that were written to the cache for five minutes. */
  readonly write5m: number
  /** Tokens that were written to the cache for an hour. */
  readonly write1h: number
  /** Tokens that were neither. */
  readonly uncached: number
  readonly output: number
  /** All tokens of the input. */
  readonly total: number
  /** At list prices, for input and output. */
  readonly usd: number
}

/** Dollars have as many decimals as the price of a single token needs; what is behind them is the noise of adding floats. */
const DECIMALS = 8

/** The bill for an answer. Throws {@link CommandError} where it reports less than its cost depends on, or has no price. */
export function toBill(answer: unknown, model: string, at: Date): Bill {
  const usage = readUsage(answer, { format: 'anthropic' })
  const { read, write5m, write1h, uncached, output, total } = usage
  if (
    read === undefined ||
    write5m === undefined ||
    write1h === undefined ||
    uncached === undefined ||
    output === undefined ||
    total === undefined
  ) {
    throw new CommandError(`An answer does not report all of its usage: ${JSON.stringify(usage.raw)}`)
  }
  const priced = price(usage, { model, at })
  if (priced.type === 'unknown') throw new CommandError(priced.message)
  return { read, write5m, write1h, uncached, output, total, usd: rounded(priced.amount) }
}

/** All of them together. */
export function addBills(bills: readonly Bill[]): Bill {
  const sum = (key: keyof Bill): number => bills.reduce((total, bill) => total + bill[key], 0)
  return {
    read: sum('read'),
    write5m: sum('write5m'),
    write1h: sum('write1h'),
    uncached: sum('uncached'),
    output: sum('output'),
    total: sum('total'),
    usd: rounded(sum('usd')),
  }
}

/** Tokens that were written to the cache. */
export function writtenOf({ write5m, write1h }: Bill): number {
  return write5m + write1h
}

function rounded(usd: number): number {
  return Number(usd.toFixed(DECIMALS))
}
