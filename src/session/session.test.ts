import { describe, expect, it } from 'vitest'
import {
  absent,
  assistant,
  beliefsOf,
  collect,
  eventTypes,
  exchange,
  outline,
  startAgent,
  unavailable,
  user,
  World,
} from '../../test/support/session.ts'
import { expectLaws, expectLegal, expectReplayed } from '../../test/support/session-laws.ts'
import { ContextRegistry, defineSource, InitializationBlockedError, RendererError } from '../context/index.ts'
import { joinSystemPrompt, SYSTEM_PROMPT_BOUNDARY } from '../prompt/index.ts'
import { memoryStore } from '../store/memory.ts'
import type { PlainMessage } from './plain-format.ts'
import { createSessions } from './sessions.ts'

describe('a boundary', () => {
  it('tells a change once, behind the input, and leaves everything before as it was', async () => {
    const { session, world } = startAgent()
    const first = await exchange(session, 'one')
    world.set('app/branch', 'dev')
    await session.submit(user('two'))
    const second = await session.turn()
    await second.answer([assistant('noted')])
    await session.submit(user('three'))
    const third = await session.turn()

    expect(first.system).toBe(joinSystemPrompt('Be brief.', 'app/branch=main\n\napp/date=Monday'))
    expect([second.system, third.system]).toEqual([first.system, first.system])
    expect(outline(third.entries)).toEqual([
      'u:one',
      'a:answer to one',
      'u:two',
      'U:app/branch=dev',
      'a:noted',
      'u:three',
    ])
    expect([first.update, second.update?.text, third.update]).toEqual([null, 'app/branch=dev', null])
    const events = await expectLaws(session)
    for (const turn of [first, second, third]) {
      expectLegal(turn)
      expectReplayed(turn, events)
    }
  })

  it('promotes the whole inbox, tells all changes and advances the snapshot as one event in one append', async () => {
    const { session, store, world } = startAgent()
    await exchange(session, 'one')
    world.set('app/branch', 'dev')
    world.set('app/date', 'Tuesday')
    await session.submit(user('two'))
    await session.submit(user('three'))
    store.calls.length = 0
    const turn = await session.turn()

    expect(store.calls).toEqual(['read', 'append'])
    expect(outline(turn.entries).slice(2)).toEqual(['u:two', 'u:three', 'U:app/branch=dev app/date=Tuesday'])
    const event = (await collect(session.events())).at(-1)
    expect(event).toMatchObject({
      type: 'boundary',
      promoted: [4, 5],
      update: { text: 'app/branch=dev\n\napp/date=Tuesday' },
      snapshot: { set: { 'app/branch': { value: 'dev' }, 'app/date': { value: 'Tuesday' } }, gone: [] },
    })
  })

  it('at which nothing changed reads once, writes nothing and hands out the same entries', async () => {
    const { session, store } = startAgent()
    await session.submit(user('one'))
    const first = await session.turn()
    store.calls.length = 0
    const second = await session.turn()
    expect(store.calls).toEqual(['read'])
    expect(second.entries).toBe(first.entries)
    expect({ ...second }).toEqual({ ...first, started: null })
  })

  it('stays quiet when a value only changed its key order', async () => {
    let value: object = { a: 1, b: [{ c: 2, d: 3 }] }
    const context = defineSource<object>({
      key: 'app/value',
      codec: { encode: (given) => given as never, decode: (json) => json as object },
      load: () => value,
      baseline: (current) => JSON.stringify(current),
      update: (_previous, current) => JSON.stringify(current),
    })
    const { session } = startAgent({ context })
    await session.submit(user('one'))
    const { entries } = await session.turn()
    value = { b: [{ d: 3, c: 2 }], a: 1 }
    const turn = await session.turn()
    expect([turn.update, turn.entries]).toEqual([null, entries])
  })

  it('reads each source once, and nothing else reads one', async () => {
    const { session, world } = startAgent()
    await session.submit(user('one'))
    expect(world.reads).toEqual([])
    const turn = await session.turn()
    expect(world.reads).toEqual(['app/branch', 'app/date'])
    await turn.answer([assistant('yes')])
    await session.append([user('by the way')])
    await session.compact({ summary: [user('so far')], through: turn.revision })
    await session.move()
    await session.refused({ model: 'm', feature: 'native-updates' })
    await session.fork('two')
    await session.verify()
    await collect(session.events())
    expect(world.reads).toEqual(['app/branch', 'app/date'])
    await session.turn()
    expect(world.reads).toEqual(['app/branch', 'app/date', 'app/branch', 'app/date'])
  })

  it('is where a change is seen, not when it happens: what came and went in between was never told', async () => {
    const { session, world } = startAgent()
    await exchange(session, 'one')
    world.set('app/branch', 'dev')
    world.set('app/branch', 'main')
    await session.submit(user('two'))
    expect((await session.turn()).update).toBeNull()
  })

  it('admits no update where the last entry would be an answer, and tells it at the next that can', async () => {
    const { session, world, store } = startAgent()
    await exchange(session, 'one')
    world.set('app/branch', 'dev')
    store.calls.length = 0
    const quiet = await session.turn()
    expect(quiet.update).toBeNull()
    expect(store.calls).toEqual(['read'])
    await session.submit(user('two'))
    expect((await session.turn()).update?.text).toBe('app/branch=dev')
    await expectLaws(session)
  })

  it('admits no update where there are no entries', async () => {
    const { session, world } = startAgent()
    const first = await session.turn()
    world.set('app/branch', 'dev')
    const second = await session.turn()
    expect([first.entries, second.entries, second.update]).toEqual([[], [], null])
    await session.submit(user('one'))
    expect(outline((await session.turn()).entries)).toEqual(['u:one', 'U:app/branch=dev'])
    await expectLaws(session)
  })

  it('keeps an update whose request failed, and sends it again', async () => {
    const { session, world, store } = startAgent()
    await exchange(session, 'one')
    world.set('app/branch', 'dev')
    await session.submit(user('two'))
    const failed = await session.turn()
    store.calls.length = 0
    const retried = await session.turn()
    expect(retried.entries).toBe(failed.entries)
    expect(retried.revision).toBe(failed.revision)
    expect(store.calls).toEqual(['read'])
    await retried.answer([assistant('noted')])
    expectLegal(retried)
    await expectLaws(session)
  })

  it('keeps the told value of a source that cannot be read, says so, and emits nothing', async () => {
    const { session, world } = startAgent()
    const first = await exchange(session, 'one')
    world.set('app/branch', unavailable)
    world.set('app/date', new Error('no clock'))
    await session.submit(user('two'))
    const turn = await session.turn()
    expect(turn.update).toBeNull()
    const [, epoch] = await collect(session.events())
    expect(turn.stale).toEqual([
      { key: 'app/branch', reason: 'unavailable', told: 'main', toldAt: epoch?.at },
      { key: 'app/date', reason: 'error', told: 'Monday', toldAt: epoch?.at, error: new Error('no clock') },
    ])
    expect(beliefsOf(turn)).toEqual(beliefsOf(first))
    await expectLaws(session)
  })

  it('dates a stale value by the boundary at which it was told', async () => {
    const agent = startAgent()
    const { session, world } = agent
    await exchange(session, 'one')
    world.set('app/branch', 'dev')
    await exchange(session, 'two')
    world.set('app/branch', unavailable)
    const boundary = (await collect(session.events())).find((event) => event.type === 'boundary')
    for (const one of [session, agent.restarted().session]) {
      expect((await one.turn()).stale).toEqual([
        { key: 'app/branch', reason: 'unavailable', told: 'dev', toldAt: boundary?.at },
      ])
    }
  })

  it('tells that a source is gone, by the text stored when its value was admitted', async () => {
    const { session, world } = startAgent()
    await exchange(session, 'one')
    world.set('app/branch', absent)
    await session.submit(user('two'))
    const turn = await session.turn()
    expect(turn.update).toMatchObject({
      text: 'app/branch is gone',
      changes: [{ key: 'app/branch', kind: 'removed' }],
    })
    expect(beliefsOf(turn)).toEqual({ 'app/date': 'Monday' })
    await expectLaws(session)
  })

  it('keeps the parts of an update by authority', async () => {
    const world = new World({ 'app/rules': 'soft', 'app/branch': 'main' })
    const { session } = startAgent({
      context: () => world.source('app/rules', { authority: 'user' }),
      world,
    })
    await exchange(session, 'one')
    world.set('app/rules', 'hard')
    await session.submit(user('two'))
    const { update } = await session.turn()
    expect(update?.parts).toEqual([{ authority: 'user', text: update?.text, keys: ['app/rules'] }])
    await expectLaws(session)
  })

  it('stores nothing when a renderer fails, and goes on when it no longer does', async () => {
    let failing = true
    const context = defineSource<string>({
      key: 'app/value',
      codec: { encode: (value) => value, decode: String },
      load: () => 'one',
      baseline: (current) => (failing ? '' : current),
      update: (_previous, current) => current,
    })
    const { session } = startAgent({ context })
    await session.submit(user('one'))
    await expect(session.turn()).rejects.toThrow(RendererError)
    expect(await eventTypes(session)).toEqual(['input'])
    failing = false
    expect(outline((await session.turn()).entries)).toEqual(['u:one'])
  })
})

