/**
 * Rows of a log that are not what a session wrote: a cell that changed, a row of a newer release, one that was moved or
 * repeated. What comes out is an error of ours or what was written, and the sessions beside it stay as they are.
 */
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import fc from 'fast-check'
import { afterAll, afterEach, beforeEach, describe, expect, it } from 'vitest'
import { memoryStore, type EventStore, type SessionEvent, type StoredEvent } from '../../src/index.ts'
import { checksum } from '../../src/session/event.ts'
import { collect, user } from '../support/session.ts'
import {
  codeOf,
  expectSettled,
  outcomeOf,
  plain,
  runs,
  sessionsOver,
  settle,
  storeKinds,
  type Place,
  type Settled,
} from './neighbours.ts'

const folder = mkdtempSync(join(tmpdir(), 'indelible-rows-'))
afterAll(() => rmSync(folder, { recursive: true }))

const ID = 'hostile'

/** The rows of a session of each kind, and the events that they hold as JSON. */
const logs: readonly Log[] = await writtenLogs()
interface Log {
  readonly hosted: boolean
  readonly rows: readonly StoredEvent[]
  readonly events: readonly string[]
}

async function writtenLogs(): Promise<readonly Log[]> {
  const store = memoryStore()
  const { rows } = await settle(store)
  return Promise.all(
    [...rows].map(async ([id, written]) => {
      const hosted = id.endsWith('host')
      const moved = written.map((row) => sealed({ ...row }))
      const copy = memoryStore()
      await copy.append(ID, 0, moved)
      const sessions = sessionsOver(copy)
      const session = hosted ? sessions.attach(ID) : sessions.open(ID)
      const events = await collect<SessionEvent<unknown>>(session.events())
      return { hosted, rows: moved, events: events.map((event) => JSON.stringify(event)) }
    }),
  )
}

function sealed(row: StoredEvent): StoredEvent {
  return { ...row, checksum: checksum(ID, row) }
}

/** A text that differs from `text` in one place, or is another altogether. */
function changedText(text: string, at: number, by: string): string {
  const index = Math.floor(at * (text.length + 1))
  return text.slice(0, index) + by + text.slice(index + by.length)
}

const piece = fc.oneof(
  fc.constantFrom('', '0', '1', '"', '}', ']', ',', 'null', '-', 'e', ' ', '\ufffd', '\\u0000', '[[[[', '__proto__'),
  fc.string({ minLength: 1, maxLength: 8 }).filter((text) => text.isWellFormed() && !text.includes('\0')),
)
const cell = fc.record({
  row: fc.nat(),
  column: fc.constantFrom(
    'body' as const,
    'body' as const,
    'type' as const,
    'v' as const,
    'id' as const,
    'at' as const,
    'checksum' as const,
  ),
  at: fc.double({ min: 0, max: 1, noNaN: true }),
  by: piece,
  number: fc.constantFrom(-1, 0, 1, 2, 3, 99, 2 ** 31 - 1),
})

type Cell = typeof cell extends fc.Arbitrary<infer T> ? T : never

/** Copies of the rows with other content in these cells. */
function withChanges(rows: readonly StoredEvent[], cells: readonly Cell[]): StoredEvent[] {
  const copies = rows.map((row) => ({ ...row }))
  for (const { row, column, at, by, number } of cells) {
    const target = copies[row % copies.length]!
    if (column === 'v') target.v = number
    else Object.assign(target, { [column]: changedText(target[column] ?? '', at, by) })
  }
  return copies
}

