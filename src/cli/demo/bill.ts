/** What a request came to: the tokens that the answer reports, and their list price. */
import { price, readUsage, type UsageFormat } from '../../cache/index.ts'
import { CommandError } from '../errors.ts'

/** Lifetimes that tokens are written to a cache for: minutes and hours. */
const WRITES = ['write5m', 'write30m', 'write1h'] as const

export type Write = (typeof WRITES)[number]

/** One request, or the sum of several. The buckets of the input never overlap, and add up to its `total`. */
export interface Bill extends Readonly<Record<Write, number>> {
  /** Tokens that the cache served. */
  readonly read: number
  /** Tokens that were neither read nor written. */
  readonly uncached: number
  readonly output: number
  /** All tokens of the input. */
  readonly total: number
  /** At list prices, for input and output. */
  readonly usd: number
}

/** How the answers of a provider are billed. */
export interface Billed {
  /** One that has a list price, as requests name it. */
  readonly model: string
  /** How answers report their usage. */
  readonly usage: UsageFormat
  /** The writes that answers report; of others there are none. */
  readonly writes: readonly Write[]
}

/** Dollars have as many decimals as the price of a single token needs; what is behind them is the noise of adding floats. */
const DECIMALS = 8

/** The bill for an answer. Throws {@link CommandError} where it reports less than its cost depends on, or has no price. */
export function toBill(answer: unknown, { model, usage: format, writes }: Billed, at: Date): Bill {
  const usage = readUsage(answer, { format, model })
  const written = writes.map((name) => [name, usage[name]] as const)
  const { uncached, output, total } = usage
  // A provider that leaves out counts of zero says by the total and the rest that nothing was read.
  const read = usage.read ?? (total !== undefined && total === uncached ? 0 : undefined)
  if (
    read === undefined ||
    uncached === undefined ||
    output === undefined ||
    total === undefined ||
    !written.every((entry): entry is [Write, number] => entry[1] !== undefined)
  ) {
    throw new CommandError(`An answer does not report all of its usage: ${JSON.stringify(usage.raw)}`)
  }
  const priced = price(usage, { model, at })
  if (priced.type === 'unknown') throw new CommandError(priced.message)
  return {
    read,
    write5m: 0,
    write30m: 0,
    write1h: 0,
    ...Object.fromEntries(written),
    uncached,
    output,
    total,
    usd: rounded(priced.amount),
  }
}

/** All of them together. */
export function addBills(bills: readonly Bill[]): Bill {
  const sum = (key: keyof Bill): number => bills.reduce((total, bill) => total + bill[key], 0)
  return {
    read: sum('read'),
    write5m: sum('write5m'),
    write30m: sum('write30m'),
    write1h: sum('write1h'),
    uncached: sum('uncached'),
    output: sum('output'),
    total: sum('total'),
    usd: rounded(sum('usd')),
  }
}

/** Tokens that were written to the cache. */
export function writtenOf(bill: Pick<Bill, Write>): number {
  return WRITES.reduce((total, name) => total + bill[name], 0)
}

function rounded(usd: number): number {
  return Number(usd.toFixed(DECIMALS))
}
