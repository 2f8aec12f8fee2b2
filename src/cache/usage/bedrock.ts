/**
 * Usage of Bedrock Converse and of the `metadata` event of ConverseStream.
 *
 * The input fields are disjoint. `cacheDetails` splits the writes by lifetime. The odd case is a look-alike: the AI SDK
 * calls its fields the same and counts the cached tokens in; it is not recognised.
 */
import type { Usage, UsageAnomaly } from '../../base/usage.ts'
import { complete, disjoint, written, writesOf, type Writes } from './buckets.ts'
import { at, count, sum, type Fields } from './fields.ts'
import type { ReadOptions, UsageReader } from './reader.ts'

/** Reader of Converse. */
export const bedrockUsage: UsageReader = {
  recognises: (usage) =>
    ('inputTokens' in usage || 'outputTokens' in usage) &&
    !['cachedInputTokens', 'inputTokenDetails', 'reasoningTokens'].some((name) => name in usage),
  read(reports, options): Usage {
    const { usage } = reports.at(-1) ?? reports[0]
    const anomalies: UsageAnomaly[] = []
    const input = disjoint({
      uncached: count(usage['inputTokens']),
      read: count(usage['cacheReadInputTokens']),
      writes: readDetails(usage, options, anomalies),
    })
    return complete(input, { output: count(usage['outputTokens']), raw: usage }, anomalies)
  },
}

function readDetails(usage: Fields, { ttl = '5m' }: ReadOptions, anomalies: UsageAnomaly[]): Writes {
  const all = count(usage['cacheWriteInputTokens'])
  const details = Array.isArray(usage['cacheDetails']) ? (usage['cacheDetails'] as readonly unknown[]) : []
  const of = (lifetime: string): number | undefined =>
    sum(...details.filter((detail) => at(detail, 'ttl') === lifetime).map((detail) => count(at(detail, 'inputTokens'))))
  const writes = { write5m: of('5m'), write1h: of('1h') }
  const split = written(writes)
  if (split === undefined) return writesOf(all, ttl)
  if (all === undefined || all === split) return writes
  const message = `${split} tokens written by lifetime, but ${all} in all; what is missing counts as written for 5 minutes.`
  anomalies.push({ type: 'write-split-differs', message })
  return all < split ? writes : { ...writes, write5m: (writes.write5m ?? 0) + all - split }
}
