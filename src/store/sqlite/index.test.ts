import {
  chmodSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { join, relative } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { afterAll, describe, expect, it, vi } from 'vitest'
import { StoreUnusableError } from '../../session/errors.ts'
import type { StoredEvent } from '../../session/store.ts'
import { storeConformance } from '../../testing/store-conformance.ts'
import { sqliteStore } from './index.ts'
import { openDatabase } from './open.ts'

const folder = mkdtempSync(join(tmpdir(), 'indelible-sqlite-'))
afterAll(() => rmSync(folder, { recursive: true }))

/** A path in a folder of its own, where nothing stands yet. */
let places = 0
function newPath(): string {
  const place = join(folder, `place ${++places}`)
  mkdirSync(place)
  return join(place, 'events.db')
}

describe.each([
  ['a file', { path: (name: string) => join(folder, `${name}.db`), persistent: true }],
  ['memory', { path: () => ':memory:', persistent: false }],
] as const)('sqliteStore in %s', (_, { path, persistent }) => {
  const cases = storeConformance((name) => sqliteStore(path(name)), { persistent })
  it.for(cases.map((found) => [found.name, found] as const))('%s', async ([, { run, skip }], test) => {
    test.skip(skip !== undefined, skip)
    await expect(run()).resolves.toBeUndefined()
  })
})

describe('opening a SQLite store', () => {
  it.skipIf(process.platform === 'win32')('makes files that only their owner can read', async () => {
    const path = newPath()
    const previous = process.umask(0)
    try {
      const store = sqliteStore(path)
      await store.append('session', 0, [event(1)])
      const files = readdirSync(join(path, '..')).sort()
      expect(files).toEqual(['events.db', 'events.db-shm', 'events.db-wal'])
      for (const file of files) expect((statSync(join(path, '..', file)).mode & 0o777).toString(8)).toBe('600')
      await store.close()
    } finally {
      process.umask(previous)
    }
  })

  it.skipIf(process.platform === 'win32')('leaves the mode of a file that is there as it is', async () => {
    const path = newPath()
    writeFileSync(path, '')
    chmodSync(path, 0o640)
    await sqliteStore(path).close()
    expect((statSync(path).mode & 0o777).toString(8)).toBe('640')
  })

  it.each([
    { durability: 'full', synchronous: 2, fullfsync: 1 },
    { durability: 'normal', synchronous: 1, fullfsync: 0 },
  ] as const)('syncs as $durability durability asks', ({ durability, synchronous, fullfsync }) => {
    const database = openDatabase(newPath(), durability)
    expect(database.prepare('pragma journal_mode').get()).toMatchObject({ journal_mode: 'wal' })
    expect(database.prepare('pragma synchronous').get()).toMatchObject({ synchronous })
    expect(database.prepare('pragma fullfsync').get()).toMatchObject({ fullfsync })
    database.close()
  })

  it('takes a relative path', async () => {
    const path = newPath()
    await sqliteStore(relative('.', path)).close()
    expect(existsSync(path)).toBe(true)
  })

  it('takes a path that reads like a URI as a path', async () => {
    const path = join(newPath(), '..', 'file:x?mode=memory')
    await sqliteStore(path).close()
    expect(existsSync(path)).toBe(true)
  })

  it('leaves what else is in the database alone', async () => {
    const path = newPath()
    const host = new DatabaseSync(path)
    host.exec(`create table events (name text); insert into events values ('of the host'); pragma user_version = 7`)
    const store = sqliteStore(path)
    expect(await store.append('session', 0, [event(1)])).toBe(true)
    await store.close()
    expect({ ...host.prepare('select name from events').get() }).toEqual({ name: 'of the host' })
    expect({ ...host.prepare('pragma user_version').get() }).toEqual({ user_version: 7 })
    host.close()
  })

  it('says which folder is missing', () => {
    const path = join(folder, 'no such folder', 'events.db')
    expect(() => sqliteStore(path)).toThrow(StoreUnusableError)
    expect(() => sqliteStore(path)).toThrow(
      `there is no folder ${join(folder, 'no such folder')}. Make the folder first.`,
    )
  })

  it('says what is missing where Node has no SQLite, and makes no file', () => {
    const path = newPath()
    const lookup = vi.spyOn(process, 'getBuiltinModule').mockReturnValue(undefined)
    try {
      expect(() => sqliteStore(path)).toThrow(StoreUnusableError)
      expect(() => sqliteStore(path)).toThrow('has no node:sqlite. Use Node 22.18 or newer.')
    } finally {
      lookup.mockRestore()
    }
    expect(existsSync(path)).toBe(false)
  })

  it('refuses a file that is no database, and leaves it as it is', () => {
    const path = newPath()
    writeFileSync(path, 'a page of text, '.repeat(100))
    expect(() => sqliteStore(path)).toThrow(StoreUnusableError)
    expect(() => sqliteStore(path)).toThrow(`${path} is unusable: the file is not a SQLite database`)
    expect(statSync(path).size).toBe(1_600)
  })

  it('refuses a folder', () => {
    expect(() => sqliteStore(folder)).toThrow(StoreUnusableError)
    expect(() => sqliteStore('')).toThrow(StoreUnusableError)
  })

  it.skipIf(process.platform === 'win32')('refuses a link to a folder that does not exist', () => {
    const path = newPath()
    symlinkSync(join(folder, 'no such folder', 'events.db'), path)
    expect(() => sqliteStore(path)).toThrow(StoreUnusableError)
  })

  it('refuses a database of a newer release, and leaves it as it is', async () => {
    const path = newPath()
    const store = sqliteStore(path)
    await store.append('session', 0, [event(1)])
    await store.close()
    const newer = new DatabaseSync(path)
    newer.exec(`insert into indelible_migrations values (1000, '2030-01-01T00:00:00.000Z')`)
    expect(() => sqliteStore(path)).toThrow(StoreUnusableError)
    expect(() => sqliteStore(path)).toThrow(`${path} was written by a newer release of Indelible`)
    expect(newer.prepare('select count(*) as count from indelible_events').get()).toMatchObject({ count: 1 })
    newer.close()
  })
})

function event(revision: number, parts: Partial<StoredEvent> = {}): StoredEvent {
  return { revision, type: 'boundary', v: 1, id: null, at: '', body: '{}', checksum: '', ...parts }
}
