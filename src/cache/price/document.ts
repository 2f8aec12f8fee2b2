/** What the loaders share: reading numbers and objects of documents that others keep, and mapping names to ours. */
import { parseModelId } from './model-id.ts'
import type { TokenPrices } from './price-table.ts'
import { sellerName } from './vendors.ts'

/** A price: finite and not negative. Some documents write decimals as text. */
export function priceNumber(value: unknown): number | undefined {
  const number = typeof value === 'string' && /^\d+(?:\.\d+)?(?:e[+-]?\d+)?$/i.test(value) ? Number(value) : value
  return typeof number === 'number' && Number.isFinite(number) && number >= 0 ? number : undefined
}

/** USD per token to USD per million, without the noise of the division that made the number. */
export function perMillion(value: unknown): number | undefined {
  const number = priceNumber(value)
  return number === undefined ? undefined : Number((number * 1e6).toPrecision(12))
}

/** Who makes and who sells a model that a document lists under a seller's name. */
export function sellersOf(seller: string, model: string): { provider: string; platform: string } {
  const platform = sellerName(seller)
  const provider = parseModelId(model).provider ?? platform
  return { provider, platform }
}

/** Prices from what a document tells; `undefined` without those of input and output. */
export function pricesOf(
  provider: string,
  found: {
    readonly input: number | undefined
    readonly output: number | undefined
    readonly read: number | undefined
    readonly write: number | undefined
    readonly write1h?: number | undefined
  },
): TokenPrices | undefined {
  const { input, output, read, write, write1h } = found
  if (input === undefined || output === undefined) return undefined
  return {
    uncached: input,
    ...(read !== undefined && { read }),
    // OpenAI has one lifetime; everyone else's shortest is 5 minutes.
    ...(write !== undefined && (provider === 'openai' ? { write30m: write } : { write5m: write })),
    ...(write1h !== undefined && { write1h }),
    output,
  }
}
