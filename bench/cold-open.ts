/** What opening a long session costs over what nobody can avoid: reading the rows that it needs, and parsing them. */
import { memoryStore, type EventStore, type StoredEvent } from '../src/index.ts'
import { compact, converse, startAgent, type Agent } from './conversations.ts'
import type { Comparison } from './harness.ts'
import { sideBySide, type PlaceKind } from './places.ts'

const EVENTS = 10_000
/** Of the session that was compacted: about so many events are in view. */
const RECENT = 200

export function coldOpens(kind: PlaceKind): Comparison[] {
  return [coldOpen(kind, RECENT), coldOpen(kind, EVENTS)]
}

function coldOpen(kind: PlaceKind, inView: number): Comparison {
  let made: Promise<LongSession> | undefined
  return {
    name: `cold open of 10,000 events and a quiet turn, ${inView === EVENTS ? 'all' : inView} in view, ${kind.name}`,
    against: 'the rows that it needs, by the same queries, and JSON.parse of their bodies',
    aim: 1.5,
    calls: inView === EVENTS ? 15 : 200,
    async prepare() {
      made ??= longSession(kind, inView)
      const { store, agent } = await made
      return {
        reference: () => readAndParse(store, 'long'),
        // Another object each time: nothing of the session is in this process.
        subject: () => agent.sessions.open('long').turn(),
      }
    },
  }
}

interface LongSession {
  readonly store: EventStore
  readonly agent: Agent
}

async function longSession(kind: PlaceKind, inView: number): Promise<LongSession> {
  const place = await kind.make()
  await place.fill(sideBySide(['long'], await longConversation(inView)))
  const store = await place.store()
  const agent = startAgent(store)
  // Here sources have their first values again: this turn tells it, and those that are measured are quiet.
  await agent.sessions.open('long').turn()
  return { store, agent }
}

/** Its events, the last of them an input. Made in memory: thousands of durable writes would take minutes. */
async function longConversation(inView: number): Promise<readonly StoredEvent[]> {
  const store = memoryStore()
  const writer = startAgent(store)
  const session = writer.sessions.open('long')
  if (inView < EVENTS) await compact(session, await converse(writer, session, EVENTS - inView))
  await converse(writer, session, EVENTS, inView)
  await session.submit({ role: 'user', content: 'And now?' })
  return store.read('long', 0)
}

/** Where the newest epoch starts, and all from the first revision that it keeps in view. */
async function readAndParse(store: EventStore, id: string): Promise<unknown[]> {
  const start = (await store.epochStart(id)) as StoredEvent
  const { view } = JSON.parse(start.body) as { readonly view: { readonly from: number } }
  const rows = await store.read(id, view.from - 1)
  return rows.map((row) => JSON.parse(row.body) as unknown)
}
