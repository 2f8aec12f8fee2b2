/** What a boundary costs over what nobody can avoid: reading the sources, and reading or writing the store once. */
import { rmSync } from 'node:fs'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { createSessions, memoryStore } from '../src/index.ts'
import type { EventStore, Json, PlainMessage, Session, Sessions } from '../src/index.ts'
import { sqliteStore } from '../src/store/sqlite/index.ts'
import { contextOver, sourceValues } from './fixtures.ts'
import type { Comparison } from './harness.ts'
import { temporaryFolder } from './places.ts'

const SOURCES = 20
const values = sourceValues(SOURCES)
const synchronous = values.map((value) => (): Json => value)
const asynchronous = values.map((value) => (): Promise<Json> => Promise.resolve(value))

async function readBare(loaders: Loaders): Promise<number> {
  let length = 0
  // Values among the promises are the case that is measured.
  // oxlint-disable-next-line typescript/await-thenable
  for (const value of await Promise.all(loaders.map((load) => load()))) length += JSON.stringify(value).length
  return length
}

type Loaders = readonly (() => Json | Promise<Json>)[]

function sessionsOver(store: EventStore, loaders: Loaders): Sessions<PlainMessage> {
  return createSessions({ store, context: contextOver(loaders), instructions: 'You review code.' })
}

/** A session with an open turn, after a tool loop of `exchanges` answers. */
async function openSession(
  store: EventStore,
  loaders: Loaders,
  exchanges = 0,
  id = 'bench',
): Promise<Session<PlainMessage>> {
  const session = sessionsOver(store, loaders).open(id)
  await session.submit({ role: 'user', content: 'The first question.' })
  let turn = await session.turn()
  for (let index = 0; index < exchanges; index++) {
    await turn.answer([{ role: 'assistant', content: `Answer ${index}`, tool_calls: [{ id: `call-${index}` }] }])
    await session.append([{ role: 'tool', content: `Result ${index}`, tool_call_id: `call-${index}` }])
    turn = await session.turn()
  }
  return session
}

function quietInMemory(name: string, loaders: Loaders, aim: number): Comparison {
  return {
    name: `unchanged boundary over ${SOURCES} sources, memory store, ${name} loaders`,
    against: 'Promise.all of the same loaders and JSON.stringify of their values',
    aim,
    async prepare() {
      const session = await openSession(memoryStore(), loaders)
      return { reference: () => readBare(loaders), subject: () => session.turn() }
    },
  }
}

const quietOnSqlite: Comparison = {
  name: `unchanged boundary over ${SOURCES} sources, SQLite, synchronous loaders`,
  against: 'the same as above and one bare prepared SELECT of what is new',
  aim: 1.5,
  async prepare() {
    const folder = temporaryFolder()
    const file = join(folder, 'bench.db')
    const store = sqliteStore(file)
    const session = await openSession(store, synchronous)
    const database = new DatabaseSync(file)
    const select = database.prepare(
      'select revision, type, v, id, at, body, checksum from indelible_events where session = ? and revision > ? order by revision',
    )
    return {
      async reference() {
        const rows = select.all('bench', 1e9)
        return rows.length + (await readBare(synchronous))
      },
      subject: () => session.turn(),
      async release() {
        database.close()
        await store.close()
        rmSync(folder, { recursive: true })
      },
    }
  },
}

const changedOnSqlite: Comparison = {
  name: 'boundary with one change, SQLite, durable commit',
  against: 'one bare durable INSERT of the same bytes with the same pragmas',
  aim: 2,
  async prepare() {
    const folder = temporaryFolder()
    const store = sqliteStore(join(folder, 'bench.db'))
    let counter = 0
    const loaders = [...synchronous.slice(1), (): Json => counter]
    const session = await openSession(store, loaders)
    counter++
    await session.turn()
    let body = ''
    for await (const event of session.events()) body = JSON.stringify(event)
    const database = new DatabaseSync(join(folder, 'bare.db'))
    database.exec(
      'pragma journal_mode = wal; pragma synchronous = full; create table bare (id integer primary key, body text)',
    )
    const insert = database.prepare('insert into bare (body) values (?)')
    return {
      reference: () => insert.run(body),
      subject() {
        counter++
        return session.turn()
      },
      async release() {
        database.close()
        await store.close()
        rmSync(folder, { recursive: true })
      },
    }
  },
}

const longEpoch: Comparison = {
  name: 'unchanged boundary with 10,000 entries in the epoch, memory store, warm',
  against: 'the same with 10 entries',
  aim: 1.2,
  async prepare() {
    const short = await openSession(memoryStore(), synchronous, 5)
    const long = await openSession(memoryStore(), synchronous, 5000)
    return { reference: () => short.turn(), subject: () => long.turn() }
  },
}

/**
 * A change copies the pointers to all entries in view once, so that each turn keeps its own. Both sessions are in one file,
 * so that they write to the same log of SQLite.
 */
function longEpochChanged(): Comparison {
  let counter = 0
  const loaders = [...synchronous.slice(1), (): Json => counter]
  return {
    name: 'boundary with one change and 10,000 entries in the epoch, SQLite, durable commit, warm',
    against: 'the same with 10 entries',
    aim: 1.2,
    calls: 100,
    async prepare() {
      const folder = temporaryFolder()
      const file = join(folder, 'bench.db')
      // Thousands of answers are written quickly first; what is measured is durable again.
      const quick = sqliteStore(file, { durability: 'normal' })
      await openSession(quick, loaders, 5, 'short')
      await openSession(quick, loaders, 5000, 'long')
      await quick.close()
      const store = sqliteStore(file)
      const sessions = sessionsOver(store, loaders)
      const change = (session: Session<PlainMessage>) => () => {
        counter++
        return session.turn()
      }
      return {
        reference: change(sessions.open('short')),
        subject: change(sessions.open('long')),
        async release() {
          await store.close()
          rmSync(folder, { recursive: true })
        },
      }
    },
  }
}

export const boundaries: readonly Comparison[] = [
  quietInMemory('synchronous', synchronous, 1.5),
  quietInMemory('asynchronous', asynchronous, 2.5),
  quietOnSqlite,
  changedOnSqlite,
  longEpoch,
  longEpochChanged(),
]
