/**
 * What turns cost by list prices. What a provider says it charged is never used here: it may be discounted, and stands
 * beside the sums.
 */
import type { Usage } from '../../base/usage.ts'
import { price, type PricedRequest, type PriceTable, type UnknownPrice } from '../../cache/index.ts'
import type { Turn } from '../record/types.ts'

/** Prices `usage` as if `turn` had been billed for it; by the package's own table unless given. */
export function priceTurn(turn: Turn, usage: Usage, table?: PriceTable): PricedRequest | UnknownPrice {
  const { answer, exchange, model: asked, provider } = turn
  const counted = usage.cost === undefined ? usage : { ...usage, cost: undefined }
  const query = {
    provider: sellerOf(provider),
    region: exchange.region,
    tier: answer.tier,
    at: exchange.startedAt ?? exchange.endedAt,
  }
  const served = answer.model ?? asked
  if (served === undefined) {
    const message = 'Nobody says which model answered. Name it with the option model.'
    return { type: 'unknown', model: '', reason: 'model', message }
  }
  const priced = price(counted, { ...query, model: served }, { table })
  // A gateway may answer under a name of its own.
  if (priced.type === 'priced' || asked === undefined || asked === served) return priced
  const again = price(counted, { ...query, model: asked }, { table })
  return again.type === 'priced' ? again : priced
}

/** Rules for any provider name nobody who sells. */
function sellerOf(provider: string): string | undefined {
  if (provider === 'generic') return undefined
  return provider === 'vertex-gemini' ? 'vertex' : provider
}

// Entries of the longer lifetime stand in front, and what is never written stands last: what was lost was in front.
const notRead = ['write1h', 'write30m', 'write5m', 'uncached'] as const

/**
 * How much more `usage` cost than it would have with `lost` of its tokens read, in USD; null where there is no price.
 * Tokens that a provider reported as read cannot have been lost.
 */
export function costOfLoss(
  usage: Usage,
  lost: number,
  priceUsage: (usage: Usage) => PricedRequest | UnknownPrice,
): number | null {
  if (lost <= 0) return 0
  const { total, read = 0 } = usage
  const known = notRead.reduce((sum, bucket) => sum + (usage[bucket] ?? 0), read)
  const whole: Record<(typeof notRead)[number] | 'read', number | undefined> = {
    read,
    write1h: usage.write1h,
    write30m: usage.write30m,
    write5m: usage.write5m,
    uncached: (usage.uncached ?? 0) + Math.max(0, (total ?? known) - known),
  }
  const better = { ...whole }
  let left = lost
  for (const bucket of notRead) {
    const moved = Math.min(left, better[bucket] ?? 0)
    if (moved === 0) continue
    better[bucket] = (better[bucket] ?? 0) - moved
    better.read = (better.read ?? 0) + moved
    left -= moved
  }
  const [paid, wanted] = [priceUsage({ total, ...whole }), priceUsage({ total, ...better })]
  return paid.type === 'priced' && wanted.type === 'priced' ? paid.amount - wanted.amount : null
}
