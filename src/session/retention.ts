/**
 * What is left of a log when its past epochs are purged: everything from the first revision that the epoch then standing keeps
 * in view, so that the session opens and goes on as before, and of all that lies before it the ids of inputs and appends. Each
 * is a row with a digest where its messages were: the same content under the same id is still a receipt, another a conflict.
 */
import { digest } from '../base/digest.ts'
import { canonicalJson, type Json } from '../base/json.ts'
import { EventUnreadableError } from './errors.ts'
import { checksum, decodeEvent, placeEvent, requireIntact } from './event.ts'
import type { StoredEvent } from './store.ts'
import type { Format, SessionEvent } from './types.ts'

/** What a purge keeps of an input or an append. */
export interface PurgedEvent {
  readonly type: 'purged'
  readonly revision: number
  /** Of the messages: {@link contentDigest}. */
  readonly digest: string
}

const MARK = '{"purged":'

/** The types of event of which a purge keeps the id. */
export const keptTypes = ['input', 'append'] as const

/** True for a row of which only the id is left. A damaged database may hold bytes, or a number, for text. */
export function isPurged({ body }: StoredEvent): boolean {
  return typeof body === 'string' && body.startsWith(MARK)
}

/** The first revision that an epoch keeps in view. Throws `EventUnreadableError` for a row that is no epoch. */
export function viewStart(session: string, row: StoredEvent): number {
  const event = decodeEvent(session, row, anyFormat)
  if (event.type === 'epoch') return event.view.from
  throw new EventUnreadableError(session, row.revision, 'it is no epoch')
}

/** The row of an input or append without its messages. Throws `EventUnreadableError`. */
export function purgeRow(session: string, row: StoredEvent): StoredEvent {
  const event = decodeEvent(session, row, anyFormat)
  const messages = event.type === 'input' ? [event.message] : event.type === 'append' ? event.messages : []
  const purged = { ...row, body: `${MARK}${JSON.stringify(contentDigest(messages))}}` }
  return { ...purged, checksum: checksum(session, purged) }
}

/** Of messages as they are stored: the same for the same content, whatever the order of its keys. */
export function contentDigest(messages: readonly unknown[]): string {
  return digest(messages.map(canonicalJson).join('\n'))
}

/** The same row in the log of a fork, which knows by it what its parent was given. */
export function moveRow(row: StoredEvent, session: string): StoredEvent {
  return { ...row, checksum: checksum(session, row) }
}

/** What the row stands for where events are read: a place that holds nothing any more. Throws `EventUnreadableError`. */
export function asWithheld<M>(session: string, row: StoredEvent, format: Format<M>): SessionEvent<M> {
  decodeRecord(session, row, format)
  return placeEvent<M>({ type: 'withheld' }, row.revision, row.at)
}

/** The event in a row, or what a purge has left of it. Throws `EventUnreadableError`. */
export function decodeRecord<M>(session: string, row: StoredEvent, format: Format<M>): SessionEvent<M> | PurgedEvent {
  if (!isPurged(row)) return decodeEvent(session, row, format)
  requireIntact(session, row)
  const { purged } = JSON.parse(row.body) as { purged: string }
  return { type: 'purged', revision: row.revision, digest: purged }
}

/** Messages are what is stored of them. */
const anyFormat: Format<unknown> = {
  id: 'stored',
  kind: () => 'user',
  openCalls: () => [],
  identity: (message) => message as Json,
}
