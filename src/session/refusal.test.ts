import { describe, expect, it } from 'vitest'
import { eventTypes, exchange, outline, startAgent, user } from '../../test/support/session.ts'
import { expectLaws, expectLegal, expectReplayed } from '../../test/support/session-laws.ts'
import { MessageInvalidError } from './errors.ts'
import type { Refusal } from './types.ts'

const refusal: Refusal = { model: 'claude', platform: 'bedrock', feature: 'native-updates' }

describe('a refusal', () => {
  it('starts an epoch in which adapters know of it, and the aborted request is sent anew', async () => {
    const { session, world } = startAgent()
    await exchange(session, 'one')
    world.set('app/branch', 'dev')
    await session.submit(user('two'))
    const refused = await session.turn()
    await session.refused(refusal)
    const turn = await session.turn()
    expect([refused.refusals, turn.refusals]).toEqual([[], [refusal]])
    expect([turn.epoch, turn.started, turn.update]).toEqual([2, 'refused', null])
    expect(turn.baseline).toContain('app/branch=dev')
    expect(outline(turn.entries)).toEqual(['u:one', 'a:answer to one', 'u:two'])
    expectLegal(turn)
    expectReplayed(turn, await expectLaws(session))
  })

  it('is kept for every later epoch, and one that is known starts none', async () => {
    const agent = startAgent()
    const { session } = agent
    await exchange(session, 'one')
    await session.refused(refusal)
    await session.refused(refusal)
    await exchange(session, 'two')
    await session.refused(refusal)
    expect((await eventTypes(session)).filter((type) => type === 'refusal')).toHaveLength(1)
    await session.move()
    const turn = await agent.restarted().session.turn()
    expect([turn.epoch, turn.started, turn.refusals]).toEqual([3, 'moved', [refusal]])
    await expectLaws(session)
  })

  it.each<Refusal>([
    { model: 'claude', feature: 'native-updates' },
    { model: 'claude', platform: 'vertex', feature: 'native-updates' },
    { model: 'other', platform: 'bedrock', feature: 'native-updates' },
    { model: 'claude', platform: 'bedrock', feature: 'native-tools' },
  ])('is not the same as %j', async (other) => {
    const { session } = startAgent()
    await exchange(session, 'one')
    await session.refused(refusal)
    await session.refused(other)
    const turn = await session.turn()
    expect([turn.epoch, turn.refusals]).toEqual([2, [refusal, other]])
    await expectLaws(session)
  })

  it('before the first turn is part of the first epoch', async () => {
    const { session } = startAgent()
    await session.refused(refusal)
    const turn = await exchange(session, 'one')
    expect([turn.epoch, turn.started, turn.refusals]).toEqual([1, 'initial', [refusal]])
    await expectLaws(session)
  })

  it.each([
    { feature: 'native-updates' },
    { model: '', feature: 'native-updates' },
    { model: 'claude', feature: 'thinking' },
  ])('that says %j is refused itself', async (bad) => {
    const { session } = startAgent()
    await expect(session.refused(bad as Refusal)).rejects.toThrow(MessageInvalidError)
    expect(await eventTypes(session)).toEqual([])
  })
})
