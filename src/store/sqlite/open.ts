/**
 * Opens a SQLite file, or makes one, and brings it to the newest schema, in one synchronous stretch.
 *
 * A new file is readable by its owner only, and so are the `-wal` and `-shm` files beside it, which take after it.
 */
import { writeFileSync } from 'node:fs'
import { dirname } from 'node:path'
import type { DatabaseSync } from 'node:sqlite'
import { StoreUnusableError } from '../../session/errors.ts'
import { migrate } from '../sql/migrate.ts'
import { dialect } from './dialect.ts'
import { isBusy, toStoreError } from './failure.ts'

/** How long opening waits for a lock, in milliseconds. */
const openingTimeoutMs = 10_000

/** How long a statement waits inside SQLite, in milliseconds. It stops the whole thread meanwhile. */
const statementTimeoutMs = 50

/** Opens the database at `path`, absolute or `:memory:`. Throws `StoreUnusableError`. */
export function openDatabase(path: string, durability: 'full' | 'normal'): DatabaseSync {
  const { DatabaseSync } = loadSqlite()
  if (path !== ':memory:') createFile(path)
  let database: DatabaseSync | undefined
  try {
    database = new DatabaseSync(path, { timeout: openingTimeoutMs })
    switchToWal(database)
    database.exec(`pragma synchronous = ${durability}`)
    // Where a plain sync leaves data in the drive's cache (macOS), ask for the whole way. Elsewhere this does nothing.
    if (durability === 'full') database.exec('pragma fullfsync = on')
    // Instead of 2 MB, taken as it is needed: a hundred sessions that are in use stay at hand in a database of 100,000.
    database.exec('pragma cache_size = -16384')
    // What is deleted is overwritten. Nothing else frees room, so that nothing else pays for it.
    database.exec('pragma secure_delete = on')
    migrateDatabase(database, path)
    database.exec(`pragma busy_timeout = ${statementTimeoutMs}`)
    return database
  } catch (error) {
    if (database?.isOpen) database.close()
    throw toStoreError(error, path)
  }
}

/** Node's SQLite, loaded when it is first needed. Throws `StoreUnusableError` where there is none. */
export function loadSqlite(): typeof import('node:sqlite') {
  const sqlite = process.getBuiltinModule?.('node:sqlite')
  if (sqlite === undefined) {
    throw new StoreUnusableError(
      `This runtime (Node ${process.versions.node}) has no node:sqlite. Use Node 22.18 or newer.`,
    )
  }
  return sqlite
}

/**
 * Makes the file unless it is there. One that is there is not even opened: closing it again would drop the locks that
 * other connections of this process hold on it (https://sqlite.org/howtocorrupt.html, section 2.2).
 */
function createFile(path: string): void {
  try {
    writeFileSync(path, '', { flag: 'wx', mode: 0o600 })
  } catch (error) {
    const code = (error as NodeJS.ErrnoException).code
    if (code === 'EEXIST') return
    throw new StoreUnusableError(
      code === 'ENOENT'
        ? `${path} cannot be made, because there is no folder ${dirname(path)}. Make the folder first.`
        : `${path} cannot be made: ${(error as Error).message}. Pass a path in a folder that you may write to.`,
      { cause: error },
    )
  }
}

/**
 * The first connection to a new file changes its mode, which needs a lock on all of it. Whoever meets that lock while it
 * holds one itself is refused at once, however long the timeout is, and has to come back.
 */
function switchToWal(database: DatabaseSync): void {
  const pauseMs = 10
  for (let waitedMs = 0; ; waitedMs += pauseMs) {
    try {
      database.exec('pragma journal_mode = wal')
      return
    } catch (error) {
      if (!isBusy(error) || waitedMs >= openingTimeoutMs) throw error
    }
    Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, pauseMs)
  }
}

/** Under the write lock, so that of several processes one migrates and the others find it done. */
function migrateDatabase(database: DatabaseSync, path: string): void {
  database.exec('begin immediate')
  try {
    const steps = migrate(dialect, path, new Date().toISOString())
    for (let step = steps.next(); step.done !== true;) {
      const statement = database.prepare(step.value.sql)
      statement.setReturnArrays(true)
      step = steps.next(statement.all(...(step.value.parameters as string[])) as unknown as string[][])
    }
    database.exec('commit')
  } catch (error) {
    if (database.isTransaction) database.exec('rollback')
    throw error
  }
}
