/**
 * The table in models.dev's `api.json`: providers, their models, and `cost` in USD per million tokens.
 *
 * It knows no price of an hour's write, no service levels and no dates. A tier holds above its `size`.
 * Source: https://github.com/anomalyco/models.dev
 */
import { fields, type Fields } from '../usage/fields.ts'
import { priceNumber, pricesOf, sellersOf } from './document.ts'
import { PricesUnreadableError } from './errors.ts'
import type { PriceRow, PriceTable, PriceTier, SkippedPrice, TokenPrices } from './price-table.ts'

const source = 'https://models.dev/api.json'
const legacyTier = 200_000

/** Loads models.dev's `api.json`. Throws {@link PricesUnreadableError} when it has no provider with models. */
export function fromModelsDev(json: unknown): PriceTable {
  const providers = Object.entries(fields(json) ?? {}).flatMap(([name, value]) => {
    const models = fields(fields(value)?.['models'])
    return models === undefined ? [] : [{ name, models }]
  })
  if (providers.length === 0)
    throw new PricesUnreadableError('api.json of models.dev', 'an object of providers, each with models')
  const rows: PriceRow[] = []
  const skipped: SkippedPrice[] = []
  for (const { name, models } of providers) {
    for (const [id, value] of Object.entries(models)) {
      const path = `${name}.models.${id}`
      const cost = fields(fields(value)?.['cost'])
      const sellers = sellersOf(name, id)
      const base = cost === undefined ? undefined : readCost(sellers.provider, cost)
      if (cost === undefined || base === undefined) {
        skipped.push({ path, reason: cost === undefined ? 'has no cost' : 'cost has no input or output' })
        continue
      }
      const tiers = readTiers(sellers.provider, cost, base)
      rows.push({ ...sellers, model: id, tiers: [{ prices: base }, ...tiers], source, confidence: 'reported' })
    }
  }
  return { rows, skipped }
}

function readCost(provider: string, cost: Fields, base?: TokenPrices): TokenPrices | undefined {
  return pricesOf(provider, {
    input: priceNumber(cost['input']) ?? base?.uncached,
    output: priceNumber(cost['output']) ?? base?.output,
    read: priceNumber(cost['cache_read']) ?? base?.read,
    write: priceNumber(cost['cache_write']) ?? base?.write30m ?? base?.write5m,
  })
}

function readTiers(provider: string, cost: Fields, base: TokenPrices): PriceTier[] {
  const listed = Array.isArray(cost['tiers']) ? (cost['tiers'] as readonly unknown[]) : []
  const tiers = listed.flatMap((value): PriceTier[] => {
    const tier = fields(value)
    const bound = fields(tier?.['tier'])
    const above = priceNumber(bound?.['size'])
    if (tier === undefined || above === undefined || (bound?.['type'] ?? 'context') !== 'context') return []
    const prices = readCost(provider, tier, base)
    return prices === undefined ? [] : [{ above, prices }]
  })
  const over = fields(cost['context_over_200k'])
  const prices = over === undefined ? undefined : readCost(provider, over, base)
  if (tiers.length === 0 && prices !== undefined) tiers.push({ above: legacyTier, prices })
  return tiers.sort((one, other) => (one.above ?? 0) - (other.above ?? 0))
}
