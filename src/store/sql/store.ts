/**
 * The event store over a SQL database, the same for every engine.
 *
 * One guarded statement writes one event: it inserts if the revision before it is the newest of the session, and a
 * unique index refuses an id that is taken. Several events are several such statements in one transaction of the engine.
 */
import type { Kysely } from 'kysely'
import type { EventStore, StoredEvent, StoredSession } from '../../session/store.ts'
import type { SqlEngine } from './engine.ts'
import { prepareQueries, toEvent, toSession, type Queries } from './queries.ts'
import type { Schema } from './schema.ts'

/** Sessions that one query lists: no cursor stays open between pages, where it would keep old rows alive. */
const pageSize = 100

const nothing: readonly StoredEvent[] = Object.freeze([])

/** The store over a database whose schema is up to date. */
export class SqlStore implements EventStore {
  readonly #engine: SqlEngine
  readonly #queries: Queries

  /** `builder` spells queries for the database behind `engine`. */
  constructor(engine: SqlEngine, builder: Kysely<Schema>) {
    this.#engine = engine
    this.#queries = prepareQueries(builder)
  }

  append(session: string, expected: number, events: readonly StoredEvent[]): Promise<boolean> {
    return this.#engine.write(
      events.map((event, index) => this.#queries.append({ ...event, session, expected: expected + index })),
    )
  }

  async read(session: string, after: number, limit?: number): Promise<readonly StoredEvent[]> {
    const rows = await this.#engine.select(
      limit === undefined ? this.#queries.read({ session, after }) : this.#queries.readPage({ session, after, limit }),
    )
    return rows.length === 0 ? nothing : rows.map(toEvent)
  }

  async epochStart(session: string): Promise<StoredEvent | undefined> {
    const [row] = await this.#engine.select(this.#queries.epochStart({ session }))
    return row && toEvent(row)
  }

  async find(session: string, type: 'input' | 'append' | 'answer', id: string): Promise<StoredEvent | undefined> {
    const [row] = await this.#engine.select(this.#queries.find({ session, type, id }))
    return row && toEvent(row)
  }

  async *list(): AsyncIterable<StoredSession> {
    for (let after = ''; ;) {
      const rows = await this.#engine.select(this.#queries.listPage({ after, limit: pageSize }))
      for (const row of rows) yield toSession(row)
      const last = rows.at(-1)
      if (last === undefined || rows.length < pageSize) return
      after = toSession(last).id
    }
  }

  async delete(session: string): Promise<void> {
    await this.#engine.write([this.#queries.delete({ session })])
  }

  close(): Promise<void> {
    return this.#engine.close()
  }
}