describe('an incompatible change', () => {
  it('starts an epoch from the same observation, and earlier updates leave the view', async () => {
    const world = new World({ 'app/plain': '1', 'app/indelible': '1' })
    const { session } = startAgent({
      context: () => world.context(),
      world,
    })
    await exchange(session, 'one')
    world.set('app/plain', '2')
    await exchange(session, 'two')
    world.undecodable.add('2')
    world.set('app/plain', '3')
    await session.submit(user('three'))
    const reads = world.reads.length
    const turn = await session.turn()
    expect(world.reads.length - reads).toBe(2)
    expect([turn.epoch, turn.started, turn.update]).toEqual([2, 'incompatible', null])
    expect(outline(turn.entries)).toEqual(['u:one', 'a:answer to one', 'u:two', 'a:answer to two', 'u:three'])
    expect(turn.entries.map((entry) => entry.epoch)).toEqual([1, 1, 1, 1, 2])
    expect(beliefsOf(turn)).toEqual({ 'app/plain': '3', 'app/indelible': '1' })
    expect((await collect(session.events())).filter((event) => event.type === 'boundary' && event.update)).toHaveLength(
      1,
    )
    expectLegal(turn)
    await expectLaws(session)
  })

  it('waits while a value that is told cannot be read or decoded, says which, and goes on without telling', async () => {
    const world = new World({ 'app/a': '1', 'app/b': '2' })
    const { session } = startAgent({ world, context: () => world.context() })
    const first = await exchange(session, 'one')
    world.undecodable.add('1').add('2')
    world.set('app/a', '3')
    world.set('app/b', unavailable)
    await session.submit(user('two'))
    const blocked = await session.turn()
    expect([blocked.epoch, blocked.update, blocked.system]).toEqual([1, null, first.system])
    expect(blocked.stale).toMatchObject([{ key: 'app/b', reason: 'unavailable', told: '2' }])
    expectLegal(blocked)
    world.set('app/b', '4')
    const ready = await session.turn()
    expect([ready.epoch, ready.started]).toEqual([2, 'incompatible'])
    expect(beliefsOf(ready)).toEqual({ 'app/a': '3', 'app/b': '4' })
    await expectLaws(session)
  })

  it('names what blocks it also where that source holds what was told, but nobody can decode it', async () => {
    const world = new World({ 'app/a': '1', 'app/b': '1' })
    const { session } = startAgent({ world, context: () => world.context() })
    await exchange(session, 'one')
    world.undecodable.add('1')
    world.set('app/a', '3')
    await session.submit(user('two'))
    const turn = await session.turn()
    expect([turn.epoch, turn.update]).toEqual([1, null])
    expect(turn.stale).toMatchObject([{ key: 'app/b', reason: 'error', told: '1' }])
  })
})

