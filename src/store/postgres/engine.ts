/**
 * The engine over a pool of PostgreSQL connections.
 *
 * A connection is held for one statement, or for one transaction of several; nothing else is awaited meanwhile. Where the
 * server cannot be reached, what has not been sent, and what only reads, is tried again until it can be, or patience ends.
 * A write whose answer was lost is not: the store looks whether it is there.
 */
import { setTimeout } from 'node:timers/promises'
import { digest } from '../../base/digest.ts'
import { StoreUnusableError } from '../../session/errors.ts'
import { OutcomeUnknownError, type SqlEngine, type SqlValue, type Statement } from '../sql/engine.ts'
import { isConflict, isDuplicate, isUnprepared, isUnreachable, toStoreError } from './failure.ts'
import { migrateSchema } from './migrate.ts'
import { ignore, unwatchPool, watchPool, type PostgresClient, type PostgresPool, type PostgresQuery } from './pool.ts'

const INT4 = 23
/** Of the program's own, because a program may have told `pg` to read integers as something else. */
const types: PostgresQuery['types'] = {
  getTypeParser: (type) => (type === INT4 ? Number : (text) => text),
}

/** Serialization failures and deadlocks that one call may meet in a row. */
const MAX_CONFLICTS = 20

export interface PostgresEngineOptions {
  /** The pool, opened when it is first needed. */
  readonly open: () => Promise<PostgresPool>
  /** Whether closing the store ends the pool. */
  readonly owned: boolean
  readonly schema: string
  /** How long one call goes on trying while the server cannot be reached, in milliseconds. */
  readonly patienceMs: number
}

/** Runs statements on connections of a pool, in a schema that it brings up to date before the first. */
export class PostgresEngine implements SqlEngine {
  readonly #options: PostgresEngineOptions
  readonly #name: string
  readonly #names = new Map<string, string>()
  #pool: Promise<PostgresPool> | undefined
  #ready: Promise<void> | undefined
  #prepares = true
  #closed = false

  constructor(options: PostgresEngineOptions) {
    this.#options = options
    this.#name = `schema ${JSON.stringify(options.schema)} of the PostgreSQL database`
  }

  async select(statement: Statement): Promise<readonly (readonly SqlValue[])[]> {
    await this.#migrated()
    const { rows } = await this.#withClient('read', (client) => this.#query(client, statement))
    return rows as SqlValue[][]
  }

  async write(statements: readonly Statement[]): Promise<boolean> {
    for (const statement of statements) for (const value of statement.values) checkText(value)
    await this.#migrated()
    return this.#withClient('write', async (client) => {
      try {
        // A lone statement is a transaction by itself.
        if (statements.length === 1) return await this.#changes(client, statements[0]!)
        return await this.#transaction(client, statements)
      } catch (error) {
        if (isDuplicate(error)) return false
        throw error
      }
    })
  }

  async close(): Promise<void> {
    if (this.#closed) return
    this.#closed = true
    const pool = await this.#pool?.catch(() => undefined)
    if (pool !== undefined) unwatchPool(pool)
    if (this.#options.owned) await pool?.end()
  }

  /** What failed is tried again by the next call. */
  #migrated(): Promise<void> {
    this.#ready ??= this.#withClient('read', (client) => migrateSchema(client, this.#options.schema, this.#name)).catch(
      (error: unknown) => {
        this.#ready = undefined
        throw error
      },
    )
    return this.#ready
  }

  /**
   * Lends a connection to `work`, again and again while the server cannot be reached. Work that may have been done although
   * it failed is done again if it only reads; otherwise it rejects with `OutcomeUnknownError`.
   */
  async #withClient<T>(kind: 'read' | 'write', work: (client: PostgresClient) => Promise<T>): Promise<T> {
    const deadline = performance.now() + this.#options.patienceMs
    for (let conflicts = 0; ;) {
      const failure = await this.#attempt(work)
      if ('result' in failure) return failure.result
      const { error, sent } = failure
      if (isConflict(error) && conflicts++ < MAX_CONFLICTS) continue
      if (isUnprepared(error) && this.#prepares) {
        this.#prepares = false
        continue
      }
      const isLost = isUnreachable(error)
      if (isLost && sent && kind === 'write') throw new OutcomeUnknownError(this.#name, { cause: error })
      if (!isLost || performance.now() >= deadline) throw toStoreError(error, this.#name)
      // Of random length, so that a herd does not come back together.
      await setTimeout(20 + Math.random() * 180)
    }
  }

  async #attempt<T>(
    work: (client: PostgresClient) => Promise<T>,
  ): Promise<{ result: T } | { error: unknown; sent: boolean }> {
    if (this.#closed) throw new StoreUnusableError(`The store in ${this.#name} was closed. Open it again.`)
    this.#pool ??= this.#open()
    let client: PostgresClient
    try {
      client = await (await this.#pool).connect()
    } catch (error) {
      return { error, sent: false }
    }
    // A connection that breaks fails its query and says so itself, which without a listener would end the process.
    client.on('error', ignore)
    let isBroken = false
    try {
      return { result: await work(client) }
    } catch (error) {
      // An error of the server leaves a connection as good as it was; one that is lost, or in the middle of something, is not.
      isBroken = isUnreachable(error) || error instanceof TornTransactionError
      return { error: error instanceof TornTransactionError ? error.cause : error, sent: true }
    } finally {
      client.off('error', ignore)
      client.release(isBroken)
    }
  }

  async #open(): Promise<PostgresPool> {
    const pool = await this.#options.open()
    watchPool(pool)
    return pool
  }

  async #transaction(client: PostgresClient, statements: readonly Statement[]): Promise<boolean> {
    try {
      await this.#run(client, 'begin isolation level read committed')
      for (const statement of statements) {
        if (await this.#changes(client, statement)) continue
        await this.#run(client, 'rollback')
        return false
      }
      await this.#run(client, 'commit')
      return true
    } catch (error) {
      await this.#run(client, 'rollback').catch(() => {
        throw new TornTransactionError(error)
      })
      throw error
    }
  }

  async #changes(client: PostgresClient, statement: Statement): Promise<boolean> {
    return (await this.#query(client, statement)).rowCount !== 0
  }

  #run(client: PostgresClient, sql: string): Promise<unknown> {
    return client.query({ text: sql, values: [], rowMode: 'array', types })
  }

  #query(client: PostgresClient, { sql, values }: Statement): ReturnType<PostgresClient['query']> {
    const query: PostgresQuery = { text: sql, values: [...values], rowMode: 'array', types }
    return client.query(this.#prepares ? { ...query, name: this.#nameOf(sql) } : query)
  }

  /** Each text is prepared once per connection; the store has a fixed number of them. The name follows from the text: pools are shared. */
  #nameOf(sql: string): string {
    let name = this.#names.get(sql)
    if (name === undefined) {
      name = `indelible_${digest(sql).slice(0, 32)}`
      this.#names.set(sql, name)
    }
    return name
  }
}

/** A transaction that could not even be rolled back: its connection cannot be used again. */
class TornTransactionError extends Error {
  constructor(cause: unknown) {
    super('A transaction could not be rolled back.', { cause })
    this.name = 'TornTransactionError'
  }
}

/** `pg` would store U+FFFD for half a character without a word. */
function checkText(value: SqlValue): void {
  if (typeof value !== 'string' || (value.isWellFormed() && !value.includes('\0'))) return
  throw new StoreUnusableError(
    'PostgreSQL cannot store a text with a NUL character or half of a surrogate pair. Escape it, as JSON.stringify does.',
  )
}
