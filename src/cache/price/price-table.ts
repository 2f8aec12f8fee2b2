/**
 * The shape of a price table: rows of dated list prices, in USD per million tokens.
 *
 * A row is for one model as sold on one platform, from a day on; a later row of the same model and platform takes its
 * place on its own day. Within a row, the context tier is chosen by the whole input of a request and holds for the whole
 * request; a window of the day, a service level and a region change the prices of the tier. A price that is not there is
 * not 0.
 */

/** USD per million tokens. */
export interface TokenPrices {
  readonly uncached: number
  readonly read?: number | undefined
  /** Of a read from an explicit cache, where that differs from `read`. */
  readonly readExplicit?: number | undefined
  readonly write5m?: number | undefined
  readonly write30m?: number | undefined
  readonly write1h?: number | undefined
  readonly output: number
  /** USD per million tokens and hour. */
  readonly storage?: number | undefined
}

/** What a price can be for. */
export type PriceBucket = Exclude<keyof TokenPrices, 'readExplicit'>

/** Prices from a size of the whole input on, counted with what was read and written. */
export interface PriceTier {
  /** Tokens of input above which the tier holds; the first tier of a row has none. */
  readonly above?: number | undefined
  /** The tier holds at exactly `above` tokens, too. */
  readonly inclusive?: boolean | undefined
  readonly prices: TokenPrices
}

/** Hours of the day with prices of their own. */
export interface PriceWindow {
  /** Minutes since midnight UTC, the end excluded; an end before its start is on the next day. */
  readonly hours: readonly (readonly [start: number, end: number])[]
  /** 1 is Monday, 7 is Sunday; every day when not there. The day is that on which the hours start. */
  readonly weekdays?: readonly number[] | undefined
  /** Days on which the window does not hold. */
  readonly except?: HolidayCalendar | undefined
  /** In place of the tier's; what is not there stays. */
  readonly prices: Partial<TokenPrices>
}

/** Public holidays, as far as they have been announced. */
export interface HolidayCalendar {
  readonly name: string
  /** Calendar years that the days are complete for. */
  readonly years: readonly number[]
  /** `YYYY-MM-DD`. */
  readonly days: readonly string[]
  readonly source: string
}

/** How a service level changes the prices: a factor on all of them, or tiers of its own. */
export type PriceLevel = { readonly factor: number } | { readonly tiers: readonly PriceTier[] }

/** A factor for requests that are served in a region. */
export interface RegionFactor {
  /** Where it holds; on every platform when not there. */
  readonly platform?: string | undefined
  /** `*` is every region that has no factor of its own. */
  readonly region: string
  readonly factor: number
  readonly source: string
  readonly confidence: PriceConfidence
}

/** The vendor says so; someone reported it; or it is inferred. */
export type PriceConfidence = 'official' | 'reported' | 'assumed'

/** One model's prices, on one platform, from one day on. */
export interface PriceRow {
  /** Who makes the model, as `anthropic`. */
  readonly provider: string
  /** Who sells it: the provider itself, a cloud, a reseller. */
  readonly platform: string
  /** The id that it is sold under. */
  readonly model: string
  /** Other ids of the same model. */
  readonly aliases?: readonly string[] | undefined
  /** First day, `YYYY-MM-DD` in UTC; from the beginning when not there. */
  readonly from?: string | undefined
  /** Last day for which the prices are stated; they are used after it, and called stale. */
  readonly statedUntil?: string | undefined
  /** By size, the smallest first. */
  readonly tiers: readonly [PriceTier, ...PriceTier[]]
  /** By name, as `batch`, `flex`, `priority`, `fast`. Standard needs no entry. */
  readonly levels?: Readonly<Record<string, PriceLevel>> | undefined
  readonly windows?: readonly PriceWindow[] | undefined
  readonly regions?: readonly RegionFactor[] | undefined
  /** What is disputed about the price of a bucket. */
  readonly doubts?: Readonly<Partial<Record<PriceBucket, string>>> | undefined
  /** Where the prices were read. */
  readonly source: string
  readonly confidence: PriceConfidence
}

/** A row of a loaded document that could not be used. */
export interface SkippedPrice {
  /** Where in the document, as `openai.models.gpt-4o`. */
  readonly path: string
  readonly reason: string
}

/** Rows of prices. */
export interface PriceTable {
  readonly rows: readonly PriceRow[]
  /** What was left out of the document that the table was loaded from. */
  readonly skipped?: readonly SkippedPrice[] | undefined
}
