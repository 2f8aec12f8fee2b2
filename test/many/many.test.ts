/** Many processes that converse in many sessions of one store, each as if it were alone. */
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, describe, expect, it } from 'vitest'
import { bodyOf, type Rows } from '../support/ledger/evidence.ts'
import { Ledger } from '../support/ledger/ledger.ts'
import { readLogs, verifyAll } from '../support/ledger/logs.ts'
import type { Report } from '../support/ledger/operations.ts'
import { needsServer, startPostgres } from '../support/postgres.ts'
import { openStore, type StoreAddress } from '../support/store-address.ts'
import { Crowd } from './crowd.ts'
import { inputId } from './protocol.ts'

const SESSIONS = 200
const INPUTS = 10
const sessions = Array.from({ length: SESSIONS }, (_, index) => `session-${String(index).padStart(3, '0')}`)

const folder = mkdtempSync(join(tmpdir(), 'indelible-many-'))
afterAll(() => rmSync(folder, { recursive: true }))

describe('200 sessions with 2,000 inputs, while sources change', () => {
  it('are one log each for 4 processes on one SQLite file', { timeout: 600_000 }, async () => {
    await expectOneLogEach({ type: 'sqlite', path: join(folder, 'many.db') }, 4)
  })

  it.skipIf(needsServer !== undefined)(
    `are one log each for 8 processes on PostgreSQL${needsServer === undefined ? '' : ` (${needsServer})`}`,
    { timeout: 600_000 },
    async () => {
      const postgres = await startPostgres()
      const { connectionString } = postgres
      await expectOneLogEach({ type: 'postgres', connectionString, schema: postgres.newSchema() }, 8)
      await postgres.close()
    },
  )
})

async function expectOneLogEach(address: StoreAddress, hosts: number): Promise<void> {
  const crowd = await Crowd.start({ address: () => address, seed: 1, hosts, lanes: 4, inputs: INPUTS })
  const store = openStore(address)
  try {
    crowd.work(sessions)
    await crowd.until('finish all sessions', () => crowd.finished.size === SESSIONS)
    await crowd.rest()
    const strands = crowd.take()
    await crowd.end()
    const logs = await readLogs(store)

    // Each log holds what its callers were told, once, in order, rebuilt to the byte, and nothing else; and verifies.
    expect(new Ledger().check(strands, logs)).toEqual([])
    expect(await verifyAll(store, logs.keys())).toEqual([])
    for (const session of sessions) expectWhole(session, logs.get(session)!)
    expectContention(strands)
  } finally {
    crowd.killAll()
    await store.close()
  }
}

/** Every input is there once and promoted once, in order; no turn is answered twice; a boundary tells at most one update. */
function expectWhole(session: string, rows: Rows): void {
  const inputs = rows.filter((row) => row.type === 'input')
  const ids = Array.from({ length: INPUTS }, (_, index) => inputId(session, index))
  expect(inputs.map((row) => row.id).toSorted()).toEqual(ids.toSorted())

  const boundaries = rows.filter((row) => row.type === 'boundary' || row.type === 'epoch')
  const promoted = boundaries.flatMap((row) => bodyOf(row)['promoted'] as number[])
  expect(promoted).toEqual(inputs.map((row) => row.revision))

  const answered = rows.flatMap((row) => (row.type === 'answer' ? [bodyOf(row)['turn']] : []))
  expect(new Set(answered).size).toBe(answered.length)
  expect(rows.findLast((row) => row.type !== 'boundary' && row.type !== 'epoch')?.type).toBe('answer')

  // A boundary stands for what it promotes or tells: there is none beside it that says the same again.
  const idle = boundaries.filter((row) => {
    const { promoted, update } = bodyOf(row) as { promoted: unknown[]; update?: unknown }
    return row.type === 'boundary' && promoted.length === 0 && update === null
  })
  expect(idle).toEqual([])
}

/** The hosts did get in each other's way, and the store was never in theirs. */
function expectContention(strands: readonly Report[][]): void {
  const reports = strands.flat()
  expect(reports.filter((report) => 'unknown' in report)).toEqual([])
  expect(reports.filter((report) => 'refused' in report).length).toBeGreaterThan(0)
}
