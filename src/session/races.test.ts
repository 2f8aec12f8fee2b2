/** Several writers on one session: objects of one process, processes on one store, and answers of a store that come late. */
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import {
  assistant,
  beliefsOf,
  calling,
  countingIds,
  exchange,
  gate,
  outline,
  replacing,
  result,
  startAgent,
  tickingClock,
  user,
  World,
} from '../../test/support/session.ts'
import { expectLaws, expectLegal } from '../../test/support/session-laws.ts'
import { IndelibleError } from '../base/error.ts'
import { defineSource } from '../context/index.ts'
import { memoryStore } from '../store/memory.ts'
import { ToolResultsPendingError } from './errors.ts'
import type { PlainMessage } from './plain-format.ts'
import { createSessions } from './sessions.ts'
import type { EventStore } from './store.ts'
import type { Session, Turn } from './types.ts'

/** A store that can be told to hold back the acknowledgement of its next append. */
function withLateAcknowledgement(): {
  store: EventStore
  hold(): { readonly written: Promise<void>; release(): void }
} {
  const store = memoryStore()
  let holding: { written: ReturnType<typeof gate>; released: ReturnType<typeof gate> } | undefined
  return {
    store: replacing(store, {
      append: async (...args) => {
        const held = holding
        holding = undefined
        const done = await store.append(...args)
        held?.written.open()
        await held?.released.opened
        return done
      },
    }),
    hold() {
      const [written, released] = [gate(), gate()]
      holding = { written, released }
      return { written: written.opened, release: released.open }
    },
  }
}

describe('turns that are taken at the same time', () => {
  it('by one object are one boundary', async () => {
    const { session } = startAgent()
    await session.submit(user('one'))
    const turns = await Promise.all([session.turn(), session.turn(), session.turn()])
    expect(new Set(turns.map((turn) => turn.revision)).size).toBe(1)
    expect(turns.map((turn) => turn.started).filter((cause) => cause !== null)).toEqual(['initial'])
    await expectLaws(session)
  })

  it('by two processes admit an update once: the loser keeps what it read, and decides again', async () => {
    const agent = startAgent()
    const other = agent.restarted()
    await exchange(agent.session, 'one')
    await other.session.turn()
    agent.world.set('app/branch', 'dev')
    await agent.session.submit(user('two'))
    const reads = agent.world.reads.length
    const turns = await Promise.all([agent.session.turn(), other.session.turn()])
    expect(agent.world.reads.length - reads).toBe(4)
    expect(turns.map((turn) => turn.update?.text ?? null).toSorted()).toEqual(['app/branch=dev', null])
    expect(outline(turns[0].entries)).toEqual(['u:one', 'a:answer to one', 'u:two', 'U:app/branch=dev'])
    expect(turns[1].entries).toEqual(turns[0].entries)
    await expectLaws(agent.session)
  })

  it('are answered once', async () => {
    const agent = startAgent()
    const other = agent.restarted()
    await agent.session.submit(user('one'))
    const turns = await Promise.all([agent.session.turn(), other.session.turn()])
    const answers = await Promise.allSettled(turns.map((turn, index) => turn.answer([assistant(`answer ${index}`)])))
    expect(answers.map(({ status }) => status).toSorted()).toEqual(['fulfilled', 'rejected'])
    expect(answers.find((answer) => answer.status === 'rejected')?.reason).toMatchObject({ code: 'turn_superseded' })
    await expectLaws(agent.session)
    await expectLaws(other.session)
  })

  it('decide again when the conversation moved on while the sources of an epoch were read', async () => {
    const { opened: mayAnswer, open: answer } = gate()
    const { opened: hasRead, open: read } = gate()
    let reads = 0
    const world = new World({ 'app/epochal': '1' })
    const context = world.source('app/epochal', { refresh: 'epoch' }, async () => {
      if (++reads !== 2) return
      read()
      await mayAnswer
    })
    const { session } = startAgent({ world, context })
    await exchange(session, 'one')
    await session.move()
    await session.submit(user('two'))
    const late = session.turn()
    await hasRead
    await (await session.turn()).answer([calling('c1')])
    answer()
    await expect(late).rejects.toThrow(ToolResultsPendingError)
    expect((await expectLaws(session)).filter((event) => event.type === 'epoch')).toHaveLength(2)
  })

  it('use no value of the old place when a move was served while they read their sources', async () => {
    const agent = startAgent()
    await exchange(agent.session, 'one')
    const { opened: mayAnswer, open: answer } = gate()
    const { opened: hasRead, open: read } = gate()
    let places = ['old place', 'new place']
    const context = defineSource<string>({
      key: 'app/branch',
      codec: { encode: (value) => value, decode: String },
      load: async () => {
        const [place = 'new place'] = places
        places = places.slice(1)
        read()
        await mayAnswer
        return place
      },
      baseline: (current) => `app/branch=${current}`,
      update: (_previous, current) => `app/branch=${current}`,
    })
    const slow = agent.restarted({ context }).session
    await slow.submit(user('two'))
    const late = slow.turn()
    await hasRead
    await agent.session.move()
    agent.world.set('app/branch', 'new place')
    const moved = await agent.session.turn()
    answer()
    const turn = await late
    expect([moved.epoch, turn.epoch]).toEqual([2, 2])
    expect(beliefsOf(turn)['app/branch']).toBe('new place')
    await expectLaws(agent.session)
  })
})

