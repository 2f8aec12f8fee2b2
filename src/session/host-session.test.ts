import { describe, expect, it } from 'vitest'
import {
  assistant,
  beliefsOf,
  calling,
  collect,
  gate,
  outline,
  replacing,
  result,
  startAgent,
  unavailable,
  user,
  World,
  type Agent,
} from '../../test/support/session.ts'
import { InitializationBlockedError } from '../context/index.ts'
import { memoryStore } from '../store/memory.ts'
import { HistoryRewrittenError, MessageInvalidError, NotSupportedError, ToolResultsPendingError } from './errors.ts'
import { plainFormat } from './plain-format.ts'
import type { PlainMessage } from './plain-format.ts'
import type { HostSession, SessionsOptions } from './types.ts'

/** An agent whose host keeps the history of the session `'one'`. */
function attachAgent(options: Parameters<typeof startAgent>[0] = {}): Agent & {
  readonly attached: HostSession<PlainMessage>
  again(changed?: Partial<SessionsOptions<PlainMessage>>): HostSession<PlainMessage>
} {
  const agent = startAgent(options)
  return {
    ...agent,
    attached: agent.sessions.attach('one'),
    again: (changed) => agent.restarted(changed).sessions.attach('one'),
  }
}

/** Throws unless the log obeys the laws, for this process and for one that starts now. */
async function verifyBoth(
  { again }: { again(): HostSession<PlainMessage> },
  attached: HostSession<PlainMessage>,
  history: readonly PlainMessage[],
): Promise<void> {
  for (const one of [attached, again()]) {
    expect(await one.verify({ history })).toEqual({ ok: true, problems: [] })
  }
}

const copied = (history: readonly PlainMessage[]): PlainMessage[] => structuredClone([...history])

