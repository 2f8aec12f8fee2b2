/** Sums of what was reported, in which what nobody reported is null and what one did is a number. */
import type { Usage } from '../../base/usage.ts'
import type { AuditTokens } from './types.ts'

const buckets = ['total', 'read', 'write5m', 'write30m', 'write1h', 'uncached', 'output'] as const

/** Tokens of a turn as they were reported. */
export function tokensOf(usage: Usage | undefined): AuditTokens {
  return record((bucket) => usage?.[bucket] ?? null)
}

/** Bucket by bucket. */
export function sumTokens(all: readonly AuditTokens[]): AuditTokens {
  return record((bucket) => sumKnown(all.map((tokens) => tokens[bucket])))
}

/** The sum of the numbers among `values`; null where there are none. */
export function sumKnown(values: readonly (number | null)[]): number | null {
  let sum: number | null = null
  for (const value of values) if (value !== null) sum = (sum ?? 0) + value
  return sum
}

/** The share of the input that was read, over those that report both; null where none does. */
export function hitRate(all: readonly AuditTokens[]): number | null {
  const both = all.filter(({ total, read }) => total !== null && read !== null)
  const total = sumKnown(both.map((tokens) => tokens.total)) ?? 0
  return total === 0 ? null : (sumKnown(both.map((tokens) => tokens.read)) ?? 0) / total
}

function record(count: (bucket: (typeof buckets)[number]) => number | null): AuditTokens {
  return Object.fromEntries(buckets.map((bucket) => [bucket, count(bucket)])) as unknown as AuditTokens
}
