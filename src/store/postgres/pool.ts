/**
 * What the store needs of a pool of connections: that of `pg`, and of whatever follows it. Written out, so that the types of a
 * program that brings its own pool need no package of ours.
 */
import { StoreUnusableError } from '../../session/errors.ts'

/** A query as `pg` takes it: by position, prepared under `name` where there is one, each row an array. */
export interface PostgresQuery {
  readonly text: string
  readonly values: unknown[]
  readonly name?: string
  readonly rowMode: 'array'
  readonly types: { getTypeParser(type: number): (text: string) => unknown }
}

/** One connection, as `pg`'s `PoolClient`. */
export interface PostgresClient {
  query(query: PostgresQuery): Promise<{ readonly rows: unknown[][]; readonly rowCount: number | null }>
  /** Gives it back; with `true` it is closed. */
  release(destroy?: boolean): void
  /** That the connection broke. */
  on(event: 'error', listener: (error: Error) => void): unknown
  off(event: 'error', listener: (error: Error) => void): unknown
}

/** A pool, as `pg`'s `Pool`. */
export interface PostgresPool {
  connect(): Promise<PostgresClient>
  end(): Promise<void>
  /** Of connections that break while nobody uses them. */
  on(event: 'error', listener: (error: Error) => void): unknown
  off(event: 'error', listener: (error: Error) => void): unknown
  /** Of new connections, before anybody has them. */
  on(event: 'connect', listener: (client: PostgresClient) => void): unknown
  off(event: 'connect', listener: (client: PostgresClient) => void): unknown
}

/** A pool of `pg` for a connection string. Throws `StoreUnusableError` where `pg` is not installed. */
export async function openPool(connectionString: string, connectionTimeoutMillis: number): Promise<PostgresPool> {
  const { default: pg } = await import('pg').catch((cause: unknown) => {
    throw new StoreUnusableError(
      'A connection string needs the package pg, which could not be loaded. Run: npm install pg',
      { cause },
    )
  })
  return new pg.Pool({
    connectionString,
    connectionTimeoutMillis,
    application_name: 'indelible',
    // A program that has nothing else to do may end, as with a SQLite file.
    allowExitOnIdle: true,
  })
}

/** How many stores use a pool: listeners are there once, however many there are. */
const users = new WeakMap<PostgresPool, number>()

/** Has connections break in silence: whoever uses one then sees it fail, and nobody else needs to know. */
export function watchPool(pool: PostgresPool): void {
  const count = users.get(pool) ?? 0
  users.set(pool, count + 1)
  if (count > 0) return
  // A restart of the server breaks the connections that wait in the pool. Without a listener that would end the process.
  pool.on('error', ignore)
  // A server that dies right after it took a connection says both in one packet: before `connect()` has resolved here.
  pool.on('connect', ignoreErrors)
}

/** Ends what {@link watchPool} began. */
export function unwatchPool(pool: PostgresPool): void {
  const count = (users.get(pool) ?? 1) - 1
  users.set(pool, count)
  if (count > 0) return
  pool.off('error', ignore)
  pool.off('connect', ignoreErrors)
}

/** For an error of which somebody else is told. */
export function ignore(): void {}

function ignoreErrors(client: PostgresClient): void {
  client.on('error', ignore)
}