describe('a host that only ever calls turn', () => {
  it('is told a change once, behind the message that came with it', async () => {
    const agent = attachAgent()
    const { attached, world } = agent
    const history = [user('one')]
    const first = await attached.turn({ history })
    expect([first.epoch, first.started, first.revision]).toEqual([1, 'initial', 1])
    history.push(assistant('yes'), user('two'))
    world.set('app/branch', 'dev')
    const second = await attached.turn({ history })
    history.push(assistant('noted'), user('three'))
    const third = await attached.turn({ history })

    expect(outline(third.entries)).toEqual(['u:one', 'a:yes', 'u:two', 'U:app/branch=dev', 'a:noted', 'u:three'])
    expect([first.update, second.update?.text, third.update]).toEqual([null, 'app/branch=dev', null])
    expect([second.system, third.system]).toEqual([first.system, first.system])
    expect(third.entries.slice(0, second.entries.length)).toEqual(second.entries)
    expect(third.entries.map(({ revision, epoch }) => [revision, epoch])).toEqual([
      [1, 1],
      [2, 1],
      [2, 1],
      [2, 1],
      [3, 1],
      [3, 1],
    ])
    await verifyBoth(agent, attached, history)
  })

  it('reads once and writes nothing when nothing changed, and gets the same entries', async () => {
    const { attached, store } = attachAgent()
    const history = [user('one')]
    const first = await attached.turn({ history })
    store.calls.length = 0
    const second = await attached.turn({ history: [...history] })
    expect(store.calls).toEqual(['read'])
    expect(second.entries).toBe(first.entries)
    expect({ ...second }).toEqual({ ...first, started: null })
    expect((await attached.turn({ history: copied(history) })).entries).toEqual(first.entries)
    expect(store.calls).not.toContain('append')
  })

  it('writes one event for a boundary: what it saw of the history, the update and the snapshot together', async () => {
    const { attached, store, world } = attachAgent()
    await attached.turn({ history: [user('one')] })
    world.set('app/branch', 'dev')
    store.calls.length = 0
    await attached.turn({ history: [user('one'), assistant('yes'), user('two')] })
    expect(store.calls).toEqual(['read', 'append'])
    expect((await collect(attached.events())).at(-1)).toMatchObject({
      type: 'boundary',
      promoted: [],
      update: { text: 'app/branch=dev' },
      snapshot: { set: { 'app/branch': { value: 'dev' } }, gone: [] },
      history: { keep: 1, fixed: 2 },
    })
  })

  it('may bring a conversation that is older than the session', async () => {
    const agent = attachAgent()
    const history = [user('old'), assistant('reply'), user('new')]
    const turn = await agent.attached.turn({ history })
    expect(turn.entries.map((entry) => entry.epoch)).toEqual([0, 0, 1])
    await verifyBoth(agent, agent.attached, history)
  })

  it('stores no message of it', async () => {
    const { attached, store } = attachAgent()
    await attached.turn({ history: [user('a secret'), assistant('another secret')] })
    expect(JSON.stringify(await store.read('one', 0))).not.toContain('secret')
  })

  it('is told nothing where the last entry would be an answer, and then at the next place', async () => {
    const { attached, world } = attachAgent()
    const history = [user('one')]
    await attached.turn({ history })
    history.push(assistant('yes'))
    world.set('app/branch', 'dev')
    expect((await attached.turn({ history })).update).toBeNull()
    history.push(user('two'))
    expect((await attached.turn({ history })).update?.text).toBe('app/branch=dev')
  })

  it('has no turn while tool results are missing: nothing is read', async () => {
    const { attached, world } = attachAgent()
    const history = [user('one'), calling('c1', 'c2'), result('c1')]
    const turn = attached.turn({ history })
    await expect(turn).rejects.toThrow(ToolResultsPendingError)
    await expect(turn).rejects.toMatchObject({ calls: ['c2'] })
    expect(world.reads).toEqual([])
    history.push(result('c2'))
    expect(outline((await attached.turn({ history })).entries)).toEqual([
      'u:one',
      'a:calls c1 c2',
      't:did c1',
      't:did c2',
    ])
  })

  it('has a blocked first turn that stores nothing, and then a turn', async () => {
    const { attached, world } = attachAgent({ world: new World({ 'app/branch': unavailable }) })
    await expect(attached.turn({ history: [user('one')] })).rejects.toThrow(InitializationBlockedError)
    expect(await collect(attached.events())).toEqual([])
    world.set('app/branch', 'main')
    expect((await attached.turn({ history: [user('one')] })).started).toBe('initial')
  })

  it('keeps the answers itself', async () => {
    const { attached } = attachAgent()
    const turn = await attached.turn({ history: [user('one')] })
    await expect(turn.answer([assistant('yes')])).rejects.toThrow(NotSupportedError)
  })

  it.each<[string, unknown]>([
    ['no list', 'one'],
    ['a list with no message in it', [{}]],
    ['a message that is not JSON', [{ role: 'user', content: new Date(0) }]],
  ])('is refused with %s', async (_, history) => {
    const { attached, store } = attachAgent()
    await expect(attached.turn({ history: history as PlainMessage[] })).rejects.toThrow(MessageInvalidError)
    expect(store.calls).toEqual([])
  })
})

