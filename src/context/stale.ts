/**
 * What could not be observed, as a boundary reports it: sources in context order, then what failed producers hold
 * back.
 */
import type { ProducerFailure } from './source.ts'
import type { Snapshot, SnapshotEntry, StaleSource } from './types.ts'

/** The report on one source; `told` is its entry in the snapshot, where it has one. */
export function staleSource(
  key: string,
  { reason, error }: Pick<StaleSource, 'reason' | 'error'>,
  told?: SnapshotEntry,
): StaleSource {
  return { key, reason, ...(told && { told: told.value }), ...(error !== undefined && { error }) }
}

/**
 * The report on failed producers, in key order: each entry of `vanished` that one of them contributed, and the
 * registry key of a producer that has contributed nothing yet, because what it would have brought is missing just as
 * much.
 */
export function staleProducers(
  failures: readonly ProducerFailure[],
  snapshot: Snapshot,
  vanished: readonly string[],
): StaleSource[] {
  const silent = new Map(failures.map((failure) => [failure.producer, failure]))
  const kept: StaleSource[] = []
  for (const key of vanished) {
    const told = snapshot[key]!
    const failure = failures.find(({ producer }) => producer === told.producer)
    if (failure === undefined) continue
    kept.push(staleSource(key, failure, told))
    silent.delete(failure.producer)
  }
  for (const [producer, failure] of silent) kept.push(staleSource(producer, failure))
  return kept.sort((a, b) => (a.key < b.key ? -1 : 1))
}
