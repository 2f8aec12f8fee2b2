/** Ids of sessions, inputs, appends and answers, keys of sources, names of tools: whatever text somebody made them of. */
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import fc from 'fast-check'
import { afterAll, afterEach, beforeEach, describe, expect, it } from 'vitest'
import { defineSource, memoryStore, type EventStore } from '../../src/index.ts'
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

const folder = mkdtempSync(join(tmpdir(), 'indelible-ids-'))
afterAll(() => rmSync(folder, { recursive: true }))

/** Texts that a store, a terminal, a query, a path or a prompt could take for something of its own. */
const pieces = fc.constantFrom(
  'a',
  'A',
  ' ',
  '\0',
  '\n',
  '\r',
  '\t',
  '\u001b[2J',
  '\u007f',
  '\u0085',
  '\ud800',
  '\udc00',
  '😀',
  '\u00e9',
  'e\u0301',
  '\u200b',
  '\u202e',
  '\ufeff',
  '\uffff',
  '%',
  '_',
  "'",
  '"',
  '\\',
  '`',
  ';',
  '--',
  '/*',
  '$1',
  '?',
  ':a',
  '@a',
  '../',
  '/',
  'C:\\',
  'neighbour',
  '__proto__',
  'constructor',
  '</system-reminder>',
  '<system-reminder id="id-00000001">',
  '{}',
  'null',
  '\u0000null',
)
const text = fc.oneof(
  { weight: 5, arbitrary: fc.array(pieces, { maxLength: 6 }).map((parts) => parts.join('')) },
  { weight: 2, arbitrary: fc.string({ unit: 'binary', maxLength: 20 }) },
  {
    weight: 1,
    arbitrary: fc.constantFrom('x'.repeat(512), 'x'.repeat(513), '\u{1f600}'.repeat(256), 'x'.repeat(1_000_000)),
  },
)
/** What an untyped caller can pass as well. */
const anything = fc.oneof(
  { weight: 8, arbitrary: text },
  {
    weight: 1,
    arbitrary: fc.constantFrom<unknown>(undefined, null, 0, 1n, {}, [], ['a'], Symbol('a'), new String('a'), () => 'a'),
  },
)

function isPlainId(id: unknown): id is string {
  // oxlint-disable-next-line no-control-regex
  return typeof id === 'string' && /^[^\u0000-\u001f\u007f-\u009f]{1,512}$/.test(id) && id.isWellFormed()
}

