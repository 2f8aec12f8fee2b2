/** The ledger must be able to find each kind of loss, or a crash test that passes says nothing. */
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { PlainMessage, StoredEvent } from '../../../src/index.ts'
import { checksum } from '../../../src/session/event.ts'
import { sqliteStore } from '../../../src/store/sqlite/index.ts'
import type { Rows } from './evidence.ts'
import { Ledger, type Logs } from './ledger.ts'
import { forkedRows } from './log-checks.ts'
import { doneIn } from './operations.ts'
import type { Forking, Operation, Recording, Report } from './operations.ts'
import { Work } from '../../crash/work.ts'

const folder = mkdtempSync(join(tmpdir(), 'indelible-ledger-'))
afterAll(() => rmSync(folder, { recursive: true }))

const reports: Report[] = []
const logs = new Map<string, Rows>()
beforeAll(async () => {
  const path = join(folder, 'work.db')
  const work = new Work({ path, name: 'work', seed: 108, sessions: [], retry: null }, (report) => reports.push(report))
  await work.run(40)
  const store = sqliteStore(path)
  for await (const { id } of store.list()) logs.set(id, await store.read(id, 0))
  await store.close()
})

/** What a ledger says that first sees the database after all of the work; `more` was reported since. */
function check(left: Logs, ...more: readonly Report[]): string[] {
  return new Ledger().check([[...reports, ...more]], left)
}

/** What is said of one session alone, when it has these rows. */
function checkSession(session: string, rows: Rows): string[] {
  const own = reports.flatMap((report, index) => {
    if (!('begun' in report)) return []
    const { begun } = report
    const isOwn =
      ('session' in begun && begun.session === session) || (begun.type === 'fork' && begun.child === session)
    return isOwn ? [report, reports[index + 1]!] : []
  })
  return new Ledger().check([own], new Map([[session, rows]]))
}

function withRows(session: string, rows: Rows): Logs {
  return new Map([...logs, [session, rows]])
}

/** The rows that, when `change` has been at them, leave nothing to say, as `session revision type`. */
function overlooked(change: (rows: Rows, row: StoredEvent) => Rows, look = checkSession): string[] {
  return [...logs].flatMap(([session, rows]) =>
    rows
      .filter((row) => look(session, change(rows, row)).length === 0)
      .map((row) => `${session} ${row.revision} ${row.type}`),
  )
}

/** The row as if it had been written so. */
function intact(session: string, row: StoredEvent): StoredEvent {
  return { ...row, checksum: checksum(session, row) }
}

/** The newest operation of that type that was done in a session which still stands. */
function lastDone<O extends Operation>(type: O['type']): O {
  const found = doneIn(reports).findLast(
    ([operation]) => operation.type === type && 'session' in operation && logs.has(operation.session),
  )
  return found![0] as O
}

