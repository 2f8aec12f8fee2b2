import { AssertionError } from 'node:assert/strict'
import { describe, expect, it } from 'vitest'
import { StoreUnusableError } from '../session/errors.ts'
import type { EventStore, StoredEvent, StoredSession } from '../session/store.ts'
import { storeConformance } from './store-conformance.ts'

/** What the plain store below does, piece by piece, so that a fault is another answer for one piece. */
interface Behaviour {
  fits(newest: number, expected: number): boolean
  /** Whether a row stands in the way of a new one with the same session. */
  clashes(row: Row, event: StoredEvent): boolean
  acrossSessions: boolean
  allOrNothing: boolean
  /** Awaited between the checks of an append and its writes. */
  pause?: Promise<void>
  keep(event: StoredEvent): StoredEvent
  session(id: string): string
  page(events: StoredEvent[], after: number, limit?: number): StoredEvent[]
  epochStart(rows: Row[], session: string): StoredEvent | undefined
  find(row: Row, type: string, id: string): boolean
  order(ids: string[]): string[]
  deletes(row: Row, session: string): boolean
  refusesWhenClosed: boolean
}

interface Row {
  readonly session: string
  readonly event: StoredEvent
}

const plain: Behaviour = {
  fits: (newest, expected) => newest === expected,
  clashes: ({ event: { type, id } }, event) => id !== null && type === event.type && id === event.id,
  acrossSessions: false,
  allOrNothing: true,
  keep: (event) => ({ ...event }),
  session: (id) => id,
  page: (events, after, limit = Infinity) => events.filter(({ revision }) => revision > after).slice(0, limit),
  epochStart: (rows, session) => rows.findLast((row) => row.session === session && row.event.type === 'epoch')?.event,
  find: ({ event }, type, id) => event.type === type && event.id === id,
  order: (ids) => ids.sort((a, b) => Buffer.compare(Buffer.from(a), Buffer.from(b))),
  deletes: (row, session) => row.session === session,
  refusesWhenClosed: true,
}

/** The fault, how the store behaves then, and the case that finds it. */
const faults: readonly [fault: string, behaviour: Partial<Behaviour>, foundBy: string][] = [
  ['ignores the expected revision', { fits: () => true }, 'refuses an append that expects another newest revision'],
  ['takes an older revision', { fits: (newest, expected) => expected <= newest }, 'refuses an append that expects'],
  ['takes a later revision', { fits: (newest, expected) => expected >= newest }, 'refuses an append that expects'],
  ['ignores ids', { clashes: () => false }, 'refuses an id that the session has for that type'],
  ['ignores ids', { clashes: () => false }, 'refuses events of one append that share'],
  ['writes what comes before a taken id', { allOrNothing: false }, 'refuses an id that the session has for that type'],
  [
    'shares ids among types',
    { clashes: ({ event }, { id }) => id !== null && event.id === id },
    'takes the same id for',
  ],
  ['shares ids among sessions', { acrossSessions: true }, 'takes the same id for'],
  [
    'takes null for an id',
    { clashes: ({ event }, { type, id }) => event.type === type && event.id === id },
    'takes the',
  ],
  ['ignores the limit', { page: (events, after) => events.slice(after) }, 'reads what follows a revision'],
  [
    'reads from the revision on',
    { page: (events, after) => events.slice(Math.max(after - 1, 0)) },
    'reads what follows',
  ],
  ['reads the newest first', { page: (events, after) => events.slice(after).reverse() }, 'appends the first events'],
  [
    'finds the first epoch',
    { epochStart: (rows, id) => rows.find(({ session, event }) => session === id && event.type === 'epoch')?.event },
    'finds the newest epoch',
  ],
  [
    'finds the epoch of another session',
    { epochStart: (rows) => rows.findLast(({ event }) => event.type === 'epoch')?.event },
    'finds the newest epoch',
  ],
  ['finds by id alone', { find: ({ event }, _, id) => event.id === id }, 'finds events by type and id'],
  ['folds the case of session ids', { session: (id) => id.toLowerCase() }, 'keeps sessions apart'],
  ['normalises session ids', { session: (id) => id.normalize('NFKC') }, 'keeps sessions apart'],
  ['trims session ids', { session: (id) => id.trim() }, 'keeps sessions apart'],
  ['cuts session ids', { session: (id) => id.slice(0, 255) }, 'keeps sessions apart'],
  ['takes session ids for numbers', { session: (id) => String(Number(id) || id) }, 'keeps sessions apart'],
  [
    'folds the case of event ids',
    { find: ({ event }, _, id) => event.id?.toLowerCase() === id.toLowerCase() },
    'keeps events',
  ],
  ['lists in the order of UTF-16', { order: (ids) => ids.sort() }, 'keeps sessions apart'],
  ['lists in the order of writing', { order: (ids) => ids }, 'lists every session'],
  ['deletes by prefix', { deletes: (row, session) => row.session.startsWith(session) }, 'deletes a session'],
  ['deletes nothing', { deletes: () => false }, 'deletes a session'],
  [
    'keeps the epoch of a deleted session',
    { deletes: (row, id) => row.session === id && row.event.type !== 'epoch' },
    'deletes',
  ],
  ['normalises bodies', { keep: (event) => ({ ...event, body: event.body.normalize() }) }, 'gives bodies back'],
  [
    'unifies line ends',
    { keep: (event) => ({ ...event, body: event.body.replaceAll('\\r\\n', '\\n') }) },
    'gives bodies back',
  ],
  ['cuts at NUL', { keep: (event) => ({ ...event, body: event.body.replaceAll('\\u0000', '') }) }, 'gives bodies back'],
  [
    'writes bodies anew',
    { keep: (event) => ({ ...event, body: event.body && JSON.stringify(JSON.parse(event.body)) }) },
    'keeps numbers, dates and nothing',
  ],
  [
    'reads empty text as null',
    { keep: (event) => ({ ...event, id: event.id || null, at: event.at || 'null' }) },
    'keeps numbers',
  ],
  [
    'cuts bodies at 16 MB',
    { keep: (event) => ({ ...event, body: event.body.slice(0, 2 ** 24) }) },
    'holds a body of 20 MB',
  ],
  ['keeps the object that it is given', { keep: (event) => event }, 'keeps what was appended'],
  [
    'lets others in between check and write',
    { pause: Promise.resolve() },
    'lets exactly one of many concurrent appends win',
  ],
  ['serves when it is closed', { refusesWhenClosed: false }, 'closes twice'],
]

