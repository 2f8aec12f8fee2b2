/** `indelible/sqlite`: the event store in one SQLite file, on the `node:sqlite` that comes with Node. */
import { resolve } from 'node:path'
import { bringNodeSha256 } from '../bring-sha256.ts'
import { SqlStore, type SqlEventStore } from '../sql/store.ts'
import { dialect } from './dialect.ts'
import { SqliteEngine } from './engine.ts'
import { openReadOnly } from './open-read-only.ts'
import { openDatabase } from './open.ts'

/** How long a call waits for other processes, in milliseconds. Far longer than any of ours holds the lock. */
const patienceMs = 30_000

export type { PurgeResult, SqlEventStore } from '../sql/store.ts'

export interface SqliteStoreOptions {
  /**
   * What an append has survived when it resolves. `'full'`, unless said: the machine losing power. `'normal'`: this
   * process being killed; a power loss can take back the newest appends, but never leaves half of one or a damaged file.
   */
  durability?: 'full' | 'normal'
  /** `true`: only looks. Makes, migrates and locks nothing; every append throws. The file must be there, of this release. */
  readOnly?: boolean
}

/**
 * Opens the store in the SQLite file at `path`, or in memory at `':memory:'`. Makes the file, readable by its owner only,
 * where there is none, and brings an older one to the newest schema. Several processes may use one file at the same time.
 * Throws `StoreUnusableError` when there is no such folder, and for a file that is no SQLite database, is of a newer
 * release or cannot be written.
 */
export function sqliteStore(path: string, options: SqliteStoreOptions = {}): SqlEventStore {
  bringNodeSha256()
  if (options.readOnly === true) return openReadOnly(path, patienceMs)
  const place = path === ':memory:' ? path : resolve(path)
  const database = openDatabase(place, options.durability ?? 'full')
  return new SqlStore(new SqliteEngine(database, place, patienceMs), dialect)
}
