/**
 * The table in LiteLLM's `model_prices_and_context_window.json`: an object by model id, prices in USD per token.
 *
 * Names of fields compose: a bucket, then `_above_272k_tokens` for a context tier, then `_flex`, `_priority` or
 * `_batches` for a service level. `_above_1hr` is no tier but the price of an hour's write. The base prices are those
 * outside `off_peak_pricing`, so its hours become a window.
 * Source: https://github.com/BerriAI/litellm/blob/main/model_prices_and_context_window.json
 */
import { fields, type Fields } from '../usage/fields.ts'
import { perMillion, priceNumber, pricesOf, sellersOf } from './document.ts'
import { PricesUnreadableError } from './errors.ts'
import { readHours } from './hours.ts'
import type {
  PriceLevel,
  PriceRow,
  PriceTable,
  PriceTier,
  PriceWindow,
  SkippedPrice,
  TokenPrices,
} from './price-table.ts'

const source = 'https://raw.githubusercontent.com/BerriAI/litellm/main/model_prices_and_context_window.json'
const suffixes: Readonly<Record<string, string>> = { batch: '_batches', flex: '_flex', priority: '_priority' }
const weekdayNames = ['mon', 'tue', 'wed', 'thu', 'fri', 'sat', 'sun']

/** Loads LiteLLM's table. Throws {@link PricesUnreadableError} when no entry has prices per token. */
export function fromLiteLlm(json: unknown): PriceTable {
  const rows: PriceRow[] = []
  const skipped: SkippedPrice[] = []
  for (const [id, value] of Object.entries(fields(json) ?? {})) {
    if (id === 'sample_spec') continue
    const row = readEntry(id, fields(value))
    if (typeof row === 'string') skipped.push({ path: id, reason: row })
    else rows.push(row)
  }
  if (rows.length === 0) {
    throw new PricesUnreadableError(
      "LiteLLM's table",
      'an object by model id with input_cost_per_token and output_cost_per_token',
    )
  }
  return { rows, skipped }
}

function readEntry(id: string, entry: Fields | undefined): PriceRow | string {
  if (entry === undefined) return 'is no object'
  const seller = entry['litellm_provider']
  if (typeof seller !== 'string') return 'has no litellm_provider'
  const sellers = sellersOf(seller, id)
  const base = readTiers(sellers.provider, entry, '')
  if (base === undefined) return 'has no input_cost_per_token or output_cost_per_token'
  const levels: Record<string, PriceLevel> = {}
  for (const [name, suffix] of Object.entries(suffixes)) {
    const tiers = readTiers(sellers.provider, entry, suffix, base)
    if (tiers !== undefined) levels[name] = { tiers }
  }
  const windows = readOffPeak(sellers.provider, fields(entry['off_peak_pricing']), base[0].prices)
  const uplift = priceNumber(entry['regional_endpoint_uplift_multiplier'])
  return {
    ...sellers,
    model: id,
    tiers: base,
    ...(Object.keys(levels).length > 0 && { levels }),
    ...(windows.length > 0 && { windows }),
    ...(uplift !== undefined && {
      regions: [
        { region: 'global', factor: 1, source, confidence: 'reported' as const },
        { region: '*', factor: uplift, source, confidence: 'reported' as const },
      ],
    }),
    source,
    confidence: 'reported',
  }
}

/**
 * The tiers at one level. What is not priced costs as much as in the tier below, or in the same tier of the standard
 * level, whichever is dearer.
 */
function readTiers(
  provider: string,
  entry: Fields,
  level: string,
  standard?: PriceRow['tiers'],
): PriceRow['tiers'] | undefined {
  const pattern = new RegExp(`^(?:input|output)_cost_per_token(?:_above_(\\d+)(k?)_tokens)?${level}$`)
  const sizes = new Map<number, string>()
  for (const name of Object.keys(entry)) {
    const found = pattern.exec(name)
    if (found === null) continue
    const suffix = found[1] === undefined ? '' : `_above_${found[1]}${found[2]}_tokens`
    sizes.set(Number(found[1] ?? 0) * (found[2] === 'k' ? 1000 : 1), suffix)
  }
  if (sizes.size === 0) return undefined
  const first = readPrices(provider, entry, level, standard?.[0].prices)
  if (first === undefined) return undefined
  const above = new Set([...sizes.keys(), ...(standard ?? []).map((tier) => tier.above ?? 0)])
  above.delete(0)
  const tiers: PriceTier[] = []
  for (const size of [...above].sort((one, other) => one - other)) {
    const smaller = tiers.at(-1)?.prices ?? first
    const beside = standard?.findLast((tier) => (tier.above ?? 0) <= size)?.prices
    const suffix = sizes.get(size)
    const below = beside === undefined ? smaller : dearer(smaller, beside)
    const prices = suffix === undefined ? below : readPrices(provider, entry, `${suffix}${level}`, below)
    if (prices !== undefined) tiers.push({ above: size, prices })
  }
  return [{ prices: first }, ...tiers]
}

function dearer(one: TokenPrices, other: TokenPrices): TokenPrices {
  const most = Object.entries(other).map(([bucket, value]: [string, number]) => {
    return [bucket, Math.max(value, one[bucket as keyof TokenPrices] ?? 0)]
  })
  return { ...one, ...(Object.fromEntries(most) as TokenPrices) }
}

function readPrices(provider: string, entry: Fields, suffix: string, base?: TokenPrices): TokenPrices | undefined {
  return pricesOf(provider, {
    input: perMillion(entry[`input_cost_per_token${suffix}`]) ?? base?.uncached,
    output: perMillion(entry[`output_cost_per_token${suffix}`]) ?? base?.output,
    read: perMillion(entry[`cache_read_input_token_cost${suffix}`]) ?? base?.read,
    write: perMillion(entry[`cache_creation_input_token_cost${suffix}`]) ?? base?.write30m ?? base?.write5m,
    write1h: perMillion(entry[`cache_creation_input_token_cost_above_1hr${suffix}`]) ?? base?.write1h,
  })
}

function readOffPeak(provider: string, block: Fields | undefined, base: TokenPrices): PriceWindow[] {
  if (block === undefined) return []
  const prices = readPrices(provider, block, '', base)
  if (prices === undefined) return []
  const listed = Array.isArray(block['windows']) ? (block['windows'] as readonly unknown[]).map(fields) : []
  return [block, ...listed].flatMap((window): PriceWindow[] => {
    const hours = readHours(window?.['hours_utc'])
    if (hours === undefined) return []
    const weekdays = readWeekdays(window?.['weekdays'])
    return [{ hours: [hours], ...(weekdays !== undefined && { weekdays }), prices }]
  })
}

function readWeekdays(value: unknown): number[] | undefined {
  if (!Array.isArray(value)) return undefined
  return (value as readonly unknown[]).flatMap((day) => {
    const number = typeof day === 'string' ? weekdayNames.indexOf(day.slice(0, 3).toLowerCase()) + 1 : day
    return typeof number === 'number' && number >= 1 && number <= 7 ? [number] : []
  })
}
