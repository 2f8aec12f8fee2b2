import { describe, expect, it, vi } from 'vitest'
import { freezeDeep } from '../base/json.ts'
import type { Json } from '../base/json.ts'
import { initialize, reconcile } from './boundary.ts'
import { combine } from './combine.ts'
import { passThrough, testSource } from './test-source.ts'
import { absent, unavailable } from './types.ts'
import type { Codec, Context, Observed, Snapshot, SnapshotEntry } from './types.ts'

/** A snapshot of test sources, as `testSource` would have admitted them. */
function told(values: Record<string, Json>, entry: Partial<SnapshotEntry> = {}): Snapshot {
  return freezeDeep(
    Object.fromEntries(
      Object.entries(values).map(([name, value]) => [`test/${name}`, { value, removed: `${name} gone`, ...entry }]),
    ),
  )
}

const lasting = (name: string, load: () => Observed<unknown>): Context => testSource(name, load, { removed: null })

describe('a boundary at which nothing changed', () => {
  it('says so, with the same object each time', async () => {
    const context = testSource('a', () => ({ x: 1, y: 2 }))
    const first = await reconcile(context, told({ a: { y: 2, x: 1 } }))
    expect(first).toEqual({ type: 'unchanged', stale: [] })
    expect(await reconcile(context, told({ a: { x: 1, y: 2 } }))).toBe(first)
    expect(Object.isFrozen(first) && Object.isFrozen(first.stale)).toBe(true)
  })

  it('runs no renderer and decodes nothing', async () => {
    const forbidden = (): never => {
      throw new Error('called')
    }
    const codec: Codec<number> = { encode: (value) => value, decode: forbidden }
    const context = testSource('a', () => 1, { codec, baseline: forbidden, update: forbidden, removed: forbidden })
    expect((await reconcile(context, told({ a: 1 }))).type).toBe('unchanged')
  })

  it('is one at which only a renderer changed', async () => {
    const reworded = testSource('a', () => 1, { update: () => 'other words', removed: () => 'other words' })
    const changed = testSource('b', () => 2)
    const snapshot = told({ a: 1, b: 1 })
    const change = await reconcile(combine(reworded, changed), snapshot)
    expect(change).toMatchObject({ type: 'updated', changes: [{ key: 'test/b', kind: 'changed' }] })
    expect(change.type === 'updated' && change.snapshot['test/a']).toBe(snapshot['test/a'])
  })
})

describe('values', () => {
  it.each<[string, unknown, Json]>([
    ['-0 and 0', -0, 0],
    ['1e21 in two notations', 1e21, JSON.parse('1000000000000000000000') as Json],
    ['lone surrogates', 'a\ud800', 'a\ud800'],
    ['an own __proto__', JSON.parse('{"__proto__":{"a":1}}'), JSON.parse('{"__proto__":{"a":1}}') as Json],
    ['keys that look like numbers, in another order', { b: 0, 10: 1, 2: 2 }, { 2: 2, 10: 1, b: 0 }],
    ['an undefined and a missing property', { a: 1, b: undefined }, { a: 1 }],
    ['objects without a prototype', Object.assign(Object.create(null) as object, { a: 1 }), { a: 1 }],
  ])('are equal: %s', async (_, live, stored) => {
    expect(
      (
        await reconcile(
          testSource('a', () => live),
          told({ a: stored }),
        )
      ).type,
    ).toBe('unchanged')
  })

  it.each<[string, unknown, Json]>([
    ['another order in an array', [1, 2], [2, 1]],
    ['a lone surrogate and its replacement', '\ud800', '\ufffd'],
    ['an own __proto__ and none', JSON.parse('{"__proto__":{}}'), {}],
    ['null and a missing property', { a: null }, {}],
    ['a number and its text', { 1: 1 }, { 1: '1' }],
  ])('differ: %s', async (_, live, stored) => {
    const change = await reconcile(
      testSource('a', () => live),
      told({ a: stored }),
    )
    expect(change.type).toBe('updated')
    const { snapshot } = change as { snapshot: Snapshot }
    expect(
      (
        await reconcile(
          testSource('a', () => live),
          snapshot,
        )
      ).type,
    ).toBe('unchanged')
    expect(
      (
        await reconcile(
          testSource('a', () => live),
          JSON.parse(JSON.stringify(snapshot)) as Snapshot,
        )
      ).type,
    ).toBe('unchanged')
  })

  it.each<[string, unknown]>([
    ['undefined', undefined],
    ['NaN', Number.NaN],
    ['a date', { at: new Date(0) }],
    ['a hole', [1, , 3]], // oxlint-disable-line eslint/no-sparse-arrays
    [
      'nesting without end',
      (() => {
        const cycle: unknown[] = []
        cycle.push(cycle)
        return cycle
      })(),
    ],
  ])('that JSON cannot hold are unavailable: %s', async (_, live) => {
    const change = await reconcile(
      testSource('a', () => live),
      told({ a: 1 }),
    )
    expect(change).toMatchObject({
      type: 'unchanged',
      stale: [{ key: 'test/a', reason: 'error', told: 1, error: { name: 'NotJsonError' } }],
    })
  })
})

