/**
 * PostgreSQL for the benches: a schema of their own, in the database that INDELIBLE_TEST_POSTGRES names or else in that of
 * a local server, and what boundaries cost there that many sessions take at the same time.
 */
import pg from 'pg'
import type { Json, StoredEvent } from '../src/index.ts'
import { createSessions } from '../src/index.ts'
import { createDialect } from '../src/store/postgres/dialect.ts'
import { postgresStore } from '../src/store/postgres/index.ts'
import { parts, prepareQueries, type Queries } from '../src/store/sql/queries.ts'
import { contextOver, sourceValues } from './fixtures.ts'
import type { Comparison } from './harness.ts'
import { releaseLater, type Place, type PlaceKind, type Row } from './places.ts'

const LOCAL = 'postgres://postgres@127.0.0.1:5432/postgres'
const CONNECTIONS = 8
/** Rows that one statement writes where a database is filled. */
const BATCH = 2_000

export interface PostgresKind extends PlaceKind {
  readonly version: string
  make(): Promise<PostgresPlace>
}

interface PostgresPlace extends Place {
  readonly pool: pg.Pool
  readonly schema: string
}

/** The kind of places that a server has, or, where none answers, why. */
export async function findPostgres(): Promise<PostgresKind | string> {
  const named = process.env['INDELIBLE_TEST_POSTGRES']
  const connectionString = named || LOCAL
  const pool = new pg.Pool({
    connectionString,
    max: CONNECTIONS,
    connectionTimeoutMillis: 2_000,
    allowExitOnIdle: true,
  })
  try {
    const { rows } = await pool.query<{ version: string }>(`select current_setting('server_version') as version`)
    releaseLater(() => pool.end())
    let places = 0
    return {
      name: 'PostgreSQL',
      version: rows[0]!.version,
      async make() {
        const schema = `indelible_bench_${process.pid}_${++places}`
        releaseLater(async () => {
          await pool.query(`drop schema if exists ${schema} cascade`)
        })
        return placeIn(pool, schema)
      },
    }
  } catch (error) {
    await pool.end()
    const where = named ? 'the server that INDELIBLE_TEST_POSTGRES names' : 'no server on 127.0.0.1:5432'
    return `${where} answers (${(error as Error).message}). Set INDELIBLE_TEST_POSTGRES to a connection string.`
  }
}

function placeIn(pool: pg.Pool, schema: string): PostgresPlace {
  return {
    pool,
    schema,
    async store() {
      const store = postgresStore({ pool, schema })
      releaseLater(() => store.close())
      return store
    },
    async fill(rows) {
      // The first use of a store makes its tables.
      await postgresStore({ pool, schema }).epochStart('none')
      const columns = ['session', ...parts] as const
      const types = columns.map((column) => (column === 'revision' || column === 'v' ? 'int[]' : 'text[]'))
      const insert = `insert into ${schema}.indelible_events (${columns.join(', ')})
        select * from unnest(${types.map((type, index) => `$${index + 1}::${type}`).join(', ')})`
      for (const batch of batches(rows)) {
        await pool.query(
          insert,
          columns.map((column) => batch.map((row) => row[column])),
        )
      }
      await pool.query(`vacuum analyze ${schema}.indelible_events`)
      await pool.query('checkpoint')
    },
  }
}

function* batches(rows: Iterable<Row>): Generator<readonly Row[]> {
  let batch: Row[] = []
  for (const row of rows) {
    batch.push(row)
    if (batch.length < BATCH) continue
    yield batch
    batch = []
  }
  if (batch.length > 0) yield batch
}

const SESSIONS = 8
/** Boundaries of each session, or inserts of each writer, in one sample. */
const EACH = 10

/** What a source of all sessions reads. */
let counter = 0

export function concurrentBoundaries(kind: PostgresKind): Comparison {
  let made: Promise<Busy> | undefined
  return {
    name: `boundaries with one change, ${SESSIONS} sessions at the same time, PostgreSQL`,
    against:
      'as many inserts by the same guarded statement, of the same bytes, by as many writers through the same pool',
    // At least 0.6 of the inserts in the same time.
    aim: 1 / 0.6,
    calls: 20,
    async prepare() {
      made ??= busySessions(kind)
      const { turns, inserts } = await made
      return { reference: () => allAtOnce(inserts), subject: () => allAtOnce(turns) }
    },
  }
}

interface Busy {
  /** One for each session: takes its next boundary. */
  readonly turns: readonly (() => Promise<unknown>)[]
  /** One for each writer: inserts its next row. */
  readonly inserts: readonly (() => Promise<unknown>)[]
}

async function allAtOnce(operations: readonly (() => Promise<unknown>)[]): Promise<void> {
  await Promise.all(
    operations.map(async (operation) => {
      for (let round = 0; round < EACH; round++) await operation()
    }),
  )
}

async function busySessions(kind: PostgresKind): Promise<Busy> {
  const { pool, schema, store: open } = await kind.make()
  const store = await open()
  const loaders = [...sourceValues(7).map((value) => (): Json => value), (): Json => counter]
  const sessions = createSessions({ store, context: contextOver(loaders), instructions: 'You review code.' })
  const turns = await Promise.all(
    Array.from({ length: SESSIONS }, async (_, index) => {
      const session = sessions.open(`session-${index}`)
      await session.submit({ role: 'user', content: 'The first question.' })
      await session.turn()
      return () => {
        counter++
        return session.turn()
      }
    }),
  )
  await turns[0]!()
  const boundary = (await store.read('session-0', 2))[0]!
  const { append } = prepareQueries(createDialect(schema))
  return { turns, inserts: turns.map((_, index) => bareWriter(pool, append, `bare-${index}`, boundary)) }
}

/** Inserts one row after the other, each the event with the next revision, under the guard that an append has. */
function bareWriter(
  pool: pg.Pool,
  append: Queries['append'],
  session: string,
  event: StoredEvent,
): () => Promise<void> {
  let expected = 0
  return async () => {
    const { sql: text, values } = append({ ...event, id: null, session, expected, revision: expected + 1 })
    const { rowCount } = await pool.query({ name: 'bench_append', text, values: [...values] })
    if (rowCount !== 1) throw new Error('A bare insert was refused.')
    expected++
  }
}
