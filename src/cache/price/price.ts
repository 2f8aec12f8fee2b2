/**
 * What a request cost, in USD.
 *
 * The price is that of exactly this model on that day: a model that is not in the table has no price, which is neither 0
 * nor that of a model with a similar name. The tier is chosen by the whole input and holds for the whole request, and
 * factors multiply: (uncached x price + read x price + ...) / 10^6 x level x region. What the provider reported as its
 * charge comes before any of this. Whatever the amount rests on without being told is listed as assumed.
 */
import type { Usage } from '../../base/usage.ts'
import { findRow } from './find-row.ts'
import { inWindow, readMoment, type Moment } from './moment.ts'
import { ownPrices } from './own-prices.ts'
import type { PriceBucket, PriceRow, PriceTable, PriceTier, TokenPrices } from './price-table.ts'
import type { Assume, Assumption, PricedRequest, PricePart, UnknownPrice } from './result.ts'
import { tokensToPrice, type TokensToPrice } from './tokens-to-price.ts'

/** What decides the price besides the usage. */
export interface PriceQuery {
  /** The id, in any form that a provider, cloud or gateway uses. */
  readonly model: string
  /** Who makes the model, where its id does not tell. */
  readonly provider?: string | undefined
  /** Who serves it: `bedrock`, `vertex`, `azure`, `openrouter`, ...; the vendor itself when not there. */
  readonly platform?: string | undefined
  /** `us` (`inference_geo`), `global`, `data-zone` or the name of a cloud's region. */
  readonly region?: string | undefined
  /** The service level, as the answer reports it: `standard`, `default`, `batch`, `flex`, `priority`, `fast`. */
  readonly tier?: string | undefined
  /** `fast` is Anthropic's fast mode. */
  readonly speed?: string | undefined
  readonly batch?: boolean | undefined
  /** When the request was made: an ISO date (UTC) or date-time, milliseconds since 1970, or a `Date`. */
  readonly at?: string | number | Date | undefined
  /** What was kept in an explicit cache for how long, where that is to be in the amount. */
  readonly storage?: { readonly tokens: number; readonly hours: number } | undefined
}

/** Which prices to use. */
export interface PriceOptions {
  /** In place of the package's own; `combineTables` makes one of both. */
  readonly table?: PriceTable | undefined
}

const standard = new Set(['standard', 'default', 'auto', 'on_demand', 'standard_only'])

/** The price of a request. Never throws on a {@link Usage}, whatever is missing in it. */
export function price(usage: Usage, query: PriceQuery, options: PriceOptions = {}): PricedRequest | UnknownPrice {
  const { model } = query
  if (usage.cost !== undefined) {
    const { amount, currency, field } = usage.cost
    return {
      type: 'priced',
      amount,
      currency,
      parts: [],
      basis: 'reported',
      assumed: [],
      model,
      source: field,
      confidence: 'official',
    }
  }
  const unknown = (reason: UnknownPrice['reason'], message: string): UnknownPrice => ({
    type: 'unknown',
    model,
    reason,
    message,
  })
  const assumed: Assumption[] = []
  const assume: Assume = (about, message) => void assumed.push({ about, message })

  const moment = query.at === undefined ? undefined : readMoment(query.at)
  const found = findRow(options.table ?? ownPrices, query, moment)
  if ('reason' in found) return unknown(found.reason, found.message)
  const { row } = found
  assumed.push(...found.assumed)
  if (moment === undefined) assume('date', 'It is not known when the request was made; the newest price is used.')
  if (row.statedUntil !== undefined && (moment === undefined || moment.day > row.statedUntil)) {
    assume('stale', `The price was stated through ${row.statedUntil} only.`)
  }

  const counted = tokensToPrice(usage, query.storage, billsWrites(row), assume)
  if (counted === undefined)
    return unknown('usage', `Nothing was reported for the request to ${model} that has a price.`)

  const level = levelOf(row, query)
  if (level === undefined)
    return unknown('service-level', `What ${levelNames(query).join(' and ')} costs is not known for ${model}.`)
  const tier = tierOf(level.tiers, counted.total, assume)
  const prices = inWindows(row, tier.prices, moment, assume)
  const region = query.region ?? found.id.region
  const factor = level.factor * regionFactor(row, found.platform, region, assume)

  const parts: PricePart[] = []
  for (const [bucket, tokens] of counted.tokens) {
    const listed = priceOf(bucket, prices, counted, assume)
    if (listed === undefined) {
      return unknown('bucket', `${model} has ${tokens} tokens in ${bucket}, and the table no price for that lifetime.`)
    }
    const doubt = row.doubts?.[bucket]
    if (doubt !== undefined) assume('disputed', `${bucket}: ${doubt}.`)
    const usdPerMTok = listed * factor
    parts.push({ bucket, tokens, usdPerMTok, amount: (tokens * usdPerMTok) / 1e6 })
  }
  const amount = parts.reduce((total, part) => total + part.amount, 0)
  const { source, confidence } = row
  return { type: 'priced', amount, currency: 'USD', parts, basis: 'list', assumed, model, source, confidence }
}

