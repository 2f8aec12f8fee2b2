/** Miss reasons that a provider or client logged, against ours. */
import type { Confusion, Verdict } from './types.ts'

/** Counts each pair, the most frequent first. */
export function confusionOf(verdicts: Iterable<Verdict>): readonly Confusion[] {
  const counts = new Map<string, { provider: string; ours: Verdict['verdict']; count: number }>()
  for (const { providerReason, verdict } of verdicts) {
    if (providerReason === null) continue
    const key = `${verdict} ${providerReason}`
    const pair = counts.get(key) ?? { provider: providerReason, ours: verdict, count: 0 }
    pair.count++
    counts.set(key, pair)
  }
  return [...counts.values()].sort((one, other) => other.count - one.count || (one.provider < other.provider ? -1 : 1))
}
