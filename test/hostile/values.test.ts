/** What goes into a log: messages, usage, values of sources and tool lists that are deep, cyclic, huge, or no JSON at all. */
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import fc from 'fast-check'
import { afterAll, afterEach, beforeEach, describe, expect, it } from 'vitest'
import {
  combine,
  defineSource,
  type Context,
  type EventStore,
  type Json,
  type PlainMessage,
  type Usage,
} from '../../src/index.ts'
import { assistant, collect, user } from '../support/session.ts'
import {
  codeOf,
  expectSettled,
  outcomeOf,
  runs,
  sessionsOver,
  settle,
  storeKinds,
  type Place,
  type Settled,
} from './neighbours.ts'

const folder = mkdtempSync(join(tmpdir(), 'indelible-values-'))
afterAll(() => rmSync(folder, { recursive: true }))

function nested(levels: number, inList = false): unknown {
  let value: unknown = 'end'
  for (let level = 0; level < levels; level++) value = inList ? [value] : { value }
  return value
}

function cyclic(): object {
  const value: Record<string, unknown> = { list: [] }
  ;(value['list'] as unknown[]).push({ back: value })
  return value
}

/** Values that come back as they went in. */
const storable: readonly (readonly [string, unknown])[] = [
  ['NUL and other controls', '\0 \u0001 \u001f \u007f \u009f'],
  ['lone surrogates', '\ud800 \udc00 \udfff\ud800'],
  ['a key that names the prototype', JSON.parse('{"__proto__": {"polluted": true}, "constructor": {"prototype": 1}}')],
  ['keys that are empty, NUL or a lone surrogate', { '': 1, '\0': 2, '\ud800': 3, 'a\u0301': 4, '\u00e1': 5 }],
  ['490 levels', nested(490)],
  ['490 lists', nested(490, true)],
  ['numbers at the edge', [1e308, 5e-324, 2 ** 53, -1, 0.1]],
  ['separators of lines', '\u2028\u2029\r\n\u0085'],
  ['20,000 keys', Object.fromEntries(Array.from({ length: 20_000 }, (_, index) => [`key ${index}`, index]))],
  ['text that reads like SQL', `'); drop table indelible_events; --`],
  ['text that reads like an event', '{"type":"answer","v":1,"revision":1}'],
]

/** Values that no log can hold. */
const unstorable: readonly (readonly [string, () => unknown])[] = [
  ['600 levels', () => nested(600)],
  ['100,000 levels', () => nested(100_000)],
  ['a cycle', cyclic],
  ['NaN', () => Number.NaN],
  ['a bigint', () => 1n],
  ['a function', () => () => 1],
  ['a symbol', () => Symbol('a')],
  ['a date', () => new Date(0)],
  ['a map', () => new Map()],
  ['bytes', () => new Uint8Array(2)],
  ['a sparse list', () => [1, , 2]], // oxlint-disable-line no-sparse-arrays
  [
    'a getter that throws',
    () =>
      Object.defineProperty({}, 'x', {
        enumerable: true,
        get: () => {
          throw new Error('no')
        },
      }),
  ],
  [
    'a proxy that throws',
    () =>
      new Proxy(
        {},
        {
          ownKeys: () => {
            throw new Error('no')
          },
        },
      ),
  ],
  [
    'a revoked proxy',
    () => {
      const { proxy, revoke } = Proxy.revocable({}, {})
      revoke()
      return proxy
    },
  ],
]

