/** What the store makes of a server that is gone, comes back, refuses or takes too long. */
import { setTimeout } from 'node:timers/promises'
import pg from 'pg'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { startFlakyProxy, type FlakyProxy } from '../../../test/support/flaky-proxy.ts'
import { needsServer, startPostgres, type TestPostgres } from '../../../test/support/postgres.ts'
import { StoreUnusableError } from '../../session/errors.ts'
import type { EventStore, StoredEvent } from '../../session/store.ts'
import { postgresStore } from './index.ts'

let postgres: TestPostgres
let proxy: FlakyProxy
let schema: string
let pool: pg.Pool
let store: EventStore

beforeAll(async () => {
  postgres = await startPostgres()
  proxy = await startFlakyProxy(Number(new URL(postgres.connectionString).port || 5432))
})
afterAll(async () => {
  await proxy.close()
  await postgres.close()
})

beforeEach(() => {
  schema = postgres.newSchema()
  // One connection: PGlite has no other to give.
  pool = new pg.Pool({ connectionString: through(proxy.port), max: 1 })
  store = postgresStore({ pool, schema })
})
afterEach(async () => {
  await store.close()
  await pool.end()
})

/** The address of the test's database behind another port. */
function through(port: number, parameters = ''): string {
  const url = new URL(postgres.connectionString)
  url.hostname = '127.0.0.1'
  url.port = String(port)
  return `${url.href}${parameters}`
}

describe.each(['request', 'answer'] as const)('when a connection is lost with the %s', (what) => {
  it.each([1, 2])('an append of %i events is there once, and its caller is told so', async (count) => {
    const events = [event(1), event(2)].slice(0, count)
    await store.append('other', 0, [event(1)])
    await store.append('other', 1, [event(2), event(3)])
    proxy.lose(what, 'only-here')
    expect(await store.append('session', 0, events)).toBe(true)
    expect(await store.read('session', 0)).toEqual(events)
    expect(await store.append('session', 0, events)).toBe(false)
  })

  it('reads are done again', async () => {
    await store.append('only-here', 0, [event(1)])
    proxy.lose(what, 'only-here', 3)
    expect(await store.read('only-here', 0)).toEqual([event(1)])
    proxy.lose(what, 'only-here')
    expect((await store.find('only-here', 'input', 'id only-here 1'))?.revision).toBe(1)
  })

  it('a session is deleted all the same', async () => {
    await store.append('only-here', 0, [event(1)])
    proxy.lose(what, 'only-here')
    await store.delete('only-here')
    expect(await store.read('only-here', 0)).toEqual([])
  })

  it('again and again, the caller is told, and nothing is half-written', async () => {
    await store.append('other', 0, [event(1)])
    proxy.lose(what, 'only-here', 1_000)
    const appended = store.append('session', 0, [event(1), event(2), event(3)])
    if (what === 'request') {
      await expect(appended).rejects.toThrow(StoreUnusableError)
      await expect(store.append('session', 0, [event(1)])).rejects.toThrow('do the same again under the same id')
    } else await expect(appended).resolves.toBe(true)
    proxy.lose(what, 'nothing at all')
    expect(await store.read('session', 0)).toHaveLength(what === 'request' ? 0 : 3)
  })
})