describe('a first turn', () => {
  it('that cannot load a required source stores nothing and leaves the input, and the next attempt succeeds', async () => {
    const { session, store, world } = startAgent({ world: new World({ 'app/branch': unavailable }) })
    await session.submit(user('one'))
    store.calls.length = 0
    await expect(session.turn()).rejects.toThrow(InitializationBlockedError)
    await expect(session.turn()).rejects.toMatchObject({ keys: ['app/branch'] })
    expect(store.calls).not.toContain('append')
    expect(await eventTypes(session)).toEqual(['input'])

    world.set('app/branch', 'main')
    const turn = await session.turn()
    expect(outline(turn.entries)).toEqual(['u:one'])
    expect([turn.epoch, turn.started, turn.baseline]).toEqual([1, 'initial', 'app/branch=main'])
    expectLegal(turn)
    await expectLaws(session)
  })

  it('leaves out what may be missing, and tells it when it arrives', async () => {
    const world = new World({ 'app/branch': 'main', 'app/optional': unavailable })
    const context = () => world.source('app/optional', { required: false })
    const { session } = startAgent({ world, context })
    const turn = await exchange(session, 'one')
    expect([turn.baseline, turn.stale]).toEqual(['', [{ key: 'app/optional', reason: 'unavailable' }]])
    world.set('app/optional', '1')
    await session.submit(user('two'))
    expect((await session.turn()).update).toMatchObject({ changes: [{ key: 'app/optional', kind: 'added' }] })
    await expectLaws(session)
  })
})