describe.each(storeKinds)('values in $name', ({ make, largest, share }) => {
  let place: Place
  let store: EventStore
  let settled: Settled
  beforeEach(async () => {
    place = await make(folder)
    store = await place.connect()
    settled = await settle(store)
  })
  afterEach(async () => {
    await expectSettled(await place.connect(), settled)
    await place.remove()
  })

  it.each(storable)('come back as they went in: %s', async (_, content) => {
    const session = sessionsOver(store).open('hostile')
    const input: PlainMessage = { role: 'user', content }
    await session.submit(input, { id: 'one' })
    const answer: PlainMessage = { role: 'assistant', content }
    await (await session.turn()).answer([answer], { usage: { total: 1, raw: content } as unknown as Usage })
    const again = sessionsOver(store).open('hostile')
    expect(await again.verify()).toEqual({ ok: true, problems: [] })
    const { entries } = await again.turn()
    expect(entries.map((entry) => entry.type === 'message' && JSON.stringify(entry.message))).toEqual(
      [input, answer].map((message) => JSON.stringify(message)),
    )
    // The same again is the same, also for a process that has read it from the store.
    expect(await again.submit(input, { id: 'one' })).toMatchObject({ revision: 1 })
    expect(({} as { polluted?: unknown }).polluted).toBeUndefined()
  })

  it.each(unstorable)('are refused by a typed error, and nothing of them is kept: %s', async (_, make) => {
    const session = sessionsOver(store).open('hostile')
    const content = make()
    expect(codeOf(await outcomeOf(() => session.submit({ role: 'user', content })))).toBe('message_invalid')
    expect(codeOf(await outcomeOf(() => session.submit(content as PlainMessage)))).toBe('message_invalid')
    await session.submit(user('one'))
    const turn = await session.turn()
    expect(codeOf(await outcomeOf(() => turn.answer([{ role: 'assistant', content }])))).toBe('message_invalid')
    const usage = { total: 1, raw: content } as unknown as Usage
    expect(codeOf(await outcomeOf(() => turn.answer([assistant('yes')], { usage })))).toBe('message_invalid')
    expect(codeOf(await outcomeOf(() => session.append([{ role: 'user', content }])))).toBe('message_invalid')
    expect(codeOf(await outcomeOf(() => session.compact({ summary: [{ role: 'user', content }], through: 2 })))).toBe(
      'message_invalid',
    )
    const hosted = sessionsOver(store).attach('hostile for the host')
    expect(codeOf(await outcomeOf(() => hosted.turn({ history: [{ role: 'user', content }] })))).toBe('message_invalid')
    expect((await collect(session.events())).map((event) => event.type)).toEqual(['input', 'epoch'])
    expect(await collect(hosted.events())).toEqual([])
    expect(await session.verify()).toEqual({ ok: true, problems: [] })
  })

  it.each([
    ...storable.map(([name, value]) => [name, () => value, true] as const),
    ...unstorable.map(([name, value]) => [name, value, false] as const),
  ])('that a source yields are told or leave it stale: %s', async (_, make, told) => {
    let value: unknown = 'quiet'
    const hostile = (load: () => unknown): Context =>
      combine(
        defineSource<unknown>({
          key: 'app/hostile',
          codec: { encode: (one) => one as Json, decode: (json) => json },
          load,
          baseline: (current) => `hostile=${JSON.stringify(current).length}`,
          update: (_previous, current) => `hostile=${JSON.stringify(current).length}`,
        }),
      )
    const session = sessionsOver(store, { context: hostile(() => value) }).open('hostile')
    await session.submit(user('one'))
    await (await session.turn()).answer([assistant('yes')])
    value = make()
    await session.submit(user('two'))
    const turn = await session.turn()
    if (told) expect(turn.update?.changes).toEqual([{ key: 'app/hostile', kind: 'changed' }])
    else expect(turn.stale).toMatchObject([{ key: 'app/hostile', reason: 'error', told: 'quiet' }])
    expect(await sessionsOver(store).open('hostile').verify()).toEqual({ ok: true, problems: [] })
  })

  it('are kept to the code unit, whatever they are', async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.jsonValue({ stringUnit: 'binary', maxDepth: 4 }),
        fc.string({ unit: 'binary' }),
        async (content, text) => {
          const sessions = sessionsOver(store)
          const message = { role: 'user', content: JSON.parse(JSON.stringify({ content, text })) as unknown }
          await sessions.open('any').submit(message)
          const [input] = await collect(sessionsOver(store).open('any').events())
          expect(JSON.stringify(input?.type === 'input' && input.message)).toBe(JSON.stringify(message))
          await sessions.delete('any')
        },
      ),
      { numRuns: runs(80, share) },
    )
  })

  it('of as many as 20 MB are kept, taken into a turn and read again', async () => {
    const large = '0123456789abcd\u00e9\n<'.repeat(largest / 17)
    const session = sessionsOver(store).open('large')
    await session.submit(user(large), { id: 'one' })
    await session.turn()
    const again = sessionsOver(await place.connect()).open('large')
    const { entries } = await again.turn()
    expect(entries.map((entry) => entry.type === 'message' && entry.message.content === large)).toEqual([true])
    expect(await again.verify()).toEqual({ ok: true, problems: [] })
  })

  it('of 2 MB from a source are told whole', async () => {
    let value = 'small'
    const context = defineSource<string>({
      key: 'app/large',
      codec: { encode: (one) => one, decode: String },
      load: () => value,
      baseline: (current) => current,
      update: (_previous, current) => current,
      authority: 'user',
    })
    const session = sessionsOver(store, { context }).open('large')
    await session.submit(user('one'))
    await (await session.turn()).answer([assistant('yes')])
    value = '0123456789abcd\u00e9\n<'.repeat(120_000)
    await session.submit(user('two'))
    expect((await session.turn()).update?.text).toContain(value)
    expect(await sessionsOver(store).open('large').verify()).toEqual({ ok: true, problems: [] })
  })
})
