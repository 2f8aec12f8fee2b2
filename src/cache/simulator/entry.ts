/** Whether a later request can read a cache entry. */
import { elapsed, type Instant, type LifetimeRange } from './time.ts'
import type { Writer } from './writer.ts'

/** How an entry stands to a request. */
export type EntryState =
  | { readonly type: 'alive' }
  | { readonly type: 'maybe-expired' | 'expired'; readonly seconds: number }
  | { readonly type: 'not-readable' }

/** Whether an entry can be read by a request at `now`. */
export function stateOf(
  usedAt: Instant | null,
  lifetime: LifetimeRange,
  writer: Writer,
  now: Instant | null,
): EntryState {
  if (!isReadable(writer, now)) return { type: 'not-readable' }
  const passed = elapsed(usedAt, now)
  if (passed === undefined || passed.most < lifetime.least) return { type: 'alive' }
  if (passed.least >= lifetime.most) return { type: 'expired', seconds: (passed.least - lifetime.most) / 1000 }
  return { type: 'maybe-expired', seconds: (passed.least - lifetime.least) / 1000 }
}

/** Whether the response of the request that writes had begun at `now`. */
export function isReadable({ pending, readableAt }: Writer, now: Instant | null): boolean {
  if (pending) return false
  return readableAt === undefined || now === null || now.constant === true || now.latest >= readableAt
}
