import { describe, expect, it, vi } from 'vitest'
import type { Json } from '../base/json.ts'
import { initialize, observe, replace, startFrom } from './boundary.ts'
import { combine } from './combine.ts'
import { InitializationBlockedError } from './errors.ts'
import { testSource } from './test-source.ts'
import { absent, unavailable } from './types.ts'
import type { Codec, Snapshot } from './types.ts'

const numbers: Codec<number> = {
  encode: (value) => value,
  decode: (json) => {
    if (typeof json !== 'number') throw new TypeError('no number')
    return json
  },
}

describe('initialize', () => {
  it('renders what has a value, in context order, and keeps it in key order', async () => {
    const context = combine(
      testSource('b', () => 1),
      testSource('nothing', () => absent),
      testSource('a', async () => 2, { refresh: 'epoch', removed: null }),
      testSource('missing', () => unavailable, { required: false }),
    )
    const start = await initialize(context)
    expect(start).toEqual({
      baseline: 'b = 1\n\na = 2',
      snapshot: { 'test/a': { value: 2 }, 'test/b': { value: 1, removed: 'b gone' } },
    })
    expect(Object.keys(start.snapshot)).toEqual(['test/a', 'test/b'])
    expect(Object.isFrozen(start.snapshot) && Object.isFrozen(start.snapshot['test/a'])).toBe(true)
  })

  it('renders an empty baseline when nothing has a value', async () => {
    expect(await initialize(testSource('a', () => absent))).toEqual({ baseline: '', snapshot: {} })
  })

  it('is blocked by every required source that cannot be observed, and runs no renderer', async () => {
    const baseline = vi.fn(() => 'text')
    const error = new Error('no network')
    const context = combine(
      testSource('fine', () => 1, { baseline }),
      testSource('z', () => unavailable),
      testSource('optional', () => unavailable, { required: false }),
      testSource('a', () => Promise.reject(error)),
      testSource('hangs', () => new Promise<never>(() => {}), { timeoutMs: 1, refresh: 'epoch' }),
    )
    const thrown: unknown = await initialize(context).catch((reason: unknown) => reason)
    expect(thrown).toBeInstanceOf(InitializationBlockedError)
    expect(thrown).toMatchObject({
      code: 'initialization_blocked',
      keys: ['test/z', 'test/a', 'test/hangs'],
      stale: [
        { key: 'test/z', reason: 'unavailable' },
        { key: 'test/optional', reason: 'unavailable' },
        { key: 'test/a', reason: 'error', error },
        { key: 'test/hangs', reason: 'timeout' },
      ],
      cause: error,
    })
    expect((thrown as Error).message).toBe(
      'The first context could not be loaded, so nothing was stored; try again when these can be read: ' +
        "source 'test/z' (unavailable), source 'test/a' (failed: no network), source 'test/hangs' (timed out)",
    )
    expect(baseline).not.toHaveBeenCalled()
  })

  it('succeeds once the source can be read', async () => {
    let value: number | typeof unavailable = unavailable
    const context = testSource('a', () => value)
    await expect(initialize(context)).rejects.toThrow(InitializationBlockedError)
    value = 1
    expect((await initialize(context)).baseline).toBe('a = 1')
  })
})

describe('startFrom', () => {
  it('reports what is missing beside the baseline', async () => {
    const context = combine(
      testSource('a', () => 1),
      testSource('b', () => unavailable, { required: false }),
    )
    const { stale } = startFrom(await observe(context, { epoch: true }))
    expect(stale).toEqual([{ key: 'test/b', reason: 'unavailable' }])
  })

  it('uses no value that was told before', async () => {
    const snapshot: Snapshot = { 'test/a': { value: 1 } }
    const observation = await observe(
      testSource('a', () => unavailable),
      { snapshot, epoch: true },
    )
    expect(() => startFrom(observation)).toThrow(InitializationBlockedError)
  })
})