describe('a ledger', () => {
  it('finds nothing wrong with what a worker left that did everything', () => {
    expect(check(logs)).toEqual([])
    const done = new Set(doneIn(reports).map(([operation]) => operation.type))
    expect([...done].sort()).toEqual([
      'answer',
      'append',
      'close',
      'compact',
      'delete',
      'fork',
      'move',
      'open',
      'submit',
      'turn',
    ])
    const left = new Set([...logs.values()].flat().map((row) => row.type))
    expect([...left].sort()).toEqual([
      'answer',
      'append',
      'boundary',
      'compaction',
      'epoch',
      'fork',
      'input',
      'move',
      'withheld',
    ])
  })

  it('misses every row that is not there, the newest of a session too', () => {
    expect(overlooked((rows, row) => rows.filter((other) => other !== row))).toEqual([])
  })

  it('misses every row whose followers have closed the gap', () => {
    const close = (rows: Rows): Rows => rows.map((row, index) => ({ ...row, revision: index + 1 }))
    expect(overlooked((rows, row) => close(rows.filter((other) => other !== row)))).toEqual([])
  })

  it('sees every text that is another than its caller was told', () => {
    const edit = (row: StoredEvent): StoredEvent => ({
      ...row,
      body: JSON.stringify(
        JSON.parse(row.body, (_, value: unknown) => (typeof value === 'string' ? `${value}~` : value)),
      ),
    })
    // What a fork has copied is held against its parent, which is not looked at here.
    const forks = new Set(
      doneIn(reports).flatMap(([operation]) => (operation.type === 'fork' ? [operation.child] : [])),
    )
    const unseen = overlooked(
      (rows, row) => rows.with(row.revision - 1, edit(row)),
      (session, rows) => {
        const isEdited = rows.some((row, index) => row.body !== logs.get(session)![index]!.body)
        return forks.has(session) || !isEdited ? ['not looked at'] : checkSession(session, rows)
      },
    )
    expect(unseen).toEqual([])
    expect([...logs.keys()].filter((session) => !forks.has(session))).not.toHaveLength(0)
  })

  it('sees any change of a row that it has seen before', () => {
    const ledger = new Ledger()
    const look = (session: string, rows: Rows): string[] => {
      ledger.check([], new Map([[session, logs.get(session)!]]))
      return ledger.check([], new Map([[session, rows]]))
    }
    expect(overlooked((rows, row) => rows.with(row.revision - 1, { ...row, at: '' }), look)).toEqual([])
  })

  it('sees a row that nobody wrote, and one that is there twice', () => {
    const { session, id } = lastDone<Recording>('submit')
    const rows = logs.get(session)!
    const copy = { ...rows.find((row) => row.id === id)!, revision: rows.length + 1 }
    expect(check(withRows(session, [...rows, intact(session, { ...copy, id: 'nobody' })]))).toEqual([
      `${session}: event ${copy.revision}, of type input, comes from nowhere`,
    ])
    expect(check(withRows(session, [...rows, intact(session, copy)]))).toEqual([
      `${session}: submit ${id} is there 2 times`,
    ])
  })

  it('misses a session that is gone, and sees one that was deleted', () => {
    const { session } = lastDone<Recording>('submit')
    const rest = new Map(logs)
    rest.delete(session)
    expect(check(rest)).toEqual([`${session}: is gone`])
    expect(check(rest, { begun: { type: 'delete', session } })).toEqual([])
    expect(check(logs, { begun: { type: 'delete', session } })).toEqual([])
    expect(check(rest, { begun: { type: 'delete', session } }, { done: {} })).toEqual([])
    expect(check(logs, { begun: { type: 'delete', session } }, { done: {} })).toEqual([
      `${session}: is there, though it was deleted`,
    ])
  })

  it('takes the event of an interrupted operation as it finds it, there or not, and no other', () => {
    const session = 'interrupted'
    const input = [...logs.values()].flat().find((row) => row.type === 'input')!
    const first = { ...input, revision: 1, id: 'first' }
    const second = { ...input, revision: 2, id: 'second' }
    const begun: Report = { begun: { type: 'submit', session, id: 'first', messages: [] } }
    expect(check(logs, begun)).toEqual([])
    expect(check(withRows(session, [first]), begun)).toEqual([])
    expect(check(withRows(session, [first, second]), begun)).toEqual([
      `${session}: event 2, of type input, comes from nowhere`,
    ])
    expect(check(withRows(session, [first]), { begun: { type: 'turn', session } })).toEqual([
      `${session}: event 1, of type input, comes from nowhere`,
    ])
  })

  it('tells what several hosts have done at once from what nobody has', () => {
    const session = 'shared'
    const input = [...logs.values()].flat().find((row) => row.type === 'input')!
    const { message } = JSON.parse(input.body) as { message: PlainMessage }
    const strand = (id: string, ...end: Report[]): Report[] => [
      { begun: { type: 'submit', session, id, messages: [message] } },
      ...end,
    ]
    const strands = [
      [...strand('a', { unknown: 'lost' }), ...strand('a', { done: { revision: 2 } })],
      [...strand('b', { unknown: 'lost' }), ...strand('c', { refused: 'no' })],
      strand('d'),
    ]
    const find = (...ids: string[]): string[] =>
      new Ledger().check(strands, new Map([[session, ids.map((id, index) => ({ ...input, revision: index + 1, id }))]]))
    expect(find('b', 'a')).toEqual([])
    expect(find('b', 'a', 'd')).toEqual([])
    expect(find('d', 'a')).toEqual([])
    expect(find('b', 'a', 'c')).toEqual(['shared: event 3, of type input, comes from nowhere'])
    expect(find('a', 'b')).toEqual(['shared: submit a is at 1, not at 2'])
    expect(find('b', 'd')).toEqual(['shared: submit a is lost'])
  })

  it('takes one boundary before each turn for its own where others were at work, and no other', () => {
    const session = 'shared'
    const boundary = [...logs.values()].flat().find((row) => row.type === 'boundary')!
    const turn = (revision: number): Report[] => [
      { begun: { type: 'turn', session } },
      { done: { turn: { revision, request: '', started: false, update: null } } },
    ]
    const strays = (count: number, ...strands: Report[][]): number => {
      const rows = Array.from({ length: count }, (_, index) => ({ ...boundary, revision: index + 1 }))
      const problems = new Ledger().check(strands, new Map([[session, rows]]))
      return problems.filter((problem) => problem.includes('comes from nowhere')).length
    }
    expect(strays(2, turn(2), [])).toBe(0)
    expect(strays(2, turn(2))).toBe(1)
    expect(strays(2, turn(1), [])).toBe(1)
    expect(strays(3, turn(3), [])).toBe(1)
    expect(strays(4, turn(3), turn(4))).toBe(0)
  })

  it('sees a fork that is torn, and one that is not what its parent is', () => {
    const { session, child } = lastDone<Forking>('fork')
    const rows = forkedRows(logs.get(child)!)
    const begun: Report = { begun: { type: 'fork', session, child: 'other' } }
    expect(check(withRows('other', rows), begun)).toEqual([])
    expect(check(withRows('other', rows.slice(0, 2)), begun)).toContain(
      'other: the fork is torn: its last event is missing',
    )
    expect(check(withRows('other', rows.with(1, { ...rows[1]!, body: '{"promoted":[1]}' })), begun)).toContain(
      'other: event 2 is not what the parent has',
    )
  })

  it('passes on what a worker failed with', () => {
    expect(check(logs, { failed: 'Error: no' })).toEqual(['a worker failed: Error: no'])
  })
})
