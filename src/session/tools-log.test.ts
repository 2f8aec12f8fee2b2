import { describe, expect, it } from 'vitest'
import { assistant, exchange, startAgent, user, World } from '../../test/support/session.ts'
import { expectLaws } from '../../test/support/session-laws.ts'
import { agentWith, tool } from '../../test/support/session-tools.ts'
import { memoryStore } from '../store/memory.ts'
import { checksum } from './event.ts'

describe('what the log holds of tools', () => {
  it('gives a restarted process and a fork the same tools', async () => {
    const agent = agentWith([tool('read'), tool('write')], { onToolAdded: 'append' })
    await exchange(agent.session, 'Hello')
    agent.tools.splice(1, 1, tool('search'))
    const turn = await exchange(agent.session, 'Go on')
    const restarted = await agent.restarted().session.turn()
    expect(restarted.tools).toEqual(turn.tools)
    const fork = await agent.session.fork('two')
    await fork.submit(user('Elsewhere'))
    expect((await fork.turn()).tools).toEqual(turn.tools)
    expect(await fork.verify()).toEqual({ ok: true, problems: [] })
  })

  it('starts an epoch for a session that was recorded without tools, unless the host holds new ones', async () => {
    const store = memoryStore()
    const world = new World({ 'app/branch': 'main' })
    const before = startAgent({ store, world })
    await exchange(before.session, 'Hello')
    const held = startAgent({ store, world, tools: () => [tool('read')], onToolAdded: 'hold' })
    await held.session.submit(user('Go on'), { id: 'second' })
    expect(await held.session.turn()).toMatchObject({ epoch: 1, tools: null })
    const appended = startAgent({ store, world, tools: () => [tool('read')], onToolAdded: 'append' })
    expect(await appended.session.turn()).toMatchObject({ epoch: 1, update: null, tools: null })
    const after = startAgent({ store, world, tools: () => [tool('read')] })
    expect(await after.session.turn()).toMatchObject({ epoch: 2, started: 'tools', tools: { callable: ['read'] } })
    const without = startAgent({ store, world })
    expect(await without.session.turn()).toMatchObject({ epoch: 2, tools: { callable: ['read'] } })
    await without.session.move()
    expect(await without.session.turn()).toMatchObject({ epoch: 3, tools: null })
  })

  it.each(['epoch', 'append'] as const)(
    'brings a new tool once where two processes see it at the same time (%s)',
    async (onToolAdded) => {
      const tools = [tool('read')]
      const one = startAgent({ tools: () => tools, onToolAdded })
      await exchange(one.session, 'Hello')
      const two = one.restarted()
      await two.session.turn()
      await one.session.submit(user('Go on'))
      tools.push(tool('write'))
      const turns = await Promise.all([one.session.turn(), two.session.turn()])
      expect(turns[0].entries).toEqual(turns[1].entries)
      expect(turns[0].tools).toEqual(turns[1].tools)
      expect(turns[0].tools?.callable).toEqual(['read', 'write'])
      expect(turns[0].epoch).toBe(onToolAdded === 'epoch' ? 2 : 1)
      expect(turns[1].epoch).toBe(turns[0].epoch)
      await expectLaws(two.session)
    },
  )

  it('is decided by the loser of a race on the list that it read', async () => {
    const lists = [[tool('read')], [tool('read')], [tool('read'), tool('write')], [tool('read'), tool('ask')]]
    let listed = 0
    const one = startAgent({ tools: () => lists[listed++]!, onToolAdded: 'append' })
    await exchange(one.session, 'Hello')
    const two = one.restarted()
    await two.session.turn()
    await one.session.submit(user('Go on'))
    await Promise.all([one.session.turn(), two.session.turn()])
    expect(listed).toBe(4)
    const events = await expectLaws(one.session)
    const told = events.flatMap((event) => (event.type === 'boundary' && event.update?.tools) || [])
    expect(told).toEqual([
      { added: [tool('write')], removed: [], restored: [] },
      { added: [tool('ask')], removed: ['write'], restored: [] },
    ])
  })

  it('opens when it was written before there were tools', async () => {
    const agent = startAgent()
    const { session, store, world } = agent
    await exchange(session, 'Hello')
    world.set('app/branch', 'fix')
    await exchange(session, 'Go on')
    const rows = (await store.read('one', 0)).map((row) => {
      const older = { ...row, v: 1 }
      return { ...older, checksum: checksum('one', older) }
    })
    expect(rows.map(({ type }) => type)).toContain('boundary')
    const copy = memoryStore()
    await copy.append('one', 0, rows)
    const opened = agent.restarted({ store: copy, tools: () => [tool('read')] })
    const turn = await exchange(opened.session, 'On')
    expect(turn).toMatchObject({ epoch: 2, started: 'tools', tools: { callable: ['read'] } })
    await expectLaws(opened.session)
  })

  it('is told once by two processes that see the change at the same time', async () => {
    const tools = [tool('read'), tool('write')]
    const one = startAgent({ tools: () => tools })
    await exchange(one.session, 'Hello')
    const two = one.restarted()
    await two.session.turn()
    await one.session.submit(user('Go on'))
    tools.pop()
    const turns = await Promise.all([one.session.turn(), two.session.turn()])
    expect(turns[0].entries).toEqual(turns[1].entries)
    expect(turns[0].entries.filter((entry) => entry.type === 'update')).toHaveLength(1)
    expect(await two.session.verify()).toEqual({ ok: true, problems: [] })
  })

  it('is kept for a history that the host keeps, too', async () => {
    const tools = [tool('read'), tool('write')]
    const session = startAgent({ tools: () => tools, onToolAdded: 'append' }).sessions.attach('hosted')
    const history = [user('Hello')]
    expect((await session.turn({ history })).tools?.callable).toEqual(['read', 'write'])
    history.push(assistant('Hi'), user('Go on'))
    tools.splice(0, 1, tool('search'))
    const turn = await session.turn({ history })
    expect(turn.tools?.callable).toEqual(['search', 'write'])
    expect(turn.update?.tools).toEqual({ added: [tool('search')], removed: ['read'], restored: [] })
    expect(await session.verify({ history })).toEqual({ ok: true, problems: [] })
  })
})
