/**
 * How many statements each operation of a session costs, on every store. Each is a round trip on a server and a lock on a
 * file, so that one more is a decision: it changes this table.
 */
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest'
import { memoryStore, type EventStore, type PlainMessage, type Session } from '../src/index.ts'
import { postgresStore } from '../src/store/postgres/index.ts'
import { sqliteStore } from '../src/store/sqlite/index.ts'
import { countPostgres, countSqlite } from './support/counted-statements.ts'
import { startPostgres, type TestPostgres } from './support/postgres.ts'
import { assistant, calling, exchange, result, startAgent, user, watched, World } from './support/session.ts'

/** A store, and what it has been sent since this was last asked. */
interface Counted {
  readonly store: EventStore
  take(): readonly string[]
}

interface Place {
  readonly name: string
  /** What several events in one append are sent as. */
  readonly several: (events: number) => readonly string[]
  open(): Promise<Counted>
}

const folder = mkdtempSync(join(tmpdir(), 'indelible-statements-'))
const sqlite = countSqlite()
const onTheWire = countPostgres()
let postgres: TestPostgres

beforeAll(async () => {
  postgres = await startPostgres()
})

afterAll(async () => {
  await postgres.close()
  sqlite[Symbol.dispose]()
  onTheWire[Symbol.dispose]()
  rmSync(folder, { recursive: true })
})

const writes = (events: number): string[] => Array.from({ length: events }, () => 'write')

const places: readonly Place[] = [
  {
    name: 'in memory',
    several: () => ['write'],
    async open() {
      const store = watched(memoryStore())
      const names: Record<string, string> = { append: 'write' }
      return { store, take: () => store.calls.splice(0).map((method) => names[method] ?? 'read') }
    },
  },
  {
    name: 'on SQLite',
    several: (events) => ['begin', ...writes(events), 'commit'],
    async open() {
      const store = sqliteStore(join(folder, 'statements.db'))
      return { store, take: () => sqlite.take() }
    },
  },
  {
    name: 'on PostgreSQL',
    several: () => ['write'],
    async open() {
      const store = postgresStore({ pool: postgres.pool, schema: postgres.newSchema() })
      // The first call of a store brings its schema up to date.
      await store.epochStart('nobody')
      return { store, take: () => onTheWire.take() }
    },
  },
]

describe.each(places)('statements $name', ({ open, several }) => {
  let store: EventStore
  let take: Counted['take']

  beforeAll(async () => {
    ;({ store, take } = await open())
  })
  afterEach(async () => {
    for await (const { id } of store.list()) await store.delete(id)
  })
  afterAll(() => store.close())

  /** A session in which one exchange has been had, and nothing else been sent. */
  async function conversation(): Promise<{
    readonly session: Session<PlainMessage>
    readonly world: World
    /** What `operation` sends, and what comes of it. */
    sent(operation: () => Promise<unknown>): Promise<readonly string[]>
    /** The same session in a process that starts now. */
    reopened(): Session<PlainMessage>
  }> {
    const agent = startAgent({ store })
    await exchange(agent.session, 'one')
    await agent.session.submit(user('two'))
    await agent.session.turn()
    take()
    return {
      session: agent.session,
      world: agent.world,
      async sent(operation) {
        take()
        await operation()
        return take()
      },
      reopened: () => agent.restarted().session,
    }
  }

  it('read once at a boundary where nothing changed', async () => {
    const { session, sent } = await conversation()
    expect(await sent(() => session.turn())).toEqual(['read'])
    expect(await sent(() => session.turn())).toEqual(['read'])
  })

  it('read once and write once at a boundary that admits an update', async () => {
    const { session, world, sent } = await conversation()
    world.set('app/branch', 'fix/login')
    expect(await sent(() => session.turn())).toEqual(['read', 'write'])
  })

  it('read once and write once at a boundary that promotes inputs and admits an update', async () => {
    const { session, world, sent } = await conversation()
    await session.submit(user('three'))
    await session.submit(user('four'))
    world.set('app/branch', 'fix/login')
    world.set('app/date', 'Tuesday')
    expect(await sent(() => session.turn())).toEqual(['read', 'write'])
  })

  it('read once and write once at a boundary that starts an epoch', async () => {
    const { session, sent } = await conversation()
    await session.move()
    expect(await sent(() => session.turn())).toEqual(['read', 'write'])
  })

  it('read once and write once for an input, an answer, an append and whatever else is recorded', async () => {
    const { session, sent } = await conversation()
    const turn = await session.turn()
    expect(await sent(() => session.submit(user('three')))).toEqual(['read', 'write'])
    expect(await sent(() => session.submit(user('four'), { id: 'four' }))).toEqual(['read', 'write'])
    expect(await sent(() => turn.answer([calling('a', 'b')]))).toEqual(['read', 'write'])
    expect(await sent(() => session.append([result('a'), result('b')]))).toEqual(['read', 'write'])
    expect(await sent(() => session.compact({ summary: [user('sum')], through: 3 }))).toEqual(['read', 'write'])
    expect(await sent(() => session.move())).toEqual(['read', 'write'])
    expect(await sent(() => session.refused({ model: 'm', feature: 'native-updates' }))).toEqual(['read', 'write'])
  })

  it('find what was recorded under an id before, after the write that it refused', async () => {
    const { session, sent } = await conversation()
    await session.submit(user('three'), { id: 'three' })
    expect(await sent(() => session.submit(user('three'), { id: 'three' }))).toEqual(['read', 'write', 'read', 'read'])
  })

  it('read twice to open a session: where its epoch starts, and all from there', async () => {
    const { sent, reopened } = await conversation()
    const session = reopened()
    expect(await sent(() => session.turn())).toEqual(['read', 'read'])
    expect(await sent(() => session.turn())).toEqual(['read'])
    expect(await sent(() => reopened().submit(user('three')))).toEqual(['read', 'read', 'write'])
  })

  it('read twice and write once for the first input of a session, and for its first turn no more than for any', async () => {
    const { session } = startAgent({ store })
    take()
    await session.submit(user('one'))
    expect(take()).toEqual(['read', 'read', 'write'])
    await session.turn()
    expect(take()).toEqual(['read', 'write'])
  })

  it('copy a log for a fork in one append', async () => {
    const { session, sent } = await conversation()
    await (await session.turn()).answer([assistant('the answer')])
    const copied = 6
    // The parent is caught up with and read to its end, page by page; the child gets one event more, the fork itself.
    expect(await sent(() => session.fork('child'))).toEqual(['read', 'read', 'read', ...several(copied + 1)])
  })

  it('read the page that is asked for, and no more', async () => {
    const { session, sent } = await conversation()
    const events = session.events()[Symbol.asyncIterator]()
    expect(await sent(() => events.next())).toEqual(['read', 'read'])
  })

  it('never read for whoever keeps the history themselves more than for a session', async () => {
    const { sessions, world } = startAgent({ store })
    const session = sessions.attach('host')
    await session.turn({ history: [user('one')] })
    take()
    await session.turn({ history: [user('one')] })
    expect(take()).toEqual(['read'])
    world.set('app/branch', 'fix/login')
    await session.turn({ history: [user('one')] })
    expect(take()).toEqual(['read', 'write'])
  })
})
