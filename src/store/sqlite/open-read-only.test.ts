import { chmodSync, existsSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import type { EventStore } from '../../session/store.ts'
import { sqliteStore } from './index.ts'

let folder: string
let file: string
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'indelible-test-'))
  file = join(folder, 'a.sqlite')
})
afterEach(() => rmSync(folder, { recursive: true, force: true }))

const event = { revision: 1, type: 'move', v: 1, id: null, at: '2026-12-01T12:00:00.000Z', body: '{}', checksum: 'x' }

/** Runs SQL on the file, past the store. */
function execute(sql: string): void {
  const database = new DatabaseSync(file)
  database.exec(sql)
  database.close()
}

/** The file, only to be looked at. */
function openFile(path: string): EventStore {
  return sqliteStore(path, { readOnly: true })
}

describe('sqliteStore with readOnly', () => {
  it('reads what is there and leaves no other file behind', async () => {
    const writer = sqliteStore(file)
    await writer.append('s', 0, [event])
    await writer.close()
    const store = openFile(file)
    expect(await store.read('s', 0)).toEqual([event])
    await store.close()
    expect(readdirSync(folder)).toEqual(['a.sqlite'])
  })

  it('reads while another connection writes, and leaves it its files', async () => {
    const writer = sqliteStore(file)
    await writer.append('s', 0, [event])
    const store = openFile(file)
    await writer.append('s', 1, [{ ...event, revision: 2 }])
    expect(await store.read('s', 0)).toHaveLength(2)
    await store.close()
    expect(existsSync(`${file}-wal`)).toBe(true)
    await writer.append('s', 2, [{ ...event, revision: 3 }])
    await writer.close()
  })

  it('refuses to write', async () => {
    await sqliteStore(file).close()
    const store = openFile(file)
    await expect(store.append('s', 0, [event])).rejects.toThrow('cannot be written')
    await store.close()
  })

  it('makes no file where there is none', () => {
    expect(() => openFile(file)).toThrow(`There is no file ${file}.`)
    expect(readdirSync(folder)).toEqual([])
  })

  it('refuses a folder', () => {
    expect(() => openFile(folder)).toThrow('There is no file')
  })

  it('refuses a file that is no database, and does not touch it', () => {
    writeFileSync(file, 'not a database at all')
    expect(() => openFile(file)).toThrow('is not a SQLite database')
    expect(readdirSync(folder)).toEqual(['a.sqlite'])
  })

  it('refuses a database of something else, and leaves it as it was', () => {
    execute('create table a (b)')
    expect(() => openFile(file)).toThrow('holds no sessions of Indelible')
    execute('drop table a')
  })

  it('refuses a file of another release, and says which way to go', async () => {
    await sqliteStore(file).close()
    execute(`insert into indelible_migrations values (999, '')`)
    expect(() => openFile(file)).toThrow(/newer release: its schema is 999, .* Update Indelible/)
    execute('delete from indelible_migrations')
    execute(`insert into indelible_migrations values (0, '')`)
    expect(() => openFile(file)).toThrow(/older release: its schema is 0, .* Open it once with sqliteStore/)
  })

  it('refuses an append, and writes nothing', async () => {
    const writer = sqliteStore(file)
    await writer.append('s', 0, [event])
    await writer.close()
    const store = openFile(file)
    await expect(store.append('s', 1, [{ ...event, revision: 2 }])).rejects.toThrow('cannot be written')
    expect(await store.read('s', 0)).toHaveLength(1)
    await store.close()
  })

  it('reads a file in a folder that nobody may write to', async () => {
    const writer = sqliteStore(file)
    await writer.append('s', 0, [event])
    await writer.close()
    chmodSync(file, 0o444)
    chmodSync(folder, 0o555)
    // Root may write everywhere; the database is opened without its rights.
    const isRoot = process.getuid?.() === 0
    if (isRoot) process.seteuid?.(65_534)
    try {
      const store = openFile(file)
      expect(await store.read('s', 0)).toEqual([event])
      await store.close()
    } finally {
      if (isRoot) process.seteuid?.(0)
      chmodSync(folder, 0o755)
    }
    expect(readdirSync(folder)).toEqual(['a.sqlite'])
  })
})