describe('an update', () => {
  it('tells every change in context order, then what vanished in key order', async () => {
    const context = combine(
      testSource('new', () => 1),
      testSource('gone', () => absent),
      testSource('same', () => 1),
      testSource('changed', () => 2),
    )
    const snapshot = told({ zebra: 0, changed: 1, same: 1, gone: 0, 'apple-1': 0, apple: 0 })
    expect(await reconcile(context, snapshot)).toEqual({
      type: 'updated',
      text: 'new = 1\n\ngone gone\n\nchanged: 1 -> 2\n\napple gone\n\napple-1 gone\n\nzebra gone',
      parts: [
        {
          authority: 'system',
          text: 'new = 1\n\ngone gone\n\nchanged: 1 -> 2\n\napple gone\n\napple-1 gone\n\nzebra gone',
          keys: ['test/new', 'test/gone', 'test/changed', 'test/apple', 'test/apple-1', 'test/zebra'],
        },
      ],
      changes: [
        { key: 'test/new', kind: 'added' },
        { key: 'test/gone', kind: 'removed' },
        { key: 'test/changed', kind: 'changed' },
        { key: 'test/apple', kind: 'removed' },
        { key: 'test/apple-1', kind: 'removed' },
        { key: 'test/zebra', kind: 'removed' },
      ],
      snapshot: told({ new: 1, same: 1, changed: 2 }),
      stale: [],
    })
  })

  it('is split by authority, system first, while its text keeps the order', async () => {
    const context = combine(
      testSource('a', () => 1, { authority: 'user' }),
      testSource('b', () => 1),
      testSource('c', () => 1, { authority: 'user' }),
    )
    const tagged = (name: string, text: string): string =>
      `<outside-text source="test/${name}">\n${text}\n</outside-text>`
    const change = await reconcile(context, told({ d: 0 }, { authority: 'user', removed: 'stored as it is' }))
    expect(change).toMatchObject({
      text: `${tagged('a', 'a = 1')}\n\nb = 1\n\n${tagged('c', 'c = 1')}\n\nstored as it is`,
      parts: [
        { authority: 'system', text: 'b = 1', keys: ['test/b'] },
        {
          authority: 'user',
          text: `${tagged('a', 'a = 1')}\n\n${tagged('c', 'c = 1')}\n\nstored as it is`,
          keys: ['test/a', 'test/c', 'test/d'],
        },
      ],
    })
  })

  it('has no part without text', async () => {
    const change = await reconcile(
      testSource('a', () => 1, { authority: 'user' }),
      {},
    )
    expect(change).toMatchObject({ parts: [{ authority: 'user' }] })
    expect(change.type === 'updated' && change.parts).toHaveLength(1)
  })

  it('leaves the snapshot that it started from alone, carries over what stayed, and freezes what is new', async () => {
    const snapshot = told({ same: { deep: [1] }, changed: { deep: [1] } })
    const before = JSON.stringify(snapshot)
    const context = combine(
      testSource('same', () => ({ deep: [1] })),
      testSource('changed', () => ({ deep: [2] })),
    )
    const change = await reconcile(context, snapshot)
    if (change.type !== 'updated') throw new Error(change.type)
    expect(JSON.stringify(snapshot)).toBe(before)
    expect(change.snapshot['test/same']).toBe(snapshot['test/same'])
    expect(Object.keys(change.snapshot)).toEqual(['test/changed', 'test/same'])
    const entry = change.snapshot['test/changed']!
    expect([change.snapshot, entry, entry.value, (entry.value as { deep: Json }).deep].every(Object.isFrozen)).toBe(
      true,
    )
  })

  it('decodes the stored value for the renderer, and never hands out the live one', async () => {
    const live = { n: 2 }
    const seen: unknown[] = []
    const context = testSource('a', () => live, {
      update: (previous, current) => {
        seen.push(previous, current)
        return 'text'
      },
    })
    await reconcile(context, told({ a: { n: 1 } }))
    expect(seen).toEqual([{ n: 1 }, { n: 2 }])
    expect(seen[1]).not.toBe(live)
  })
})

