/**
 * A SQLite file whose bytes somebody changed: a disk that lies, a copy that broke off, an editor. Opening, listing, reading and
 * writing end in an error of ours, or give what was written. What no checksum can show is that the newest rows of a log
 * vanished: a log may be shorter, and is then the start of what was written.
 */
import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import fc from 'fast-check'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { EventStore, SessionEvent } from '../../src/index.ts'
import { sqliteStore } from '../../src/store/sqlite/index.ts'
import { collect, user } from '../support/session.ts'
import { codeOf, outcomeOf, plain, runs, sessionsOver, settle, type Settled } from './neighbours.ts'

const folder = mkdtempSync(join(tmpdir(), 'indelible-bytes-'))
afterAll(() => rmSync(folder, { recursive: true }))

/** A change to the bytes of a file; places are shares of its length, so that they fit a file of any length. */
type Change =
  | { readonly type: 'flip'; readonly at: number; readonly bit: number }
  | { readonly type: 'set'; readonly at: number; readonly bytes: Uint8Array }
  | { readonly type: 'insert'; readonly at: number; readonly bytes: Uint8Array }
  | { readonly type: 'delete'; readonly at: number; readonly count: number }
  | { readonly type: 'truncate'; readonly at: number }
  | { readonly type: 'swap pages'; readonly at: number; readonly to: number }

// Every place alike: a header that is broken ends it all, and would be tried far too often.
const place = fc.noBias(fc.nat(999_999)).map((millionths) => millionths / 1_000_000)
const bytes = fc.uint8Array({ minLength: 1, maxLength: 16 })
const change: fc.Arbitrary<Change> = fc.oneof(
  { weight: 4, arbitrary: fc.record({ type: fc.constant('flip' as const), at: place, bit: fc.nat(7) }) },
  { weight: 3, arbitrary: fc.record({ type: fc.constant('set' as const), at: place, bytes }) },
  { weight: 1, arbitrary: fc.record({ type: fc.constant('insert' as const), at: place, bytes }) },
  {
    weight: 1,
    arbitrary: fc.record({
      type: fc.constant('delete' as const),
      at: place,
      count: fc.integer({ min: 1, max: 5_000 }),
    }),
  },
  { weight: 1, arbitrary: fc.record({ type: fc.constant('truncate' as const), at: place }) },
  { weight: 1, arbitrary: fc.record({ type: fc.constant('swap pages' as const), at: place, to: place }) },
)

const PAGE = 4_096

function changed(original: Buffer, change: Change): Buffer {
  const at = Math.floor(change.at * original.length)
  const copy = Buffer.from(original)
  switch (change.type) {
    case 'flip':
      copy[at]! ^= 1 << change.bit
      return copy
    case 'set':
      copy.set(change.bytes.subarray(0, copy.length - at), at)
      return copy
    case 'insert':
      return Buffer.concat([copy.subarray(0, at), change.bytes, copy.subarray(at)])
    case 'delete':
      return Buffer.concat([copy.subarray(0, at), copy.subarray(at + change.count)])
    case 'truncate':
      return copy.subarray(0, at)
    case 'swap pages': {
      // Whole pages only; of what is left of a shorter file, nothing.
      const pages = Math.floor(original.length / PAGE)
      const [a, b] = [change.at, change.to].map((share) => Math.floor(share * pages) * PAGE) as [number, number]
      if (pages > 0) {
        copy.set(original.subarray(b, b + PAGE), a)
        copy.set(original.subarray(a, a + PAGE), b)
      }
      return copy
    }
  }
}

let settled: Settled
/** The events of each session as they were written, as JSON. */
const written = new Map<string, readonly string[]>()
/** The file after its store was closed; and, of another, the file and its log while the store was open. */
let closed: Buffer
let open: { readonly main: Buffer; readonly log: Buffer }

beforeAll(async () => {
  const path = join(folder, 'original.db')
  const store = sqliteStore(path)
  settled = await settle(store)
  for (const id of settled.rows.keys()) {
    const sessions = sessionsOver(store)
    const session = id.endsWith('host') ? sessions.attach(id) : sessions.open(id)
    written.set(
      id,
      (await collect<SessionEvent<unknown>>(session.events())).map((event) => JSON.stringify(event)),
    )
  }
  open = { main: readFileSync(path), log: readFileSync(`${path}-wal`) }
  await store.close()
  closed = readFileSync(path)
  expect(existsSync(`${path}-wal`)).toBe(false)
})

/** Does with a file whatever a program would, and holds all that comes out against what was written. */
async function use(path: string): Promise<void> {
  const opened = await outcomeOf(() => sqliteStore(path, { durability: 'normal' }))
  if ('error' in opened) {
    expect(codeOf(opened)).toBe('store_unusable')
    return
  }
  const store = opened.value
  try {
    await outcomeOf(() => collect(store.list()))
    for (const id of settled.rows.keys()) await read(store, id)
    for (const id of settled.rows.keys()) await goOn(store, id)
  } finally {
    await store.close()
  }
}

async function read(store: EventStore, id: string): Promise<void> {
  const sessions = sessionsOver(store)
  const session = id.endsWith('host') ? sessions.attach(id) : sessions.open(id)
  const events: SessionEvent<unknown>[] = []
  await outcomeOf(async () => {
    for await (const event of session.events()) events.push(event)
  })
  expect(events.map((event) => JSON.stringify(event))).toEqual(written.get(id)!.slice(0, events.length))
  const verified = await outcomeOf(() => session.verify())
  if (!('value' in verified && verified.value.ok)) return
  // What verifies is what was written, or the start of it.
  const rows = plain(await store.read(id, 0))
  expect(rows).toEqual(settled.rows.get(id)!.slice(0, rows.length))
}

/** Goes on as a process of a later year would. What it finds must be what was written, and what it writes its own. */
async function goOn(store: EventStore, id: string): Promise<void> {
  const sessions = sessionsOver(store, { tools: () => [{ name: 'read' }], clock: () => new Date(LATER) })
  await outcomeOf(async () => {
    if (id.endsWith('host')) return sessions.attach(id).turn({ history: [user('one')] })
    await sessions.open(id).submit(user('four'), { id: 'four' })
    return sessions.open(id).turn()
  })
  const session = id.endsWith('host') ? sessions.attach(id) : sessions.open(id)
  await outcomeOf(async () => {
    for await (const event of session.events()) {
      if (event.at !== LATER) expect(JSON.stringify(event)).toBe(written.get(id)![event.revision - 1])
    }
  })
}

const LATER = '2027-01-01T00:00:00.000Z'

let files = 0
function write(main: Buffer, log?: Buffer): string {
  const path = join(folder, `changed-${++files}.db`)
  writeFileSync(path, main)
  if (log !== undefined) writeFileSync(`${path}-wal`, log)
  return path
}
function remove(path: string): void {
  for (const suffix of ['', '-wal', '-shm']) rmSync(path + suffix, { force: true })
}

describe('a SQLite file with changed bytes', () => {
  it('is refused or gives what was written, and is never half believed', async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(change, { minLength: 1, maxLength: 4 }), async (changes) => {
        const path = write(changes.reduce(changed, closed))
        await use(path)
        remove(path)
      }),
      { numRuns: runs(120) },
    )
  })

  it('is refused or gives what was written where its write-ahead log was changed', async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(change, { minLength: 1, maxLength: 4 }), async (changes) => {
        const path = write(open.main, changes.reduce(changed, open.log))
        await use(path)
        remove(path)
      }),
      { numRuns: runs(60) },
    )
  })
})
