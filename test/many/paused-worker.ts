/** A process that is paused at moments that its parent chooses. Started with `startProcess`; ends with its parent. */
import { createSessions, IndelibleError } from '../../src/index.ts'
import type { PlainMessage, Session, Turn } from '../../src/index.ts'
import { ready } from '../support/start-process.ts'
import { openStore } from '../support/store-address.ts'
import type { PausedAnswer, PausedOrder, PausedTask } from './paused-protocol.ts'
import { pausedSource } from './paused-source.ts'

let load = (_value: string): void => {}

const context = pausedSource(() => {
  const { promise, resolve } = Promise.withResolvers<string>()
  load = resolve
  say({ said: 'loading' })
  return promise
})

function say(answer: PausedAnswer): void {
  process.send!(answer)
}

class Paused {
  readonly #session: Session<PlainMessage>
  #turn: Turn<PlainMessage> | undefined

  constructor({ address, session }: PausedTask) {
    this.#session = createSessions({ store: openStore(address), context }).open(session)
  }

  async obey(order: PausedOrder): Promise<PausedAnswer | null> {
    switch (order.order) {
      case 'load':
        load(order.value)
        return null
      case 'submit': {
        const receipt = await this.#session.submit({ role: 'user', content: order.id }, { id: order.id })
        return { said: 'recorded', receipt }
      }
      case 'turn': {
        const turn = (this.#turn = await this.#session.turn())
        const texts = turn.entries.map((entry) =>
          entry.type === 'update' ? entry.text : String(entry.message['content']),
        )
        return { said: 'turn', revision: turn.revision, update: turn.update?.text ?? null, texts }
      }
      case 'answer': {
        const messages = [{ role: 'assistant', content: order.id }]
        return { said: 'recorded', receipt: await this.#turn!.answer(messages, { id: order.id }) }
      }
      case 'fork':
        await this.#session.fork(order.child)
        return { said: 'forked' }
    }
  }
}

process.on('disconnect', () => process.exit(0))

ready<PausedTask>((task) => {
  const paused = new Paused(task)
  process.on('message', (order: PausedOrder) => {
    paused.obey(order).then(
      (answer) => answer !== null && say(answer),
      (error: unknown) =>
        say({ said: 'refused', code: error instanceof IndelibleError ? error.code : String((error as Error).stack) }),
    )
  })
})