describe('a source that is new to the snapshot', () => {
  it('tells its baseline text once', async () => {
    const context = combine(
      testSource('a', () => 1),
      testSource('b', () => 2),
    )
    const change = await reconcile(context, told({ a: 1 }))
    expect(change).toMatchObject({ text: 'b = 2', changes: [{ key: 'test/b', kind: 'added' }] })
    expect((await reconcile(context, (change as { snapshot: Snapshot }).snapshot)).type).toBe('unchanged')
  })

  it('tells nothing while it is absent or unavailable', async () => {
    const context = combine(
      testSource('a', () => absent),
      testSource('b', () => unavailable),
    )
    expect(await reconcile(context, {})).toEqual({
      type: 'unchanged',
      stale: [{ key: 'test/b', reason: 'unavailable' }],
    })
  })

  it('arrives later as an update when it is not required and was missing at first', async () => {
    let value: Observed<number> = unavailable
    const context = combine(
      testSource('a', () => 1),
      testSource('b', () => value, { required: false }),
    )
    const { baseline, snapshot } = await initialize(context)
    expect(baseline).toBe('a = 1')
    expect(await reconcile(context, snapshot)).toMatchObject({ type: 'unchanged', stale: [{ key: 'test/b' }] })
    value = 2
    expect(await reconcile(context, snapshot)).toMatchObject({ type: 'updated', text: 'b = 2' })
  })
})

describe('an unavailable source', () => {
  it('keeps the admitted value and tells nothing', async () => {
    const error = new Error('no network')
    const context = combine(
      testSource('says-so', () => unavailable),
      testSource('throws', () => {
        throw error
      }),
      testSource('rejects', () => Promise.reject(error)),
      testSource('hangs', () => new Promise<never>(() => {}), { timeoutMs: 1 }),
    )
    const snapshot = told({ 'says-so': 1, throws: 2, rejects: 3, hangs: 4 })
    expect(await reconcile(context, snapshot)).toEqual({
      type: 'unchanged',
      stale: [
        { key: 'test/says-so', reason: 'unavailable', told: 1 },
        { key: 'test/throws', reason: 'error', told: 2, error },
        { key: 'test/rejects', reason: 'error', told: 3, error },
        { key: 'test/hangs', reason: 'timeout', told: 4 },
      ],
    })
  })

  it('keeps its entry while others change', async () => {
    const snapshot = told({ a: 1, b: 1 })
    const change = await reconcile(
      combine(
        testSource('a', () => unavailable),
        testSource('b', () => 2),
      ),
      snapshot,
    )
    expect(change).toMatchObject({ text: 'b: 1 -> 2', stale: [{ key: 'test/a', told: 1 }] })
    expect(change.type === 'updated' && change.snapshot['test/a']).toBe(snapshot['test/a'])
  })

  it('is told when it comes back, if its value is another', async () => {
    let value: Observed<number> = unavailable
    const context = testSource('a', () => value)
    expect((await reconcile(context, told({ a: 1 }))).type).toBe('unchanged')
    value = 2
    expect(await reconcile(context, told({ a: 1 }))).toMatchObject({ text: 'a: 1 -> 2' })
  })

  it('does not hide an incompatible change of another, and is rendered from what was told', async () => {
    const context = combine(
      testSource('a', () => unavailable),
      lasting('b', () => absent),
    )
    expect(await reconcile(context, { ...told({ a: 1 }), 'test/b': { value: 1 } })).toMatchObject({
      type: 'replacement-ready',
      reason: "'test/b' is absent and has no removal text",
      start: { baseline: 'a = 1', snapshot: told({ a: 1 }) },
      stale: [{ key: 'test/a', reason: 'unavailable', told: 1 }],
    })
  })
})

describe('a source that is gone', () => {
  it.each<[string, Context]>([
    ['absent', testSource('a', () => absent, { removed: () => 'new words' })],
    ['no longer in the context', combine()],
  ])('because it is %s is told in the words stored when its value was admitted', async (_, context) => {
    const change = await reconcile(context, told({ a: 1 }, { removed: 'old words' }))
    expect(change).toMatchObject({ type: 'updated', text: 'old words', changes: [{ key: 'test/a', kind: 'removed' }] })
    expect(change.type === 'updated' && change.snapshot).toEqual({})
  })

  it('is told once, and told anew when it returns', async () => {
    let value: Observed<number> = absent
    const context = testSource('a', () => value)
    const gone = (await reconcile(context, told({ a: 1 }))) as { snapshot: Snapshot }
    expect((await reconcile(context, gone.snapshot)).type).toBe('unchanged')
    value = 1
    expect(await reconcile(context, gone.snapshot)).toMatchObject({ text: 'a = 1', changes: [{ kind: 'added' }] })
  })

  it('speaks with the authority that was stored with its text', async () => {
    const context = testSource('a', () => absent, { authority: 'user' })
    expect(await reconcile(context, told({ a: 1 }))).toMatchObject({ parts: [{ authority: 'system', text: 'a gone' }] })
  })
})