function billsWrites({ tiers: [{ prices }] }: PriceRow): boolean {
  return [prices.write5m, prices.write30m, prices.write1h].some((write) => write !== undefined)
}

function levelNames({ tier, speed, batch }: PriceQuery): readonly string[] {
  const names = [tier, speed, batch === true ? 'batch' : undefined].map((name) => name?.toLowerCase())
  return [...new Set(names.filter((name) => name !== undefined && name !== '' && !standard.has(name)))] as string[]
}

function levelOf(row: PriceRow, query: PriceQuery): { tiers: PriceRow['tiers']; factor: number } | undefined {
  let tiers: PriceRow['tiers'] = row.tiers
  let factor = 1
  for (const name of levelNames(query)) {
    const level = row.levels !== undefined && Object.hasOwn(row.levels, name) ? row.levels[name] : undefined
    if (level === undefined) return undefined
    if ('factor' in level) {
      factor *= level.factor
    } else {
      const [first, ...rest] = level.tiers
      if (first === undefined || tiers !== row.tiers) return undefined
      tiers = [first, ...rest]
    }
  }
  return { tiers, factor }
}

function tierOf(tiers: PriceRow['tiers'], total: number | undefined, assume: Assume): PriceTier {
  if (tiers.length > 1 && total === undefined) {
    assume('context', 'The price depends on the size of the input, which is not known; that of a small one is used.')
  }
  const reached = tiers.findLast(
    ({ above = -1, inclusive }) => (total ?? 0) > above || (inclusive === true && total === above),
  )
  return reached ?? tiers[0]
}

function inWindows(
  { windows = [] }: PriceRow,
  prices: TokenPrices,
  moment: Moment | undefined,
  assume: Assume,
): TokenPrices {
  if (windows.length === 0) return prices
  if (moment?.minute === undefined) {
    assume('time', 'The price depends on the time of day, which is not known; that outside the special hours is used.')
    return prices
  }
  const result = { ...prices }
  for (const window of windows) {
    const held = inWindow(window, moment)
    if (held === false) continue
    if (held === 'unknown-holidays') {
      assume('holidays', `${window.except?.name ?? 'Holidays'} are not known for ${moment.day}; it is taken for none.`)
    }
    Object.assign(result, window.prices)
  }
  return result
}

function regionFactor(
  { regions = [] }: PriceRow,
  platform: string,
  region: string | undefined,
  assume: Assume,
): number {
  const here = regions.filter((factor) => factor.platform === undefined || factor.platform === platform)
  if (region === undefined) {
    // On the vendor's own platform, a region is asked for by name.
    if (here.some((factor) => factor.region === '*' || factor.region === 'global')) {
      assume('region', `The price on ${platform} depends on the region, which is not known; the global one is used.`)
    }
    return 1
  }
  const name = region.toLowerCase().replaceAll(/[\s_]/g, '-')
  const found = here.find((factor) => factor.region === name) ?? here.find((factor) => factor.region === '*')
  if (found !== undefined) return found.factor
  if (name !== 'global' && name !== 'not-available') {
    assume('region', `No factor is known for the region ${region} on ${platform}; none is applied.`)
  }
  return 1
}

/** The list price of a bucket; `undefined` for a write whose lifetime has none although others have. */
function priceOf(
  bucket: PriceBucket,
  prices: TokenPrices,
  { explicit }: TokensToPrice,
  assume: Assume,
): number | undefined {
  if (bucket === 'read' && prices.readExplicit !== undefined) {
    if (explicit) return prices.readExplicit
    assume('read-kind', 'The price of a read depends on the kind of cache; the implicit one is assumed.')
  }
  const listed = prices[bucket]
  if (listed !== undefined) return listed
  if (bucket === 'storage') return undefined
  const writes = [prices.write5m, prices.write30m, prices.write1h].some((write) => write !== undefined)
  if (bucket !== 'read' && writes) return undefined
  assume('bucket-price', `The table has no price for ${bucket}; it is priced as uncached input.`)
  return prices.uncached
}
