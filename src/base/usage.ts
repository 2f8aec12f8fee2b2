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
  /** The provider's own object, as it came. */
  readonly raw?: unknown
}