describe('replace', () => {
  const replaced = async (value: unknown, stored?: Json) =>
    replace(
      testSource<unknown>('a', () => value, { codec: numbers as Codec<unknown> }),
      stored === undefined ? {} : { 'test/a': { value: stored, removed: 'old words' } },
    )

  it('renders what was observed, with the removal text of today', async () => {
    const ready = { type: 'replacement-ready', reason: 'a replacement was asked for', stale: [] }
    const start = (value: number) => ({
      baseline: `a = ${value}`,
      snapshot: { 'test/a': { value, removed: 'a gone' } },
    })
    expect(await replaced(2, 1)).toEqual({ ...ready, start: start(2) })
    expect(await replaced(1, 1)).toEqual({ ...ready, start: start(1) })
    expect(await replaced(2)).toEqual({ ...ready, start: start(2) })
    expect(await replaced(2, 'no number')).toEqual({ ...ready, start: start(2) })
  })

  it('leaves out what is absent or vanished, with or without removal text', async () => {
    const empty = { type: 'replacement-ready', start: { baseline: '', snapshot: {} }, stale: [] }
    expect(await replaced(absent, 1)).toMatchObject(empty)
    expect(await replace(combine(), { 'test/a': { value: 1 } })).toMatchObject(empty)
  })

  it('renders the admitted value of what is unavailable', async () => {
    expect(await replaced(unavailable, 1)).toEqual({
      type: 'replacement-ready',
      reason: 'a replacement was asked for',
      start: { baseline: 'a = 1', snapshot: { 'test/a': { value: 1, removed: 'a gone' } } },
      stale: [{ key: 'test/a', reason: 'unavailable', told: 1 }],
    })
    expect(await replaced('no number', 1)).toMatchObject({
      start: { baseline: 'a = 1' },
      stale: [{ key: 'test/a', reason: 'error', told: 1, error: new TypeError('no number') }],
    })
  })

  it('is blocked by an unavailable source whose admitted value does not decode', async () => {
    expect(await replaced(unavailable, 'no number')).toEqual({
      type: 'replacement-blocked',
      keys: ['test/a'],
      stale: [{ key: 'test/a', reason: 'unavailable', told: 'no number' }],
    })
  })

  it('runs no renderer when it is blocked', async () => {
    const baseline = vi.fn(() => 'text')
    const context = combine(
      testSource('fine', () => 1, { baseline }),
      testSource<number>('a', () => unavailable, { codec: numbers }),
    )
    expect((await replace(context, { 'test/a': { value: 'x' } })).type).toBe('replacement-blocked')
    expect(baseline).not.toHaveBeenCalled()
  })

  it('leaves out what was never told and is unavailable, required or not', async () => {
    expect(await replaced(unavailable)).toMatchObject({
      type: 'replacement-ready',
      start: { baseline: '', snapshot: {} },
      stale: [{ key: 'test/a', reason: 'unavailable' }],
    })
  })

  it("reads sources of refresh: 'epoch' too, and falls back on what was told", async () => {
    const source = (load: () => number | typeof unavailable) => testSource('a', load, { refresh: 'epoch' })
    const snapshot: Snapshot = { 'test/a': { value: 1 } }
    expect(
      await replace(
        source(() => 2),
        snapshot,
      ),
    ).toMatchObject({ start: { baseline: 'a = 2' } })
    expect(
      await replace(
        source(() => unavailable),
        snapshot,
      ),
    ).toMatchObject({ start: { baseline: 'a = 1' } })
  })

  it('leaves the snapshot that it started from alone', async () => {
    const snapshot = { 'test/a': { value: { list: [1] } }, 'test/b': { value: { list: [1] } } }
    const context = combine(
      testSource('a', () => unavailable),
      testSource('b', () => ({ list: [1] })),
    )
    expect((await replace(context, snapshot)).type).toBe('replacement-ready')
    snapshot['test/a'].value.list.push(2)
    snapshot['test/b'].value.list.push(2)
    expect(snapshot).toEqual({ 'test/a': { value: { list: [1, 2] } }, 'test/b': { value: { list: [1, 2] } } })
  })
})
