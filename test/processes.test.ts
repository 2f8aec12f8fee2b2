/** Several processes, and several connections of one process, that work on the same session at once. */
import { once } from 'node:events'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout } from 'node:timers/promises'
import { afterAll, describe, expect, it } from 'vitest'
import { createSessions, type PlainMessage, type Receipt, type Session, type SessionEvent } from '../src/index.ts'
import { sqliteStore } from '../src/store/sqlite/index.ts'
import { contend, contendedContext, type Contender, type Findings } from './support/contender.ts'
import type { ContenderResult, ContenderTask } from './support/contender-worker.ts'
import { startProcess } from './support/start-process.ts'

const folder = mkdtempSync(join(tmpdir(), 'indelible-contenders-'))
afterAll(() => rmSync(folder, { recursive: true }))

/** Inputs of each of two contenders, and of a third party that only submits. */
const INPUTS = 30

const contenders: readonly Contender[] = [
  { name: 'first', seed: 1, inputs: INPUTS, total: 3 * INPUTS },
  { name: 'second', seed: 2, inputs: INPUTS, total: 3 * INPUTS },
]

describe('one session, with inputs arriving', () => {
  it('keeps one log while two processes take turns and answer', { timeout: 120_000 }, async () => {
    const path = join(folder, 'processes.db')
    const processes = await Promise.all(
      contenders.map(() => startProcess(new URL('support/contender-worker.ts', import.meta.url))),
    )
    const results = processes.map(async (child) => {
      const [result] = (await once(child, 'message')) as [ContenderResult]
      if ('error' in result) throw new Error(result.error)
      return result
    })
    for (const [index, child] of processes.entries()) {
      child.send({ ...contenders[index]!, path, session: 'shared' } satisfies ContenderTask)
    }
    await expectOneLog(path, Promise.all(results))
  })

  it('keeps one log while two connections of one process do', { timeout: 120_000 }, async () => {
    const path = join(folder, 'connections.db')
    const results = contenders.map(async (contender) => {
      const sessions = createSessions({ store: sqliteStore(path), context: contendedContext(contender) })
      const findings = await contend(sessions.open('shared'), contender)
      await sessions.close()
      return findings
    })
    await expectOneLog(path, Promise.all(results))
  })
})

/** Submits inputs while the contenders are at work, and holds what they all were told against the log. */
async function expectOneLog(path: string, results: Promise<Findings[]>): Promise<void> {
  const sessions = createSessions({
    store: sqliteStore(path),
    context: contendedContext({ name: 'third', seed: 3 }),
  })
  const session = sessions.open('shared')
  const [findings, own] = await Promise.all([results, submitInputs(session)])
  const events: SessionEvent<PlainMessage>[] = []
  for await (const event of session.events()) events.push(event)
  const ofType = <T extends SessionEvent<PlainMessage>['type']>(type: T) =>
    events.filter((event): event is Extract<SessionEvent<PlainMessage>, { type: T }> => event.type === type)
  const boundaries = [...ofType('epoch'), ...ofType('boundary')].toSorted((a, b) => a.revision - b.revision)

  // One log, whose first epoch is its only one.
  expect(await session.verify()).toEqual({ ok: true, problems: [] })
  expect(events.map((event) => event.revision)).toEqual(events.map((_, index) => index + 1))
  expect(ofType('epoch')).toHaveLength(1)

  // Every input is there once, as its caller was told, and is promoted once and in order.
  const inputs = ofType('input')
  expect(receiptsOf(inputs)).toEqual(byRevision([...own, ...findings.flatMap((found) => found.inputs)]))
  expect(inputs).toHaveLength(3 * INPUTS)
  expect(boundaries.flatMap((boundary) => boundary.promoted)).toEqual(inputs.map((input) => input.revision))

  // No turn is answered twice, and what was refused is not there.
  const answers = ofType('answer')
  expect(receiptsOf(answers)).toEqual(byRevision(findings.flatMap((found) => found.answers)))
  expect(new Set(answers.map((answer) => answer.turn)).size).toBe(answers.length)
  const refused = new Set(findings.flatMap((found) => found.refused))
  expect(answers.filter((answer) => refused.has(answer.id))).toEqual([])

  // Every update that a turn admitted is there once.
  const updates = ofType('boundary').flatMap((boundary) => boundary.update?.text ?? [])
  expect(updates.toSorted()).toEqual(findings.flatMap((found) => found.updates).toSorted())

  // All have seen the same conversation, and they did get in each other's way.
  for (const { entries } of findings) expect(entries).toEqual((await session.turn()).entries)
  expect(refused.size).toBeGreaterThan(0)
  await sessions.close()
}

async function submitInputs(session: Session<PlainMessage>): Promise<Receipt[]> {
  const receipts: Receipt[] = []
  for (let index = 1; index <= INPUTS; index++) {
    const id = `third-input-${index}`
    receipts.push(await session.submit({ role: 'user', content: id }, { id }))
    await setTimeout(index % 7)
  }
  return receipts
}

function receiptsOf(events: readonly Receipt[]): Receipt[] {
  return events.map(({ id, revision }) => ({ id, revision }))
}

function byRevision(receipts: readonly Receipt[]): Receipt[] {
  return receipts.toSorted((a, b) => a.revision - b.revision)
}
