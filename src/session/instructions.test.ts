import { describe, expect, it } from 'vitest'
import {
  assistant,
  beliefsOf,
  calling,
  exchange,
  outline,
  result,
  startAgent,
  unavailable,
  user,
  World,
} from '../../test/support/session.ts'
import { expectLaws, expectLegal, expectReplayed } from '../../test/support/session-laws.ts'
import { MessageInvalidError } from './errors.ts'

describe('new instructions', () => {
  it('wait for the next epoch unless said otherwise, so that a rolling deploy rewrites nothing', async () => {
    const agent = startAgent({ instructions: 'Be brief.' })
    const first = await exchange(agent.session, 'one')
    const deployed = agent.restarted({ instructions: 'Be kind.' })
    await deployed.session.submit(user('two'))
    const held = await deployed.session.turn()
    expect([held.epoch, held.system]).toEqual([1, first.system])
    expectLegal(held)
    await held.answer([assistant('yes')])
    await deployed.session.move()
    const turn = await deployed.session.turn()
    expect([turn.epoch, turn.started, turn.instructions]).toEqual([2, 'moved', 'Be kind.'])
    expectReplayed(turn, await expectLaws(agent.session))
  })

  it('start an epoch at once where the host asks for that', async () => {
    const agent = startAgent({ onInstructionsChanged: 'epoch' })
    await exchange(agent.session, 'one')
    const { session } = agent.restarted({ instructions: 'Be kind.', onInstructionsChanged: 'epoch' })
    await session.submit(user('two'))
    const turn = await session.turn()
    expect([turn.epoch, turn.started, turn.instructions]).toEqual([2, 'instructions', 'Be kind.'])
    expect(outline(turn.entries)).toEqual(['u:one', 'a:answer to one', 'u:two'])
    expectLegal(turn)
    expect((await session.turn()).started).toBeNull()
    expectReplayed(turn, await expectLaws(session))
  })

  it('wait until a tool loop has ended even then, and changes are told meanwhile', async () => {
    let instructions = 'Be brief.'
    const { session, world } = startAgent({ instructions: () => instructions, onInstructionsChanged: 'epoch' })
    await exchange(session, 'one', calling('c1'))
    await session.append([result('c1')])
    instructions = 'Be kind.'
    world.set('app/branch', 'dev')
    const inLoop = await session.turn()
    expect([inLoop.epoch, inLoop.update?.text]).toEqual([1, 'app/branch=dev'])
    expectLegal(inLoop)
    await inLoop.answer([assistant('done')])
    await session.submit(user('two'))
    const turn = await session.turn()
    expect([turn.epoch, turn.started]).toEqual([2, 'instructions'])
    expectLegal(turn)
    await expectLaws(session)
  })

  it('wait while the new baseline cannot be rendered', async () => {
    let instructions = 'Be brief.'
    const world = new World({ 'app/a': '1' })
    const { session } = startAgent({
      world,
      instructions: () => instructions,
      onInstructionsChanged: 'epoch',
    })
    await exchange(session, 'one')
    instructions = 'Be kind.'
    world.undecodable.add('1')
    world.set('app/a', unavailable)
    await session.submit(user('two'))
    const waiting = await session.turn()
    expect([waiting.epoch, waiting.instructions, waiting.stale.length]).toEqual([1, 'Be brief.', 1])
    await waiting.answer([assistant('yes')])
    world.set('app/a', '2')
    const turn = await session.turn()
    expect([turn.epoch, turn.instructions, beliefsOf(turn)]).toEqual([2, 'Be kind.', { 'app/a': '2' }])
    await expectLaws(session)
  })

  it('that differ only by boundary markers, which are removed, are the same', async () => {
    const { SYSTEM_PROMPT_BOUNDARY } = await import('../prompt/index.ts')
    const agent = startAgent({ onInstructionsChanged: 'epoch', instructions: `Be brief.${SYSTEM_PROMPT_BOUNDARY}` })
    await exchange(agent.session, 'one')
    const turn = await agent.session.turn()
    expect([turn.epoch, turn.instructions.includes(SYSTEM_PROMPT_BOUNDARY)]).toEqual([1, false])
  })

  it('that are no text are refused, and nothing is stored', async () => {
    const { session } = startAgent({ instructions: () => 7 as never })
    await session.submit(user('one'))
    await expect(session.turn()).rejects.toThrow(MessageInvalidError)
    expect((await session.verify()).ok).toBe(true)
  })
})
