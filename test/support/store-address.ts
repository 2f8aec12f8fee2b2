/** Where a store is, in words that another process can be told. */
import pg from 'pg'
import type { EventStore } from '../../src/index.ts'
import { postgresStore } from '../../src/store/postgres/index.ts'
import { sqliteStore } from '../../src/store/sqlite/index.ts'

export type StoreAddress =
  | { readonly type: 'sqlite'; readonly path: string }
  | {
      readonly type: 'postgres'
      readonly connectionString: string
      readonly schema: string
      /** `true`: the store has no patience with a server that cannot be reached, and the connections of a pool of ours. */
      readonly impatient?: boolean
    }

export function openStore(address: StoreAddress): EventStore {
  if (address.type === 'sqlite') return sqliteStore(address.path)
  const { connectionString, schema, impatient = false } = address
  if (!impatient) return postgresStore({ connectionString, schema })
  // Connecting may take its time where many do it at once; whoever gives up too early makes that worse.
  const pool = new pg.Pool({ connectionString, connectionTimeoutMillis: 30_000, allowExitOnIdle: true })
  return postgresStore({ pool, schema, patienceMs: 0 })
}