describe('what is no rewrite', () => {
  it('cache marks that move, a text as its one part, another key order, other objects', async () => {
    const agent = attachAgent()
    const mark = { cache_control: { type: 'ephemeral' } }
    await agent.attached.turn({
      history: [{ role: 'user', content: [{ type: 'text', text: 'one', ...mark }] }, assistant('yes'), user('two')],
    })
    const history = [
      user('one'),
      assistant('yes'),
      user('two'),
      assistant('sure'),
      { content: [{ ...mark, text: 'three', type: 'text' }], role: 'user' },
    ]
    for (const attached of [agent.attached, agent.again()]) {
      expect((await attached.turn({ history })).epoch).toBe(1)
    }
    await verifyBoth(agent, agent.attached, history)
  })

  it('what the format does not show to the model', async () => {
    const format = {
      ...plainFormat,
      identity: (message: PlainMessage) => ({ role: message.role, content: String(message.content) }),
    }
    const { attached } = attachAgent({ format })
    const sent = (id: number): PlainMessage => ({ role: 'user', content: 'one', id }) as PlainMessage
    await attached.turn({ history: [sent(1), assistant('yes')] })
    const turn = await attached.turn({ history: [sent(2), assistant('yes'), user('two')] })
    expect([turn.epoch, turn.entries[0]]).toMatchObject([1, { message: { id: 2 } }])
  })

  it('a changed, dropped or added message after the last answer', async () => {
    const agent = attachAgent()
    const { attached, world } = agent
    const fixed = [user('one'), assistant('yes')]
    await attached.turn({ history: fixed.slice(0, 1) })
    world.set('app/branch', 'dev')
    for (const tail of [['two'], ['zwei'], [], ['two', 'and'], ['before', 'two'], ['two']]) {
      const turn = await attached.turn({ history: [...fixed, ...tail.map(user)] })
      expect(turn.epoch).toBe(1)
      expect(outline(turn.entries.filter((entry) => entry.type === 'message'))).toEqual([
        'u:one',
        'a:yes',
        ...tail.map((text) => `u:${text}`),
      ])
      expect(beliefsOf(turn)).toEqual({ 'app/branch': 'dev', 'app/date': 'Monday' })
      await verifyBoth(agent, attached, [...fixed, ...tail.map(user)])
    }
  })

  it('an aborted request and the next input: both are unanswered, the update between them', async () => {
    const agent = attachAgent()
    const { attached, world } = agent
    await attached.turn({ history: [user('zero')] })
    const history = [user('zero'), assistant('yes'), user('one')]
    world.set('app/branch', 'dev')
    const aborted = await attached.turn({ history })
    history.push(user('two'))
    world.set('app/branch', 'fix')
    const turn = await attached.turn({ history })
    expect(outline(turn.entries).slice(2)).toEqual(['u:one', 'U:app/branch=dev', 'u:two', 'U:app/branch=fix'])
    expect(turn.entries.slice(0, aborted.entries.length)).toEqual(aborted.entries)
    await verifyBoth(agent, attached, history)
  })

  it('a loop that the host runs on its own between two turns', async () => {
    const agent = attachAgent()
    const { attached } = agent
    const history = [user('one')]
    await attached.turn({ history })
    history.push(calling('c1'), result('c1'), assistant('done'))
    await attached.turn({ history })
    history.push(user('two'), assistant('yes'), user('three'))
    const turn = await attached.turn({ history })
    expect([turn.epoch, turn.entries.length]).toEqual([1, 7])
    await verifyBoth(agent, attached, history)
  })
})

