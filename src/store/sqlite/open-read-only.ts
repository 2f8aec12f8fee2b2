/**
 * A SQLite file as an event store that is only read: nothing is made, migrated or locked, so that looking at a file is safe
 * whatever it is, and while others write to it.
 */
import { existsSync, statSync } from 'node:fs'
import { resolve } from 'node:path'
import type { DatabaseSync } from 'node:sqlite'
import { pathToFileURL } from 'node:url'
import { StoreUnusableError } from '../../session/errors.ts'
import { migrations } from '../sql/migrations.ts'
import { SqlStore, type SqlEventStore } from '../sql/store.ts'
import { dialect } from './dialect.ts'
import { SqliteEngine } from './engine.ts'
import { isReadOnly, toStoreError } from './failure.ts'
import { loadSqlite } from './open.ts'

/** Opens the file at `path`. Throws `StoreUnusableError` when it is not there, not a database, or of another release. */
export function openReadOnly(path: string, patienceMs: number): SqlEventStore {
  const file = resolve(path)
  if (statSync(file, { throwIfNoEntry: false })?.isFile() !== true) {
    throw new StoreUnusableError(
      `There is no file ${file}. Give the path of a file that sqliteStore or the demo wrote.`,
    )
  }
  const alone = !existsSync(`${file}-wal`)
  try {
    return new ReadStore(openChecked(file, file), file, alone, patienceMs)
  } catch (error) {
    if (alone && isReadOnly(error)) return openImmutable(file, patienceMs)
    if (alone) tidy(file)
    throw toStoreError(error, file)
  }
}

/**
 * Even to read, SQLite makes a file beside a database in WAL mode. Where nobody may write, nobody else does, and it can be told
 * that nothing will change (https://sqlite.org/uri.html#uriimmutable).
 */
function openImmutable(file: string, patienceMs: number): SqlEventStore {
  const url = pathToFileURL(file)
  url.searchParams.set('immutable', '1')
  try {
    return new ReadStore(openChecked(url, file), file, false, patienceMs)
  } catch (error) {
    throw toStoreError(error, file)
  }
}

function openChecked(place: string | URL, file: string): DatabaseSync {
  const database = new (loadSqlite().DatabaseSync)(place, { readOnly: true })
  try {
    checkSchema(database, file)
    return database
  } catch (error) {
    database.close()
    throw error
  }
}

class ReadStore extends SqlStore {
  readonly #file: string
  readonly #alone: boolean

  constructor(database: DatabaseSync, file: string, alone: boolean, patienceMs: number) {
    super(new SqliteEngine(database, file, patienceMs), dialect)
    this.#file = file
    this.#alone = alone
  }

  override async close(): Promise<void> {
    await super.close()
    if (this.#alone) tidy(this.#file)
  }
}

/**
 * Removes the empty `-wal` and `-shm` files that reading made and that a reader may not remove: SQLite does it when the last
 * connection that could write closes, and leaves them to whoever else has the file open by now.
 */
function tidy(file: string): void {
  try {
    const database = new (loadSqlite().DatabaseSync)(file)
    database.prepare('select 1 from sqlite_schema').get()
    database.close()
  } catch {
    // A file that may not be written, or no database: the empty files are harmless.
  }
}

function checkSchema(database: DatabaseSync, file: string): void {
  const table = database.prepare(`select 1 from sqlite_schema where name = 'indelible_migrations'`).get()
  if (table === undefined) {
    throw new StoreUnusableError(`${file} is a SQLite file, but holds no sessions of Indelible.`)
  }
  const { number } = database.prepare('select max(number) as number from indelible_migrations').get() as {
    number: number
  }
  if (number > migrations.length) {
    throw new StoreUnusableError(
      `${file} was written by a newer release: its schema is ${number}, this one reads up to ${migrations.length}. Update Indelible.`,
    )
  }
  if (number < migrations.length) {
    throw new StoreUnusableError(
      `${file} was written by an older release: its schema is ${number}, this one reads ${migrations.length}. ` +
        'Open it once with sqliteStore, which brings it up to date.',
    )
  }
}
