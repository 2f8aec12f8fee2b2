/**
 * A SQLite file that is not what it should be: of an older or a newer release, no database at all, only to be read, on a disk
 * that is full. Whole sessions run into it: what they are told is an error of ours, and what was stored stays.
 */
import { execFile } from 'node:child_process'
import { chmodSync, mkdtempSync, readFileSync, rmSync, truncateSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { gzipSync } from 'node:zlib'
import { afterAll, beforeEach, describe, expect, it } from 'vitest'
import { dialect } from '../../src/store/sqlite/dialect.ts'
import { SqliteEngine } from '../../src/store/sqlite/engine.ts'
import { sqliteStore } from '../../src/store/sqlite/index.ts'
import { openDatabase } from '../../src/store/sqlite/open.ts'
import { migrations } from '../../src/store/sql/migrations.ts'
import { SqlStore } from '../../src/store/sql/store.ts'
import { collect, user } from '../support/session.ts'
import { codeOf, expectSettled, outcomeOf, sessionsOver, settle, type Settled } from './neighbours.ts'

const folder = mkdtempSync(join(tmpdir(), 'indelible-failing-'))
afterAll(() => rmSync(folder, { recursive: true }))

let files = 0
let path: string
beforeEach(() => {
  path = join(folder, `events-${++files}.db`)
})

async function settledFile(): Promise<Settled> {
  const store = sqliteStore(path, { durability: 'normal' })
  const settled = await settle(store)
  await store.close()
  return settled
}

/** Runs SQL on the file, past the store. */
function execute(sql: string): void {
  const database = new DatabaseSync(path)
  database.exec(sql)
  database.close()
}

async function expectSettledFile(settled: Settled): Promise<void> {
  const store = sqliteStore(path, { durability: 'normal' })
  await expectSettled(store, settled)
  await store.close()
}

describe('a SQLite file of another release', () => {
  it.each(migrations.map((_, applied) => applied))(
    'is brought up to date where it has %i migrations, and then serves',
    async (applied) => {
      const database = new DatabaseSync(path)
      database.exec('create table indelible_migrations (number integer primary key, applied_at text not null)')
      for (let number = 1; number <= applied; number++) {
        for (const { sql } of migrations[number - 1]!(dialect)) database.exec(sql)
        database.prepare('insert into indelible_migrations values (?, ?)').run(number, '2026-01-01T00:00:00.000Z')
      }
      database.close()
      expect(codeOf(await outcomeOf(() => sqliteStore(path, { readOnly: true })))).toBe('store_unusable')
      const store = sqliteStore(path, { durability: 'normal' })
      await settle(store)
      await store.close()
      const numbers = new DatabaseSync(path).prepare('select number from indelible_migrations order by number').all()
      expect(numbers.map(({ number }) => number)).toEqual(migrations.map((_, index) => index + 1))
    },
  )

  it('that is newer is refused, and nothing in it changes', async () => {
    const settled = await settledFile()
    execute(`insert into indelible_migrations values (1000, '2030-01-01T00:00:00.000Z')`)
    const before = readFileSync(path)
    for (const readOnly of [false, true]) {
      const opened = await outcomeOf(() => sqliteStore(path, { readOnly }))
      expect('error' in opened && opened.error.message).toMatch(/newer release.*Update Indelible/)
    }
    expect(readFileSync(path).equals(before)).toBe(true)
    execute('delete from indelible_migrations where number = 1000')
    await expectSettledFile(settled)
  })

  it.each([
    ['the table of events is gone', 'drop table indelible_events'],
    ['a column is gone', 'drop index indelible_events_id; alter table indelible_events drop column id'],
    [
      'the table of events is a view',
      'drop table indelible_events; create view indelible_events as select 1 as session',
    ],
    ['migrations say nothing', 'delete from indelible_migrations'],
    [
      'migrations say nonsense',
      `drop table indelible_migrations; create table indelible_migrations (number, applied_at); insert into indelible_migrations values ('x', x'00')`,
    ],
    ['an index is gone', 'drop index indelible_events_epoch; drop index indelible_events_id'],
  ])('in which %s is refused, or serves as before', async (_, sql) => {
    await settledFile()
    execute(sql)
    const opened = await outcomeOf(() => sqliteStore(path, { durability: 'normal' }))
    if ('error' in opened) {
      expect(codeOf(opened)).toBe('store_unusable')
      return
    }
    const store = opened.value
    const sessions = sessionsOver(store, { tools: () => [{ name: 'read' }] })
    for (const act of [
      () => collect(sessions.list()),
      () => sessions.open('neighbour').verify(),
      () => sessions.open('neighbour').submit(user('more')),
      () => sessions.open('neighbour').turn(),
      () => sessions.delete('other'),
    ]) {
      const outcome = await outcomeOf<unknown>(act)
      expect([undefined, 'store_unusable']).toContain(codeOf(outcome))
    }
    await store.close()
  })
})

describe('a row of a SQLite file with a cell that no store writes', () => {
  it.each([
    ['a revision that is another', 'revision = 1000'],
    ['a revision below all', 'revision = -1'],
    ['a revision that is text', `revision = 'three'`],
    ['a revision beyond what JavaScript counts', 'revision = 9007199254740993'],
    ['a version beyond what JavaScript counts', 'v = 9007199254740993'],
    ['a version that is a fraction', 'v = 1.5'],
    ['a body that is bytes', `body = x'7b7d'`],
    ['a body that is no UTF-8', `body = cast(x'22ff22' as text)`],
    // In the middle: of one at the end, Node 22 shows nothing, so that the body is what was written.
    ['a body with a NUL', `body = substr(body, 1, 5) || char(0) || substr(body, 6)`],
    ['a body that is a number', 'body = 12'],
    ['a type that is bytes', `type = x'00ff'`],
    ['a time that is no time', `at = 'now'`],
    ['an id that is bytes', `id = x'ff'`],
    ['a checksum that is a number', 'checksum = 1'],
    ['another session', `session = 'neighbour of the host'`],
    ['a session that is bytes', `session = x'ff00'`],
  ])('is refused where it has %s', async (_, change) => {
    const settled = await settledFile()
    for (const revision of [3, 11]) {
      execute(`update or ignore indelible_events set ${change} where session = 'neighbour' and revision = ${revision}`)
      const store = sqliteStore(path, { durability: 'normal' })
      const sessions = sessionsOver(store, { tools: () => [{ name: 'read' }] })
      await outcomeOf(() => collect(sessions.list()))
      const read = await outcomeOf(() => collect(sessions.open('neighbour').events()))
      expect(['event_unreadable', 'store_unusable']).toContain(codeOf(read))
      const verified = await outcomeOf(() => sessions.open('neighbour').verify())
      expect('value' in verified && verified.value.ok).toBe(false)
      await outcomeOf(() => sessions.open('neighbour').submit(user('more')))
      await outcomeOf(() => sessions.open('neighbour').turn())
      await outcomeOf(() => sessions.attach('neighbour of the host').turn({ history: [user('one')] }))
      await store.close()
    }
    expect(settled.rows.size).toBe(2)
  })
})

describe('a file that is no database', () => {
  it.each([
    ['text', Buffer.from('Dear diary,\n'.repeat(1_000))],
    ['zeroes', Buffer.alloc(8_192)],
    ['an archive', gzipSync(Buffer.alloc(100_000, 'a'))],
    ['the head of a database and nothing else', Buffer.from('SQLite format 3\0')],
    ['the head of a database and noise', Buffer.concat([Buffer.from('SQLite format 3\0'), Buffer.alloc(8_192, 0xa5)])],
  ])('%s is refused, and not touched', async (_, bytes) => {
    writeFileSync(path, bytes)
    for (const readOnly of [false, true]) {
      expect(codeOf(await outcomeOf(() => sqliteStore(path, { readOnly })))).toBe('store_unusable')
    }
    expect(readFileSync(path).equals(bytes)).toBe(true)
  })

  it('a database that was cut off anywhere is refused, or has the start of what was written', async () => {
    const settled = await settledFile()
    const { length } = readFileSync(path)
    const whole = readFileSync(path)
    expect(length).toBeGreaterThan(10_000)
    for (const share of [0.05, 0.2, 0.4, 0.6, 0.8, 0.95]) {
      writeFileSync(path, whole)
      truncateSync(path, Math.floor(length * share))
      const opened = await outcomeOf(() => sqliteStore(path, { readOnly: true }))
      if ('error' in opened) continue
      const rows = await outcomeOf(() => opened.value.read('neighbour', 0))
      if ('value' in rows) expect(rows.value).toEqual(settled.rows.get('neighbour')!.slice(0, rows.value.length))
      await opened.value.close()
    }
  })
})

describe('a SQLite file that can only be read', () => {
  it('shows its sessions and refuses every write', async () => {
    const settled = await settledFile()
    const store = sqliteStore(path, { readOnly: true })
    await expectSettled(store, settled)
    const sessions = sessionsOver(store, { tools: () => [{ name: 'read' }] })
    for (const act of [
      () => sessions.open('neighbour').submit(user('more')),
      () => sessions.open('neighbour').turn(),
      () => sessions.open('neighbour').move(),
      () => sessions.open('neighbour').fork('child'),
      () => sessions.open('new').submit(user('one')),
      () => sessions.delete('neighbour'),
    ]) {
      const outcome = await outcomeOf<unknown>(act)
      expect('error' in outcome && outcome.error.message).toMatch(/cannot be written/)
    }
    await expectSettled(store, settled)
    await store.close()
  })

  const isRoot = process.getuid?.() === 0
  it.skipIf(process.platform === 'win32' || isRoot)(
    'by its mode is refused to who would write, not to who reads',
    async () => {
      const settled = await settledFile()
      chmodSync(path, 0o400)
      expect(codeOf(await outcomeOf(() => sqliteStore(path)))).toBe('store_unusable')
      const store = sqliteStore(path, { readOnly: true })
      await expectSettled(store, settled)
      await store.close()
    },
  )
})

describe('a disk that is full', () => {
  it('refuses whatever needs room, keeps what was stored, and serves again when there is room', async () => {
    const settled = await settledFile()
    const database = openDatabase(path, 'normal')
    const store = new SqlStore(new SqliteEngine(database, path, 100), dialect)
    const { page_count: pages } = database.prepare('pragma page_count').get() as { page_count: number }
    database.exec(`pragma max_page_count = ${pages}`)
    const session = sessionsOver(store).open('hostile')
    let kept = 0
    let outcome = await outcomeOf(() => session.submit(user('x'.repeat(30_000)), { id: `${kept}` }))
    while (!('error' in outcome))
      outcome = await outcomeOf(() => session.submit(user('x'.repeat(3_000)), { id: `${++kept}` }))
    expect(outcome.error.message).toContain('the disk is full')
    const other = sessionsOver(store).open('neighbour')
    expect(codeOf(await outcomeOf(() => other.submit(user('x'.repeat(30_000)))))).toBe('store_unusable')
    expect(await session.verify()).toEqual({ ok: true, problems: [] })
    await expectSettled(store, settled)
    database.exec(`pragma max_page_count = ${pages + 1_000}`)
    // The same call again, by the same object, as if nothing had been.
    const { revision } = await session.submit(user('x'.repeat(3_000)), { id: `${kept}` })
    expect(await collect(session.events())).toHaveLength(revision)
    expect((await session.turn()).entries).toHaveLength(revision)
    await store.close()
    await expectSettledFile(settled)
  })

  it.skipIf(process.platform === 'win32')(
    'that the system reports ends in the same error, and loses nothing',
    async () => {
      const settled = await settledFile()
      const limit = Math.ceil((readFileSync(path).length + 200_000) / 512)
      const worker = fileURLToPath(new URL('full-disk-worker.ts', import.meta.url))
      const command = `ulimit -f ${limit}; exec "$0" --disable-warning=ExperimentalWarning "$1" "$2"`
      const { stdout } = await promisify(execFile)('sh', ['-c', command, process.execPath, worker, path])
      const { receipts, error } = JSON.parse(stdout) as { receipts: number; error: string }
      expect(error).toBe('store_unusable')
      expect(receipts).toBeGreaterThan(0)
      const store = sqliteStore(path, { durability: 'normal' })
      const session = sessionsOver(store).open('hostile')
      expect(await session.verify()).toEqual({ ok: true, problems: [] })
      // All that a receipt was given for, and no half of the one that failed.
      expect(await collect(session.events())).toHaveLength(receipts)
      await store.close()
      await expectSettledFile(settled)
    },
  )
})