describe('a turn', () => {
  it('is fixed: nothing that happens to the session afterwards changes it', async () => {
    const { session, world } = startAgent()
    const turn = await exchange(session, 'one')
    const before = { ...turn, entries: [...turn.entries] }
    world.set('app/branch', 'dev')
    await exchange(session, 'two')
    await session.move()
    await session.turn()
    expect({ ...turn }).toEqual(before)
  })

  it('hands out what nobody can edit', async () => {
    const agent = startAgent()
    const { session, world } = agent
    await exchange(session, 'one')
    world.set('app/branch', 'dev')
    await session.submit(user('two'))
    const turn = await session.turn()
    for (const { entries } of [turn, await agent.restarted().session.turn()]) {
      const [first] = entries
      expect(() => (entries as unknown[]).push('x')).toThrow(TypeError)
      expect(() => Object.assign(first!, { epoch: 7 })).toThrow(TypeError)
      expect(() => Object.assign((first as { message: object }).message, { content: 'x' })).toThrow(TypeError)
      const update = entries.find((entry) => entry.type === 'update')
      expect(() => Object.assign(update!.parts[0]!, { text: 'x' })).toThrow(TypeError)
    }
  })

  it('carries what an adapter needs to lower every turn of an epoch alike', async () => {
    const { session } = startAgent()
    const first = await exchange(session, 'one')
    const second = await exchange(session, 'two')
    expect(first.nonce).toMatch(/^[\w-]{8,}$/)
    expect(first.rulesAsOf).toMatch(/^\d{4}-\d{2}-\d{2}$/)
    expect([first.tools, first.refusals, first.session, first.epoch]).toEqual([null, [], 'one', 1])
    for (const name of ['nonce', 'rulesAsOf', 'refusals', 'instructions', 'baseline', 'system', 'epoch'] as const) {
      expect(second[name]).toBe(first[name])
    }
  })

  it('has the revision of the event that last changed what the model sees', async () => {
    const { session } = startAgent()
    const one = await session.submit(user('one'))
    const turn = await session.turn()
    expect([one.revision, turn.revision]).toEqual([1, 2])
    await session.submit(user('two'))
    const answer = await turn.answer([assistant('yes')])
    await session.compact({ summary: [user('so far')], through: 2 })
    await session.move()
    expect(answer.revision).toBe(4)
    const next = await session.turn()
    expect(next.revision).toBe(7)
    expect((await session.turn()).revision).toBe(7)
  })
})

