/** What comes out of pricing a request: an amount with its parts and everything that had to be assumed, or why there is none. */
import type { PriceBucket, PriceConfidence } from './price-table.ts'

/**
 * What an assumption is about:
 * - `date`: when the request was made is not known, so the newest price is used.
 * - `time`: the price depends on the time of day, which is not known; that outside all windows is used.
 * - `holidays`: the price depends on holidays that are not known for that year; the day is taken for none.
 * - `stale`: the price was stated for days before this one only.
 * - `context`: the price depends on the size of the input, which is not known; the first tier is used.
 * - `bucket`: nothing was reported for a bucket; it counts as none.
 * - `split`: part of the input is in no bucket; it is priced as uncached.
 * - `bucket-price`: the table has no price for a bucket; it is priced as uncached.
 * - `read-kind`: the price depends on whether the cache was explicit; without writes it is taken to be implicit.
 * - `platform`: the table has no price for that platform; the vendor's own is used.
 * - `region`: no factor for that region, or no region where regions matter; none is applied.
 * - `disputed`: sources disagree on a price.
 * - `usage`: the report of usage had an anomaly that the amount depends on.
 */
export type AssumptionAbout =
  | 'date'
  | 'time'
  | 'holidays'
  | 'stale'
  | 'context'
  | 'bucket'
  | 'split'
  | 'bucket-price'
  | 'read-kind'
  | 'platform'
  | 'region'
  | 'disputed'
  | 'usage'

/** Something that the amount rests on without being told. */
export interface Assumption {
  readonly about: AssumptionAbout
  readonly message: string
}

/** Notes an assumption. */
export type Assume = (about: AssumptionAbout, message: string) => void

/** One bucket of a priced request. */
export interface PricePart {
  readonly bucket: PriceBucket
  /** For `storage`, tokens times hours. */
  readonly tokens: number
  /** USD per million tokens, all factors in it. */
  readonly usdPerMTok: number
  /** USD. */
  readonly amount: number
}

/** A request with its price. */
export interface PricedRequest {
  readonly type: 'priced'
  /** USD: the sum of the parts, or what the provider reported. */
  readonly amount: number
  readonly currency: 'USD'
  /** Buckets with tokens in them; none when the provider reported the charge. */
  readonly parts: readonly PricePart[]
  /** From a table of list prices, or reported by the provider. */
  readonly basis: 'list' | 'reported'
  readonly assumed: readonly Assumption[]
  /** The model as it was asked for. */
  readonly model: string
  /** Where the price was read: an address, or the field of the report. */
  readonly source: string
  readonly confidence: PriceConfidence
}

/**
 * Why there is no price:
 * - `model`: no row is for this model.
 * - `ambiguous`: several resellers have it, at prices of their own, and the vendor is not among them; name a platform.
 * - `date`: the model's first price is from a later day.
 * - `service-level`: no row says what this service level costs.
 * - `bucket`: the model's writes are priced, but not this lifetime.
 * - `usage`: nothing was reported that could be priced.
 */
export type UnknownPriceReason = 'model' | 'ambiguous' | 'date' | 'service-level' | 'bucket' | 'usage'

/** A request whose price is not known, which is not a price of 0. */
export interface UnknownPrice {
  readonly type: 'unknown'
  readonly model: string
  readonly reason: UnknownPriceReason
  readonly message: string
}