describe('a rewritten history', () => {
  const answered = [user('one'), assistant('yes'), user('two'), assistant('sure')]
  const rewrites: [string, number, (history: PlainMessage[]) => unknown][] = [
    ['a changed input', 2, (history) => history.splice(2, 1, user('zwei'))],
    ['a changed answer', 1, (history) => history.splice(1, 1, assistant('no'))],
    ['a missing message', 1, (history) => history.splice(1, 1)],
    ['a message put in', 0, (history) => history.unshift(user('zero'))],
    ['an end that is gone', 3, (history) => history.splice(3)],
    ['nothing at all', 0, (history) => history.splice(0)],
  ]

  it.each(rewrites)('is found: %s', async (_, index, rewrite) => {
    const { attached, store } = attachAgent()
    await attached.turn({ history: [...answered, user('three')] })
    const history = [...answered, user('three')]
    rewrite(history)
    store.calls.length = 0
    const turn = attached.turn({ history })
    await expect(turn).rejects.toThrow(HistoryRewrittenError)
    await expect(turn).rejects.toMatchObject({
      code: 'history_rewritten',
      index,
      before: JSON.stringify(plainFormat.identity(answered[index]!), ['content', 'role']),
    })
    expect(store.calls).toEqual(['read'])
    expect((await attached.turn({ history: [...answered, user('three')] })).epoch).toBe(1)
  })

  it.each(rewrites)('is found after a restart too: %s', async (_, index, rewrite) => {
    const { attached, again } = attachAgent()
    await attached.turn({ history: [...answered, user('three')] })
    const history = [...answered, user('three')]
    rewrite(history)
    await expect(again().turn({ history })).rejects.toMatchObject({ index, before: undefined })
    const problem = { law: 'prefix', message: expect.stringContaining(`message ${index} of the history`) }
    expect(await again().verify({ history })).toMatchObject({ ok: false, problems: [problem] })
  })

  it('names the message as it is now, and says when it is gone', async () => {
    const { attached } = attachAgent()
    await attached.turn({ history: [user('one'), assistant('yes')] })
    const changed = attached.turn({ history: [user('eins'), assistant('yes')] })
    await expect(changed).rejects.toMatchObject({
      before: '{"content":"one","role":"user"}',
      after: '{"content":"eins","role":"user"}',
    })
    await expect(attached.turn({ history: [user('one')] })).rejects.toThrow(
      /message 1, which the model has answered to: it is gone/,
    )
  })

  it('is also one whose request is not there before its answer', async () => {
    const { attached } = attachAgent()
    await attached.turn({ history: [user('one'), user('two')] })
    await expect(attached.turn({ history: [user('one'), assistant('yes')] })).rejects.toMatchObject({ index: 1 })
    await expect(attached.turn({ history: [user('one'), user('zwei'), assistant('yes')] })).rejects.toMatchObject({
      index: 1,
    })
  })

  it('is also one with something between a request and its answer, which the model had not seen', async () => {
    const { attached } = attachAgent()
    await attached.turn({ history: [user('one')] })
    const history = [user('one'), user('while it streamed'), assistant('yes')]
    await expect(attached.turn({ history })).rejects.toMatchObject({ code: 'history_rewritten', index: 1 })
    const right = [user('one'), assistant('yes'), user('while it streamed')]
    expect((await attached.turn({ history: right })).epoch).toBe(1)
  })

  it('starts an epoch where the host wants that, which is also how it compacts', async () => {
    const agent = attachAgent()
    const { attached, world } = agent
    await attached.turn({ history: [user('one')] })
    world.set('app/branch', 'dev')
    const history = [user('one'), assistant('yes'), user('two')]
    const before = await attached.turn({ history })
    const compacted = [user('so far'), user('three')]
    const turn = await attached.turn({ history: compacted, onRewrite: 'epoch' })
    expect([turn.epoch, turn.started, turn.update, turn.nonce]).toEqual([2, 'rewritten', null, before.nonce])
    expect(outline(turn.entries)).toEqual(['u:so far', 'u:three'])
    expect(beliefsOf(turn)).toEqual({ 'app/branch': 'dev', 'app/date': 'Monday' })
    await verifyBoth(agent, attached, compacted)
    compacted.push(assistant('yes'), user('four'))
    expect(await attached.turn({ history: compacted })).toMatchObject({ epoch: 2, started: null })
    await verifyBoth(agent, attached, compacted)
  })

  it('keeps under their epoch the messages that came before', async () => {
    const { attached, again } = attachAgent()
    await attached.turn({ history: [user('one')] })
    await attached.turn({ history: [user('one'), assistant('yes'), user('two')] })
    const history = [user('one'), assistant('yes'), user('zwei'), assistant('gut'), user('drei')]
    await attached.turn({ history: [user('one'), assistant('yes'), user('two'), assistant('good'), user('three')] })
    const turn = await attached.turn({ history, onRewrite: 'epoch' })
    expect(turn.entries.map(({ revision, epoch }) => [revision, epoch])).toEqual([
      [1, 1],
      [2, 1],
      [4, 1],
      [4, 1],
      [4, 2],
    ])
    expect((await again().turn({ history: copied(history) })).entries).toEqual(turn.entries)
  })

  it('starts none where nothing was rewritten', async () => {
    const { attached } = attachAgent()
    await attached.turn({ history: [user('one')], onRewrite: 'epoch' })
    const turn = await attached.turn({ history: [user('one'), assistant('yes'), user('two')], onRewrite: 'epoch' })
    expect([turn.epoch, turn.started]).toEqual([1, null])
  })

  it('is refused, whatever the host wants, while its epoch cannot start: the sources are named, nothing is stored', async () => {
    const world = new World({ 'app/a': '1', 'app/b': '2' })
    const { attached } = attachAgent({ world, context: () => world.context() })
    await attached.turn({ history: [user('one'), assistant('yes')] })
    world.undecodable.add('1')
    world.set('app/a', unavailable)
    const history = [user('eins'), assistant('yes'), user('two')]
    const turn = attached.turn({ history, onRewrite: 'epoch' })
    await expect(turn).rejects.toThrow(HistoryRewrittenError)
    await expect(turn).rejects.toThrow(/while app\/a cannot be observed; try again later/)
    expect(await collect(attached.events())).toHaveLength(1)
    world.set('app/a', '3')
    expect((await attached.turn({ history, onRewrite: 'epoch' })).started).toBe('rewritten')
  })

  it('is named after what comes first', async () => {
    const { attached } = attachAgent()
    await attached.turn({ history: [user('one'), assistant('yes')] })
    await attached.move()
    const turn = await attached.turn({ history: [user('so far')], onRewrite: 'epoch' })
    expect([turn.epoch, turn.started]).toEqual([2, 'moved'])
  })
})