describe('an acknowledgement that comes late', () => {
  it('gives no turn that waits for tool results', async () => {
    const { store, hold } = withLateAcknowledgement()
    const { session } = startAgent({ store })
    await session.submit(user('one'))
    const held = hold()
    const late = session.turn()
    await held.written
    await (await session.turn()).answer([calling('c1')])
    held.release()
    await expect(late).rejects.toThrow(ToolResultsPendingError)
    await expectLaws(session)
  })

  it('gives a turn that says what it did, not what another one did', async () => {
    const { store, hold } = withLateAcknowledgement()
    const agent = startAgent({ store })
    const { session, world } = agent
    await exchange(session, 'one')
    world.set('app/branch', 'dev')
    await session.submit(user('two'))
    const held = hold()
    const late = session.turn()
    await held.written
    await session.move()
    await session.turn()
    held.release()
    const turn = await late
    expect([turn.epoch, turn.update, turn.started]).toEqual([2, null, null])
    expect(beliefsOf(turn)).toMatchObject({ 'app/branch': 'dev' })
    await expectLaws(session)
  })

  it('of a boundary after which inputs came in gives the turn of that boundary', async () => {
    const { store, hold } = withLateAcknowledgement()
    const { session } = startAgent({ store })
    await session.submit(user('one'))
    const held = hold()
    const late = session.turn()
    await held.written
    await session.submit(user('two'))
    held.release()
    const turn = await late
    expect([turn.started, outline(turn.entries)]).toEqual(['initial', ['u:one']])
    await turn.answer([assistant('yes')])
    await expectLaws(session)
  })

  it('of an answer, an append or an input is still a receipt', async () => {
    const { store, hold } = withLateAcknowledgement()
    const { session } = startAgent({ store })
    const receipts = []
    for (const act of [
      () => session.submit(user('one')),
      async () => (await session.turn()).answer([assistant('yes')]),
      () => session.append([user('two')]),
    ]) {
      const held = hold()
      const late = act()
      await held.written
      await session.submit(user('meanwhile'))
      held.release()
      receipts.push((await late).revision)
    }
    expect(receipts).toHaveLength(3)
    await expectLaws(session)
  })
})

describe('opening a session', () => {
  it('while its first event is still being acknowledged, and others have gone far beyond it', async () => {
    const { store, hold } = withLateAcknowledgement()
    const agent = startAgent({ store })
    const held = hold()
    const input = agent.session.submit(user('one'))
    await held.written
    const other = agent.restarted().session
    await exchange(other, 'two')
    await other.compact({ summary: [user('so far')], through: 4 })
    await exchange(other, 'three')

    const { opened, open } = gate()
    agent.store.epochStart = async (id) => {
      await opened
      return store.epochStart(id)
    }
    const turn = agent.session.turn()
    held.release()
    await input
    open()
    expect(outline((await turn).entries)).toEqual(['u:so far', 'u:three', 'a:answer to three'])
    await expectLaws(agent.session)
  })
})