describe('what a session is made of', () => {
  it('passes its id and the host to context, instructions and loaders', async () => {
    interface Host {
      readonly directory: string
    }
    const seen: unknown[] = []
    const sessions = createSessions<PlainMessage, Host>({
      store: memoryStore(),
      context: (session) => {
        seen.push(session)
        return Promise.resolve(
          defineSource<string, Host>({
            key: 'app/directory',
            codec: { encode: (value) => value, decode: String },
            load: ({ session: id, host }) => `${id}:${host?.directory}`,
            baseline: (current) => current,
            update: (_previous, current) => current,
          }),
        )
      },
      instructions: (session) => {
        seen.push(session)
        return `In ${session.host?.directory}.`
      },
    })
    const session = sessions.open('one')
    await session.submit(user('one'))
    const turn = await session.turn({ host: { directory: '/src' } })
    expect(turn.system).toBe(joinSystemPrompt('In /src.', 'one:/src'))
    expect(seen).toContainEqual({ id: 'one', host: { directory: '/src' } })
    expect(seen.every((given) => (given as { id: string }).id === 'one')).toBe(true)
  })

  it('takes a registry, whose producers come and go', async () => {
    const world = new World({ 'app/plugin': 'on' })
    const registry = new ContextRegistry()
    const registration = registry.register('plugin', () => world.source('app/plugin'))
    const { session } = startAgent({ context: registry, world })
    expect((await exchange(session, 'one')).baseline).toBe('app/plugin=on')
    registration[Symbol.dispose]()
    await session.submit(user('two'))
    const gone = await session.turn()
    expect(gone.update?.text).toBe('app/plugin is gone')
    await gone.answer([assistant('noted')])
    registry.register('plugin', () => Promise.reject(new Error('crashed')))
    await session.submit(user('three'))
    const failed = await session.turn()
    expect([failed.update, failed.stale]).toMatchObject([null, [{ key: 'plugin', reason: 'error' }]])
    await expectLaws(session)
  })

  it('keeps what a crashed producer contributed', async () => {
    const world = new World({ 'app/plugin': 'on' })
    const registry = new ContextRegistry()
    let crashed = false
    registry.register('plugin', () => {
      if (crashed) throw new Error('crashed')
      return world.source('app/plugin')
    })
    const { session } = startAgent({ context: registry, world })
    await exchange(session, 'one')
    crashed = true
    await session.submit(user('two'))
    const turn = await session.turn()
    expect([turn.update, turn.epoch]).toEqual([null, 1])
    expect(turn.stale).toMatchObject([{ key: 'app/plugin', reason: 'error', told: 'on' }])
  })

  it('removes boundary markers from instructions, and escapes them and update tags in rendered text', async () => {
    const world = new World({ 'app/rules': `a ${SYSTEM_PROMPT_BOUNDARY} b </system-reminder> c` })
    const { session } = startAgent({ world, instructions: `Be ${SYSTEM_PROMPT_BOUNDARY}\n\nbrief.` })
    const turn = await exchange(session, 'one')
    expect(turn.instructions).not.toContain(SYSTEM_PROMPT_BOUNDARY)
    expect(turn.baseline).not.toContain(SYSTEM_PROMPT_BOUNDARY)
    expect(turn.baseline).not.toContain('</system-reminder')
    expect(turn.system.split(SYSTEM_PROMPT_BOUNDARY)).toHaveLength(2)
    world.set('app/rules', `${SYSTEM_PROMPT_BOUNDARY} <system-reminder id="x">`)
    await session.submit(user('two'))
    const { update } = await session.turn()
    for (const text of [update!.text, ...update!.parts.map((part) => part.text)]) {
      expect(text).not.toContain(SYSTEM_PROMPT_BOUNDARY)
      expect(text).not.toContain('<system-reminder')
    }
    world.set('app/rules', absent)
    await session.submit(user('three'))
    expect((await session.turn()).update?.text).toBe('app/rules is gone')
    expect(await session.verify()).toEqual({ ok: true, problems: [] })
  })

  it('works without instructions and without anything in its context', async () => {
    const world = new World({ 'app/nothing': absent })
    const sessions = createSessions({ store: memoryStore(), context: world.context() })
    const session = sessions.open('one')
    await session.submit(user('one'))
    const turn = await session.turn()
    expect([turn.system, turn.instructions, turn.baseline]).toEqual(['', '', ''])
    expect((await session.verify()).ok).toBe(true)
  })

  it('reads no source that is new to a running epoch and refreshes with epochs only', async () => {
    const world = new World({ 'app/branch': 'main' })
    let late = false
    const context = () => (late ? world.source('app/late', { refresh: 'epoch' }) : world.source('app/branch'))
    const { session } = startAgent({ world, context })
    await exchange(session, 'one')
    late = true
    world.set('app/late', '1')
    await session.submit(user('two'))
    const waiting = await session.turn()
    expect([waiting.update?.text, world.reads.includes('app/late')]).toEqual(['app/branch is gone', false])
    await waiting.answer([assistant('noted')])
    await session.move()
    expect((await session.turn()).baseline).toBe('app/late=1')
    await expectLaws(session)
  })
})
