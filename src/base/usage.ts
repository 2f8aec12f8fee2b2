/**
 * What a provider reported for one request, in tokens, in buckets that never overlap. A bucket that the provider did
 * not report is not there (`undefined`), which is not 0. `total` is all input: `read + write + uncached`.
 */
export interface Usage {
  readonly total?: number | undefined
  /** Served from the cache. */
  readonly read?: number | undefined
  /** Written to the cache, by the lifetime that was paid for. */
  readonly write5m?: number | undefined
  readonly write30m?: number | undefined
  readonly write1h?: number | undefined
  /** Neither read nor written. */
  readonly uncached?: number | undefined
  readonly output?: number | undefined
  /** The part of `output` that was reasoning. */
  readonly reasoning?: number | undefined
  /** What the provider says it charged for the request. Never computed by us. */
  readonly cost?: ReportedCost | undefined
  /** What did not add up in the report, and what was made of it. Not there when nothing was odd. */
  readonly anomalies?: readonly UsageAnomaly[] | undefined
  /** The provider's own object, as it came; where a stream spreads it over events, those put together. */
  readonly raw?: unknown
}

/** A charge that a provider reported. */
export interface ReportedCost {
  readonly amount: number
  readonly currency: 'USD'
  /** The field that it was read from, as `usage.cost`. */
  readonly field: string
}

/**
 * - `total-excludes-cached`: the reported total leaves out the cached tokens although this kind of report includes them;
 *   they were added.
 * - `cached-exceeds-total`: more was read and written than there was input, and nothing says which figure is wrong;
 *   `total` and `uncached` are left out.
 * - `uncached-differs`: the reported misses are not what hits and total leave; `uncached` is what they leave.
 * - `write-split-differs`: the writes by lifetime do not add up to the reported writes.
 * - `write-lifetime-unknown`: writes of a lifetime that has no bucket; they are in the bucket next to it.
 * - `output-excludes-reasoning`: the reported output leaves out the reasoning, which was added.
 * - `other-model`: some of the tokens are another model's, and are not in the buckets.
 * - `not-recognised`: nothing was found that could be read.
 * - `stream-incomplete`: the stream ended before its last report, so `output` is not known.
 */
export type UsageAnomalyType =
  | 'total-excludes-cached'
  | 'cached-exceeds-total'
  | 'uncached-differs'
  | 'write-split-differs'
  | 'write-lifetime-unknown'
  | 'output-excludes-reasoning'
  | 'other-model'
  | 'not-recognised'
  | 'stream-incomplete'

/** Something in a report of usage that does not add up. */
export interface UsageAnomaly {
  readonly type: UsageAnomalyType
  /** What was reported, in numbers, and what was made of it. */
  readonly message: string
}
