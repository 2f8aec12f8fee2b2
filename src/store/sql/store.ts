/**
 * The event store over a SQL database, the same for every engine.
 *
 * One guarded statement writes one event: it inserts if the revision before it is the newest of the session, and a
 * unique index refuses an id that is taken. Several events are several such statements in one transaction of the engine.
 */
import { OptionInvalidError } from '../../session/errors.ts'
import type { EventStore, StoredEvent, StoredSession } from '../../session/store.ts'
import type { SqlDialect } from './dialect.ts'
import { OutcomeUnknownError, type SqlEngine, type Statement } from './engine.ts'
import { purgeSession } from './purge.ts'
import { parts, prepareQueries, toEvent, toSession, type Queries } from './queries.ts'

/** Sessions that one query lists: no cursor stays open between pages, where it would keep old rows alive. */
const pageSize = 100

/** Connections that one write may lose before it gives up. */
const MAX_LOST_ANSWERS = 5

/** The end of the year 9999. */
const LAST_TIME = 253_402_300_799_999

const nothing: readonly StoredEvent[] = Object.freeze([])

/** A store that can let go of what is long past. */
export interface SqlEventStore extends EventStore {
  /**
   * Removes past epochs from every session: those that had ended before that time, each as a unit, with all that no later epoch
   * keeps in view. What the model sees stays as it is, and so do the ids of inputs and appends: submitting one again is still
   * a receipt, or a conflict. One transaction per session, so that it can be stopped and run again at any time.
   *
   * `events()`, `verify()` and `report()` then begin at the oldest epoch that is left; a fork must lie behind it.
   * Rejects with `OptionInvalidError` for no valid date, `EventUnreadableError` for a session with a damaged event, which is
   * left as it is; sessions before it in the order of ids are purged then.
   */
  purge(options: { readonly before: Date }): Promise<PurgeResult>
}

/** What a purge did. */
export interface PurgeResult {
  /** Sessions of which something was removed. */
  readonly sessions: number
  /** Events that were removed, or emptied but for their id. */
  readonly events: number
}

/** The store over a database whose schema is up to date. */
export class SqlStore implements SqlEventStore {
  readonly #engine: SqlEngine
  readonly #dialect: SqlDialect
  readonly #queries: Queries

  /** `dialect` is that of the database behind `engine`. */
  constructor(engine: SqlEngine, dialect: SqlDialect) {
    this.#engine = engine
    this.#dialect = dialect
    this.#queries = prepareQueries(dialect)
  }

  async append(session: string, expected: number, events: readonly StoredEvent[]): Promise<boolean> {
    const statements = this.#appending(session, expected, events)
    // What a lost answer may have written is compared with what was given, whatever becomes of that.
    const written = events.map((event) => ({ ...event }))
    try {
      return await this.#engine.write(statements)
    } catch (error) {
      if (!(error instanceof OutcomeUnknownError)) throw error
    }
    return untilAnswered(() => this.#appendAgain(session, expected, written, statements))
  }

  #appending(session: string, expected: number, events: readonly StoredEvent[]): readonly Statement[] {
    const { appendAll } = this.#dialect
    if (events.length > 1 && appendAll !== undefined) return [appendAll(session, expected, events)]
    return events.map((event, index) => this.#queries.append({ ...event, session, expected: expected + index }))
  }

  /**
   * The connection was lost before the answer came: the events are there, or they are not. Once they are found under their
   * revisions they are ours. A statement that the server still runs meanwhile either wins, and is found, or loses to this one.
   */
  async #appendAgain(
    session: string,
    expected: number,
    events: readonly StoredEvent[],
    statements: readonly Statement[],
  ): Promise<boolean> {
    const rows = await this.read(session, expected, events.length)
    if (rows.length > 0) return sameEvents(rows, events)
    if (await this.#engine.write(statements)) return true
    return sameEvents(await this.read(session, expected, events.length), events)
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
    // What is deleted twice is gone as well.
    const remove = (): Promise<boolean> => untilAnswered(() => this.#engine.write([this.#queries.delete({ session })]))
    // What was appended while one ran stands behind what it saw: it is done when there is nothing left to see.
    while ((await remove()) && this.#dialect.isConcurrent === true);
  }

  async purge({ before }: { readonly before: Date }): Promise<PurgeResult> {
    if (!(before instanceof Date) || Number.isNaN(before.getTime())) {
      throw new OptionInvalidError(`purge was given ${String(before)} for before. Pass a valid Date.`)
    }
    // Years of more digits are written with a sign in front, which would stand before all others as text.
    const time = new Date(Math.min(before.getTime(), LAST_TIME)).toISOString()
    let sessions = 0
    let events = 0
    for await (const { id } of this.list()) {
      // What was purged by a statement whose answer was lost is not purged again.
      const purged = await untilAnswered(() => purgeSession(this.#engine, this.#queries, id, time))
      if (purged > 0) sessions++
      events += purged
    }
    return { sessions, events }
  }

  close(): Promise<void> {
    return this.#engine.close()
  }
}

/** Does the work anew each time that the answer to one of its writes was lost, until patience ends. */
async function untilAnswered<T>(work: () => Promise<T>): Promise<T> {
  for (let attempt = 1; ; attempt++) {
    try {
      return await work()
    } catch (error) {
      if (!(error instanceof OutcomeUnknownError)) throw error
      if (attempt === MAX_LOST_ANSWERS) throw error.toStoreError()
    }
  }
}

function sameEvents(rows: readonly StoredEvent[], events: readonly StoredEvent[]): boolean {
  return rows.length === events.length && rows.every((row, index) => isSame(row, events[index]!))
}

function isSame(row: StoredEvent, event: StoredEvent): boolean {
  return parts.every((part) => row[part] === event[part])
}
