/**
 * The engine over one `node:sqlite` connection. SQLite runs inside this thread: every call below is one synchronous
 * stretch, so two connections of a process never wait for each other.
 *
 * A lock that another process holds is first waited for inside SQLite, briefly, because that stops the whole thread;
 * then with timers, for as long as a busy neighbour may need.
 */
import type { DatabaseSync, StatementSync } from 'node:sqlite'
import { setTimeout } from 'node:timers/promises'
import { StoreUnusableError } from '../../session/errors.ts'
import type { SqlEngine, SqlValue, Statement } from '../sql/engine.ts'
import { isBusy, isDuplicate, toStoreError } from './failure.ts'

/** Runs statements on a database that it closes in the end. */
export class SqliteEngine implements SqlEngine {
  readonly #database: DatabaseSync
  readonly #name: string
  readonly #patienceMs: number
  readonly #statements = new Map<string, StatementSync>()

  /**
   * Messages call the database `name`. A call that meets a lock tries again until it has paused for `patienceMs`
   * milliseconds in all.
   */
  constructor(database: DatabaseSync, name: string, patienceMs: number) {
    this.#database = database
    this.#name = name
    this.#patienceMs = patienceMs
  }

  select(statement: Statement): Promise<readonly (readonly SqlValue[])[]> {
    return this.#whenFree(() => this.#prepare(statement.sql).all(...statement.values) as unknown as SqlValue[][])
  }

  write(statements: readonly Statement[]): Promise<boolean> {
    return this.#whenFree(() => this.#write(statements))
  }

  async close(): Promise<void> {
    this.#statements.clear()
    if (this.#database.isOpen) this.#database.close()
  }

  async #whenFree<T>(work: () => T): Promise<T> {
    for (let waitedMs = 0; ;) {
      if (!this.#database.isOpen) throw new StoreUnusableError(`${this.#name} was closed. Open it again.`)
      try {
        return work()
      } catch (error) {
        if (!isBusy(error) || waitedMs >= this.#patienceMs) throw toStoreError(error, this.#name)
      }
      // Of random length, so that neighbours do not come back together.
      const pauseMs = 5 + Math.random() * 45
      await setTimeout(pauseMs)
      waitedMs += pauseMs
    }
  }

  #write(statements: readonly Statement[]): boolean {
    try {
      // A lone statement is a transaction by itself.
      if (statements.length === 1) return this.#changes(statements[0]!)
      this.#database.exec('begin immediate')
      const complete = statements.every((statement) => this.#changes(statement))
      this.#database.exec(complete ? 'commit' : 'rollback')
      return complete
    } catch (error) {
      if (this.#database.isTransaction) this.#database.exec('rollback')
      if (isDuplicate(error)) return false
      throw error
    }
  }

  #changes(statement: Statement): boolean {
    return this.#prepare(statement.sql).run(...statement.values).changes !== 0
  }

  /** Each text is prepared once; the store has a fixed number of them. */
  #prepare(sql: string): StatementSync {
    const known = this.#statements.get(sql)
    if (known !== undefined) return known
    const statement = this.#database.prepare(sql)
    // Rows made into objects by SQLite's binding take nearly twice as long, and are slower to use.
    statement.setReturnArrays(true)
    this.#statements.set(sql, statement)
    return statement
  }
}