describe('storeConformance', () => {
  const cases = storeConformance(openPlain({}), { persistent: true })
  it.each(cases.map((found) => [found.name, found] as const))('passes a plain store: %s', async (_, { skip, run }) => {
    expect(skip).toBeUndefined()
    await expect(run()).resolves.toBeUndefined()
  })

  it.each(faults)('finds out a store that %s', async (_, behaviour, foundBy) => {
    const { run } = storeConformance(openPlain(behaviour), { persistent: true }).find(({ name }) =>
      name.startsWith(foundBy),
    )!
    await expect(run()).rejects.toThrow(AssertionError)
  })

  it('finds out a store that forgets', async () => {
    const cases = storeConformance(() => openPlain({})('fresh'), { persistent: true })
    const { run } = cases.find(({ name }) => name.startsWith('still has everything'))!
    await expect(run()).rejects.toThrow(AssertionError)
  })

  it('skips, with a reason, what needs two connections to one place where there is none', () => {
    const skipped = storeConformance(openPlain({}), { persistent: false }).filter(({ skip }) => skip !== undefined)
    expect(skipped.map(({ name }) => name)).toEqual([
      'leaves no rest of a session that is deleted while others write to it over two connections',
      'lets exactly one of many concurrent appends over two connections win each revision',
      'shows what one connection wrote to another at once',
      'still has everything when it is opened again',
    ])
  })

  it('closes what a failing case has opened', async () => {
    const open = openPlain({ fits: () => false })
    let store: PlainStore | undefined
    const [first] = storeConformance((name) => (store = open(name)), { persistent: true })
    await expect(first!.run()).rejects.toThrow(AssertionError)
    expect(store?.closed).toBe(true)
  })
})

/** Opens plain stores; a name leads to the same rows each time. */
function openPlain(behaviour: Partial<Behaviour>): (name: string) => PlainStore {
  const places = new Map<string, Row[]>()
  return (name) => {
    const rows = places.get(name) ?? []
    places.set(name, rows)
    return new PlainStore(rows, { ...plain, ...behaviour })
  }
}

class PlainStore implements EventStore {
  closed = false
  readonly #rows: Row[]
  readonly #behaviour: Behaviour

  constructor(rows: Row[], behaviour: Behaviour) {
    this.#rows = rows
    this.#behaviour = behaviour
  }

  async append(id: string, expected: number, events: readonly StoredEvent[]): Promise<boolean> {
    const { fits, clashes, acrossSessions, allOrNothing, pause, keep } = this.#open()
    const session = this.#behaviour.session(id)
    if (!fits(this.#events(session).length, expected)) return false
    if (pause !== undefined) await pause
    const written = this.#rows.length
    for (const event of events) {
      if (this.#rows.some((row) => (acrossSessions || row.session === session) && clashes(row, event))) {
        if (allOrNothing) this.#rows.length = written
        return false
      }
      this.#rows.push({ session, event: keep(event) })
    }
    return true
  }

  async read(id: string, after: number, limit?: number): Promise<StoredEvent[]> {
    const { session, page } = this.#open()
    return page(this.#events(session(id)), after, limit)
  }

  async epochStart(id: string): Promise<StoredEvent | undefined> {
    const { session, epochStart } = this.#open()
    return epochStart(this.#rows, session(id))
  }

  async find(id: string, type: string, eventId: string): Promise<StoredEvent | undefined> {
    const { session, find } = this.#open()
    return this.#rows.find((row) => row.session === session(id) && find(row, type, eventId))?.event
  }

  async *list(): AsyncIterable<StoredSession> {
    const { order } = this.#open()
    for (const id of order([...new Set(this.#rows.map(({ session }) => session))])) {
      const events = this.#events(id)
      const newest = events.at(-1)
      if (newest === undefined) continue
      yield { id, revision: newest.revision, createdAt: events[0]!.at, updatedAt: newest.at }
    }
  }

  async delete(id: string): Promise<void> {
    const { session, deletes } = this.#open()
    const kept = this.#rows.filter((row) => !deletes(row, session(id)))
    this.#rows.splice(0, Infinity, ...kept)
  }

  async close(): Promise<void> {
    this.closed = true
  }

  #events(session: string): StoredEvent[] {
    return this.#rows.filter((row) => row.session === session).map(({ event }) => event)
  }

  #open(): Behaviour {
    if (this.closed && this.#behaviour.refusesWhenClosed) throw new StoreUnusableError('The plain store was closed.')
    return this.#behaviour
  }
}