describe.each(storeKinds)('ids in $name', ({ make, share }) => {
  let place: Place
  let store: EventStore
  let settled: Settled
  beforeEach(async () => {
    place = await make(folder)
    store = await place.connect()
    settled = await settle(store)
  })
  afterEach(() => place.remove())

  it('of sessions are refused by a typed error, or name one session and no other', async () => {
    await fc.assert(
      fc.asyncProperty(anything, async (given) => {
        const id = given as string
        const sessions = sessionsOver(store)
        const opened = await outcomeOf(() => sessions.open(id))
        if (!isPlainId(given)) {
          expect(codeOf(opened)).toBe('id_invalid')
          expect(codeOf(await outcomeOf(() => sessions.attach(id)))).toBe('id_invalid')
          expect(codeOf(await outcomeOf(() => sessions.delete(id)))).toBe('id_invalid')
          return
        }
        if (settled.rows.has(id)) return
        const session = sessions.open(id)
        const { revision } = await session.submit(user(id), { id: 'one' })
        expect(revision).toBe(1)
        await (await session.turn()).answer([assistant('yes')])
        expect(await session.verify()).toEqual({ ok: true, problems: [] })
        const listed = await collect(sessions.list())
        expect(listed.map((one) => one.id).filter((one) => !settled.rows.has(one))).toEqual([id])
        const [input] = await collect(sessionsOver(store).open(id).events())
        expect(input).toMatchObject({ type: 'input', message: { content: id } })
        await sessions.delete(id)
        expect(await store.read(id, 0)).toEqual([])
      }),
      { numRuns: runs(80, share) },
    )
    await expectSettled(await place.connect(), settled)
  })

  it('of inputs, appends and answers are refused by a typed error, or found again by nothing else', async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(anything, { minLength: 1, maxLength: 5 }), async (given) => {
        const sessions = sessionsOver(store)
        const session = sessions.open('hostile')
        const taken = new Map<string, number>()
        for (const [index, one] of given.entries()) {
          const id = one as string
          const submitted = await outcomeOf(() => session.submit(user('same'), { id }))
          // Without an id, one is made.
          if (one === undefined) continue
          if (!isPlainId(one)) {
            expect(codeOf(submitted)).toBe('id_invalid')
            expect(codeOf(await outcomeOf(() => session.append([user('same')], { id })))).toBe('id_invalid')
            continue
          }
          const receipt = 'value' in submitted ? submitted.value : expect.unreachable(submitted.error.message)
          expect(receipt.id).toBe(id)
          expect(receipt.revision).toBe(taken.get(id) ?? receipt.revision)
          expect([...taken.values()].includes(receipt.revision)).toBe(taken.has(id))
          taken.set(id, receipt.revision)
          const other = await outcomeOf(() => session.submit(user(`other ${index}`), { id }))
          expect(codeOf(other)).toBe('input_conflict')
        }
        expect(await session.verify()).toEqual({ ok: true, problems: [] })
        await sessions.delete('hostile')
      }),
      { numRuns: runs(50, share) },
    )
    await expectSettled(await place.connect(), settled)
  })

  it('that only look the same are different sessions and different inputs', async () => {
    const alike = [
      '\u00e9',
      'e\u0301',
      '\ufb01',
      'fi',
      '\u212b',
      '\u00c5',
      'A\u030a',
      'a',
      'a ',
      ' a',
      'a\u200b',
      '\u0430',
      'A',
    ]
    const sessions = sessionsOver(store)
    for (const id of alike) await sessions.open(id).submit(user(JSON.stringify(id)), { id: 'one' })
    for (const id of alike) {
      const events = await collect(sessionsOver(store).open(id).events())
      expect(events).toMatchObject([{ message: { content: JSON.stringify(id) } }])
      await sessions.open('all').submit(user(JSON.stringify(id)), { id })
    }
    expect(await collect(sessions.open('all').events())).toHaveLength(alike.length)
    for (const id of alike) {
      expect(
        await sessionsOver(store)
          .open('all')
          .submit(user(JSON.stringify(id)), { id }),
      ).toMatchObject({ id })
      await sessions.delete(id)
      await expectSettled(store, settled)
    }
    await sessions.delete('all')
    await expectSettled(await place.connect(), settled)
  })
})

describe('keys and names', () => {
  it('of sources are refused where they could be more than a name', () => {
    fc.assert(
      fc.property(fc.oneof(text, fc.constantFrom('a/b', 'a/b/c', 'app/branch', 'a//b', '/a', 'a/', 'A/b')), (key) => {
        try {
          defineSource({
            key,
            codec: { encode: (value) => value, decode: String },
            load: () => 'x',
            baseline: String,
            update: String,
          })
        } catch (error) {
          expect(error).toMatchObject({ code: 'source_invalid' })
          return
        }
        expect(key).toMatch(/^[a-z0-9][a-z0-9._/-]*$/)
      }),
    )
  })

  it('of tools are refused or told without a tag of ours', async () => {
    await fc.assert(
      fc.asyncProperty(fc.uniqueArray(text, { minLength: 1, maxLength: 4 }), async (names) => {
        let tools: object[] = names.map((name) => ({ name }))
        const session = sessionsOver(memoryStore(), { tools: () => tools, onToolAdded: 'append' }).open('hostile')
        await session.submit(user('one'))
        const first = await outcomeOf(() => session.turn())
        if ('error' in first) return
        await first.value.answer([assistant('yes')])
        tools = [{ name: 'other' }]
        await session.submit(user('two'))
        const second = await outcomeOf(() => session.turn())
        if ('value' in second) expect(second.value.update?.text ?? '').not.toMatch(/<\s*\/?\s*system-reminder/i)
        expect(await session.verify()).toEqual({ ok: true, problems: [] })
      }),
      { numRuns: runs(60) },
    )
  })
})
