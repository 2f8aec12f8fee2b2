/**
 * The event store: what a session needs of a database. One append-only log per session.
 *
 * The invariant that every implementation keeps: the revisions of a session are 1, 2, 3, ... without a gap, because an
 * append is guarded by the revision that it expects to be the newest, in the same statement that writes. Nothing is
 * ever updated, and what is removed is a whole session, or, where a store can purge, a start of one that no epoch shows any
 * more (`retention.ts`). `storeConformance` in `indelible/testing` checks all but the purge.
 */

/** One event as it is stored. Stores treat everything but `revision`, `type` and `id` as opaque text. */
export interface StoredEvent {
  /** From 1, contiguous within a session. */
  readonly revision: number
  readonly type: string
  /** Version of the body's shape. */
  readonly v: number
  /** By which inputs, appends and answers are found; unique per session and type. Null for other events. */
  readonly id: string | null
  /** When it was written, ISO 8601. */
  readonly at: string
  /** The rest of the event, a JSON text. Must come back with the same code units. */
  readonly body: string
  readonly checksum: string
}

export interface StoredSession {
  readonly id: string
  /** Of its newest event. */
  readonly revision: number
  readonly createdAt: string
  readonly updatedAt: string
}

export interface EventStore {
  /**
   * Writes `events`, whose revisions continue `expected` without a gap, if `expected` is the newest revision of the
   * session (0 for none). All or nothing, in one guarded statement for one event and one transaction for several, and
   * durable when it resolves. Resolves to false, and has written nothing, when the session has moved on or an id is taken.
   */
  append(session: string, expected: number, events: readonly StoredEvent[]): Promise<boolean>
  /** The events after that revision, oldest first; at most `limit` of them where given. Empty for an unknown session. */
  read(session: string, after: number, limit?: number): Promise<readonly StoredEvent[]>
  /** The newest event of type `epoch`. */
  epochStart(session: string): Promise<StoredEvent | undefined>
  find(session: string, type: 'input' | 'append' | 'answer', id: string): Promise<StoredEvent | undefined>
  /** Every session, in order of id by UTF-8 bytes. */
  list(): AsyncIterable<StoredSession>
  /** Removes all events of a session; does nothing for an unknown one. */
  delete(session: string): Promise<void>
  /** Releases the connection. Every later call rejects with `StoreUnusableError`. Closing twice is fine. */
  close(): Promise<void>
}
