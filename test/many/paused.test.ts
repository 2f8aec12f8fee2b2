/** A process that is paused, for longer than its peers needed, in the middle of what it does. */
import type { ChildProcess } from 'node:child_process'
import { on } from 'node:events'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout } from 'node:timers/promises'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { createSessions } from '../../src/index.ts'
import type { EventStore, PlainMessage, Session } from '../../src/index.ts'
import { needsServer, startPostgres, type TestPostgres } from '../support/postgres.ts'
import { expectLaws } from '../support/session-laws.ts'
import { startProcess } from '../support/start-process.ts'
import { openStore, type StoreAddress } from '../support/store-address.ts'
import type { PausedAnswer, PausedOrder, PausedTask } from './paused-protocol.ts'
import { pausedSource } from './paused-source.ts'

const folder = mkdtempSync(join(tmpdir(), 'indelible-paused-'))
afterAll(() => rmSync(folder, { recursive: true }))

let files = 0
let postgres: TestPostgres | undefined
beforeAll(async () => {
  if (needsServer === undefined) postgres = await startPostgres()
})
afterAll(() => postgres?.close())

interface Place {
  readonly name: string
  readonly skipped?: string | undefined
  readonly newAddress: () => StoreAddress
}

const sqlite: Place = {
  name: 'SQLite',
  newAddress: () => ({ type: 'sqlite', path: join(folder, `${++files}.db`) }),
}
const server: Place = {
  name: 'PostgreSQL',
  skipped: needsServer,
  newAddress: () => {
    const { connectionString } = postgres!
    return { type: 'postgres', connectionString, schema: postgres!.newSchema() }
  },
}

for (const { name, skipped, newAddress } of [sqlite, server]) {
  describe.skipIf(skipped !== undefined)(
    `a paused process on ${name}${skipped === undefined ? '' : ` (${skipped})`}`,
    () => {
      let store: EventStore
      let peer: Session<PlainMessage>
      let worker: PausedProcess

      beforeEach(async () => {
        const address = newAddress()
        store = openStore(address)
        peer = createSessions({ store, context: pausedSource(() => 'of the peer') }).open('shared')
        await converse(peer, 'first')
        worker = await PausedProcess.start({ address, session: 'shared' })
      })
      afterEach(async () => {
        worker.kill()
        await store.close()
      })

      it('cannot append the boundary that its peers moved past: it reloads and goes on', async () => {
        await peer.submit(input('second'), { id: 'second' })
        worker.tell({ order: 'turn' })
        await worker.hears('loading')
        // It has read the log, in which the second input waits, and now reads its source.
        worker.pause()
        worker.tell({ order: 'load', value: 'of the paused' })
        await converse(peer)
        await peer.submit(input('third'), { id: 'third' })
        worker.resume()

        const turn = await worker.hears('turn')
        expect(turn.texts).toEqual([
          'first',
          'answer to first',
          'second',
          'answer to second',
          'third',
          'paused/value=of the paused',
        ])
        // What it had observed, it tells: its source was not read again.
        expect(turn.update).toBe('paused/value=of the paused')
        worker.tell({ order: 'answer', id: 'answer to third' })
        expect((await worker.hears('recorded')).receipt.revision).toBe(turn.revision + 1)
        await converse(peer, 'fourth')
        await expectLaws(peer)
      })

      it('cannot answer the turn that its peers moved past: it takes another and goes on', async () => {
        await peer.submit(input('second'), { id: 'second' })
        await worker.takesTurn('of the paused')
        worker.pause()
        worker.tell({ order: 'answer', id: 'late' })
        worker.tell({ order: 'submit', id: 'third' })
        await converse(peer, 'third')
        worker.resume()

        expect((await worker.hears('refused')).code).toBe('turn_superseded')
        // Its peer has submitted the same: once is enough.
        const inputs = (await expectLaws(peer)).filter((event) => event.type === 'input')
        expect((await worker.hears('recorded')).receipt.revision).toBe(inputs.at(-1)!.revision)
        expect(inputs.map((event) => event.id)).toEqual(['first', 'second', 'third'])

        await peer.submit(input('fourth'), { id: 'fourth' })
        worker.tell({ order: 'turn' })
        await worker.hears('loading')
        worker.tell({ order: 'load', value: 'of the paused' })
        expect((await worker.hears('turn')).texts).toContain('answer to third')
        worker.tell({ order: 'answer', id: 'in time' })
        await worker.hears('recorded')
        const answers = (await expectLaws(peer)).flatMap((event) => (event.type === 'answer' ? [event.id] : []))
        expect(answers).toEqual(['answer to first', 'answer to third', 'in time'])
      })

      it("that does nothing is in nobody's way", async () => {
        await worker.takesTurn('of the paused')
        worker.pause()
        for (const id of ['second', 'third', 'fourth']) await converse(peer, id)
        await peer.fork('child')
        await expectLaws(peer)
        worker.resume()
      })

      // On SQLite whoever is stopped while it writes holds the lock of the file: the others wait, and then say so.
      it.skipIf(name === 'SQLite')("in the middle of a fork is in nobody's way, whenever that is", async () => {
        for (let index = 1; index <= 40; index++) await converse(peer, `filling-${index}`)
        for (let pause = 1; pause <= 10; pause++) {
          worker.tell({ order: 'fork', child: `child-${pause}` })
          await setTimeout(pause * 2)
          worker.pause()
          await converse(peer, `beside-${pause}`)
          await peer.fork(`other-${pause}`)
          worker.resume()
          await worker.hears('forked')
        }
        await expectLaws(peer)
      })
    },
  )
}

/** Submits an input, unless one waits, takes a turn and answers it. */
async function converse(session: Session<PlainMessage>, id?: string): Promise<void> {
  if (id !== undefined) await session.submit(input(id), { id })
  const turn = await session.turn()
  const last = turn.entries.findLast((entry) => entry.type === 'message')!
  const answer = `answer to ${String(last.message['content'])}`
  await turn.answer([{ role: 'assistant', content: answer }], { id: answer })
}

function input(content: string): PlainMessage {
  return { role: 'user', content }
}

/** A process that is told what to do, and stopped by the system at any time. */
class PausedProcess {
  readonly #child: ChildProcess
  readonly #answers: AsyncIterator<[PausedAnswer]>

  static async start(task: PausedTask): Promise<PausedProcess> {
    const child = await startProcess(new URL('paused-worker.ts', import.meta.url))
    child.send(task)
    return new PausedProcess(child)
  }

  private constructor(child: ChildProcess) {
    this.#child = child
    this.#answers = on(child, 'message', { close: ['exit'] }) as AsyncIterator<[PausedAnswer]>
  }

  /** What it is told while it is paused, it hears when it goes on. */
  tell(order: PausedOrder): void {
    this.#child.send(order)
  }

  /** What it says next, which must be of that kind. */
  async hears<K extends PausedAnswer['said']>(said: K): Promise<Extract<PausedAnswer, { said: K }>> {
    const next = await this.#answers.next()
    const answer = next.done === true ? undefined : next.value[0]
    expect(answer).toMatchObject({ said })
    return answer as Extract<PausedAnswer, { said: K }>
  }

  async takesTurn(value: string): Promise<void> {
    this.tell({ order: 'turn' })
    await this.hears('loading')
    this.tell({ order: 'load', value })
    await this.hears('turn')
  }

  pause(): void {
    this.#child.kill('SIGSTOP')
  }

  resume(): void {
    this.#child.kill('SIGCONT')
  }

  kill(): void {
    this.#child.kill('SIGKILL')
  }
}
