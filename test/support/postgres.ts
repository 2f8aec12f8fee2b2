/**
 * A PostgreSQL database for tests: the one that `INDELIBLE_TEST_POSTGRES` names, or PGlite behind a socket, so that the real
 * driver talks to a real server's code wherever `npm test` runs. PGlite serves one connection at a time.
 */
import { PGlite } from '@electric-sql/pglite'
import { PGLiteSocketServer } from '@electric-sql/pglite-socket'
import pg from 'pg'

export interface TestPostgres {
  readonly connectionString: string
  /** Whether several connections can be open at once. */
  readonly isServer: boolean
  /** A pool of as many connections as there can be: one of PGlite's. It is ended in the end. */
  readonly pool: pg.Pool
  /** A schema that nobody has; it is dropped in the end. */
  newSchema(): string
  /** Runs SQL past the store, on the pool. */
  run(sql: string, values?: unknown[]): Promise<unknown[][]>
  close(): Promise<void>
}

/** The variable with the connection string of a server for tests, where there is one. */
export const serverOfTests: string | undefined = process.env['INDELIBLE_TEST_POSTGRES'] || undefined

/** Why a case that needs several connections is skipped; undefined where it can be run. */
export const needsServer: string | undefined =
  serverOfTests === undefined ? 'PGlite serves one connection: set INDELIBLE_TEST_POSTGRES to a server' : undefined

let schemas = 0

export async function startPostgres(): Promise<TestPostgres> {
  const embedded = serverOfTests === undefined ? await startEmbedded() : undefined
  const connectionString = serverOfTests ?? embedded!.connectionString
  const made: string[] = []
  const pool = new pg.Pool({ connectionString, max: embedded === undefined ? 8 : 1 })
  const run = async (text: string, values: unknown[] = []): Promise<unknown[][]> =>
    (await pool.query<unknown[]>({ text, values, rowMode: 'array' })).rows
  return {
    connectionString,
    isServer: embedded === undefined,
    pool,
    newSchema() {
      const schema = `indelible_test_${process.pid}_${Date.now().toString(36)}_${++schemas}`
      made.push(schema)
      return schema
    },
    run,
    async close() {
      if (embedded === undefined) {
        for (const schema of made) await run(`drop schema if exists ${schema} cascade`)
      }
      await pool.end()
      await embedded?.close()
    },
  }
}

async function startEmbedded(): Promise<{ connectionString: string; close(): Promise<void> }> {
  const database = await PGlite.create()
  const server = new PGLiteSocketServer({ db: database, host: '127.0.0.1', port: 0 })
  await server.start()
  const port = server.getServerConn().split(':').at(-1)
  return {
    connectionString: `postgres://postgres@127.0.0.1:${port}/postgres`,
    async close() {
      await server.stop()
      await database.close()
    },
  }
}
