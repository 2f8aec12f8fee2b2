/**
 * What every test of hostile input looks at besides the input itself: sessions that were in the store before, and an
 * error that may be thrown.
 */
import { afterAll, expect } from 'vitest'
import { combine, createSessions, defineSource, IndelibleError, memoryStore } from '../../src/index.ts'
import type { Context, EventStore, PlainMessage, Sessions, SessionsOptions, StoredEvent } from '../../src/index.ts'
import { postgresStore } from '../../src/store/postgres/index.ts'
import { sqliteStore } from '../../src/store/sqlite/index.ts'
import { serverOfTests, startPostgres, type TestPostgres } from '../support/postgres.ts'
import { assistant, calling, collect, countingIds, result, tickingClock, user } from '../support/session.ts'

/** A place where events are kept, of which any number of stores can be opened. */
export interface Place {
  /** A store over the data of this place; where it lives in one object, that object. */
  connect(): Promise<EventStore>
  /** Closes what was opened, and removes what was made. */
  remove(): Promise<void>
}

/** A kind of store, and how an empty place for one is made in `folder`. */
export interface StoreKind {
  readonly name: string
  /** The largest text that is tried, in units. */
  readonly largest: number
  /** The share of the usual histories that a property tries. */
  readonly share: number
  make(folder: string): Promise<Place>
}

let places = 0

/** One database for the test file that asks for it first; each place is a schema of its own. */
let postgres: Promise<TestPostgres> | undefined
afterAll(async () => (await postgres)?.close())

/** The kinds of stores there are. Each of the suites runs over all of them. */
export const storeKinds: readonly StoreKind[] = [
  {
    name: 'the memory store',
    largest: 20_000_000,
    share: 1,
    make() {
      const store = memoryStore()
      return Promise.resolve({ connect: () => Promise.resolve(store), remove: () => store.close() })
    },
  },
  {
    name: 'a SQLite file',
    largest: 20_000_000,
    share: 1,
    make(folder) {
      const path = `${folder}/events-${++places}.db`
      const opened: EventStore[] = []
      return Promise.resolve({
        connect() {
          const store = sqliteStore(path, { durability: 'normal' })
          opened.push(store)
          return Promise.resolve(store)
        },
        async remove() {
          await Promise.all(opened.map((store) => store.close()))
        },
      })
    },
  },
  {
    name: 'PostgreSQL',
    // PGlite takes a minute for as much as a server takes in seconds.
    largest: serverOfTests === undefined ? 2_000_000 : 20_000_000,
    share: serverOfTests === undefined ? 0.25 : 1,
    async make() {
      postgres ??= startPostgres()
      const { pool, newSchema, run } = await postgres
      const schema = newSchema()
      const opened: EventStore[] = []
      return {
        connect() {
          const store = postgresStore({ pool, schema })
          opened.push(store)
          return Promise.resolve(store)
        },
        async remove() {
          await Promise.all(opened.map((store) => store.close()))
          await run(`drop schema if exists ${schema} cascade`)
        },
      }
    },
  },
]

const branch = (): Context =>
  defineSource<string>({
    key: 'app/branch',
    codec: { encode: (value) => value, decode: String },
    load: () => 'main',
    baseline: (current) => `app/branch=${current}`,
    update: (_previous, current) => `app/branch=${current}`,
  })

/** Sessions over a store whose sources always say the same, unless others are given. */
export function sessionsOver<M = PlainMessage>(
  store: EventStore,
  options: Partial<SessionsOptions<M>> = {},
): Sessions<M> {
  return createSessions<M>({
    context: branch(),
    instructions: 'Be brief.',
    clock: tickingClock(),
    createId: countingIds(),
    ...options,
    store,
  })
}

/** Ids of the sessions that {@link settle} writes. */
const KEPT = 'neighbour'
const HOSTED = 'neighbour of the host'

/** What stood in a store before the hostile input came. */
export interface Settled {
  /** The rows that were written, by session. */
  readonly rows: ReadonlyMap<string, readonly StoredEvent[]>
}

/** Writes two sessions, one of each kind, with every part that a log has. */
export async function settle(store: EventStore): Promise<Settled> {
  let value = 'main'
  const read = (key: string, authority: 'system' | 'user'): Context =>
    defineSource<string>({
      key,
      codec: { encode: (text) => text, decode: String },
      load: () => value,
      baseline: (current) => `${key}=${current}`,
      update: (_previous, current) => `${key}=${current}`,
      authority,
    })
  const tools = (): readonly object[] => [{ name: 'read' }]
  const context = combine(read('app/branch', 'system'), read('app/notes', 'user'))
  const sessions = sessionsOver(store, { context, tools })
  const session = sessions.open(KEPT)
  await session.submit(user('one'), { id: 'one' })
  await (await session.turn()).answer([calling('c1')], { id: 'first', usage: { total: 10, raw: { x: 1 } } })
  await session.append([result('c1')], { id: 'results' })
  value = 'fix/login'
  const turn = await session.turn()
  const { revision } = await turn.answer([assistant('done')])
  await session.compact({ summary: [user('so far')], through: revision })
  await session.refused({ model: 'm', feature: 'native-updates' })
  await session.submit(user('two'))
  await (await session.turn()).answer([assistant('yes')])
  await session.submit(user('three'))
  const hosted = sessions.attach(HOSTED)
  await hosted.turn({ history: [user('one')] })
  value = 'main'
  await hosted.turn({ history: [user('one'), assistant('yes'), user('two')] })
  const rows = new Map<string, readonly StoredEvent[]>()
  for (const id of [KEPT, HOSTED]) rows.set(id, plain(await store.read(id, 0)))
  await expectSettled(store, { rows })
  return { rows }
}

/** The sessions of {@link settle} are as they were, to the byte, verify, can be read, and are listed. */
export async function expectSettled(store: EventStore, settled: Settled): Promise<void> {
  for (const [id, rows] of settled.rows) expect(plain(await store.read(id, 0)), id).toEqual(rows)
  const sessions = sessionsOver(store)
  for (const session of [sessions.open(KEPT), sessions.attach(HOSTED)]) {
    expect(await session.verify(), session.id).toEqual({ ok: true, problems: [] })
    expect(await collect(session.events())).toHaveLength(settled.rows.get(session.id)!.length)
  }
  const listed = (await collect(sessions.list())).map(({ id }) => id)
  expect(listed).toEqual(expect.arrayContaining([KEPT, HOSTED]))
}

export function plain(rows: readonly StoredEvent[]): StoredEvent[] {
  return rows.map((row) => ({ ...row }))
}

/** What came of a hostile operation: a value, or an error of ours. Any other error fails the test. */
export type Outcome<T> = { readonly value: T } | { readonly error: IndelibleError }

/** Runs `act`, which may end in an error of ours and in no other. */
export async function outcomeOf<T>(act: () => T | Promise<T>): Promise<Outcome<T>> {
  try {
    return { value: await act() }
  } catch (error) {
    if (error instanceof IndelibleError) {
      expect(error.message).not.toBe('')
      return { error }
    }
    throw error
  }
}

/** The code of the error that came of it; `undefined` where it worked. */
export function codeOf(outcome: Outcome<unknown>): string | undefined {
  return 'error' in outcome ? outcome.error.code : undefined
}

/** How many histories a property tries: `LAWS_RUNS`, or a number that takes seconds; of either, a share. */
export function runs(usual: number, share = 1): number {
  return Math.ceil(Number(process.env['LAWS_RUNS'] ?? usual) * share)
}