describe('a store on PostgreSQL', () => {
  it('says no where another was first while its connection was lost', async () => {
    await store.append('session', 0, [event(1)])
    proxy.lose('request', 'only-here', 2)
    const lost = store.append('session', 1, [event(2)])
    // The other takes the place between the two attempts, on the connection that is to be had then.
    const other = postgresStore({ pool, schema })
    const [own, others] = await Promise.all([lost, other.append('session', 1, [{ ...event(2), body: '"other"' }])])
    expect([own, others].filter(Boolean)).toHaveLength(1)
    expect(await store.read('session', 0)).toHaveLength(2)
  })

  it('outlives connections that break while nobody uses them', async () => {
    await store.append('session', 0, [event(1)])
    const { connections } = proxy
    proxy.breakAll()
    await setTimeout(20)
    expect(await store.read('session', 0)).toEqual([event(1)])
    expect(proxy.connections).toBe(connections + 1)
  })

  it('waits for a server that is not there yet, as long as it has patience', async () => {
    const vacant = await startFlakyProxy(1)
    const { port } = vacant
    await vacant.close()
    const impatient = postgresStore({ connectionString: through(port), patienceMs: 50 })
    await expect(impatient.read('session', 0)).rejects.toThrow(StoreUnusableError)
    await expect(impatient.read('session', 0)).rejects.toThrow(
      'schema "indelible" of the PostgreSQL database is unusable: nothing listens there. Check that it runs',
    )
    await impatient.close()
  })

  it('prepares no statements where a pooler loses them', async () => {
    await store.append('session', 0, [event(1)])
    const client = await pool.connect()
    await client.query('deallocate all')
    client.release()
    expect(await store.append('session', 1, [event(2)])).toBe(true)
    expect(await store.read('session', 0)).toHaveLength(2)
  })

  it('reads numbers whatever the program has told pg of them', async () => {
    const parser = pg.types.getTypeParser(pg.types.builtins.INT4)
    pg.types.setTypeParser(pg.types.builtins.INT4, (text) => `number ${text}`)
    try {
      await store.append('session', 0, [event(1)])
      expect(await store.read('session', 0)).toEqual([event(1)])
    } finally {
      pg.types.setTypeParser(pg.types.builtins.INT4, parser)
    }
  })

  it('leaves a pool open that it was given', async () => {
    await store.append('session', 0, [event(1)])
    await store.close()
    expect((await pool.query('select 1 as one')).rows).toEqual([{ one: 1 }])
    expect([pool.listenerCount('error'), pool.listenerCount('connect')]).toEqual([0, 0])
  })

  it('listens to a pool once, however many stores use it', async () => {
    const stores = Array.from({ length: 12 }, () => postgresStore({ pool, schema }))
    for (const one of stores) await one.read('session', 0)
    expect(pool.listenerCount('error')).toBe(1)
    for (const one of stores) await one.close()
    expect(pool.listenerCount('error')).toBe(0)
  })

  it.each(['\0', 'half \ud800 a pair'])('refuses a text that it would store as another: %j', async (body) => {
    await expect(store.append('session', 0, [{ ...event(1), body }])).rejects.toThrow(StoreUnusableError)
    await expect(store.append('session', 0, [event(1), { ...event(2), body }])).rejects.toThrow(StoreUnusableError)
    expect(await store.read('session', 0)).toEqual([])
  })

  it('refuses a schema of a newer release, and leaves it as it is', async () => {
    await store.append('session', 0, [event(1)])
    await pool.query(`insert into ${schema}.indelible_migrations values (1000, '2030-01-01T00:00:00.000Z')`)
    const older = postgresStore({ pool, schema })
    await expect(older.read('session', 0)).rejects.toThrow('was written by a newer release of Indelible')
    expect((await pool.query(`select 1 from ${schema}.indelible_events`)).rowCount).toBe(1)
  })

  it.each([
    [{}, 'either a connectionString or a pool'],
    [{ connectionString: 'postgres://localhost', schema: '' }, 'is no name that PostgreSQL takes'],
    [{ connectionString: 'postgres://localhost', schema: 'é'.repeat(32) }, 'is no name that PostgreSQL takes'],
    [{ connectionString: 'postgres://localhost', patienceMs: -1 }, 'patienceMs is -1'],
  ])('refuses the options %j', (options, message) => {
    expect(() => postgresStore(options)).toThrow(message)
  })

  it('takes any name for its schema', async () => {
    const name = `${postgres.newSchema()} "quoted"; --`
    const odd = postgresStore({ pool, schema: name })
    expect(await odd.append('session', 0, [event(1), event(2)])).toBe(true)
    expect(await odd.read('session', 0)).toHaveLength(2)
    await pool.query(`drop schema "${name.replaceAll('"', '""')}" cascade`)
  })
})

describe.skipIf(needsServer)('a store on a PostgreSQL server', () => {
  it('says so when a statement takes too long, and has written nothing', async () => {
    await store.append('session', 0, [event(1)])
    const hasty = postgresStore({
      connectionString: through(proxy.port, '?options=-c%20statement_timeout%3D200'),
      schema,
    })
    await hasty.read('session', 0)
    const holder = await postgres.pool.connect()
    await holder.query(`begin; lock table ${schema}.indelible_events in access exclusive mode`)
    for (const events of [[event(2)], [event(2), event(3)]]) {
      await expect(hasty.append('session', 1, events)).rejects.toThrow('the statement was cancelled')
    }
    await expect(hasty.read('session', 0)).rejects.toThrow(StoreUnusableError)
    await holder.query('rollback')
    holder.release()
    expect(await hasty.read('session', 0)).toEqual([event(1)])
    expect(await hasty.append('session', 1, [event(2), event(3)])).toBe(true)
    await hasty.close()
  })

  it.each(['serializable', 'repeatable read'])('lets one append win where transactions are %s', async (level) => {
    const options = `?options=-c%20default_transaction_isolation%3D${encodeURIComponent(level.replaceAll(' ', '\\ '))}`
    const strict = postgresStore({ connectionString: through(proxy.port, options), schema })
    for (let revision = 0; revision < 5; revision++) {
      const won = await Promise.all(
        Array.from({ length: 40 }, () => strict.append('session', revision, [{ ...event(revision + 1), id: null }])),
      )
      expect(won.filter(Boolean)).toHaveLength(1)
    }
    await strict.close()
  })

  it('says what is wrong with a connection string', async () => {
    const wrong = new URL(through(proxy.port))
    wrong.pathname = '/no_such_database'
    const lost = postgresStore({ connectionString: wrong.href })
    await expect(lost.read('session', 0)).rejects.toThrow('there is no such database')
    await lost.close()
  })

  it('refuses a database that cannot hold every text', async () => {
    const name = `${schema}_latin1`
    await postgres.run(`create database ${name} encoding 'LATIN1' template template0 lc_collate 'C' lc_ctype 'C'`)
    const url = new URL(postgres.connectionString)
    url.pathname = `/${name}`
    const narrow = postgresStore({ connectionString: url.href })
    await expect(narrow.read('session', 0)).rejects.toThrow('its encoding is LATIN1')
    await narrow.close()
    await postgres.run(`drop database ${name}`)
  })
})

function event(revision: number): StoredEvent {
  const id = `id only-here ${revision}`
  return { revision, type: 'input', v: 1, id, at: '', body: '{}', checksum: '' }
}
