/**
 * Prices of what was played, looked up once for all usages that have the same. What a token costs depends on the turn
 * (model, seller, region, service level, day), on the tier that its whole input falls into, and on which buckets have
 * tokens at all; where these agree, the rates of one look-up are those of all, and the amount is the one that
 * {@link priceTurn} gives, to the last bit.
 */
import type { Usage } from '../../base/usage.ts'
import { ownPrices, type PriceTable } from '../../cache/index.ts'
import type { Turn } from '../record/types.ts'
import { priceTurn } from './money.ts'

const inputs = ['uncached', 'read', 'write5m', 'write30m', 'write1h'] as const
const buckets = [...inputs, 'output'] as const

/** USD per million tokens of one bucket. */
interface Rate {
  readonly bucket: (typeof buckets)[number]
  readonly usdPerMTok: number
}

/** By the shape of a usage; null where there is no price. */
type Rates = Map<number, readonly Rate[] | null>

/** Prices in USD, null where there is none: for what is played rather than reported. */
export function priceOf(table: PriceTable = ownPrices): (turn: Turn, usage: Usage) => number | null {
  const book = new RateBook(table)
  return (turn, usage) => book.price(turn, usage)
}

/** Remembers rates. */
class RateBook {
  readonly #table: PriceTable
  /** Sizes of the input at which a tier of any row begins, ascending. */
  readonly #sizes: readonly number[]
  /** Minutes since midnight at which the hours of any row begin or end. */
  readonly #minutes: readonly number[]
  readonly #byTurn = new WeakMap<Turn, Rates>()
  readonly #byKey = new Map<string, Rates>()

  constructor(table: PriceTable) {
    this.#table = table
    this.#sizes = ascending(
      table.rows.flatMap(({ tiers, levels = {} }) =>
        [tiers, ...Object.values(levels).map((level) => ('tiers' in level ? level.tiers : []))].flatMap((all) =>
          all.flatMap(({ above }) => above ?? []),
        ),
      ),
    )
    this.#minutes = ascending(table.rows.flatMap(({ windows = [] }) => windows.flatMap(({ hours }) => hours.flat())))
  }

  price(turn: Turn, usage: Usage): number | null {
    const shape = this.#shapeOf(usage)
    if (shape === undefined) return amountOf(turn, usage, this.#table)
    const known = this.#ratesOf(turn)
    let rates = known.get(shape)
    if (rates === undefined) {
      rates = ratesFor(turn, usage, this.#table)
      known.set(shape, rates)
    }
    if (rates === null) return null
    let amount = 0
    for (let index = 0; index < rates.length; index++) {
      const { bucket, usdPerMTok } = rates[index] as Rate
      amount += ((usage[bucket] ?? 0) * usdPerMTok) / 1e6
    }
    return amount
  }

  /** Which buckets have tokens, and between which sizes all of the input lies; undefined where not all is known. */
  #shapeOf(usage: Usage): number | undefined {
    const { total, output } = usage
    if (total === undefined || output === undefined) return undefined
    let known = 0
    let shape = 0
    for (let index = 0; index < inputs.length; index++) {
      const tokens = usage[inputs[index] as (typeof inputs)[number]]
      if (tokens === undefined) return undefined
      known += tokens
      if (tokens !== 0) shape |= 1 << index
    }
    // The rest would be uncached.
    if (known !== total) return undefined
    if (output !== 0) shape |= 1 << inputs.length
    return shape + 2 ** buckets.length * intervalOf(total, this.#sizes)
  }

  #ratesOf(turn: Turn): Rates {
    const known = this.#byTurn.get(turn)
    if (known !== undefined) return known
    const { answer, exchange, model, provider } = turn
    const at = exchange.startedAt ?? exchange.endedAt
    const key = JSON.stringify([
      answer.model,
      model,
      provider,
      exchange.region,
      answer.tier,
      at === undefined ? null : Math.floor(at / DAY),
      at === undefined ? null : intervalOf(Math.floor((at % DAY) / 60_000), this.#minutes),
    ])
    const rates: Rates = this.#byKey.get(key) ?? new Map()
    this.#byKey.set(key, rates)
    this.#byTurn.set(turn, rates)
    return rates
  }
}

/** Milliseconds. */
const DAY = 86_400_000

function ratesFor(turn: Turn, usage: Usage, table: PriceTable): readonly Rate[] | null {
  const priced = priceTurn(turn, usage, table)
  if (priced.type !== 'priced') return null
  return priced.parts.map(({ bucket, usdPerMTok }) => ({ bucket: bucket as Rate['bucket'], usdPerMTok }))
}

function amountOf(turn: Turn, usage: Usage, table: PriceTable): number | null {
  const priced = priceTurn(turn, usage, table)
  return priced.type === 'priced' ? priced.amount : null
}

function ascending(values: readonly number[]): readonly number[] {
  return [...new Set(values)].sort((one, other) => one - other)
}

/** Which of the stretches between `bounds` a value lies in; a bound is a stretch of its own. */
function intervalOf(value: number, bounds: readonly number[]): number {
  let interval = 0
  for (const bound of bounds) {
    if (value > bound) interval += 2
    else return value === bound ? interval + 1 : interval
  }
  return interval
}
