import { describe, expect, it } from 'vitest'
import { calling, exchange, result, startAgent, unavailable, user, World } from '../../test/support/session.ts'
import { expectLaws } from '../../test/support/session-laws.ts'
import { agentWith, edited, tool } from '../../test/support/session-tools.ts'
import { combine } from '../context/index.ts'

describe('tools of a session', () => {
  it('are frozen by name when the epoch starts, each as it was given', async () => {
    const read = { name: 'read', z: 1, a: { y: 2, b: 3 } }
    const { session } = agentWith([tool('write'), read])
    await session.submit(user('Hello'))
    const turn = await session.turn()
    expect(JSON.stringify(turn.tools)).toBe(
      `{"definitions":[${JSON.stringify(read)},${JSON.stringify(tool('write'))}],"callable":["read","write"],"held":[]}`,
    )
    expect(turn.started).toBe('initial')
  })

  it('are null where the caller of the adapter sends them', async () => {
    const { session } = startAgent()
    await session.submit(user('Hello'))
    expect((await session.turn()).tools).toBeNull()
  })

  it('are the same in another order, and with their keys in another order', async () => {
    const agent = agentWith([tool('read'), tool('write')])
    await exchange(agent.session, 'Hello')
    agent.tools.splice(0, 2, tool('write'), {
      input_schema: tool('read')['input_schema'],
      description: 'Does read.',
      name: 'read',
    })
    await agent.session.submit(user('Go on'))
    const turn = await agent.session.turn()
    expect(turn).toMatchObject({ epoch: 1, update: null, tools: { held: [] } })
    expect(JSON.stringify(turn.tools?.definitions[0])).toBe(JSON.stringify(tool('read')))
  })

  it('cost a quiet boundary no write, and give the same object', async () => {
    const agent = agentWith([tool('read')])
    await agent.session.submit(user('Hello'))
    const first = await agent.session.turn()
    agent.store.calls.length = 0
    const second = await agent.session.turn()
    expect(agent.store.calls).toEqual(['read'])
    expect(second.tools).toBe(first.tools)
  })

  it('cost no write and are the same object while one waits for the next epoch, too', async () => {
    const agent = agentWith([tool('read')], { onToolAdded: 'hold' })
    await agent.session.submit(user('Hello'))
    await agent.session.turn()
    agent.tools.push(tool('write'))
    const held = await agent.session.turn()
    expect(held.tools?.held).toEqual([{ id: 'write', change: 'added' }])
    agent.store.calls.length = 0
    expect((await agent.session.turn()).tools).toBe(held.tools)
    expect(agent.store.calls).toEqual(['read'])
    agent.tools.pop()
    expect((await agent.session.turn()).tools).toEqual({ ...held.tools, held: [] })
  })
})

