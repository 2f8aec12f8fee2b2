import { describe, expect, it } from 'vitest'
import {
  assistant,
  calling,
  exchange,
  result,
  startAgent,
  user,
  World,
  type Agent,
} from '../../test/support/session.ts'
import { combine, defineSource } from '../context/index.ts'
import { memoryStore } from '../store/memory.ts'
import { toToolList } from './read-tools.ts'
import { startTools } from './tools.ts'
import type { SessionsOptions, Tool } from './types.ts'

const tool = (name: string, description = `Does ${name}.`, extra: object = {}): Tool => ({
  name,
  description,
  input_schema: { type: 'object', properties: { path: { type: 'string' } }, ...extra },
})
const edited = (name: string): Tool => tool(name, `Does ${name}.`, { required: ['path'] })

/** An agent whose tools are what `tools` holds. */
function agentWith(tools: Tool[], options: Partial<SessionsOptions<never>> = {}): Agent & { tools: Tool[] } {
  const agent = startAgent({ tools: () => tools, ...(options as object) })
  return Object.assign(agent, { tools })
}

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
      text: 'The tool "write" is available again, as defined above.',
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

describe('tools that cannot be read', () => {
  const failing = { fail: false }
  const options = {
    tools: () => {
      if (failing.fail) throw new Error('no registry')
      return [tool('read')]
    },
  }

  it('keep the first epoch from starting, and the error names them', async () => {
    failing.fail = true
    const { session } = startAgent(options)
    await session.submit(user('Hello'))
    await expect(session.turn()).rejects.toMatchObject({
      code: 'initialization_blocked',
      keys: ['indelible/tools'],
      message: expect.stringContaining("source 'indelible/tools' (failed: no registry)") as string,
    })
    failing.fail = false
    await expect(session.turn()).resolves.toMatchObject({ epoch: 1 })
  })

  it('stay what they were, and are reported stale', async () => {
    failing.fail = false
    const { session } = startAgent(options)
    await exchange(session, 'Hello')
    failing.fail = true
    const turn = await exchange(session, 'Go on')
    expect(turn).toMatchObject({ epoch: 1, update: null, tools: { callable: ['read'] } })
    expect(turn.stale).toMatchObject([
      { key: 'indelible/tools', reason: 'error', told: ['read'], toldAt: expect.any(String) as string },
    ])
  })

  it('are frozen again as they were when an epoch starts for another reason', async () => {
    const state: { tools: Tool[] | null } = { tools: [tool('read'), tool('write')] }
    const agent = startAgent({
      tools: () => {
        if (state.tools === null) throw new Error('no registry')
        return state.tools
      },
    })
    await exchange(agent.session, 'Hello')
    state.tools = [tool('read')]
    await exchange(agent.session, 'Go on')
    state.tools = null
    await agent.session.refused({ model: 'm', feature: 'native-updates' })
    expect(await exchange(agent.session, 'On')).toMatchObject({
      epoch: 2,
      tools: { definitions: [tool('read')], callable: ['read'] },
      stale: [{ key: 'indelible/tools' }],
    })
  })

  it('may be asynchronous', async () => {
    const { session } = startAgent({ tools: async () => [tool('read')] })
    expect((await exchange(session, 'Hello')).tools?.callable).toEqual(['read'])
  })
})

describe('a list of tools', () => {
  it.each([
    ['no list', 'tools', 'tools() gave string'],
    ['no object', [1], 'Tool 0 is number'],
    ['no name', [{ type: 'web_search' }], 'A tool of format plain has no name'],
    ['two of one name', [tool('a'), tool('a')], 'Two tools have the id "a"'],
    ['what is no JSON', [{ name: 'a', run: () => 1 }], 'Tool "a" cannot be stored: $.run is a function'],
  ])('is refused with %s, and nothing is stored', async (_, tools, message) => {
    const agent = startAgent({ tools: () => tools as Tool[] })
    await agent.session.submit(user('Hello'))
    await expect(agent.session.turn()).rejects.toMatchObject({
      code: 'tool_invalid',
      message: expect.stringContaining(message) as string,
    })
    const types: string[] = []
    for await (const event of agent.session.events()) types.push(event.type)
    expect(types).toEqual(['input'])
  })

  it('cannot be had beside a source that took its key', async () => {
    const source = defineSource<string>({
      key: 'indelible/tools',
      codec: { encode: (value) => value, decode: String },
      load: () => 'mine',
      baseline: String,
      update: (_, current) => current,
    })
    const { session } = startAgent({ context: combine(source), tools: () => [] })
    await session.submit(user('Hello'))
    await expect(session.turn()).rejects.toMatchObject({ code: 'source_duplicate', key: 'indelible/tools' })
  })

  it('is copied when it is read, but for definitions that the model was told', () => {
    const read = tool('read')
    const list = toToolList([read], (one) => String(one['name']), null)
    expect(list.get('read')).toEqual(read)
    expect(list.get('read')).not.toBe(read)
    const again = toToolList([tool('read')], (one) => String(one['name']), startTools(list))
    expect(again.get('read')).toBe(list.get('read'))
  })
})

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
    const after = startAgent({ store, world, tools: () => [tool('read')] })
    expect(await after.session.turn()).toMatchObject({ epoch: 2, started: 'tools', tools: { callable: ['read'] } })
    const without = startAgent({ store, world })
    expect(await without.session.turn()).toMatchObject({ epoch: 2, tools: { callable: ['read'] } })
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
