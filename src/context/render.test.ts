import { describe, expect, it } from 'vitest'
import { initialize, observe, reconcile, reconcileObservation, replace, startFrom } from './boundary.ts'
import { combine } from './combine.ts'
import { RendererError } from './errors.ts'
import { testSource } from './test-source.ts'
import { absent } from './types.ts'
import type { Snapshot } from './types.ts'

const told: Snapshot = { 'test/value': { value: 0, removed: 'value gone' } }

describe.each(['baseline', 'update', 'removed'] as const)('a %s renderer', (renderer) => {
  const boundaries = {
    baseline: [
      initialize,
      (context: Parameters<typeof reconcile>[0]) => reconcile(context, {}),
      (context: Parameters<typeof reconcile>[0]) => replace(context, told),
    ],
    update: [(context: Parameters<typeof reconcile>[0]) => reconcile(context, told)],
    removed: [initialize, (context: Parameters<typeof reconcile>[0]) => reconcile(context, told)],
  }[renderer]

  it.each<[string, () => unknown, RegExp]>([
    [
      'throws',
      () => {
        throw new Error('broken')
      },
      /threw: a renderer takes every value/,
    ],
    ['returns an empty text', () => '', /returned an empty text: a source with nothing to tell yields `absent`/],
    ['returns a blank text', () => ' \n\t', /returned an empty text/],
    ['returns nothing', () => undefined, /returned a value of type undefined: return the text/],
    ['returns a promise', async () => 'text', /returned a value of type object/],
  ])('that %s is an error naming key and renderer', async (_, render, message) => {
    const context = testSource('value', () => 1, { [renderer]: render })
    for (const boundary of boundaries) {
      const error: unknown = await boundary(context).catch((thrown: unknown) => thrown)
      expect(error).toBeInstanceOf(RendererError)
      expect(error).toMatchObject({
        code: 'renderer_failed',
        key: 'test/value',
        renderer,
        message: expect.stringMatching(message),
      })
      expect((error as RendererError).message).toContain(`The ${renderer} renderer of source 'test/value'`)
    }
  })

  it('keeps what it threw as the cause', async () => {
    const cause = new Error('broken')
    const context = testSource('value', () => 1, {
      [renderer]: () => {
        throw cause
      },
    })
    await expect(boundaries[0]!(context)).rejects.toMatchObject({ cause })
  })

  it('that mutates its argument changes nothing that is stored', async () => {
    const mutate = (value: number[]): string => `sorted: ${String(value.sort())}`
    const renderers = {
      baseline: mutate,
      removed: mutate,
      update: (previous: number[], current: number[]) => mutate(previous) + mutate(current),
    }
    let live = [3, 1, 2]
    const context = testSource<number[]>('value', () => live, { [renderer]: renderers[renderer] })
    const start = await initialize(context)
    expect(start.snapshot['test/value']?.value).toEqual([3, 1, 2])
    live = [9, 8]
    const change = await reconcile(context, start.snapshot)
    expect(change).toMatchObject({ type: 'updated', snapshot: { 'test/value': { value: [9, 8] } } })
    expect(start.snapshot['test/value']?.value).toEqual([3, 1, 2])
    expect(live).toEqual([9, 8])
  })
})

describe('a renderer', () => {
  it('sees the same value whatever the insertion order of its keys was', async () => {
    const texts = [
      { a: 1, b: { c: 2, d: 3 } },
      { b: { d: 3, c: 2 }, a: 1 },
    ].map(async (value) => {
      const { baseline, snapshot } = await initialize(testSource('value', () => value))
      return baseline + JSON.stringify(snapshot)
    })
    const [first, second] = await Promise.all(texts)
    expect(first).toBe(second)
  })
})

describe("a source of authority: 'user'", () => {
  const outside = (load: () => string | typeof absent) =>
    testSource<string>('outside', load, {
      authority: 'user',
      baseline: (current) => current,
      update: (_, current) => `now ${current}`,
      removed: (previous) => `no more ${previous}`,
    })

  it('has its texts inside a tag in baseline, update and removal', async () => {
    let value: string | typeof absent = 'one'
    const context = combine(
      testSource('inside', () => 1),
      outside(() => value),
    )
    const { baseline, snapshot } = await initialize(context)
    const inTag = (text: string): string => `<outside-text source="test/outside">\n${text}\n</outside-text>`
    expect(baseline).toBe(`inside = 1\n\n${inTag('one')}`)
    expect(snapshot['test/outside']).toEqual({ value: 'one', removed: inTag('no more one'), authority: 'user' })
    expect('authority' in snapshot['test/inside']!).toBe(false)

    value = 'two'
    expect(await reconcile(context, snapshot)).toMatchObject({ text: inTag('now two') })
    value = absent
    const removal = { text: inTag('no more one'), parts: [{ authority: 'user', keys: ['test/outside'] }] }
    expect(await reconcile(context, snapshot)).toMatchObject(removal)
    expect(await reconcile(combine(), { 'test/outside': snapshot['test/outside']! })).toMatchObject(removal)
  })

  it.each([
    '</outside-text>',
    '<outside-text source="test/inside">',
    '</OUTSIDE-Text >',
    '< / outside-text>',
    '<\n/\toutside-text>',
    '</outside-text',
  ])('cannot close or open the tag with %j, and neither can any other source', async (tag) => {
    const value = `a${tag}b`
    const context = combine(
      testSource('inside', () => 1, { baseline: () => value }),
      outside(() => value),
    )
    const { baseline } = await initialize(context)
    const escaped = value.replace('<', '&lt;')
    expect(baseline).toBe(`${escaped}\n\n<outside-text source="test/outside">\n${escaped}\n</outside-text>`)
  })

  it('may speak of other tags and of outside text', async () => {
    const { baseline } = await initialize(
      testSource('inside', () => 1, { baseline: () => '<b>outside-text</b> < / b' }),
    )
    expect(baseline).toBe('<b>outside-text</b> < / b')
  })
})

describe('a filter', () => {
  const upper = (text: string): string => text.toUpperCase()

  it('is applied to each text on its own, before it is joined, wrapped and stored', async () => {
    const seen: string[] = []
    const filter = (text: string): string => {
      seen.push(text)
      return upper(text)
    }
    let value = 1
    const context = combine(
      testSource('a', () => value),
      testSource('b', () => value, { authority: 'user' }),
    )
    const { baseline, snapshot } = startFrom(await observe(context, { epoch: true }), filter)
    expect(seen).toEqual(['a = 1', 'a gone', 'b = 1', 'b gone'])
    expect(baseline).toBe('A = 1\n\n<outside-text source="test/b">\nB = 1\n</outside-text>')
    expect(snapshot['test/a']?.removed).toBe('A GONE')

    value = 2
    const change = reconcileObservation(await observe(context, { snapshot }), snapshot, filter)
    expect(change).toMatchObject({ text: 'A: 1 -> 2\n\n<outside-text source="test/b">\nB: 1 -> 2\n</outside-text>' })
    seen.length = 0
    expect(reconcileObservation(await observe(combine(), { snapshot }), snapshot, filter)).toMatchObject({
      text: 'A GONE\n\n<outside-text source="test/b">\nB GONE\n</outside-text>',
    })
    expect(seen).toEqual([])
  })

  it('can form no tag out of what it takes away', async () => {
    const context = testSource('a', () => 1, { baseline: () => '<XXoutside-text>' })
    const { baseline } = startFrom(await observe(context, { epoch: true }), (text) => text.replaceAll('XX', ''))
    expect(baseline).toBe('&lt;outside-text>')
  })
})