describe.each(storeKinds)('rows that were changed in $name', ({ make, share }) => {
  let place: Place
  let store: EventStore
  let settled: Settled
  beforeEach(async () => {
    place = await make(folder)
    store = await place.connect()
    settled = await settle(store)
  })
  afterEach(() => place.remove())

  it('are refused by an error of ours, and nothing but what was written is handed out', async () => {
    let refused = 0
    await fc.assert(
      fc.asyncProperty(fc.constantFrom(...logs), fc.array(cell, { minLength: 1, maxLength: 3 }), async (log, cells) => {
        const rows = withChanges(log.rows, cells)
        const changed = rows.some((row, index) => JSON.stringify(row) !== JSON.stringify(log.rows[index]))
        // An id that is taken twice is refused by the store itself.
        if (!(await store.append(ID, 0, rows))) return
        const seen = await useAll(store, log)
        if (changed) expect(seen.verified).toBe(false)
        if (changed) refused++
        await store.delete(ID)
      }),
      { numRuns: runs(60, share) },
    )
    expect(refused).toBeGreaterThan(runs(60, share) / 3)
    await expectSettled(await place.connect(), settled)
  })

  it('by somebody who gave them checksums that fit end in an error of ours or are taken, and harm no other session', async () => {
    await fc.assert(
      fc.asyncProperty(fc.constantFrom(...logs), fc.array(cell, { minLength: 1, maxLength: 3 }), async (log, cells) => {
        const rows = withChanges(log.rows, cells)
        if (!(await store.append(ID, 0, rows.map(sealed)))) return
        await useAll(store, log, true)
        await store.delete(ID)
      }),
      { numRuns: runs(60, share) },
    )
    await expectSettled(await place.connect(), settled)
  })

  it('by a newer release are refused with the advice to upgrade, and are still there afterwards', async () => {
    const [log] = logs
    for (const index of log!.rows.keys()) {
      for (const change of [{ v: 99 }, { type: 'telepathy' }]) {
        const rows = log!.rows.map((row, other) => (other === index ? sealed({ ...row, ...change }) : row))
        expect(await store.append(ID, 0, rows)).toBe(true)
        const session = sessionsOver(store).open(ID)
        expect(codeOf(await outcomeOf(() => collect(session.events())))).toBe('event_unreadable')
        // A turn needs what is in view, and no more.
        const taken = await outcomeOf(() => sessionsOver(store).open(ID).submit(user('more'), { id: 'more' }))
        const first = (JSON.parse(log!.rows[9]!.body) as { view: { from: number } }).view.from
        expect(codeOf(taken), `row ${index + 1}`).toBe(index + 1 < first ? undefined : 'event_unreadable')
        expect(plain(await store.read(ID, 0)).slice(0, rows.length)).toEqual(rows)
        await store.delete(ID)
      }
    }
    await expectSettled(await place.connect(), settled)
  })

  it('and belong to another session, or to another place of the log, are refused', async () => {
    const [kept, hosted] = logs
    for (const rows of [
      kept!.rows.map((row, index) => (index === 2 ? { ...hosted!.rows[0]!, revision: 3 } : row)),
      kept!.rows.map((row, index) => (index === 8 ? { ...kept!.rows[0]!, revision: 9, id: 'again' } : row)),
      settled.rows.get('neighbour')!,
    ]) {
      expect(await store.append(ID, 0, rows)).toBe(true)
      const session = sessionsOver(store).open(ID)
      expect(codeOf(await outcomeOf(() => collect(session.events())))).toBe('event_unreadable')
      expect(await session.verify()).toMatchObject({ ok: false })
      await store.delete(ID)
    }
    await expectSettled(await place.connect(), settled)
  })
})

/** Does with the session whatever a program would. Unless the rows were sealed, what is handed out must be what was written. */
async function useAll(store: EventStore, log: Log, wasSealed = false): Promise<{ readonly verified: boolean }> {
  const sessions = sessionsOver(store, { tools: () => [{ name: 'read' }] })
  const open = (): ReturnType<typeof sessions.open> | ReturnType<typeof sessions.attach> =>
    log.hosted ? sessions.attach(ID) : sessions.open(ID)
  await outcomeOf(async () => {
    for await (const event of open().events() as AsyncIterable<SessionEvent<unknown>>) {
      if (!wasSealed) expect(JSON.stringify(event)).toBe(log.events[event.revision - 1])
    }
  })
  const verified = await outcomeOf(() => open().verify())
  if (log.hosted) {
    await outcomeOf(() => sessions.attach(ID).turn({ history: [user('one')], onRewrite: 'epoch' }))
    await outcomeOf(() => sessions.attach(ID).fork('child'))
  } else {
    const session = sessions.open(ID)
    await outcomeOf(() => session.submit(user('four'), { id: 'one' }))
    await outcomeOf(() => session.append([user('five')]))
    await outcomeOf(async () => (await session.turn()).answer([{ role: 'assistant', content: 'six' }]))
    await outcomeOf(() => session.compact({ summary: [user('seven')], through: 3 }))
    await outcomeOf(() => session.fork('child'))
  }
  await store.delete('child')
  return { verified: 'value' in verified && verified.value.ok }
}
