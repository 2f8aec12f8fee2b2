import { describe, expect, it } from 'vitest'
import { collect, exchange, startAgent, storeOf, user } from '../../test/support/session.ts'
import { EventUnreadableError, MessageInvalidError } from './errors.ts'
import { admitMessage, checksum, decodeEvent, decodeForFold, encodeEvent, placeEvent } from './event.ts'
import { plainFormat } from './plain-format.ts'
import type { PlainMessage } from './plain-format.ts'
import type { StoredEvent } from './store.ts'
import type { Format, SessionEvent } from './types.ts'

const at = '2026-01-01T00:00:00.000Z'

async function shortLog(): Promise<readonly StoredEvent[]> {
  const { session, store } = startAgent()
  await exchange(session, 'one')
  return store.read('one', 0)
}

/** The row with a checksum that fits. */
function sealed(row: StoredEvent): StoredEvent {
  return { ...row, checksum: checksum('one', row) }
}

/** What a process that starts now makes of the rows. */
function reading(rows: readonly StoredEvent[]): ReturnType<typeof startAgent>['session'] {
  return startAgent({ store: storeOf('one', rows) }).session
}

describe('an event', () => {
  it('is stored as a row with its type, version, time, id and checksum, and the rest as JSON text', () => {
    const event = placeEvent<PlainMessage>({ type: 'input', id: 'first', message: user('one') }, 7, at)
    const row = encodeEvent('one', event, plainFormat)
    expect(row).toEqual({
      revision: 7,
      type: 'input',
      v: 1,
      id: 'first',
      at,
      body: '{"message":{"role":"user","content":"one"}}',
      checksum: checksum('one', row),
    })
    expect(row.checksum).toMatch(/^[0-9a-f]{32}$/)
    expect(decodeEvent('one', row, plainFormat)).toEqual(event)
  })

  it('has another checksum in another session, at another revision, and for any other change', () => {
    const event = placeEvent<PlainMessage>({ type: 'input', id: 'first', message: user('one') }, 7, at)
    const row = encodeEvent('one', event, plainFormat)
    const others = [
      checksum('two', row),
      ...[{ revision: 8 }, { type: 'append' }, { v: 2 }, { id: null }, { at: '' }, { body: '{}' }].map((change) =>
        checksum('one', { ...row, ...change }),
      ),
    ]
    expect(new Set([row.checksum, ...others]).size).toBe(others.length + 1)
  })

  it('comes out frozen, whatever its messages hold', () => {
    const message = { role: 'user', content: [{ type: 'text', text: 'one' }] }
    const row = encodeEvent('one', placeEvent<PlainMessage>({ type: 'input', id: 'a', message }, 1, at), plainFormat)
    const event = decodeEvent('one', row, plainFormat) as Extract<SessionEvent<PlainMessage>, { type: 'input' }>
    expect(() => Object.assign((event.message.content as object[])[0]!, { text: 'two' })).toThrow(TypeError)
  })

  it('comes out frozen in all its parts, and for a fold in all that one hands out', () => {
    const call = { id: 'c', type: 'function', function: { name: 'read' } }
    const messages = [{ role: 'assistant', content: 'one', tool_calls: [call] }]
    const draft = { type: 'answer' as const, id: 'a', epoch: 1, turn: 1, messages }
    const row = encodeEvent('one', placeEvent<PlainMessage>(draft, 2, at), plainFormat)
    for (const event of [decodeForFold('one', row, plainFormat), decodeEvent('one', row, plainFormat)]) {
      const [message] = (event as Extract<SessionEvent<PlainMessage>, { type: 'answer' }>).messages
      for (const part of [message, message!.tool_calls, message!.tool_calls![0]])
        expect(Object.isFrozen(part)).toBe(true)
    }
    expect(Object.isFrozen((decodeEvent('one', row, plainFormat) as { messages?: unknown }).messages)).toBe(true)
  })

  it('keeps lone surrogates, line separators and keys named like prototypes', () => {
    const content = JSON.parse('{"__proto__":{"x":1},"constructor":"y"}') as object
    for (const given of [content, '\ud800', '\u2028', '😀', '']) {
      const message = admitMessage(plainFormat, { role: 'user', content: given })
      const row = encodeEvent('one', placeEvent<PlainMessage>({ type: 'input', id: 'a', message }, 1, at), plainFormat)
      const event = decodeEvent('one', row, plainFormat)
      expect(JSON.stringify(event.type === 'input' && event.message.content)).toBe(JSON.stringify(given))
    }
  })

  it('of an unknown type, or of a version that this release does not know, is refused and named', async () => {
    const rows = await shortLog()
    for (const [change, problem] of [
      [{ type: 'telepathy' }, /its type "telepathy" is not known here/],
      [{ type: 'constructor' }, /its type "constructor" is not known/],
      [{ v: 2 }, /its shape is version 2, and this release reads up to 1\. Upgrade/],
      [{ v: 0 }, /version 0/],
      [{ v: 1.5 }, /version 1\.5/],
      [{ body: 'no JSON' }, /its body is damaged/],
      [{ body: '[]' }, /its body is damaged/],
      [{ body: 'null' }, /its body is damaged/],
      [{ body: '{}' }, /Event 3 of session "one" cannot be read/],
    ] as const) {
      const broken = rows.map((row) => (row.revision === 3 ? sealed({ ...row, ...change }) : row))
      const session = reading(broken)
      for (const act of [
        () => session.turn(),
        () => session.submit(user('two')),
        () => collect(session.events()),
        () => session.fork('child'),
      ]) {
        await expect(act()).rejects.toThrow(EventUnreadableError)
        await expect(act()).rejects.toThrow(problem)
        await expect(act()).rejects.toMatchObject({ code: 'event_unreadable', revision: 3 })
      }
      expect((await session.verify()).problems[0]).toMatchObject({ revision: 3 })
    }
  })

  it.each<[string, Partial<StoredEvent>]>([
    [
      'another body of the same shape',
      { body: '{"epoch":1,"turn":2,"messages":[{"role":"assistant","content":"no"}]}' },
    ],
    ['another id', { id: 'id-00000009' }],
    ['another time', { at: '2026-01-01T00:00:00.001Z' }],
    ['a checksum of something else', { checksum: '0'.repeat(32) }],
  ])('with %s than was written is handed out to nobody', async (_, change) => {
    const rows = await shortLog()
    const session = reading(rows.map((row) => (row.revision === 3 ? { ...row, ...change } : row)))
    for (const act of [() => session.turn(), () => session.submit(user('two')), () => collect(session.events())]) {
      await expect(act()).rejects.toMatchObject({ code: 'event_unreadable', revision: 3 })
      await expect(act()).rejects.toThrow('it is not what was written: its checksum differs')
    }
    expect((await session.verify()).problems).toMatchObject([{ revision: 3, law: 'integrity' }])
  })

  it.each([1, 2])('whose row %i is missing is noticed before anything is made of the rest', async (missing) => {
    const session = reading((await shortLog()).filter((row) => row.revision !== missing))
    await expect(session.turn()).rejects.toThrow(EventUnreadableError)
  })
})

