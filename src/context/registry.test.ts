import { afterEach, describe, expect, it, vi } from 'vitest'
import { initialize, reconcile, replace } from './boundary.ts'
import { combine } from './combine.ts'
import { DuplicateSourceError, InitializationBlockedError, SourceInvalidError } from './errors.ts'
import { ContextRegistry } from './registry.ts'
import { testSource } from './test-source.ts'
import type { Context, Snapshot } from './types.ts'

const setting = (name: string, value: unknown = 1): Context => testSource(name, () => value)

const failing = (): never => {
  throw new Error('the server is down')
}

afterEach(() => {
  vi.useRealTimers()
})

describe('a registry', () => {
  it('combines in code-unit order of the keys, whichever producer answers first', async () => {
    const gates = new Map<string, PromiseWithResolvers<Context>>()
    const registry = new ContextRegistry()
    for (const key of ['é', 'a', 'Z', 'a-b', 'ab']) {
      const gate = Promise.withResolvers<Context>()
      gates.set(key, gate)
      registry.register(key, () => gate.promise)
    }
    const loading = registry.load()
    const names: Record<string, string> = { é: 'e-acute', a: 'a', Z: 'z-upper', 'a-b': 'a-b', ab: 'ab' }
    for (const [key, gate] of gates) gate.resolve(setting(names[key]!))
    expect((await initialize(await loading)).baseline).toBe('z-upper = 1\n\na = 1\n\na-b = 1\n\nab = 1\n\ne-acute = 1')
  })

  it('calls its producers together, once per load', async () => {
    const registry = new ContextRegistry()
    const gate = Promise.withResolvers<void>()
    const produce = (name: string) =>
      vi.fn(async () => {
        await gate.promise
        return setting(name)
      })
    const producers = ['a', 'b'].map(produce)
    for (const [index, producer] of producers.entries()) registry.register(`p${index}`, producer)
    const loading = registry.load()
    expect(producers.map((producer) => producer.mock.calls.length)).toEqual([1, 1])
    gate.resolve()
    await loading
    expect(producers.map((producer) => producer.mock.calls.length)).toEqual([1, 1])
    await registry.load()
    expect(producers.map((producer) => producer.mock.calls.length)).toEqual([2, 2])
  })

  it('is an empty context while it has no producer', async () => {
    expect(await initialize(await new ContextRegistry().load())).toEqual({ baseline: '', snapshot: {} })
  })

  it('records which producer contributed a source', async () => {
    const registry = new ContextRegistry()
    registry.register('plugin', () => combine(setting('a'), setting('b')))
    const { snapshot } = await initialize(combine(await registry.load(), setting('c')))
    expect(Object.entries(snapshot).map(([key, { producer }]) => [key, producer])).toEqual([
      ['test/a', 'plugin'],
      ['test/b', 'plugin'],
      ['test/c', undefined],
    ])
  })

  it('refuses a second producer with a key, and a key that is empty', () => {
    const registry = new ContextRegistry()
    registry.register('plugin', () => setting('a'))
    expect(() => registry.register('plugin', () => setting('b'))).toThrow(DuplicateSourceError)
    expect(() => registry.register('plugin', () => setting('b'))).toThrow(/Producer 'plugin' is registered already/)
    expect(() => registry.register('', () => setting('b'))).toThrow(SourceInvalidError)
    expect(() => registry.register('other', setting('b') as never)).toThrow(/needs a function/)
  })

  it('refuses one source from two producers, and names all three', async () => {
    const registry = new ContextRegistry()
    registry.register('one', () => setting('a'))
    registry.register('two', () => setting('a'))
    await expect(registry.load()).rejects.toThrow(DuplicateSourceError)
    await expect(registry.load()).rejects.toThrow(/'test\/a' \(from producer 'one' and 'two'\)/)
  })
})

describe('a registration', () => {
  it('ends when it is disposed of, and its sources are then told to be gone', async () => {
    const registry = new ContextRegistry()
    let snapshot: Snapshot
    {
      using _ = registry.register('plugin', () => setting('a'))
      ;({ snapshot } = await initialize(await registry.load()))
    }
    expect(await reconcile(await registry.load(), snapshot)).toMatchObject({ type: 'updated', text: 'a gone' })
  })

  it('ends only itself, not a later one with its key', async () => {
    const registry = new ContextRegistry()
    const produce = (): Context => setting('a')
    const first = registry.register('plugin', produce)
    first[Symbol.dispose]()
    registry.register('plugin', produce)
    first[Symbol.dispose]()
    expect((await initialize(await registry.load())).baseline).toBe('a = 1')
  })

  it('that is made or ended while producers run counts from the next load on', async () => {
    const registry = new ContextRegistry()
    const ended = registry.register('z', () => setting('z'))
    let added: Disposable | undefined
    registry.register('a', () => {
      ended[Symbol.dispose]()
      added ??= registry.register('b', () => setting('b'))
      return setting('a')
    })
    expect((await initialize(await registry.load())).baseline).toBe('a = 1\n\nz = 1')
    expect((await initialize(await registry.load())).baseline).toBe('a = 1\n\nb = 1')
  })
})