describe('whatever order a store answers in', () => {
  it('every input is promoted once and in order, every turn answered once, and no other error reaches anybody', async () => {
    await fc.assert(
      fc.asyncProperty(fc.scheduler(), fc.boolean(), meddling, async (scheduler, shared, meddles) => {
        const world = new World({ 'app/branch': 'main', 'app/date': 'Monday' })
        const plain = memoryStore()
        const settings = { context: world.context(), clock: tickingClock(), createId: countingIds() }
        const open = (store: EventStore): Session<PlainMessage> => createSessions({ ...settings, store }).open('one')
        const slow = scheduled(plain, scheduler)
        const first = open(slow)
        const workers = shared ? [first, first, first] : [first, open(slow), open(slow)]
        let answered = 0

        const users = async (): Promise<void> => {
          for (let count = 0; count < 4; count++) {
            await workers[count % 3]!.submit(user(`input ${count}`))
            world.set('app/branch', `branch-${count}`)
          }
        }
        const agent = async (session: Session<PlainMessage>, worker: number): Promise<void> => {
          for (let count = 0; count < 3; count++) {
            await tolerate(async () => {
              const turn = await session.turn()
              if (turn.entries.length === 0 || endsWithAnswer(turn)) return
              expectLegal(turn)
              const call = `call-${worker}-${count}`
              const { revision } = await turn.answer([count === 0 ? calling(call) : assistant(`by ${worker}`)])
              answered = revision
              if (count === 0) await session.append([result(call)], { id: call })
            })
          }
        }
        const meddler = async (): Promise<void> => {
          for (const [index, meddle] of meddles.entries()) {
            const session = workers[index % 3]!
            await tolerate(() => {
              if (meddle === 'move') return session.move()
              if (meddle === 'refuse') return session.refused({ model: `m${index}`, feature: 'native-updates' })
              return session.compact({ summary: [user(`summary ${index}`)], through: answered })
            })
          }
        }
        await scheduler.waitFor(Promise.all([users(), meddler(), ...workers.map(agent)]))

        const calm = open(plain)
        await calm.turn()
        const events = await expectLaws(calm)
        expect(events.flatMap((event) => ('promoted' in event ? event.promoted : []))).toHaveLength(4)
        for (const session of new Set(workers)) {
          const verified = session.verify()
          await scheduler.waitFor(verified)
          expect(await verified).toEqual({ ok: true, problems: [] })
        }
      }),
      { numRuns: Number(process.env['LAWS_RUNS'] ?? 60) },
    )
  })
})

const meddling = fc.array(fc.constantFrom('move', 'refuse', 'compact'), { maxLength: 4 })

/** What a caller has to expect where others work on the same session. */
async function tolerate(act: () => Promise<void>): Promise<void> {
  try {
    await act()
  } catch (error) {
    const codes = ['turn_superseded', 'tool_results_pending', 'compaction_invalid'] as const
    if (!codes.some((code) => IndelibleError.isInstance(error, code))) throw error
  }
}

function endsWithAnswer({ entries }: Turn<PlainMessage>): boolean {
  const last = entries.at(-1)
  return last?.type === 'message' && last.message.role === 'assistant'
}

/** Every call is carried out, and every answer arrives, when the scheduler says so. */
function scheduled(store: EventStore, scheduler: fc.Scheduler): EventStore {
  const run = async <T>(label: string, call: () => Promise<T>): Promise<T> => {
    await scheduler.schedule(Promise.resolve(), label)
    const answer = await call()
    await scheduler.schedule(Promise.resolve(), `${label} answered`)
    return answer
  }
  return replacing(store, {
    append: (...args) => run('append', () => store.append(...args)),
    read: (...args) => run('read', () => store.read(...args)),
    epochStart: (...args) => run('epochStart', () => store.epochStart(...args)),
    find: (...args) => run('find', () => store.find(...args)),
  })
}