describe('an answer to an older turn', () => {
  it('is named by the host: what that turn saw is fixed, and later updates move behind the answer', async () => {
    const agent = attachAgent()
    const { attached, world } = agent
    const first = await attached.turn({ history: [user('one')] })
    world.set('app/branch', 'dev')
    await attached.turn({ history: [user('one'), user('two')] })
    const usage = { total: 10, read: 8 }
    const history = [user('one'), assistant('to one'), user('two')]
    const turn = await attached.turn({ history, answered: { revision: first.revision, usage } })
    expect(outline(turn.entries)).toEqual(['u:one', 'a:to one', 'u:two', 'U:app/branch=dev'])
    expect(turn.entries.slice(0, 1)).toEqual(first.entries)
    expect((await collect(attached.events())).at(-1)).toMatchObject({
      history: { answered: { revision: first.revision, usage } },
    })
    await verifyBoth(agent, attached, history)
    expect((await agent.again().turn({ history })).entries).toEqual(turn.entries)
  })

  it('fixes what that turn saw also where the open tail was rearranged since', async () => {
    const agent = attachAgent()
    const { attached, world } = agent
    await attached.turn({ history: [user('zero')] })
    const start = [user('zero'), assistant('yes')]
    world.set('app/branch', 'dev')
    const asked = await attached.turn({ history: [...start, user('one'), user('two')] })
    expect(outline(asked.entries).slice(2)).toEqual(['u:one', 'u:two', 'U:app/branch=dev'])
    await attached.turn({ history: [...start, user('one')] })
    await attached.turn({ history: [...start, user('eins'), user('two')] })
    const history = [...start, user('one'), user('two'), assistant('to both'), user('three')]
    const turn = await attached.turn({ history, answered: { revision: asked.revision } })
    expect(turn.entries.slice(0, asked.entries.length)).toEqual(asked.entries)
    expect(outline(turn.entries).slice(2)).toEqual(['u:one', 'u:two', 'U:app/branch=dev', 'a:to both', 'u:three'])
    await verifyBoth(agent, attached, history)
    expect((await agent.again().turn({ history })).entries).toEqual(turn.entries)
  })

  it('that is not named is taken for one to the latest turn', async () => {
    const { attached } = attachAgent()
    await attached.turn({ history: [user('one')] })
    await attached.turn({ history: [user('one'), user('two')] })
    await expect(attached.turn({ history: [user('one'), assistant('to one'), user('two')] })).rejects.toThrow(
      HistoryRewrittenError,
    )
  })

  it('must name a turn that waits for its answer', async () => {
    const { attached } = attachAgent()
    const first = await attached.turn({ history: [user('one')] })
    const history = [user('one'), assistant('yes')]
    await expect(attached.turn({ history, answered: { revision: 7 } })).rejects.toThrow(MessageInvalidError)
    await expect(attached.turn({ history, answered: { revision: 7 } })).rejects.toThrow(
      /answered\.revision 7 is no turn/,
    )
    await attached.turn({ history, answered: { revision: first.revision } })
    // A host that goes on naming it does no harm.
    await attached.turn({ history: [...history, user('two')], answered: { revision: first.revision } })
    await expect(
      attached.turn({ history: [...history, user('two'), assistant('sure')], answered: { revision: first.revision } }),
    ).rejects.toThrow(MessageInvalidError)
  })

  it('of an epoch that is over cannot be named', async () => {
    const { attached } = attachAgent()
    const first = await attached.turn({ history: [user('one')] })
    await attached.move()
    await attached.turn({ history: [user('one')] })
    const history = [user('one'), assistant('yes')]
    await expect(attached.turn({ history, answered: { revision: first.revision } })).rejects.toThrow(
      MessageInvalidError,
    )
  })
})