describe('a producer that fails', () => {
  async function loadedOnce(produce: () => Context | Promise<Context>): Promise<[ContextRegistry, Snapshot]> {
    const registry = new ContextRegistry()
    let fails = false
    registry.register('plugin', () => (fails ? produce() : combine(setting('b'), setting('a'))))
    registry.register('other', () => setting('c', fails ? 2 : 1))
    const { snapshot } = await initialize(await registry.load())
    fails = true
    return [registry, snapshot]
  }

  it.each<[string, () => Context | Promise<Context>, RegExp]>([
    ['throws', failing, /the server is down/],
    ['rejects', async () => failing(), /the server is down/],
    ['returns no context', () => ({}) as Context, /Expected a context/],
    ['resolves to no context', async () => undefined as unknown as Context, /Expected a context/],
  ])('because it %s makes its sources unavailable, not gone', async (_, produce, message) => {
    const [registry, snapshot] = await loadedOnce(produce)
    const change = await reconcile(await registry.load(), snapshot)
    expect(change).toMatchObject({
      type: 'updated',
      text: 'c: 1 -> 2',
      stale: [
        { key: 'test/a', reason: 'error', told: 1, error: { message: expect.stringMatching(message) as string } },
        { key: 'test/b', reason: 'error', told: 1, error: { message: expect.stringMatching(message) as string } },
      ],
    })
    expect(change.type === 'updated' && change.snapshot['test/a']).toBe(snapshot['test/a'])
  })

  it('because it does not answer within 2 seconds is one that timed out', async () => {
    vi.useFakeTimers()
    const late = Promise.withResolvers<Context>()
    const [registry, snapshot] = await loadedOnce(() => late.promise)
    const loading = registry.load()
    await vi.advanceTimersByTimeAsync(2000)
    const context = await loading
    expect(await reconcile(context, snapshot)).toMatchObject({
      stale: [
        { key: 'test/a', reason: 'timeout', told: 1 },
        { key: 'test/b', reason: 'timeout', told: 1 },
      ],
    })
    late.reject(new Error('too late'))
    await vi.advanceTimersByTimeAsync(1)
    expect((await reconcile(context, snapshot)).stale).toHaveLength(2)
  })

  it('blocks a replacement, with the keys of the sources that nobody can render', async () => {
    const [registry, snapshot] = await loadedOnce(failing)
    expect(await replace(await registry.load(), snapshot)).toMatchObject({
      type: 'replacement-blocked',
      keys: ['test/a', 'test/b'],
      stale: [{ key: 'test/a' }, { key: 'test/b' }],
    })
  })

  it('blocks no replacement when it has contributed nothing', async () => {
    const registry = new ContextRegistry()
    registry.register('plugin', failing)
    registry.register('other', () => setting('c'))
    expect(await replace(await registry.load(), {})).toMatchObject({
      type: 'replacement-ready',
      start: { baseline: 'c = 1' },
      stale: [{ key: 'plugin', reason: 'error' }],
    })
  })

  it('is reported by its own key while it has contributed nothing', async () => {
    const registry = new ContextRegistry()
    registry.register('plugin', failing)
    expect(await reconcile(await registry.load(), {})).toEqual({
      type: 'unchanged',
      stale: [{ key: 'plugin', reason: 'error', error: new Error('the server is down') }],
    })
  })

  it('is reported in key order among the sources that others left behind', async () => {
    const registry = new ContextRegistry()
    for (const key of ['a', 'm', 'z']) registry.register(key, failing)
    const snapshot: Snapshot = { 'test/y': { value: 1, producer: 'a' }, 'b/x': { value: 1, producer: 'z' } }
    const { stale } = await reconcile(await registry.load(), snapshot)
    expect(stale.map(({ key }) => key)).toEqual(['b/x', 'm', 'test/y'])
  })

  it('blocks a first context, because what it would bring may be required', async () => {
    const registry = new ContextRegistry()
    registry.register('plugin', failing)
    registry.register('another', () => testSource('a', failing))
    const thrown: unknown = await initialize(await registry.load()).catch((reason: unknown) => reason)
    expect(thrown).toBeInstanceOf(InitializationBlockedError)
    expect(thrown).toMatchObject({ keys: ['test/a', 'plugin'], stale: [{ key: 'test/a' }, { key: 'plugin' }] })
    expect((thrown as Error).message).toContain("registry producer 'plugin' (failed: the server is down)")
  })

  it('takes nothing from a source that has moved to another producer', async () => {
    const registry = new ContextRegistry()
    registry.register('new-home', () => setting('a', 2))
    registry.register('old-home', failing)
    const snapshot: Snapshot = { 'test/a': { value: 1, removed: 'a gone', producer: 'old-home' } }
    expect(await reconcile(await registry.load(), snapshot)).toMatchObject({
      text: 'a: 1 -> 2',
      snapshot: { 'test/a': { value: 2, producer: 'new-home' } },
    })
  })

  it('counts as a failure of the producer that it is nested in', async () => {
    const inner = new ContextRegistry()
    const outer = new ContextRegistry()
    let fails = false
    inner.register('leaf', () => (fails ? failing() : setting('a')))
    inner.register('healthy', () => setting('b', fails ? 2 : 1))
    outer.register('branch', () => inner.load())
    const { snapshot } = await initialize(await outer.load())
    expect(snapshot['test/a']?.producer).toBe('branch')
    fails = true
    expect(await reconcile(await outer.load(), snapshot)).toMatchObject({
      text: 'b: 1 -> 2',
      stale: [{ key: 'test/a', reason: 'error', told: 1 }],
    })
  })
})
