/**
 * The event store that lives in its object: for tests, for scripts, and for hosts that keep nothing.
 *
 * It keeps every promise of the interface but durability. An append costs the same however long the log is, and a read
 * copies nothing but what it returns, so that a boundary at which nothing changed costs one look at a length.
 */
import { StoreUnusableError } from '../session/errors.ts'
import type { EventStore, StoredEvent, StoredSession } from '../session/store.ts'
import { compareByUtf8 } from './compare-by-utf8.ts'

/** An empty store. What it holds is gone when the object is. */
export function memoryStore(): EventStore {
  return new MemoryStore()
}

interface Log {
  /** Revision `n` stands at index `n - 1`. */
  readonly events: StoredEvent[]
  readonly byTypeAndId: Map<string, StoredEvent>
  epochStart: StoredEvent | undefined
}

const nothing: readonly StoredEvent[] = Object.freeze([])

class MemoryStore implements EventStore {
  readonly #logs = new Map<string, Log>()
  #closed = false

  async append(session: string, expected: number, events: readonly StoredEvent[]): Promise<boolean> {
    this.#assertOpen()
    const existing = this.#logs.get(session)
    if ((existing?.events.length ?? 0) !== expected) return false
    const log: Log = existing ?? { events: [], byTypeAndId: new Map(), epochStart: undefined }
    if (takesUsedId(log, events)) return false
    for (const event of events) {
      const kept = Object.freeze({ ...event })
      log.events.push(kept)
      if (kept.id !== null) log.byTypeAndId.set(typeAndId(kept.type, kept.id), kept)
      if (kept.type === 'epoch') log.epochStart = kept
    }
    this.#logs.set(session, log)
    return true
  }

  async read(session: string, after: number, limit?: number): Promise<readonly StoredEvent[]> {
    this.#assertOpen()
    const events = this.#logs.get(session)?.events
    if (events === undefined || after >= events.length) return nothing
    return events.slice(after, limit === undefined ? undefined : after + limit)
  }

  async epochStart(session: string): Promise<StoredEvent | undefined> {
    this.#assertOpen()
    return this.#logs.get(session)?.epochStart
  }

  async find(session: string, type: 'input' | 'append' | 'answer', id: string): Promise<StoredEvent | undefined> {
    this.#assertOpen()
    return this.#logs.get(session)?.byTypeAndId.get(typeAndId(type, id))
  }

  async *list(): AsyncIterable<StoredSession> {
    this.#assertOpen()
    for (const id of [...this.#logs.keys()].sort(compareByUtf8)) {
      this.#assertOpen()
      const events = this.#logs.get(id)?.events
      const first = events?.[0]
      const newest = events?.at(-1)
      // Deleted since the listing began.
      if (first === undefined || newest === undefined) continue
      yield { id, revision: newest.revision, createdAt: first.at, updatedAt: newest.at }
    }
  }

  async delete(session: string): Promise<void> {
    this.#assertOpen()
    this.#logs.delete(session)
  }

  async close(): Promise<void> {
    this.#closed = true
    this.#logs.clear()
  }

  #assertOpen(): void {
    if (this.#closed) throw new StoreUnusableError('The memory store was closed. Make a new one with memoryStore().')
  }
}

/** True when the log, or an earlier one of `events`, has the type and id of one of `events`. */
function takesUsedId(log: Log, events: readonly StoredEvent[]): boolean {
  const taken = new Set<string>()
  for (const { type, id } of events) {
    if (id === null) continue
    const key = typeAndId(type, id)
    if (log.byTypeAndId.has(key) || taken.has(key)) return true
    taken.add(key)
  }
  return false
}

/** Types hold no space, so no two pairs share a key. */
function typeAndId(type: string, id: string): string {
  return `${type} ${id}`
}