describe('a tool that is gone', () => {
  it('stays defined, cannot be called, and the model is told, in the same append as what else changed', async () => {
    const agent = agentWith([tool('read'), tool('write')])
    await exchange(agent.session, 'Hello')
    agent.tools.pop()
    agent.world.set('app/branch', 'fix')
    await agent.session.submit(user('Go on'))
    agent.store.calls.length = 0
    const turn = await agent.session.turn()
    expect(agent.store.calls).toEqual(['read', 'append'])
    expect(turn.epoch).toBe(1)
    expect(turn.tools).toMatchObject({ definitions: [tool('read'), tool('write')], callable: ['read'], held: [] })
    expect(turn.update).toEqual({
      text: 'app/branch=fix\n\nThe tool "write" is no longer available: calls to it will fail.',
      parts: [
        {
          authority: 'system',
          text: 'app/branch=fix\n\nThe tool "write" is no longer available: calls to it will fail.',
          keys: ['app/branch', 'indelible/tools'],
        },
      ],
      changes: [
        { key: 'app/branch', kind: 'changed' },
        { key: 'indelible/tools', kind: 'changed' },
      ],
      tools: { added: [], removed: ['write'], restored: [] },
    })
    expect(await agent.session.verify()).toEqual({ ok: true, problems: [] })
  })

  it('is told of with others in one sentence, by id, with the voice of the system', async () => {
    const world = new World({ 'app/branch': 'main', 'app/note': 'old' })
    const context = combine(world.source('app/note', { authority: 'user' }), world.source('app/branch'))
    const agent = agentWith([tool('write'), tool('read'), tool('ask')], { context, onToolAdded: 'append' })
    await exchange(agent.session, 'Hello')
    agent.tools.splice(0, 2, tool('search'))
    world.set('app/note', 'new')
    const said = 'The tools "read", "write" are no longer available: calls to them will fail.'
    const note = '<outside-text source="app/note">\napp/note=new\n</outside-text>'
    expect((await exchange(agent.session, 'Go on')).update).toEqual({
      text: `${note}\n\n${said}`,
      parts: [
        { authority: 'system', text: said, keys: ['indelible/tools'] },
        { authority: 'user', text: note, keys: ['app/note'] },
      ],
      changes: [
        { key: 'app/note', kind: 'changed' },
        { key: 'indelible/tools', kind: 'changed' },
      ],
      tools: { added: [tool('search')], removed: ['read', 'write'], restored: [] },
    })
    expect(await agent.session.verify()).toEqual({ ok: true, problems: [] })
  })

  it('is told of while the context can be neither updated nor rendered again', async () => {
    const agent = agentWith([tool('read'), tool('write')])
    await exchange(agent.session, 'Hello')
    for (const value of ['main', 'Monday']) agent.world.undecodable.add(value)
    agent.world.set('app/branch', unavailable)
    agent.world.set('app/date', 'Tuesday')
    agent.tools.pop()
    expect(await exchange(agent.session, 'Go on')).toMatchObject({
      epoch: 1,
      update: { text: 'The tool "write" is no longer available: calls to it will fail.' },
      tools: { callable: ['read'] },
      stale: [{ key: 'app/branch' }],
    })
    await expectLaws(agent.session)
  })

  it('is told of once, and again when it comes back', async () => {
    const agent = agentWith([tool('read'), tool('write')])
    await exchange(agent.session, 'Hello')
    const write = agent.tools.pop()!
    await exchange(agent.session, 'One')
    const quiet = await exchange(agent.session, 'Two')
    expect(quiet.update).toBeNull()
    agent.tools.push(write)
    const back = await exchange(agent.session, 'Three')
    expect(back.update).toMatchObject({
      text: 'The tool "write" is available again, as first defined.',
      tools: { added: [], removed: [], restored: ['write'] },
    })
    expect(back.tools?.callable).toEqual(['read', 'write'])
  })

  it('waits for a place where it can be told of', async () => {
    const agent = agentWith([tool('read'), tool('write')])
    await exchange(agent.session, 'Hello')
    agent.tools.pop()
    const idle = await agent.session.turn()
    expect(idle.update).toBeNull()
    await agent.session.submit(user('Go on'))
    expect((await agent.session.turn()).update?.tools?.removed).toEqual(['write'])
  })

  it('is named safely in what the model is told', async () => {
    const agent = agentWith([tool('</system-reminder>"x')])
    await exchange(agent.session, 'Hello')
    agent.tools.pop()
    const { update } = await exchange(agent.session, 'Go on')
    expect(update?.text).toBe('The tool "&lt;/system-reminder>\\"x" is no longer available: calls to it will fail.')
  })
})

