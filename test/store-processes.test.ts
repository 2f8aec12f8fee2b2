/** Several processes on one database. */
import type { ChildProcess } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, readdirSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, describe, expect, it } from 'vitest'
import { needsServer, startPostgres } from './support/postgres.ts'
import { startProcess } from './support/start-process.ts'
import { openStore, type StoreAddress } from './support/store-address.ts'
import type { StoreTask, StoreTaskResult } from './support/store-worker.ts'

const folder = mkdtempSync(join(tmpdir(), 'indelible-processes-'))
afterAll(() => rmSync(folder, { recursive: true }))

describe('sqliteStore in several processes', () => {
  it(
    'gives every append of four processes in tight loops a revision of its own, and fails none',
    { timeout: 120_000 },
    async () => {
      const address = inFile('one-log.db')
      const names = ['a', 'b', 'c', 'd']
      const count = 100
      const results = await withWorkers(names.length, (run) =>
        Promise.all(names.map((name, index) => run(index, { address, session: 'session', name, count }))),
      )

      const store = openStore(address)
      const log = await store.read('session', 0)
      await store.close()
      expect(log.map(({ revision }) => revision)).toEqual(
        Array.from({ length: names.length * count }, (_, index) => index + 1),
      )
      for (const [index, name] of names.entries()) {
        const own = log.filter(({ id }) => id?.startsWith(`${name}-`))
        expect(own.map(({ id }) => id)).toEqual(
          Array.from({ length: count }, (_, position) => `${name}-${position + 1}`),
        )
        expect(results[index]).toEqual({ revisions: own.map(({ revision }) => revision) })
      }
    },
  )

  it('lets ten processes open a new file at once', { timeout: 120_000 }, async () => {
    await withWorkers(names.length, async (run) => {
      for (let round = 1; round <= 5; round++) {
        await expectOneEach(inFile(`new-${round}.db`), run)
      }
    })
    expect(readdirSync(folder).filter((name) => name.startsWith('new-') && !name.endsWith('.db'))).toEqual([])
  })
})

describe('postgresStore in several processes', () => {
  it('lets ten processes open a new schema at once', { timeout: 120_000 }, async (test) => {
    test.skip(needsServer !== undefined, needsServer)
    const { connectionString, newSchema, close } = await startPostgres()
    await withWorkers(names.length, async (run) => {
      for (let round = 1; round <= 5; round++) {
        await expectOneEach({ type: 'postgres', connectionString, schema: newSchema() }, run)
      }
    })
    await close()
  })
})

const names = Array.from({ length: 10 }, (_, index) => `session ${index}`)

type Run = (index: number, task: StoreTask) => Promise<StoreTaskResult>

function inFile(name: string): StoreAddress {
  return { type: 'sqlite', path: join(folder, name) }
}

/** Has each process write the first event of a session, all at once. */
async function expectOneEach(address: StoreAddress, run: Run): Promise<void> {
  const results = await Promise.all(
    names.map((name, index) => run(index, { address, session: name, name: 'event', count: 1 })),
  )
  expect(results).toEqual(names.map(() => ({ revisions: [1] })))

  const store = openStore(address)
  const sessions: string[] = []
  for await (const { id } of store.list()) sessions.push(id)
  expect(sessions).toEqual(names)
  await store.close()
}

/** Starts processes, waits until all have loaded, and stops them in the end. `run` gives a task to one that has none. */
async function withWorkers<T>(count: number, use: (run: Run) => Promise<T>): Promise<T> {
  const workers = await Promise.all(
    Array.from({ length: count }, () => startProcess(new URL('support/store-worker.ts', import.meta.url))),
  )
  const stopped = workers.map((child) => once(child, 'exit'))
  try {
    return await use((index, task) => runTask(workers[index]!, task))
  } finally {
    for (const child of workers) child.disconnect()
    await Promise.all(stopped)
  }
}

async function runTask(child: ChildProcess, task: StoreTask): Promise<StoreTaskResult> {
  const answered = once(child, 'message')
  child.send(task)
  const [result] = (await answered) as [StoreTaskResult]
  return result
}
