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
import { expectLaws, expectLegal } from '../../test/support/session-laws.ts'
import { InputConflictError, MessageInvalidError, ToolResultsPendingError, TurnSupersededError } from './errors.ts'
import { plainFormat } from './plain-format.ts'
import type { PlainMessage } from './plain-format.ts'
import type { Format } from './types.ts'

describe('an answer', () => {
  it('is recorded under the turn that it answers, verbatim and with what the provider reported', async () => {
    const { session } = startAgent()
    await session.submit(user('one'))
    const turn = await session.turn()
    const usage = { total: 12, read: 8, uncached: 4, output: 2, raw: { input_tokens: 4 } }
    const receipt = await turn.answer([assistant('yes')], { id: 'msg_1', usage })
    expect(receipt).toEqual({ id: 'msg_1', revision: 3 })
    expect((await collect(session.events())).at(-1)).toMatchObject({
      type: 'answer',
      id: 'msg_1',
      turn: turn.revision,
      epoch: 1,
      messages: [assistant('yes')],
      usage,
    })
    await expectLaws(session)
  })

  it('is recorded once: a second one to the same turn is refused', async () => {
    const { session } = startAgent()
    const turn = await exchange(session, 'one')
    await expect(turn.answer([assistant('again')])).rejects.toThrow(TurnSupersededError)
    expect(await eventTypes(session)).toEqual(['input', 'epoch', 'answer'])
  })

  it('gives the same receipt when it is retried under its id, even by a process that lost its turn', async () => {
    const agent = startAgent()
    const { session } = agent
    await session.submit(user('one'))
    const turn = await session.turn()
    const receipt = await turn.answer([assistant('yes')], { id: 'msg_1' })
    expect(await turn.answer([assistant('yes')], { id: 'msg_1' })).toEqual(receipt)
    const later = await agent.restarted().session.turn()
    expect(await later.answer([assistant('yes')], { id: 'msg_1' })).toEqual(receipt)
    await expect(turn.answer([assistant('no')], { id: 'msg_1' })).rejects.toThrow(InputConflictError)
    expect(await eventTypes(session)).toEqual(['input', 'epoch', 'answer'])
  })

  it.each<[string, (agent: ReturnType<typeof startAgent>) => Promise<unknown>]>([
    ['an input was promoted', ({ session }) => session.submit(user('two')).then(() => session.turn())],
    ['something was appended', ({ session }) => session.append([user('by the way')])],
    [
      'a change was told',
      async ({ session, world }) => {
        world.set('app/branch', 'dev')
        await session.turn()
      },
    ],
    ['an epoch started', ({ session }) => session.move().then(() => session.turn())],
  ])('is refused when %s since, and nothing is recorded', async (_, happens) => {
    const agent = startAgent()
    const { session } = agent
    await session.submit(user('one'))
    const turn = await session.turn()
    await happens(agent)
    const before = await eventTypes(session)
    await expect(turn.answer([assistant('too late')])).rejects.toThrow(TurnSupersededError)
    expect(await eventTypes(session)).toEqual(before)
    await (await session.turn()).answer([assistant('in time')])
    await expectLaws(session)
  })

  it.each<[string, (agent: ReturnType<typeof startAgent>) => Promise<unknown>]>([
    ['an input that was only submitted', ({ session }) => session.submit(user('two'))],
    ['a boundary at which nothing changed', ({ session }) => session.turn()],
    ['a move', ({ session }) => session.move()],
    ['a refusal', ({ session }) => session.refused({ model: 'm', feature: 'native-updates' })],
    ['a compaction', ({ session }) => session.compact({ summary: [user('so far')], through: 2 })],
    ['a fork', ({ session }) => session.fork('two')],
  ])('is not superseded by %s', async (_, happens) => {
    const agent = startAgent()
    const { session } = agent
    await session.submit(user('one'))
    const turn = await session.turn()
    await happens(agent)
    await turn.answer([assistant('yes')])
    await expectLaws(session)
    await expectLaws(agent.restarted().session)
  })

  it.each<[string, PlainMessage[]]>([
    ['nothing', []],
    ['a user message', [user('one')]],
    ['a tool result', [result('c1')]],
    ['an answer with a user message after it', [assistant('yes'), user('one')]],
  ])('may not be %s', async (_, messages) => {
    const { session } = startAgent()
    await session.submit(user('one'))
    const turn = await session.turn()
    await expect(turn.answer(messages)).rejects.toThrow(MessageInvalidError)
    expect(await eventTypes(session)).toEqual(['input', 'epoch'])
  })

  it('may be several messages, with the results of tools that the provider ran', async () => {
    const { session } = startAgent()
    await session.submit(user('one'))
    await (await session.turn()).answer([calling('c1'), result('c1'), assistant('done')])
    await session.submit(user('two'))
    const turn = await session.turn()
    expect(outline(turn.entries)).toEqual(['u:one', 'a:calls c1', 't:did c1', 'a:done', 'u:two'])
    expectLegal(turn)
    await expectLaws(session)
  })

  it('with the result of a call that it did not make is refused', async () => {
    const { session } = startAgent()
    await session.submit(user('one'))
    const turn = await session.turn()
    await expect(turn.answer([calling('c1'), result('c2')])).rejects.toMatchObject({ code: 'tool_result_unexpected' })
  })

  it('may go on: a turn whose last entry is an answer can be answered again', async () => {
    const { session } = startAgent()
    await exchange(session, 'one')
    const turn = await session.turn()
    await turn.answer([assistant('and more')])
    await expect(turn.answer([assistant('and more')])).rejects.toThrow(TurnSupersededError)
    await expectLaws(session)
  })
})

