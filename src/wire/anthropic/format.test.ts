import type { MessageParam } from '@anthropic-ai/sdk/resources/messages'
import { describe, expect, it } from 'vitest'
import { canonicalJson } from '../../base/json.ts'
import { IndelibleError } from '../../base/error.ts'
import { anthropicFormat } from './index.ts'

const { kind, openCalls, identity } = anthropicFormat
const result = (id: string) => ({ type: 'tool_result' as const, tool_use_id: id, content: 'ok' })
const call = (id: string) => ({ type: 'tool_use' as const, id, name: 'read', input: {} })

describe('anthropicFormat', () => {
  it.each<[string, MessageParam, string]>([
    ['a string of the user', { role: 'user', content: 'Hello' }, 'user'],
    ['blocks of the user', { role: 'user', content: [{ type: 'text', text: 'Hello' }] }, 'user'],
    ['no content', { role: 'user', content: [] }, 'user'],
    ['tool results', { role: 'user', content: [result('a'), result('b')] }, 'tool-result'],
    [
      'tool results with text after them',
      { role: 'user', content: [result('a'), { type: 'text', text: 'Go on' }] },
      'tool-result',
    ],
    ['an answer', { role: 'assistant', content: 'Hi.' }, 'assistant'],
    ['an answer that calls a tool', { role: 'assistant', content: [call('a')] }, 'assistant'],
  ])('tells who speaks: %s', (_, message, expected) => {
    expect(kind(message)).toBe(expected)
  })

  it.each([
    ['a system message', { role: 'system', content: 'x' }, 'A message of role "system" cannot be kept'],
    ['another role', { role: 'tool', content: 'x' }, 'has no role "user" or "assistant"'],
    ['no content', { role: 'user' }, 'has content that is neither'],
    ['a block without a type', { role: 'user', content: [{ text: 'x' }] }, 'has content that is neither'],
    ['a string', 'x', 'is string'],
    ['null', null, 'is null'],
  ])('refuses what is no message that it can keep: %s', (_, message, problem) => {
    for (const refuse of [() => kind(message as MessageParam), () => identity(message as MessageParam)]) {
      expect(refuse).toThrow(problem)
      expect(refuse).toThrow(expect.toSatisfy((error) => IndelibleError.isInstance(error, 'message_invalid')))
    }
  })

  it('lists the tool calls that wait for a result, in order', () => {
    const messages: MessageParam[] = [
      { role: 'user', content: 'Read' },
      { role: 'assistant', content: [{ type: 'text', text: 'Reading' }, call('a'), call('b'), call('c')] },
      { role: 'user', content: [result('b')] },
    ]
    expect(openCalls(messages)).toEqual(['a', 'c'])
    expect(openCalls([...messages, { role: 'user', content: [result('c'), result('a')] }])).toEqual([])
    expect(openCalls([])).toEqual([])
  })

  it('waits for no result of a server tool', () => {
    const content = [{ type: 'server_tool_use' as const, id: 's', name: 'web_search' as const, input: {} }]
    expect(openCalls([{ role: 'assistant', content }])).toEqual([])
  })

  describe('identity', () => {
    const mark = { cache_control: { type: 'ephemeral' as const } }
    const same = (one: MessageParam, other: MessageParam) =>
      canonicalJson(identity(one)) === canonicalJson(identity(other))

    it('is the same for a string and its one text block, with marks and without', () => {
      const text: MessageParam = { role: 'user', content: 'Hello' }
      expect(same(text, { role: 'user', content: [{ type: 'text', text: 'Hello' }] })).toBe(true)
      expect(same(text, { role: 'user', content: [{ type: 'text', text: 'Hello', ...mark }] })).toBe(true)
      expect(same(text, { role: 'assistant', content: 'Hello' })).toBe(false)
      expect(same(text, { role: 'user', content: 'Hello!' })).toBe(false)
    })

    it('sees no marks, inside tool results neither', () => {
      const plain: MessageParam = {
        role: 'user',
        content: [
          { type: 'tool_result', tool_use_id: 'a', content: 'ok' },
          {
            type: 'tool_result',
            tool_use_id: 'b',
            content: [
              { type: 'text', text: 'x' },
              { type: 'text', text: 'y' },
            ],
          },
        ],
      }
      const marked: MessageParam = {
        role: 'user',
        content: [
          { type: 'tool_result', tool_use_id: 'a', content: [{ type: 'text', text: 'ok', ...mark }], ...mark },
          {
            type: 'tool_result',
            tool_use_id: 'b',
            content: [
              { type: 'text', text: 'x' },
              { type: 'text', text: 'y', ...mark },
            ],
          },
        ],
      }
      expect(same(plain, marked)).toBe(true)
    })

    it('keeps all that the model sees: citations, errors, and the input of a tool as it came', () => {
      const input = { cache_control: 'mine', type: 'tool_result', content: [{ type: 'text', text: 'x', ...mark }] }
      expect(identity({ role: 'assistant', content: [{ ...call('a'), input }] })).toEqual({
        role: 'assistant',
        content: [{ type: 'tool_use', id: 'a', name: 'read', input }],
      })
      const cited = { type: 'text' as const, text: 'x', citations: [] }
      expect(identity({ role: 'user', content: [cited] })).toEqual({ role: 'user', content: [cited] })
      expect(
        same({ role: 'user', content: [result('a')] }, { role: 'user', content: [{ ...result('a'), is_error: true }] }),
      ).toBe(false)
    })

    it('changes nothing that it was given', () => {
      const message: MessageParam = { role: 'user', content: [{ type: 'text', text: 'Hello', ...mark }] }
      const before = JSON.stringify(message)
      identity(message)
      expect(JSON.stringify(message)).toBe(before)
    })
  })
})