describe('epochs of a session whose history the host keeps', () => {
  it('start after a move, a refusal and new instructions, and updates leave the view', async () => {
    let instructions = 'Be brief.'
    const agent = attachAgent({ instructions: () => instructions, onInstructionsChanged: 'epoch' })
    const { attached, world } = agent
    const history = [user('one')]
    await attached.turn({ history })
    history.push(assistant('yes'), user('two'))
    world.set('app/branch', 'dev')
    await attached.turn({ history })
    await attached.move()
    const moved = await attached.turn({ history })
    await attached.refused({ model: 'm', feature: 'native-updates' })
    const refused = await attached.turn({ history })
    instructions = 'Be kind.'
    const instructed = await agent
      .again({ instructions: () => instructions, onInstructionsChanged: 'epoch' })
      .turn({ history })
    expect([moved, refused, instructed].map((turn) => [turn.epoch, turn.started])).toEqual([
      [2, 'moved'],
      [3, 'refused'],
      [4, 'instructions'],
    ])
    expect(instructed.instructions).toBe('Be kind.')
    expect(instructed.refusals).toEqual([{ model: 'm', feature: 'native-updates' }])
    expect(outline(instructed.entries)).toEqual(['u:one', 'a:yes', 'u:two'])
    expect(instructed.entries.map((entry) => entry.epoch)).toEqual([1, 1, 1])
    await verifyBoth(agent, attached, history)
  })

  it('wait for the end of a tool loop where that is asked of new instructions', async () => {
    let instructions = 'Be brief.'
    const { attached } = attachAgent({ instructions: () => instructions, onInstructionsChanged: 'epoch' })
    const history = [user('one'), calling('c1'), result('c1')]
    await attached.turn({ history })
    instructions = 'Be kind.'
    expect((await attached.turn({ history })).epoch).toBe(1)
    history.push(assistant('done'), user('two'))
    expect((await attached.turn({ history })).started).toBe('instructions')
  })

  it('do not start after a move while a required source is unavailable', async () => {
    const { attached, world } = attachAgent()
    await attached.turn({ history: [user('one')] })
    await attached.move()
    world.set('app/branch', unavailable)
    await expect(attached.turn({ history: [user('one')] })).rejects.toThrow(InitializationBlockedError)
    world.set('app/branch', 'elsewhere')
    expect((await attached.turn({ history: [user('one')] })).started).toBe('moved')
  })
})

describe('several processes of one host', () => {
  it('see one log', async () => {
    const agent = attachAgent()
    const { attached, again, world } = agent
    const other = again()
    const history = [user('one')]
    await attached.turn({ history })
    world.set('app/branch', 'dev')
    history.push(assistant('yes'), user('two'))
    const turns = await Promise.all([attached.turn({ history }), other.turn({ history })])
    expect(turns[0].entries).toEqual(turns[1].entries)
    expect(turns.map((turn) => turn.update?.text ?? null).toSorted()).toEqual(['app/branch=dev', null])
    await verifyBoth(agent, attached, history)
    await verifyBoth(agent, other, history)
  })

  it('get turns of their own histories, also where a store answers late', async () => {
    const store = memoryStore()
    const [written, released] = [gate(), gate()]
    let holding = true
    const { attached } = attachAgent({
      store: replacing(store, {
        append: async (...args) => {
          const held = holding
          holding = false
          const done = await store.append(...args)
          if (held) {
            written.open()
            await released.opened
          }
          return done
        },
      }),
    })
    const late = attached.turn({ history: [user('one'), user('two'), user('three')] })
    await written.opened
    await attached.turn({ history: [user('one')] })
    released.open()
    const turn = await late
    expect(outline(turn.entries)).toEqual(['u:one', 'u:two', 'u:three'])
    expect(turn.entries.every((entry) => Number.isInteger(entry.revision))).toBe(true)
    expect(await attached.verify()).toEqual({ ok: true, problems: [] })
  })
})

describe('a fork of a session whose history the host keeps', () => {
  it('knows the same history, and goes its own way', async () => {
    const agent = attachAgent()
    const { attached, world, sessions } = agent
    const history = [user('one')]
    const first = await attached.turn({ history })
    history.push(assistant('yes'), user('two'))
    world.set('app/branch', 'dev')
    const parents = await attached.turn({ history })
    const child = await attached.fork('child')
    await sessions.delete('one')
    const turn = await agent
      .restarted()
      .sessions.attach('child')
      .turn({ history: copied(history) })
    expect([turn.entries, turn.system, turn.nonce]).toEqual([parents.entries, first.system, first.nonce])
    await expect(child.turn({ history: [user('eins'), assistant('yes')] })).rejects.toThrow(HistoryRewrittenError)
    expect(await child.verify({ history })).toEqual({ ok: true, problems: [] })
    expect((await collect(child.events())).at(-1)).toMatchObject({ type: 'fork', mode: 'host', parent: 'one' })
  })
})