describe('admitMessage', () => {
  it('copies, freezes and keeps the order of keys', () => {
    const message = { content: { b: 1, a: [2] }, role: 'user' }
    const admitted = admitMessage(plainFormat, message)
    expect(admitted).not.toBe(message)
    expect(JSON.stringify(admitted)).toBe(JSON.stringify(message))
    expect(Object.isFrozen(admitted.content)).toBe(true)
    expect(Object.isFrozen(message)).toBe(false)
  })

  it.each([
    ['a date', new Date(0)],
    ['a bigint', 1n],
    ['NaN', Number.NaN],
    ['a map', new Map()],
    ['undefined in a list', [undefined]],
  ])('refuses %s, and says where it is', (_, content) => {
    expect(() => admitMessage(plainFormat, { role: 'user', content })).toThrow(MessageInvalidError)
    expect(() => admitMessage(plainFormat, { role: 'user', content })).toThrow(/\$\.content/)
  })

  it('passes through what the format makes of it, and wraps what the format throws', () => {
    const format: Format<PlainMessage> = {
      ...plainFormat,
      encode: ({ content }) => {
        if (content === 'bad') throw new RangeError('no')
        return { text: String(content) }
      },
      decode: (json) => ({ role: 'user', content: (json as { text: string }).text }),
    }
    expect(admitMessage(format, user('one'))).toEqual(user('one'))
    expect(() => admitMessage(format, user('bad'))).toThrow(MessageInvalidError)
  })
})
