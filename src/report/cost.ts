/** Money: one request by the caller's prices, and sums in which an unknown price is counted and not guessed. */
import type { Usage } from '../base/usage.ts'
import { price } from '../cache/index.ts'
import type { PriceBucket, PricedRequest, SimulatorOptions, UnknownPrice } from '../cache/index.ts'
import type { CostTotal, ReportOptions } from './types.ts'

/** What prices depend on besides the request. */
export type PriceSettings = Pick<
  ReportOptions<never>,
  'provider' | 'prices' | 'platform' | 'region' | 'tier' | 'speed' | 'batch'
>

/** The price of a request that was made at `at` (ISO 8601). */
export function costOf(
  usage: Usage,
  model: string | null,
  at: string,
  { provider, prices, platform, region, tier, speed, batch }: PriceSettings,
): PricedRequest | UnknownPrice {
  if (model === null && usage.cost === undefined) {
    const message = 'Nobody says which model answered. Pass model, or lower to a body that names it.'
    return { type: 'unknown', model: '', reason: 'model', message }
  }
  const query = { model: model ?? '', provider: sellerOf(provider), platform, region, tier, speed, batch, at }
  return price(usage, query, { table: prices })
}

/** Rules of one's own, and those for any provider, name nobody who sells. */
function sellerOf(provider: SimulatorOptions['provider'] | undefined): string | undefined {
  if (typeof provider !== 'string' || provider === 'generic') return undefined
  return provider === 'vertex-gemini' ? 'vertex' : provider
}

// Input in the order in which a cache serves it.
const buckets: readonly PriceBucket[] = ['read', 'write5m', 'write30m', 'write1h', 'uncached', 'output', 'storage']

/** Adds up what has a price. */
export function sumCosts(costs: readonly (PricedRequest | UnknownPrice)[]): CostTotal {
  const priced = costs.filter((cost) => cost.type === 'priced')
  const parts = priced.flatMap((cost) => cost.parts)
  return {
    amount: priced.length === 0 ? null : sum(priced, ({ amount }) => amount),
    currency: 'USD',
    priced: priced.length,
    unpriced: costs.length - priced.length,
    parts: buckets.flatMap((bucket) => {
      const of = parts.filter((part) => part.bucket === bucket)
      if (of.length === 0) return []
      return [{ bucket, tokens: sum(of, ({ tokens }) => tokens), amount: sum(of, ({ amount }) => amount) }]
    }),
  }
}

function sum<T>(items: readonly T[], count: (item: T) => number): number {
  return items.reduce((total, item) => total + count(item), 0)
}
