import { describe, expect, it } from 'vitest'
import { assistant, calling, result, user } from '../../test/support/session.ts'
import { MessageInvalidError } from './errors.ts'
import { plainFormat } from './plain-format.ts'
import type { PlainMessage } from './plain-format.ts'

describe('the plain format', () => {
  it.each([
    ['user', 'user'],
    ['assistant', 'assistant'],
    ['tool', 'tool-result'],
    ['developer', 'user'],
    ['somebody', 'user'],
  ])('takes a message of role %s for one of kind %s', (role, kind) => {
    expect(plainFormat.kind({ role })).toBe(kind)
  })

  it.each([[{}], [{ role: 7 }], [null], ['one'], [undefined]])('refuses %j', (message) => {
    expect(() => plainFormat.kind(message as PlainMessage)).toThrow(MessageInvalidError)
  })

  it('names the calls without a result, in order', () => {
    const { openCalls } = plainFormat
    expect(openCalls([])).toEqual([])
    expect(openCalls([user('one'), calling('a', 'b', 'c'), result('b')])).toEqual(['a', 'c'])
    expect(openCalls([calling('a'), result('a'), assistant('done')])).toEqual([])
    expect(openCalls([calling('a'), result('a'), calling('a')])).toEqual(['a'])
    expect(openCalls([result('z')])).toEqual([])
    expect(openCalls([{ role: 'assistant', content: 'none', tool_calls: null as never }])).toEqual([])
  })

  it('identifies a message by what the model sees of it', () => {
    const identity = (message: object): unknown => plainFormat.identity(message as PlainMessage)
    const mark = { cache_control: { type: 'ephemeral' } }
    const text = { type: 'text', text: 'one' }
    const image = { type: 'image_url', image_url: { url: 'data:' } }
    const plain = { role: 'user', content: 'one' }
    expect(identity({ role: 'user', content: [text] })).toEqual(plain)
    expect(identity({ role: 'user', content: [{ ...text, ...mark }] })).toEqual(plain)
    expect(identity({ ...plain, ...mark })).toEqual(plain)
    expect(identity({ role: 'user', content: [text, { ...image, ...mark }] })).toEqual({
      role: 'user',
      content: [text, image],
    })
    expect(identity({ role: 'user', content: [{ ...text, lang: 'en' }] })).toEqual({
      role: 'user',
      content: [{ ...text, lang: 'en' }],
    })
    expect(identity({ role: 'user', content: ['one'] })).toEqual({ role: 'user', content: ['one'] })
    expect(identity(calling('a'))).toEqual(calling('a'))
  })
})
