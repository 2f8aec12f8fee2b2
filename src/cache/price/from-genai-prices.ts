/**
 * The table of genai-prices: providers with models, prices in USD per million tokens, some by date or time of day.
 *
 * A model there is found by rules such as `starts_with`, which also match models that have other prices; only its id and
 * the ids that it `equals` are loaded. A tier holds above its `start`, bucket by bucket. Of prices with a constraint, the
 * last that holds wins there; dated ones become rows, times of day become windows of the rows before them.
 * Source: https://github.com/pydantic/genai-prices
 */
import { fields, type Fields } from '../usage/fields.ts'
import { priceNumber, pricesOf, sellersOf } from './document.ts'
import { PricesUnreadableError } from './errors.ts'
import { readTime } from './hours.ts'
import type { PriceRow, PriceTable, PriceTier, PriceWindow, SkippedPrice } from './price-table.ts'

const source = 'https://github.com/pydantic/genai-prices'

/** Loads the providers of genai-prices. Throws {@link PricesUnreadableError} when there are none with models. */
export function fromGenaiPrices(json: unknown): PriceTable {
  const list = Array.isArray(json) ? (json as readonly unknown[]) : fields(json)?.['providers']
  const providers = (Array.isArray(list) ? (list as readonly unknown[]) : []).flatMap((value) => {
    const { id, models } = fields(value) ?? {}
    return typeof id === 'string' && Array.isArray(models) ? [{ id, models: models as readonly unknown[] }] : []
  })
  if (providers.length === 0) {
    throw new PricesUnreadableError(
      'a table of genai-prices',
      'a list of providers, each with an id and a list of models',
    )
  }
  const rows: PriceRow[] = []
  const skipped: SkippedPrice[] = []
  for (const provider of providers) {
    for (const [index, value] of provider.models.entries()) {
      const model = fields(value)
      const id = model?.['id']
      if (model === undefined || typeof id !== 'string') {
        skipped.push({ path: `${provider.id}.models[${index}]`, reason: 'has no id' })
        continue
      }
      rows.push(
        ...readModel(provider.id, id, model, (reason) => skipped.push({ path: `${provider.id}.models.${id}`, reason })),
      )
    }
  }
  return { rows, skipped }
}

function readModel(provider: string, id: string, model: Fields, skip: (reason: string) => void): PriceRow[] {
  const sellers = sellersOf(provider, id)
  const aliases = equalIds(model['match']).filter((alias) => alias !== id)
  const common = {
    ...sellers,
    model: id,
    ...(aliases.length > 0 && { aliases }),
    source,
    confidence: 'reported' as const,
  }
  const prices = model['prices']
  const entries = Array.isArray(prices) ? (prices as readonly unknown[]) : [{ prices }]
  const rows: PriceRow[] = []
  for (const value of entries) {
    const entry = fields(value)
    const tiers = readTiers(sellers.provider, fields(entry?.['prices']))
    const constraint = fields(entry?.['constraint'])
    const last = rows.at(-1)
    if (tiers === undefined) {
      skip('has prices without input_mtok or output_mtok')
    } else if (constraint === undefined) {
      rows.push({ ...common, tiers })
    } else if (typeof constraint['start_date'] === 'string' && /^\d{4}-\d{2}-\d{2}/.test(constraint['start_date'])) {
      rows.push({ ...common, from: constraint['start_date'].slice(0, 10), tiers })
    } else {
      const window = readWindow(constraint, tiers)
      if (window === undefined || last === undefined)
        skip('has a constraint that is neither a start date nor a time of day')
      else rows[rows.length - 1] = { ...last, windows: [...(last.windows ?? []), window] }
    }
  }
  return rows
}

function readWindow(constraint: Fields, tiers: PriceRow['tiers']): PriceWindow | undefined {
  const start = readTime(constraint['start_time'])
  const end = readTime(constraint['end_time'])
  return start === undefined || end === undefined ? undefined : { hours: [[start, end]], prices: tiers[0].prices }
}

/** Ids that a rule is equal to, alone or as one of several alternatives. */
function equalIds(match: unknown): string[] {
  const rule = fields(match)
  if (typeof rule?.['equals'] === 'string') return [rule['equals']]
  return Array.isArray(rule?.['or']) ? (rule['or'] as readonly unknown[]).flatMap(equalIds) : []
}

const names = {
  input: ['input_mtok'],
  output: ['output_mtok'],
  read: ['cache_read_mtok'],
  write: ['cache_write_mtok', 'cache_write_5m_mtok'],
  write1h: ['cache_write_1h_mtok'],
} as const

function readTiers(provider: string, prices: Fields | undefined): PriceRow['tiers'] | undefined {
  if (prices === undefined) return undefined
  const listed = (bucket: keyof typeof names): unknown =>
    names[bucket].map((name) => prices[name]).find((value) => value !== undefined)
  const at = (size: number): ReturnType<typeof pricesOf> =>
    pricesOf(provider, {
      input: priceAt(listed('input'), size),
      output: priceAt(listed('output'), size),
      read: priceAt(listed('read'), size),
      write: priceAt(listed('write'), size),
      write1h: priceAt(listed('write1h'), size),
    })
  const first = at(0)
  if (first === undefined) return undefined
  const sizes = new Set(Object.values(prices).flatMap((price) => tiersOf(price).map(({ start }) => start)))
  const tiers = [...sizes]
    .sort((one, other) => one - other)
    .flatMap((above): PriceTier[] => {
      const found = at(above + 1)
      return found === undefined ? [] : [{ above, prices: found }]
    })
  return [{ prices: first }, ...tiers]
}

function priceAt(value: unknown, size: number): number | undefined {
  const tiered = fields(value)
  if (tiered === undefined) return priceNumber(value)
  const reached = tiersOf(value).filter(({ start }) => size > start)
  return reached.at(-1)?.price ?? priceNumber(tiered['base'])
}

function tiersOf(value: unknown): { start: number; price: number }[] {
  const tiers = fields(value)?.['tiers']
  if (!Array.isArray(tiers)) return []
  const read = (tiers as readonly unknown[]).flatMap((item) => {
    const start = priceNumber(fields(item)?.['start'])
    const price = priceNumber(fields(item)?.['price'])
    return start === undefined || price === undefined ? [] : [{ start, price }]
  })
  return read.sort((one, other) => one.start - other.start)
}
