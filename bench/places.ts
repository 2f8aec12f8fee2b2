/** Where the benches keep sessions: databases of their own, made for them and gone with `releasePlaces`. */
import { mkdtempSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import type { EventStore, StoredEvent } from '../src/index.ts'
import { checksum } from '../src/session/event.ts'
import { sqliteStore } from '../src/store/sqlite/index.ts'

/** A database that is there for the benches alone. */
export interface Place {
  /** Opens a store on it. */
  store(): Promise<EventStore>
  /** Writes `rows` as they are, and has the database settle as one that has been in use for days. */
  fill(rows: Iterable<Row>): Promise<void>
}

/** A kind of database, and how one is made. */
export interface PlaceKind {
  readonly name: string
  make(): Promise<Place>
}

interface SqliteKind extends PlaceKind {
  make(): Promise<Place & { readonly file: string }>
}

/** An event of any session, as it lies in a database. */
export type Row = StoredEvent & { readonly session: string }

const releases: (() => Promise<void> | void)[] = []

/** Has `release` called by {@link releasePlaces}. */
export function releaseLater(release: () => Promise<void> | void): void {
  releases.push(release)
}

/** Closes every store that a place has opened, and removes every place. */
export async function releasePlaces(): Promise<void> {
  for (const release of releases.splice(0).reverse()) await release()
}

// On the disk that the project is on: a temporary folder may be memory.
export function temporaryFolder(): string {
  return mkdtempSync(join(process.cwd(), '.bench-'))
}

export const onSqlite: SqliteKind = {
  name: 'SQLite',
  async make() {
    const folder = temporaryFolder()
    releaseLater(() => {
      rmSync(folder, { recursive: true })
    })
    const file = join(folder, 'bench.db')
    return {
      file,
      async store() {
        const store = sqliteStore(file)
        releaseLater(() => store.close())
        return store
      },
      async fill(rows) {
        await sqliteStore(file).close()
        const database = new DatabaseSync(file)
        database.exec('pragma synchronous = off; begin')
        const insert = database.prepare(
          'insert into indelible_events (session, revision, type, v, id, at, body, checksum) values (?, ?, ?, ?, ?, ?, ?, ?)',
        )
        for (const { session, revision, type, v, id, at, body, checksum } of rows) {
          insert.run(session, revision, type, v, id, at, body, checksum)
        }
        database.exec('commit; analyze; pragma wal_checkpoint(truncate)')
        database.close()
      },
    }
  },
}

/**
 * The rows of a database in which all these sessions went on side by side, each by the same events: the first event of
 * every session, then the second of every session. So those of one session lie as far apart as they can.
 */
export function* sideBySide(sessions: readonly string[], events: readonly StoredEvent[]): Generator<Row> {
  for (const event of events) {
    for (const session of sessions) yield { ...event, session, checksum: checksum(session, event) }
  }
}
