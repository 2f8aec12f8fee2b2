/**
 * Usage as the AI SDK hands it on: the provider's numbers under names of its own, with the cached tokens counted in. The
 * provider's own object in `raw` says more (lifetimes), and is read instead where it is there.
 */
import type { Usage } from '../../base/usage.ts'
import { complete, inclusive, writesOf } from './buckets.ts'
import { at, count, firstCount } from './fields.ts'
import type { UsageReader } from './reader.ts'

/** Reader of `result.usage`, with the details of version 6 and later, or with the flat fields before. */
export const aiSdkUsage: UsageReader = {
  recognises: (usage) =>
    'inputTokenDetails' in usage ||
    ('inputTokens' in usage && ('cachedInputTokens' in usage || 'reasoningTokens' in usage)),
  read(reports, { ttl = '5m' }): Usage {
    const { usage } = reports.at(-1) ?? reports[0]
    const { usage: input, anomalies } = inclusive({
      total: count(usage['inputTokens']),
      read: firstCount(at(usage, 'inputTokenDetails', 'cacheReadTokens'), usage['cachedInputTokens']),
      writes: writesOf(count(at(usage, 'inputTokenDetails', 'cacheWriteTokens')), ttl),
      missed: count(at(usage, 'inputTokenDetails', 'noCacheTokens')),
    })
    const output = count(usage['outputTokens'])
    const reasoning = firstCount(at(usage, 'outputTokenDetails', 'reasoningTokens'), usage['reasoningTokens'])
    return complete(input, { output, reasoning, raw: usage }, anomalies)
  },
}
