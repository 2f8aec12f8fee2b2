/** Snapshots are frozen, with keys in code-unit order: the same values give the same bytes when one is written. */
import { setOwn } from '../base/json.ts'
import type { ContextContents } from './source.ts'
import type { Snapshot, SnapshotEntry } from './types.ts'

/** A snapshot of `entries`, which are carried over as they are. */
export function toSnapshot(entries: ReadonlyMap<string, SnapshotEntry>): Snapshot {
  const snapshot: Record<string, SnapshotEntry> = {}
  for (const key of [...entries.keys()].sort()) setOwn(snapshot, key, entries.get(key)!)
  return Object.freeze(snapshot)
}

/** The keys that the snapshot has and the context no longer does, in code-unit order. */
export function vanishedKeys<H>({ sources }: ContextContents<H>, snapshot: Snapshot): string[] {
  const present = new Set(sources.map(({ key }) => key))
  return Object.keys(snapshot)
    .filter((key) => !present.has(key))
    .sort()
}
