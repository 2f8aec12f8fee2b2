import { describe, expect, it } from 'vitest'
import { fields } from '../../fields.ts'
import type { Refusal } from '../../types.ts'
import { checkChat } from './check.ts'

const user = { role: 'user', content: 'Hello' }
const call = {
  role: 'assistant',
  content: null,
  tool_calls: [{ id: 'call_1', type: 'function', function: { name: 'look', arguments: '{}' } }],
}
const result = { role: 'tool', tool_call_id: 'call_1', content: 'seen' }
const mark = { mode: 'explicit' }

function check(body: object, model = 'gpt-5.6-sol'): Refusal | null {
  return checkChat({ body: { model, messages: [user], ...body }, model })
}

/** The details of a refusal; status and type are the same in all. */
function refusal(body: object, model?: string): { message: unknown; param: unknown; code: unknown } {
  const found = check(body, model)
  expect(found?.status).toBe(400)
  const { message, type, param, code } = fields(fields(found?.body)['error'])
  expect(type).toBe('invalid_request_error')
  return { message, param, code }
}

describe('Chat Completions lets through', () => {
  it.each([
    ['a plain request', {}],
    ['every role', { messages: [{ role: 'developer', content: 'a' }, { role: 'system', content: 'b' }, user] }],
    ['a call with its result, and one without content', { messages: [user, call, result, user] }],
    [
      'several results in any order',
      {
        messages: [
          user,
          { ...call, tool_calls: [...call.tool_calls, { ...call.tool_calls[0], id: 'call_2' }] },
          { ...result, tool_call_id: 'call_2' },
          result,
        ],
      },
    ],
    [
      'breakpoints on parts, and the one lifetime',
      {
        messages: [{ role: 'user', content: [{ type: 'text', text: 'a', prompt_cache_breakpoint: mark }] }],
        prompt_cache_options: { mode: 'explicit', ttl: '30m' },
      },
    ],
    ['a retention beside options without a lifetime', { prompt_cache_retention: '24h', prompt_cache_options: {} }],
  ])('%s', (_, body) => {
    expect(check(body)).toBeNull()
  })

  it('cache settings of other vendors, which it knows nothing of', () => {
    expect(check({ prompt_cache_retention: 'forever', prompt_cache_options: { ttl: '1h' } }, 'my-model')).toBeNull()
  })
})

describe('Chat Completions refuses', () => {
  it('no messages, none at all, and what is no list', () => {
    expect(refusal({ messages: undefined })).toMatchObject({ param: 'messages', code: 'missing_required_parameter' })
    expect(refusal({ messages: [] })).toMatchObject({ param: 'messages', code: 'empty_array' })
    expect(refusal({ messages: 'Hello' })).toEqual({
      message: "Invalid type for 'messages': expected an array of objects, but got a string instead.",
      param: 'messages',
      code: 'invalid_type',
    })
  })

  it('a body without a model', () => {
    expect(refusal({}, '')).toMatchObject({ param: 'model', code: 'missing_required_parameter' })
  })

  it('a role that it does not know', () => {
    expect(refusal({ messages: [{ role: 'model', content: 'x' }] })).toEqual({
      message:
        "Invalid value: 'model'. Supported values are: 'system', 'assistant', 'user', 'function', 'tool', and 'developer'.",
      param: 'messages[0].role',
      code: 'invalid_value',
    })
  })

  it('a message without content, unless the assistant calls', () => {
    expect(refusal({ messages: [{ role: 'user', content: null }] }).param).toBe('messages[0].content')
    expect(refusal({ messages: [user, { role: 'assistant' }] }).param).toBe('messages[1].content')
  })

  it('a result without its call', () => {
    expect(refusal({ messages: [user, result] }).message).toContain('must be a response to a preceding message')
    expect(refusal({ messages: [user, call, { ...result, tool_call_id: 'other' }] })).toMatchObject({
      param: 'messages.[2].tool_call_id',
    })
  })

  it('a call without its result, at the end and before the next message', () => {
    expect(refusal({ messages: [user, call] }).message).toContain('did not have response messages: call_1')
    expect(refusal({ messages: [user, call, user, result] })).toMatchObject({ param: 'messages.[2].role' })
  })

  it('a lifetime together with a retention', () => {
    const both = { prompt_cache_options: { ttl: '30m' }, prompt_cache_retention: '24h' }
    expect(refusal(both)).toMatchObject({ param: 'prompt_cache_retention' })
  })

  it('another lifetime or mode', () => {
    expect(refusal({ prompt_cache_options: { ttl: '1h' } })).toEqual({
      message: "Invalid value: '1h'. Supported values are: '30m'.",
      param: 'prompt_cache_options.ttl',
      code: 'invalid_value',
    })
    expect(refusal({ prompt_cache_options: { mode: 'auto' } })).toMatchObject({ param: 'prompt_cache_options.mode' })
  })

  it.each(['prewarm', 'comparison_response_id'])('%s, which only Responses has', (name) => {
    expect(refusal({ prompt_cache_options: { [name]: true } })).toMatchObject({
      param: `prompt_cache_options.${name}`,
      code: 'unknown_parameter',
    })
  })

  it('options and breakpoints for a model before 5.6', () => {
    const messages = [{ role: 'user', content: [{ type: 'text', text: 'a', prompt_cache_breakpoint: mark }] }]
    expect(refusal({ prompt_cache_options: {} }, 'gpt-5.5')).toMatchObject({ code: 'unsupported_parameter' })
    expect(refusal({ messages }, 'gpt-5.5')).toMatchObject({
      param: 'messages[0].content[0].prompt_cache_breakpoint',
      code: 'unsupported_parameter',
    })
  })

  it.each([
    ['a message', { messages: [{ ...user, prompt_cache_breakpoint: mark }] }, 'messages[0]'],
    ['a tool', { tools: [{ type: 'function', prompt_cache_breakpoint: mark }] }, 'tools[0]'],
    [
      'a refusal',
      { messages: [user, { role: 'assistant', content: [{ type: 'refusal', prompt_cache_breakpoint: mark }] }] },
      'messages[1].content[0]',
    ],
  ])('a breakpoint on %s', (_, body, path) => {
    expect(refusal(body)).toMatchObject({ param: `${path}.prompt_cache_breakpoint`, code: 'unknown_parameter' })
  })

  it('a breakpoint of another mode or lifetime', () => {
    const part = (value: object): object => ({
      messages: [{ role: 'user', content: [{ type: 'text', text: 'a', prompt_cache_breakpoint: value }] }],
    })
    expect(refusal(part({})).param).toBe('messages[0].content[0].prompt_cache_breakpoint.mode')
    expect(refusal(part({ mode: 'explicit', ttl: '5m' })).param).toBe(
      'messages[0].content[0].prompt_cache_breakpoint.ttl',
    )
  })

  it.each([
    ['gpt-5.5', 'in_memory'],
    ['gpt-5.6-sol', 'in_memory'],
    ['gpt-5-mini', '24h'],
    ['gpt-5.1', 'forever'],
  ])('for %s the retention %s', (model, retention) => {
    expect(refusal({ prompt_cache_retention: retention }, model)).toMatchObject({
      param: 'prompt_cache_retention',
      code: 'invalid_value',
    })
  })
})