describe('append', () => {
  it('takes an imported conversation before the first epoch, which comes under epoch 0', async () => {
    const { session } = startAgent()
    await session.append([user('old'), assistant('reply'), user('older'), calling('c1'), result('c1')])
    await session.append([assistant('done')])
    await session.submit(user('new'))
    const turn = await session.turn()
    expect(outline(turn.entries)).toEqual(['u:old', 'a:reply', 'u:older', 'a:calls c1', 't:did c1', 'a:done', 'u:new'])
    expect(turn.entries.map((entry) => entry.epoch)).toEqual([0, 0, 0, 0, 0, 0, 1])
    expectLegal(turn)
    await expectLaws(session)
  })

  it('imports a conversation of thousands of messages in time that grows with its length', async () => {
    let looked = 0
    const format: Format<PlainMessage> = {
      ...plainFormat,
      openCalls(messages) {
        looked += messages.length
        return plainFormat.openCalls(messages)
      },
    }
    const { session } = startAgent({ format })
    const count = 2000
    await session.append(Array.from({ length: count }, (_, index) => (index % 2 ? assistant('yes') : user('one'))))
    await session.turn()
    expect(looked).toBeLessThan(4 * count)
  })

  it('refuses answers once an epoch has started', async () => {
    const { session } = startAgent()
    await exchange(session, 'one')
    await expect(session.append([assistant('sneaked in')])).rejects.toThrow(MessageInvalidError)
    await expect(session.append([user('one'), assistant('sneaked in')])).rejects.toThrow(/turn\.answer\(\)/)
    expect(await eventTypes(session)).toEqual(['input', 'epoch', 'answer'])
  })

  it('refuses nothing at all', async () => {
    const { session } = startAgent()
    await expect(session.append([])).rejects.toThrow(MessageInvalidError)
    await expect(session.append('one' as never)).rejects.toThrow(MessageInvalidError)
  })

  it('is fenced by the revision that it names', async () => {
    const { session } = startAgent()
    await session.submit(user('one'))
    const answer = await (await session.turn()).answer([calling('c1')])
    await session.submit(user('waiting'))
    await session.append([result('c1')], { after: answer.revision })
    await session.turn()
    const late = session.append([user('note')], { after: answer.revision })
    await expect(late).rejects.toThrow(TurnSupersededError)
    await expect(late).rejects.toMatchObject({ expected: answer.revision, actual: 6 })
    await expectLaws(session)
  })

  it('gives the same receipt for the same id, also where the fence would refuse it now', async () => {
    const { session } = startAgent()
    await session.submit(user('one'))
    const answer = await (await session.turn()).answer([calling('c1')])
    const options = { id: 'results', after: answer.revision }
    const receipt = await session.append([result('c1')], options)
    await (await session.turn()).answer([assistant('done')])
    expect(await session.append([result('c1')], options)).toEqual(receipt)
    await expect(session.append([result('c1', 'other')], options)).rejects.toThrow(InputConflictError)
    await expectLaws(session)
  })

  it('leaves an import with an open call waiting for its result', async () => {
    const { session } = startAgent()
    await session.append([user('old'), calling('c1')])
    await session.submit(user('new'))
    await expect(session.turn()).rejects.toThrow(ToolResultsPendingError)
    await session.append([result('c1')])
    expectLegal(await session.turn())
  })
})
