/** Whether a session notices how many others are in its database. */
import { createSessions, memoryStore } from '../src/index.ts'
import type { Json, PlainMessage, Session, Sessions, StoredEvent } from '../src/index.ts'
import { contextOver, prose, seeded, sourceValues } from './fixtures.ts'
import type { Comparison } from './harness.ts'
import { sideBySide, type PlaceKind } from './places.ts'

const FEW = 100
const MANY = 100_000

/** A database with `count` sessions, and an agent that works on as many of them in either database, spread over all. */
interface Crowd {
  readonly count: number
  readonly sessions: Sessions<PlainMessage>
  readonly active: readonly Session<PlainMessage>[]
}

/** What a source of all of these sessions reads. */
let counter = 0

/** In this order: the last one lets sessions grow. */
export function manySessions(kind: PlaceKind): Comparison[] {
  let made: Promise<{ readonly few: Crowd; readonly many: Crowd }> | undefined
  const comparison = (name: string, calls: number, operation: (crowd: Crowd) => () => unknown): Comparison => ({
    name: `${name}, 100,000 sessions in the database, ${kind.name}`,
    against: 'the same with 100 sessions in the database',
    aim: 1.3,
    calls,
    async prepare() {
      made ??= bothCrowds(kind)
      const { few, many } = await made
      return { reference: operation(few), subject: operation(many) }
    },
  })
  return [
    comparison('unchanged warm boundary', 2_000, ({ active }) => inTurns(active)),
    comparison('cold open of a session in use and a quiet turn', 500, ({ sessions, active }) => {
      const random = seeded(11)
      return () => sessions.open(active[Math.floor(random() * FEW)]!.id).turn()
    }),
    comparison('cold open of any session and a quiet turn', 500, ({ count, sessions }) => {
      const random = seeded(11)
      return () => sessions.open(idOf(Math.floor(random() * count))).turn()
    }),
    comparison('warm boundary with one change', 200, ({ active }) => {
      const turn = inTurns(active)
      return () => {
        counter++
        return turn()
      }
    }),
  ]
}

function inTurns(active: readonly Session<PlainMessage>[]): () => Promise<unknown> {
  let next = 0
  return () => active[next++ % active.length]!.turn()
}

async function bothCrowds(kind: PlaceKind): Promise<{ readonly few: Crowd; readonly many: Crowd }> {
  const events = await shortConversation()
  return { few: await crowd(kind, FEW, events), many: await crowd(kind, MANY, events) }
}

async function crowd(kind: PlaceKind, count: number, events: readonly StoredEvent[]): Promise<Crowd> {
  const place = await kind.make()
  const ids = Array.from({ length: count }, (_, index) => idOf(index))
  await place.fill(sideBySide(ids, events))
  const store = await place.store()
  const sessions = createSessions({ store, context })
  const active = Array.from({ length: FEW }, (_, index) => sessions.open(idOf((index * count) / FEW)))
  for (const session of active) await session.turn()
  return { count, sessions, active }
}

const context = contextOver([...sourceValues(3).map((value) => (): Json => value), (): Json => counter])

/** The events of a session that has had an exchange and a second input. */
async function shortConversation(): Promise<readonly StoredEvent[]> {
  const store = memoryStore()
  const session = createSessions({ store, context }).open('one')
  const random = seeded(13)
  await session.submit({ role: 'user', content: prose(random, 200) })
  const turn = await session.turn()
  await turn.answer([{ role: 'assistant', content: prose(random, 400) }])
  await session.submit({ role: 'user', content: prose(random, 100) })
  await session.turn()
  return store.read('one', 0)
}

function idOf(index: number): string {
  return `conversation-${String(index).padStart(6, '0')}`
}