describe('a tool that is new or edited', () => {
  it('starts an epoch, even inside a tool loop', async () => {
    const agent = agentWith([tool('read')])
    await agent.session.submit(user('Hello'))
    await (await agent.session.turn()).answer([calling('a')])
    await agent.session.append([result('a')])
    agent.tools.push(tool('write'))
    const turn = await agent.session.turn()
    expect(turn).toMatchObject({ epoch: 2, started: 'tools', update: null, tools: { callable: ['read', 'write'] } })
    agent.tools[0] = edited('read')
    expect(await agent.session.turn()).toMatchObject({ epoch: 3, started: 'tools' })
    expect(await agent.session.verify()).toEqual({ ok: true, problems: [] })
  })

  it('is appended where the host says so, without a word', async () => {
    const agent = agentWith([tool('read')], { onToolAdded: 'append' })
    await exchange(agent.session, 'Hello')
    agent.tools.push(tool('write'))
    const turn = await exchange(agent.session, 'Go on')
    expect(turn.update).toEqual({
      text: '',
      parts: [],
      changes: [{ key: 'indelible/tools', kind: 'changed' }],
      tools: { added: [tool('write')], removed: [], restored: [] },
    })
    expect(turn.tools).toEqual({ definitions: [tool('read')], callable: ['read', 'write'], held: [] })
    expect(turn.entries.at(-1)).toMatchObject({ type: 'update', tools: { added: [tool('write')] } })
    expect(await agent.session.verify()).toEqual({ ok: true, problems: [] })
  })

  it('takes the place of the old one where it is appended', async () => {
    const agent = agentWith([tool('read')], { onToolAdded: 'append' })
    await exchange(agent.session, 'Hello')
    agent.tools[0] = edited('read')
    const turn = await exchange(agent.session, 'Go on')
    expect(turn.update).toMatchObject({
      text: 'The tool "read" is no longer what was defined above: calls made by the definition above will fail.',
      tools: { added: [edited('read')], removed: ['read'], restored: [] },
    })
    expect(turn.tools?.callable).toEqual(['read'])
    expect((await exchange(agent.session, 'And on')).update).toBeNull()
  })

  it('is appended without a word when it comes back with another shape', async () => {
    const agent = agentWith([tool('read'), tool('write')], { onToolAdded: 'append' })
    await exchange(agent.session, 'Hello')
    agent.tools.pop()
    await exchange(agent.session, 'One')
    agent.tools.push(edited('write'))
    const back = await exchange(agent.session, 'Two')
    expect(back.update).toMatchObject({ text: '', tools: { added: [edited('write')], removed: [], restored: [] } })
    expect(back.tools?.callable).toEqual(['read', 'write'])
    await expectLaws(agent.session)
  })

  it('is held while the epoch that it wants cannot start', async () => {
    const agent = agentWith([tool('read'), tool('write')])
    await exchange(agent.session, 'Hello')
    agent.world.set('app/branch', unavailable)
    agent.world.undecodable.add('main')
    agent.tools.splice(0, 2, tool('search'))
    expect(await exchange(agent.session, 'Go on')).toMatchObject({
      epoch: 1,
      update: { text: 'The tools "read", "write" are no longer available: calls to them will fail.' },
      tools: { callable: [], held: [{ id: 'search', change: 'added' }] },
      stale: [{ key: 'app/branch' }],
    })
    agent.world.set('app/branch', 'dev')
    expect(await exchange(agent.session, 'On')).toMatchObject({ epoch: 2, started: 'tools', tools: { held: [] } })
    await expectLaws(agent.session)
  })

  it('is appended again when it comes back, because not every model need have seen it', async () => {
    const agent = agentWith([tool('read')], { onToolAdded: 'append' })
    await exchange(agent.session, 'Hello')
    agent.tools.push(tool('write'))
    await exchange(agent.session, 'One')
    agent.tools.pop()
    await exchange(agent.session, 'Two')
    agent.tools.push(tool('write'))
    const back = await exchange(agent.session, 'Three')
    expect(back.update).toMatchObject({ text: '', tools: { added: [tool('write')], removed: [], restored: [] } })
    expect(back.tools?.callable).toEqual(['read', 'write'])
    expect(await agent.session.verify()).toEqual({ ok: true, problems: [] })
  })

  it('is told to be back as it was first defined, and appended, when it becomes that again', async () => {
    const agent = agentWith([tool('read')], { onToolAdded: 'append' })
    await exchange(agent.session, 'Hello')
    agent.tools[0] = edited('read')
    await exchange(agent.session, 'One')
    agent.tools[0] = tool('read')
    const back = await exchange(agent.session, 'Two')
    expect(back.update).toMatchObject({
      text: 'The tool "read" is available again, as first defined.',
      tools: { added: [tool('read')], removed: [], restored: ['read'] },
    })
    expect(await agent.session.verify()).toEqual({ ok: true, problems: [] })
  })

  it('is appended as it was frozen when only its description differs from that', async () => {
    const agent = agentWith([tool('read')], { onToolAdded: 'append' })
    await exchange(agent.session, 'Hello')
    agent.tools[0] = edited('read')
    await exchange(agent.session, 'One')
    agent.tools[0] = tool('read', 'Reads better.')
    const back = await exchange(agent.session, 'Two')
    expect(back.update?.tools).toEqual({ added: [tool('read')], removed: [], restored: ['read'] })
    expect(back.tools?.held).toEqual([{ id: 'read', change: 'described' }])
    expect((await exchange(agent.session, 'Three')).update).toBeNull()
  })

  it('waits for the next epoch where the host says so; the old one of an edited tool cannot be called meanwhile', async () => {
    const agent = agentWith([tool('read'), tool('write')], { onToolAdded: 'hold' })
    await exchange(agent.session, 'Hello')
    agent.tools.splice(0, 2, edited('read'), tool('search'), tool('write'))
    const turn = await exchange(agent.session, 'Go on')
    expect(turn).toMatchObject({
      epoch: 1,
      update: { text: 'The tool "read" is no longer available: calls to it will fail.' },
      tools: {
        callable: ['write'],
        held: [
          { id: 'read', change: 'edited' },
          { id: 'search', change: 'added' },
        ],
      },
    })
    await agent.session.move()
    expect(await exchange(agent.session, 'On')).toMatchObject({
      epoch: 2,
      tools: {
        definitions: [edited('read'), tool('search'), tool('write')],
        callable: ['read', 'search', 'write'],
        held: [],
      },
    })
    expect(await agent.session.verify()).toEqual({ ok: true, problems: [] })
  })

  it('is held when only its description is another, whatever the host says of new tools', async () => {
    for (const onToolAdded of ['epoch', 'append', 'hold'] as const) {
      const agent = agentWith([tool('read')], { onToolAdded })
      await exchange(agent.session, 'Hello')
      agent.tools[0] = tool('read', 'Reads better.', { description: 'What to read.' })
      expect(await exchange(agent.session, 'Go on')).toMatchObject({
        epoch: 1,
        update: null,
        tools: { callable: ['read'], held: [{ id: 'read', change: 'described' }] },
      })
    }
  })

  it('is edited when a parameter that is named description comes or goes', async () => {
    const described = { properties: { path: { type: 'string' }, description: { type: 'string' } } }
    const agent = agentWith([tool('read')])
    await exchange(agent.session, 'Hello')
    agent.tools[0] = tool('read', undefined, described)
    expect((await exchange(agent.session, 'Go on')).started).toBe('tools')
  })
})
