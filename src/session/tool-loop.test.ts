import { describe, expect, it } from 'vitest'
import {
  assistant,
  calling,
  collect,
  eventTypes,
  exchange,
  outline,
  result,
  startAgent,
  user,
} from '../../test/support/session.ts'
import { expectLaws, expectLegal, expectReplayed } from '../../test/support/session-laws.ts'
import { ToolResultsPendingError, ToolResultUnexpectedError } from './errors.ts'
import { plainFormat } from './plain-format.ts'
import type { PlainMessage } from './plain-format.ts'
import type { Format } from './types.ts'

describe('a tool loop', () => {
  it('goes on turn by turn, and a change is told behind the results', async () => {
    const { session, world } = startAgent()
    await exchange(session, 'one', calling('c1'))
    await session.append([result('c1')])
    world.set('app/branch', 'dev')
    const second = await session.turn()
    await second.answer([calling('c2')])
    await session.append([result('c2')])
    const third = await session.turn()
    await third.answer([assistant('done')])
    expect(outline(third.entries)).toEqual([
      'u:one',
      'a:calls c1',
      't:did c1',
      'U:app/branch=dev',
      'a:calls c2',
      't:did c2',
    ])
    const events = await expectLaws(session)
    for (const turn of [second, third]) {
      expectLegal(turn)
      expectReplayed(turn, events)
    }
  })

  it('has no turn while results are missing: the calls are named in order, and nothing is promoted or read', async () => {
    const { session, world } = startAgent()
    await exchange(session, 'one', calling('c1', 'c2', 'c3'))
    await session.append([result('c2')])
    await session.submit(user('meanwhile'))
    world.set('app/branch', 'dev')
    const before = await eventTypes(session)
    const reads = world.reads.length
    const turn = session.turn()
    await expect(turn).rejects.toThrow(ToolResultsPendingError)
    await expect(turn).rejects.toMatchObject({ code: 'tool_results_pending', calls: ['c1', 'c3'] })
    // With the calls themselves, so that a restarted process can run the tools.
    await expect(turn).rejects.toMatchObject({ messages: [calling('c1', 'c2', 'c3'), result('c2')] })
    expect(await eventTypes(session)).toEqual(before)
    expect(world.reads).toHaveLength(reads)

    await session.append([result('c3'), result('c1')])
    const next = await session.turn()
    expect(outline(next.entries).slice(2)).toEqual([
      't:did c2',
      't:did c3',
      't:did c1',
      'u:meanwhile',
      'U:app/branch=dev',
    ])
    expectLegal(next)
    await expectLaws(session)
  })

  it('survives a crash between a call and its result', async () => {
    const agent = startAgent()
    await exchange(agent.session, 'one', calling('c1'))
    const { session } = agent.restarted()
    await expect(session.turn()).rejects.toMatchObject({ calls: ['c1'] })
    await session.append([result('c1', 'error: the process ended')])
    const turn = await session.turn()
    expect(outline(turn.entries)).toEqual(['u:one', 'a:calls c1', 't:error: the process ended'])
    expectLegal(turn)
    await turn.answer([assistant('done')])
    await expectLaws(session)
  })

  it('takes a result twice under one id as once, from another process too', async () => {
    const agent = startAgent()
    const { session } = agent
    await exchange(session, 'one', calling('c1'))
    const receipt = await session.append([result('c1')], { id: 'result-c1' })
    expect(await session.append([result('c1')], { id: 'result-c1' })).toEqual(receipt)
    await (await session.turn()).answer([assistant('done')])
    expect(await agent.restarted().session.append([result('c1')], { id: 'result-c1' })).toEqual(receipt)
    const events = await expectLaws(session)
    expect(events.filter((event) => event.type === 'append')).toHaveLength(1)
  })

  it.each([
    ['a second result without an id', [result('c1')]],
    ['a result of a call that nobody made', [result('c9')]],
    ['a result twice in one append', [result('c2'), result('c2')]],
    ['a result after one that is in order', [result('c2'), result('c1')]],
  ])('refuses %s, and records nothing', async (_, messages) => {
    const { session } = startAgent()
    await exchange(session, 'one', calling('c1', 'c2'))
    await session.append([result('c1')])
    const again = session.append(messages)
    await expect(again).rejects.toThrow(ToolResultUnexpectedError)
    await expect(again).rejects.toMatchObject({ code: 'tool_result_unexpected' })
    expect(await eventTypes(session)).toEqual(['input', 'epoch', 'answer', 'append'])
    await session.append([result('c2')])
    expectLegal(await session.turn())
    await expectLaws(session)
  })

  it('refuses a result of a call that was closed in an earlier loop, and takes an id that is used again', async () => {
    const { session } = startAgent()
    await exchange(session, 'one', calling('call_0'))
    await session.append([result('call_0')])
    await (await session.turn()).answer([calling('call_0')])
    await session.append([result('call_0', 'second')])
    await expect(session.append([result('call_0')])).rejects.toThrow(ToolResultUnexpectedError)
    const turn = await session.turn()
    expect(outline(turn.entries)).toEqual(['u:one', 'a:calls call_0', 't:did call_0', 'a:calls call_0', 't:second'])
    expectLegal(turn)
  })

  it('asks the format as its own object, so that a format may be a class', async () => {
    class ClassFormat implements Format<PlainMessage> {
      readonly id = 'class'
      readonly #plain = plainFormat
      kind(message: PlainMessage): 'user' | 'assistant' | 'tool-result' {
        return this.#plain.kind(message)
      }
      openCalls(messages: readonly PlainMessage[]): readonly string[] {
        return this.#plain.openCalls(messages)
      }
      identity(message: PlainMessage): ReturnType<Format<PlainMessage>['identity']> {
        return this.#plain.identity(message)
      }
    }
    let instructions = 'Be brief.'
    const { session, sessions } = startAgent({
      format: new ClassFormat(),
      instructions: () => instructions,
      onInstructionsChanged: 'epoch',
    })
    const attached = sessions.attach('two')
    const history = [user('one'), calling('c1'), result('c1')]
    await exchange(session, 'one', calling('c1'))
    await session.append([result('c1')])
    await attached.turn({ history })
    instructions = 'Be kind.'
    expect([(await session.turn()).epoch, (await attached.turn({ history })).epoch]).toEqual([1, 1])
    expect(await session.verify()).toMatchObject({ ok: true })
    expect(await attached.verify({ history })).toMatchObject({ ok: true })
  })

  it('of a hundred calls looks at each message a bounded number of times', async () => {
    let looked = 0
    const format: Format<PlainMessage> = {
      ...plainFormat,
      openCalls(messages) {
        looked += messages.length
        return plainFormat.openCalls(messages)
      },
    }
    const { session } = startAgent({ format })
    await session.submit(user('one'))
    for (let index = 0; index < 100; index++) {
      await (await session.turn()).answer([calling(`c${index}`)])
      await session.append([result(`c${index}`)])
    }
    expect((await collect(session.events())).length).toBe(202)
    expect(looked).toBeLessThan(2000)
  })
})
