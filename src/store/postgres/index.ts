/** `indelible/postgres`: the event store in a PostgreSQL database, for agents on many machines. */
import { OptionInvalidError } from '../../session/errors.ts'
import { bringNodeSha256 } from '../bring-sha256.ts'
import { SqlStore, type SqlEventStore } from '../sql/store.ts'
import { createDialect } from './dialect.ts'
import { PostgresEngine } from './engine.ts'
import { openPool, type PostgresPool } from './pool.ts'

export type { PurgeResult, SqlEventStore } from '../sql/store.ts'
export type { PostgresClient, PostgresPool, PostgresQuery } from './pool.ts'

/** Where the store is; give a `pool` or a `connectionString`. */
export interface PostgresStoreOptions {
  /** As `pg` takes it, `postgres://user:password@host:5432/database`. The store opens a pool of its own, and closes it. */
  readonly connectionString?: string
  /** A pool of `pg`, or one that follows it. The store uses it and leaves it open. */
  readonly pool?: PostgresPool
  /** The schema that holds the tables, `indelible` unless said. It is made where there is none. */
  readonly schema?: string
  /** How long a call goes on trying while the server cannot be reached, in milliseconds: 10,000 unless said. */
  readonly patienceMs?: number
}

const defaultPatienceMs = 10_000

/** A connection takes this long on a machine that has much to do: giving up earlier, to begin anew, only adds to that. */
const connectingMs = 10_000

/** PostgreSQL cuts off longer names without a word. */
const MAX_NAME_BYTES = 63

/**
 * Opens the store in a PostgreSQL database (11 or newer, encoding UTF8). Connects at the first call, which also brings the
 * schema up to date; several processes may do so at once. Throws `OptionInvalidError`; calls reject with `StoreUnusableError`
 * while the database cannot do what it is asked.
 */
export function postgresStore(options: PostgresStoreOptions): SqlEventStore {
  const { connectionString, pool, schema = 'indelible', patienceMs = defaultPatienceMs } = options
  if ((connectionString === undefined) === (pool === undefined)) {
    throw new OptionInvalidError('postgresStore takes either a connectionString or a pool. Pass one of them.')
  }
  if (schema === '' || schema.includes('\0') || new TextEncoder().encode(schema).length > MAX_NAME_BYTES) {
    throw new OptionInvalidError(
      `The schema ${JSON.stringify(schema)} is no name that PostgreSQL takes: 1 to ${MAX_NAME_BYTES} bytes.`,
    )
  }
  if (!Number.isFinite(patienceMs) || patienceMs < 0) {
    throw new OptionInvalidError(`patienceMs is ${patienceMs}. Pass a number of milliseconds.`)
  }
  bringNodeSha256()
  const open = async (): Promise<PostgresPool> =>
    pool ?? openPool(connectionString!, Math.max(connectingMs, patienceMs))
  const engine = new PostgresEngine({ open, owned: pool === undefined, schema, patienceMs })
  return new SqlStore(engine, createDialect(schema))
}
