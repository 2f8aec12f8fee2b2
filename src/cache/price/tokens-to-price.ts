/**
 * Which tokens of a usage are priced as what. Every token of input is priced once: what a known total has beyond the
 * buckets is uncached. A bucket that was not reported counts as none, and that is said.
 */
import type { Usage } from '../../base/usage.ts'
import type { PriceBucket } from './price-table.ts'
import type { Assume } from './result.ts'

const inputs = ['uncached', 'read', 'write5m', 'write30m', 'write1h'] as const

/** Tokens by what they are priced as. */
export interface TokensToPrice {
  /** Buckets that have tokens. */
  readonly tokens: ReadonlyMap<PriceBucket, number>
  /** All input; `undefined` where it is not known. */
  readonly total: number | undefined
  /** The provider reported writes, so the cache was an explicit one. */
  readonly explicit: boolean
}

/** The buckets of a usage and what it keeps of a cache; `undefined` when nothing was reported. */
export function tokensToPrice(
  usage: Usage,
  storage: { readonly tokens: number; readonly hours: number } | undefined,
  billsWrites: boolean,
  assume: Assume,
): TokensToPrice | undefined {
  const tokens = new Map<PriceBucket, number>()
  const reported = inputs.filter((bucket) => usage[bucket] !== undefined)
  if (reported.length === 0 && usage.output === undefined && usage.total === undefined && storage === undefined) {
    return undefined
  }
  const known = reported.reduce((sum, bucket) => sum + (usage[bucket] ?? 0), 0)
  const rest = Math.max(0, (usage.total ?? known) - known)
  for (const bucket of reported) tokens.set(bucket, usage[bucket] ?? 0)
  if (rest > 0) {
    assume('split', `${rest} of ${usage.total ?? 0} tokens of input are in no bucket; they are priced as uncached.`)
  }
  if (rest > 0) tokens.set('uncached', (usage.uncached ?? 0) + rest)
  for (const bucket of ['uncached', 'read', 'output'] as const) {
    const split = bucket === 'uncached' && usage.total !== undefined
    if (usage[bucket] === undefined && !split) assume('bucket', `No ${bucket} tokens were reported; none are priced.`)
  }
  if (billsWrites && inputs.slice(2).every((bucket) => usage[bucket] === undefined)) {
    assume('bucket', 'No written tokens were reported; none are priced.')
  }
  if (usage.output !== undefined) tokens.set('output', usage.output)
  if (storage !== undefined) tokens.set('storage', storage.tokens * storage.hours)
  for (const { type, message } of usage.anomalies ?? []) {
    if (type !== 'output-excludes-reasoning') assume('usage', message)
  }
  for (const [bucket, count] of tokens) if (count === 0) tokens.delete(bucket)
  const complete = usage.total !== undefined || usage.uncached !== undefined
  const explicit = (usage.write5m ?? 0) > 0 || (usage.write1h ?? 0) > 0
  return { tokens, total: complete ? known + rest : undefined, explicit }
}
