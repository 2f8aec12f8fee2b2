import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { setTimeout } from 'node:timers/promises'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { StoreUnusableError } from '../../session/errors.ts'
import type { EventStore, StoredEvent } from '../../session/store.ts'
import { SqlStore } from '../sql/store.ts'
import { dialect } from './dialect.ts'
import { SqliteEngine } from './engine.ts'
import { openDatabase } from './open.ts'

let folder: string
let path: string
let database: DatabaseSync
let store: EventStore

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'indelible-engine-'))
  path = join(folder, 'events.db')
  database = openDatabase(path, 'normal')
  store = new SqlStore(new SqliteEngine(database, path, 100), dialect)
})
afterEach(async () => {
  await store.close()
  rmSync(folder, { recursive: true })
})

describe('a SQLite file that fails', () => {
  it('is reported when the disk is full, with nothing half-written, and serves again when there is room', async () => {
    const { page_count: pages } = database.prepare('pragma page_count').get() as { page_count: number }
    database.exec(`pragma max_page_count = ${pages + 20}`)
    const large = (revision: number): StoredEvent => event(revision, { body: JSON.stringify('x'.repeat(20_000)) })
    expect(await store.append('session', 0, [event(1)])).toBe(true)

    await expectUnusable(
      store.append(
        'session',
        1,
        Array.from({ length: 10 }, (_, index) => large(index + 2)),
      ),
      'full',
    )
    expect(await store.read('session', 1)).toEqual([])

    let revision = 1
    while (await store.append('session', revision, [large(revision + 1)]).catch(() => false)) revision++
    await expectUnusable(store.append('session', revision, [large(revision + 1)]), 'the disk is full')
    expect((await store.read('session', 0)).map((stored) => stored.revision)).toEqual(
      Array.from({ length: revision }, (_, index) => index + 1),
    )

    database.exec(`pragma max_page_count = ${pages + 1_000}`)
    expect(await store.append('session', revision, [large(revision + 1), large(revision + 2)])).toBe(true)
  })

  it('is reported when it cannot be written, and still read', async () => {
    await store.append('session', 0, [event(1)])
    database.exec('pragma query_only = on')
    await expectUnusable(store.append('session', 1, [event(2)]), 'it cannot be written')
    await expectUnusable(store.append('session', 1, [event(2), event(3)]), 'it cannot be written')
    await expectUnusable(store.delete('session'), 'it cannot be written')
    expect(await store.read('session', 0)).toEqual([event(1)])
  })

  it('is reported when it is damaged', async () => {
    await store.append('session', 0, [event(1)])
    await store.close()
    const bytes = readFileSync(path)
    // Everything but the header page.
    writeFileSync(path, bytes.fill(0x5a, 4_096))
    const reading = async (): Promise<unknown> => {
      store = new SqlStore(new SqliteEngine(openDatabase(path, 'normal'), path, 100), dialect)
      return store.read('session', 0)
    }
    await expectUnusable(reading(), 'the file is damaged')
  })
})

describe('a lock of another process', () => {
  let neighbour: DatabaseSync
  beforeEach(() => {
    neighbour = new DatabaseSync(path)
    neighbour.exec('begin immediate')
  })
  afterEach(() => neighbour.close())

  it('is waited for while this process goes on, and reads go through', async () => {
    const appended = Promise.all([
      store.append('session', 0, [event(1)]),
      store.append('other', 0, [event(1), event(2)]),
    ])
    expect(await store.read('session', 0)).toEqual([])
    neighbour.exec('commit')
    expect(await appended).toEqual([true, true])
    expect(await store.read('other', 0)).toEqual([event(1), event(2)])
  })

  it('is reported when it is never let go', async () => {
    await expectUnusable(store.append('session', 0, [event(1)]), 'another connection held its lock all the time')
    neighbour.exec('commit')
    expect(await store.append('session', 0, [event(1)])).toBe(true)
  })

  it('is not waited for by a store that was closed meanwhile', async () => {
    const appended = store.append('session', 0, [event(1)])
    await setTimeout(1)
    await store.close()
    await expectUnusable(appended, 'was closed')
  })
})

it('passes on what is not an error of SQLite', async () => {
  const unbindable = event(1, { body: Symbol('body') as never })
  await expect(store.append('session', 0, [unbindable])).rejects.toThrow(TypeError)
  await expect(store.append('session', 0, [event(1), { ...unbindable, revision: 2 }])).rejects.toThrow(TypeError)
  expect(database.isTransaction).toBe(false)
  expect(await store.read('session', 0)).toEqual([])
})

async function expectUnusable(promise: Promise<unknown>, problem: string): Promise<void> {
  const error: unknown = await promise.then(
    () => expect.unreachable('it succeeded'),
    (reason: unknown) => reason,
  )
  expect(error).toBeInstanceOf(StoreUnusableError)
  expect((error as Error).message).toContain(path)
  expect((error as Error).message).toContain(problem)
}

function event(revision: number, parts: Partial<StoredEvent> = {}): StoredEvent {
  return { revision, type: 'boundary', v: 1, id: null, at: '', body: '{}', checksum: '', ...parts }
}
