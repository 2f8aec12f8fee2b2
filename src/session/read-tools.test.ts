import { afterEach, describe, expect, it, vi } from 'vitest'
import { absent, exchange, startAgent, unavailable, user, World } from '../../test/support/session.ts'
import { tool } from '../../test/support/session-tools.ts'
import { combine, defineSource } from '../context/index.ts'
import { toToolList } from './read-tools.ts'
import { startTools } from './tools.ts'
import type { Tool } from './types.ts'

describe('tools that cannot be read', () => {
  afterEach(() => {
    vi.useRealTimers()
  })

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

  it.each([
    ['nothing', undefined, 'error'],
    ['a text', 'tools', 'error'],
    ['what stands for it', unavailable, 'unavailable'],
    ['what stands for none', absent, 'unavailable'],
  ] as const)('are so when the host gives %s', async (_, given, reason) => {
    const state: { given: unknown } = { given }
    const { session } = startAgent({ tools: () => state.given as Tool[] })
    await session.submit(user('Hello'))
    await expect(session.turn()).rejects.toMatchObject({ code: 'initialization_blocked', keys: ['indelible/tools'] })
    state.given = [tool('read')]
    await session.turn()
    state.given = given
    expect(await session.turn()).toMatchObject({
      tools: { callable: ['read'] },
      stale: [{ key: 'indelible/tools', reason }],
    })
  })

  it('are waited for as long as a source is', async () => {
    const state: { wait: boolean } = { wait: false }
    const never = new Promise<Tool[]>(() => {})
    const { session } = startAgent({ tools: () => (state.wait ? never : [tool('read')]) })
    await exchange(session, 'Hello')
    state.wait = true
    vi.useFakeTimers()
    const turn = session.turn()
    await vi.advanceTimersByTimeAsync(2000)
    expect(await turn).toMatchObject({
      tools: { callable: ['read'] },
      stale: [{ key: 'indelible/tools', reason: 'timeout' }],
    })
  })

  it('keep an epoch in a new place from starting, beside the sources that are missing, each of which is read once', async () => {
    failing.fail = false
    const world = new World({ 'app/branch': 'main', 'app/late': 'x' })
    const context = combine(world.source('app/branch'), world.source('app/late', { refresh: 'epoch' }))
    const { session } = startAgent({ ...options, world, context })
    await exchange(session, 'Hello')
    await session.move()
    failing.fail = true
    world.set('app/branch', unavailable)
    world.reads.length = 0
    await expect(session.turn()).rejects.toMatchObject({
      code: 'initialization_blocked',
      keys: ['app/branch', 'indelible/tools'],
      stale: [
        { key: 'app/branch', reason: 'unavailable' },
        { key: 'indelible/tools', reason: 'error' },
      ],
    })
    expect(world.reads).toEqual(['app/branch', 'app/late'])
  })

  it('may be asynchronous', async () => {
    const { session } = startAgent({ tools: async () => [tool('read')] })
    expect((await exchange(session, 'Hello')).tools?.callable).toEqual(['read'])
  })
})

describe('a list of tools', () => {
  it.each([
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
    for (const options of [{ tools: () => [] }, {}]) {
      const { session } = startAgent({ context: combine(source), ...options })
      await session.submit(user('Hello'))
      await expect(session.turn()).rejects.toMatchObject({ code: 'source_duplicate', key: 'indelible/tools' })
    }
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
