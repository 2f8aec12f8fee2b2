import type { MessageParam } from '@anthropic-ai/sdk/resources/messages'
import { describe, expect, it } from 'vitest'
import { anthropicLookback, bedrockLookback } from '../../cache/index.ts'
import { extentOf, tokensOf } from './measure.ts'

const user = (content: MessageParam['content']): MessageParam => ({ role: 'user', content })
const texts = (count: number, length: number) =>
  user(Array.from({ length: count }, () => ({ type: 'text', text: 'x'.repeat(length) })))
const call = (id: string) => ({ type: 'tool_use' as const, id, name: 'read', input: {} })

describe('measuring', () => {
  it('counts positions from behind one block up to and with another', () => {
    const messages = [texts(3, 40), user('x'), texts(2, 40)]
    const at = (message: number, block: number) => ({ message, block })
    expect(extentOf(messages, at(0, 1), at(2, 0), anthropicLookback).positions).toBe(3)
    expect(extentOf(messages, undefined, at(2, 1), anthropicLookback).positions).toBe(6)
    expect(extentOf(messages, at(1, 0), at(2, 1), anthropicLookback).positions).toBe(2)
  })

  it('counts a run of calls once where the platform does', () => {
    const messages = [user('x'), user([{ type: 'text', text: 'x' }, call('a'), call('b'), call('c')])]
    const end = { message: 1, block: 3 }
    expect(extentOf(messages, { message: 0, block: 0 }, end, anthropicLookback).positions).toBe(2)
    expect(extentOf(messages, { message: 0, block: 0 }, end, bedrockLookback).positions).toBe(4)
  })

  it('looks at the end of a long conversation only, and takes the rest to be like it', () => {
    const messages = Array.from({ length: 1000 }, (_, index) => user('x'.repeat(index < 900 ? 1 : 400)))
    const { tokens, positions } = extentOf(messages, undefined, { message: 999, block: 0 }, anthropicLookback)
    expect([tokens, positions]).toEqual([100_000, 32])
  })

  it('takes a picture for what it may cost and not for its bytes', () => {
    const data = 'A'.repeat(1e6)
    expect(tokensOf({ type: 'image', source: { type: 'base64', media_type: 'image/png', data } })).toBe(1500)
    expect(tokensOf({ a: [null, 1, true, 'text'] })).toBeGreaterThan(0)
  })
})
