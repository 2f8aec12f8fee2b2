import { describe, expect, it } from 'vitest'
import {
  absent,
  assistant,
  beliefsOf,
  calling,
  eventTypes,
  exchange,
  outline,
  result,
  startAgent,
  unavailable,
  user,
  World,
} from '../../test/support/session.ts'
import { expectLaws, expectLegal, expectReplayed } from '../../test/support/session-laws.ts'
import { InitializationBlockedError } from '../context/index.ts'

describe('a move', () => {
  it('starts an epoch at the next boundary, with the values of the new place', async () => {
    const { session, world } = startAgent()
    await exchange(session, 'one')
    world.set('app/branch', 'dev')
    await exchange(session, 'two')
    await session.move()
    world.set('app/branch', 'elsewhere')
    await session.submit(user('three'))
    const turn = await session.turn()
    expect([turn.epoch, turn.started, turn.update]).toEqual([2, 'moved', null])
    expect(beliefsOf(turn)).toEqual({ 'app/branch': 'elsewhere', 'app/date': 'Monday' })
    expect(outline(turn.entries)).toEqual(['u:one', 'a:answer to one', 'u:two', 'a:answer to two', 'u:three'])
    expect(turn.entries.map((entry) => entry.epoch)).toEqual([1, 1, 1, 1, 2])
    expectLegal(turn)
    expectReplayed(turn, await expectLaws(session))
    expect((await session.turn()).started).toBeNull()
  })

  it('while a required source is unavailable blocks the turn: nothing is stored, no old value is used', async () => {
    const agent = startAgent()
    const { session, world } = agent
    await exchange(session, 'one')
    await session.move()
    world.set('app/branch', unavailable)
    await session.submit(user('two'))
    const before = await eventTypes(session)
    for (const one of [session, agent.restarted().session]) {
      await expect(one.turn()).rejects.toThrow(InitializationBlockedError)
      await expect(one.turn()).rejects.toMatchObject({ keys: ['app/branch'] })
    }
    expect(await eventTypes(session)).toEqual(before)
    world.set('app/branch', 'elsewhere')
    const turn = await session.turn()
    expect([turn.epoch, turn.started, outline(turn.entries).at(-1)]).toEqual([2, 'moved', 'u:two'])
    expectLegal(turn)
    await expectLaws(session)
  })

  it('leaves out what need not be there, instead of telling its value of the old place', async () => {
    const world = new World({ 'app/optional': 'old' })
    const context = () => world.source('app/optional', { required: false })
    const { session } = startAgent({ world, context })
    await exchange(session, 'one')
    await session.move()
    world.set('app/optional', unavailable)
    const turn = await exchange(session, 'two')
    expect([beliefsOf(turn), turn.stale]).toEqual([{}, [{ key: 'app/optional', reason: 'unavailable' }]])
    world.set('app/optional', 'new')
    await session.submit(user('three'))
    expect((await session.turn()).update).toMatchObject({ changes: [{ kind: 'added' }], text: 'app/optional=new' })
    await expectLaws(session)
  })

  it('says nothing of what is not there in the new place', async () => {
    const { session, world } = startAgent()
    await exchange(session, 'one')
    await session.move()
    world.set('app/branch', absent)
    const turn = await exchange(session, 'two')
    expect(turn.baseline).toBe('app/date=Monday')
    await expectLaws(session)
  })

  it('works inside a tool loop', async () => {
    const { session, world } = startAgent()
    await exchange(session, 'one', calling('c1'))
    await session.move()
    world.set('app/branch', 'elsewhere')
    await session.append([result('c1')])
    const turn = await session.turn()
    expect([turn.started, outline(turn.entries)]).toEqual(['moved', ['u:one', 'a:calls c1', 't:did c1']])
    expectLegal(turn)
    await turn.answer([assistant('done')])
    await expectLaws(session)
  })

  it('before the first turn, or twice, changes nothing', async () => {
    const { session } = startAgent()
    await session.move()
    expect(await eventTypes(session)).toEqual([])
    await exchange(session, 'one')
    await session.move()
    await session.move()
    expect(await eventTypes(session)).toEqual(['input', 'epoch', 'answer', 'move'])
    expect((await session.turn()).epoch).toBe(2)
    expect((await session.turn()).epoch).toBe(2)
  })

  it('comes before every other cause, and all are served', async () => {
    let instructions = 'Be brief.'
    const { session } = startAgent({ instructions: () => instructions, onInstructionsChanged: 'epoch' })
    await exchange(session, 'one')
    instructions = 'Be kind.'
    await session.refused({ model: 'm', feature: 'native-updates' })
    await session.compact({ summary: [user('so far')], through: 3 })
    await session.move()
    const turn = await session.turn()
    expect([turn.epoch, turn.started, turn.instructions, turn.refusals.length]).toEqual([2, 'moved', 'Be kind.', 1])
    expect(outline(turn.entries)).toEqual(['u:so far'])
    const next = await session.turn()
    expect([next.epoch, next.started]).toEqual([2, null])
    await expectLaws(session)
  })
})