describe('an incompatible change', () => {
  const strict: Codec<number> = {
    encode: (value) => value,
    decode: (json) => {
      if (typeof json !== 'number') throw new TypeError('no number')
      return json
    },
  }

  it.each<[string, Context, Snapshot, string]>([
    [
      'a differing stored value that no longer decodes',
      testSource('a', () => 2, { codec: strict }),
      told({ a: 'one' }),
      "'test/a' was told a value that its codec no longer decodes",
    ],
    [
      'an absent source without stored removal text',
      testSource('a', () => absent),
      { 'test/a': { value: 1 } },
      "'test/a' is absent and has no removal text",
    ],
    [
      'a vanished source without stored removal text',
      combine(),
      { 'test/a': { value: 1 } },
      "'test/a' is gone and has no removal text",
    ],
  ])('is %s', async (_, context, snapshot, reason) => {
    expect(await reconcile(context, snapshot)).toMatchObject({ type: 'replacement-ready', reason })
  })

  it('names every source that causes it', async () => {
    const context = combine(
      lasting('a', () => absent),
      testSource('b', () => 2, { codec: strict }),
    )
    const snapshot: Snapshot = { 'test/a': { value: 1 }, 'test/b': { value: 'x' }, 'test/c': { value: 1 } }
    expect(await reconcile(context, snapshot)).toMatchObject({
      reason:
        "'test/a' is absent and has no removal text; 'test/b' was told a value that its codec no longer decodes; " +
        "'test/c' is gone and has no removal text",
    })
  })

  it('replaces the whole context from the same observation, and renders no update', async () => {
    const update = vi.fn(() => 'never')
    const load = vi.fn(() => 2)
    const context = combine(
      testSource('a', load, { update }),
      lasting('b', () => absent),
      testSource('c', () => 3),
    )
    const change = await reconcile(context, { ...told({ a: 1 }), 'test/b': { value: 1 } })
    expect(change).toMatchObject({
      type: 'replacement-ready',
      start: { baseline: 'a = 2\n\nc = 3', snapshot: told({ a: 2, c: 3 }) },
      stale: [],
    })
    expect(update).not.toHaveBeenCalled()
    expect(load).toHaveBeenCalledTimes(1)
  })

  it('is none when an undecodable stored value did not change', async () => {
    const codec: Codec<Json> = { encode: (value) => value, decode: passThrough<number>().decode }
    expect(
      (
        await reconcile(
          testSource('a', () => 'one', { codec }),
          told({ a: 'one' }),
        )
      ).type,
    ).toBe('unchanged')
  })

  it('is none when the new value cannot be decoded either: then the source is unavailable', async () => {
    const context = testSource<number>('a', () => 'two' as never, { codec: strict })
    expect(await reconcile(context, told({ a: 'one' }))).toMatchObject({
      type: 'unchanged',
      stale: [{ key: 'test/a', reason: 'error', told: 'one', error: new TypeError('no number') }],
    })
  })
})

describe("a source of refresh: 'epoch'", () => {
  const load = vi.fn(() => 2)
  const context = testSource('a', load, { refresh: 'epoch' })

  it('is not read, and its entry stays', async () => {
    load.mockClear()
    expect(await reconcile(context, told({ a: 1 }))).toEqual({ type: 'unchanged', stale: [] })
    expect(load).not.toHaveBeenCalled()
  })

  it('waits when it is new to a running epoch', async () => {
    expect(await reconcile(context, {})).toEqual({ type: 'unchanged', stale: [] })
  })

  it('is told to be gone when it vanished from the context', async () => {
    expect(await reconcile(combine(), told({ a: 1 }))).toMatchObject({ text: 'a gone' })
  })

  it('is read, once, when the context is replaced', async () => {
    load.mockClear()
    const change = await reconcile(context, { 'test/b': { value: 1 } })
    expect(change).toMatchObject({ type: 'replacement-ready', start: { baseline: 'a = 2' } })
    expect(load).toHaveBeenCalledTimes(1)
  })
})
