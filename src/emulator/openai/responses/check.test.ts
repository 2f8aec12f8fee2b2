import { describe, expect, it } from 'vitest'
import { fields } from '../../fields.ts'
import type { Refusal } from '../../types.ts'
import { checkResponses } from './check.ts'
import { responseStore, type ResponseStore } from './store.ts'

const call = { type: 'function_call', call_id: 'call_1', name: 'look', arguments: '{}' }
const output = { type: 'function_call_output', call_id: 'call_1', output: 'seen' }
const user = { role: 'user', content: 'Hello' }
const mark = { mode: 'explicit' }

/** A store that holds `resp_1`, which answered with a call. */
function stored(): ResponseStore {
  const store = responseStore()
  store.save({
    id: 'resp_1',
    account: 'account',
    stored: true,
    model: 'gpt-5.6-sol',
    request: { input: 'Hello' },
    output: [{ ...call, id: 'fc_1' }],
    response: {},
    reusable: 0,
    size: 1,
  })
  return store
}

function check(body: object, { model = 'gpt-5.6-sol', account = 'account' } = {}): Refusal | null {
  return checkResponses({ body: { model, ...body }, model, account }, stored())
}

function refusal(body: object, options?: { model?: string; account?: string }): Record<string, unknown> {
  const found = check(body, options)
  const { message, type, param, code } = fields(fields(found?.body)['error'])
  expect(type).toBe('invalid_request_error')
  return { status: found?.status, message, param, code }
}

describe('Responses lets through', () => {
  it.each([
    ['a text', { input: 'Hello' }],
    ['items without a type', { input: [user, { role: 'developer', content: [] }] }],
    ['a call and its output', { input: [user, call, user, output] }],
    ['an output whose call was answered before', { previous_response_id: 'resp_1', input: [output] }],
    ['an output whose call is referred to', { input: [user, { type: 'item_reference', id: 'fc_1' }, output] }],
    ['a call that is answered later', { input: [user, { ...call, async: true }] }],
    [
      'breakpoints in messages and outputs',
      {
        input: [
          { role: 'user', content: [{ type: 'input_text', text: 'a', prompt_cache_breakpoint: mark }] },
          call,
          { ...output, output: [{ type: 'input_image', image_url: 'x', prompt_cache_breakpoint: mark }] },
        ],
      },
    ],
    [
      'prewarming and a comparison',
      { input: 'a', prompt_cache_options: { prewarm: true, comparison_response_id: 'x' } },
    ],
  ])('%s', (_, body) => {
    expect(check(body)).toBeNull()
  })
})

describe('Responses refuses', () => {
  it('nothing to answer', () => {
    expect(refusal({})).toMatchObject({ status: 400, param: 'input' })
    expect(refusal({ input: [] })).toMatchObject({ code: 'empty_array' })
  })

  it('a body without a model', () => {
    expect(refusal({ input: 'a' }, { model: '' })).toMatchObject({ param: 'model' })
  })

  it('roles that it does not know', () => {
    expect(refusal({ input: [{ role: 'tool', content: 'x' }] })).toMatchObject({
      message: "Invalid value: 'tool'. Supported values are: 'assistant', 'system', 'developer', and 'user'.",
      param: 'input[0].role',
    })
  })

  it('an unknown response to build on, and the one of another account', () => {
    const body = { previous_response_id: 'resp_1', input: [output] }
    const unknown = {
      status: 400,
      message: "Previous response with id 'resp_1' not found.",
      param: 'previous_response_id',
      code: 'previous_response_not_found',
    }
    expect(refusal(body, { account: 'other' })).toEqual(unknown)
    expect(refusal({ previous_response_id: 'resp_2', input: 'a' })).toMatchObject({ code: unknown.code })
  })

  it('a reference to an item that is not kept', () => {
    expect(refusal({ input: [{ type: 'item_reference', id: 'msg_9' }] })).toMatchObject({ status: 404, param: 'input' })
  })

  it('a call without its output, be it an earlier response that called', () => {
    const message = 'No tool output found for function call call_1.'
    expect(refusal({ input: [user, call] })).toMatchObject({ message, param: 'input', code: null })
    expect(refusal({ previous_response_id: 'resp_1', input: 'Go on' })).toMatchObject({ message })
  })

  it('an output without its call, or in front of it', () => {
    const message = 'No tool call found for function call output with call_id call_1.'
    expect(refusal({ input: [user, output] })).toMatchObject({ message })
    expect(refusal({ input: [output, call] })).toMatchObject({ message })
  })

  it.each([
    ['an answered text', [{ role: 'assistant', content: [{ type: 'output_text', prompt_cache_breakpoint: mark }] }]],
    ['added tools', [{ type: 'additional_tools', tools: [{ type: 'function', prompt_cache_breakpoint: mark }] }]],
    ['an item', [{ ...user, prompt_cache_breakpoint: mark }]],
  ])('a breakpoint on %s', (_, input) => {
    expect(refusal({ input })).toMatchObject({ code: 'unknown_parameter' })
  })

  it('cache settings as Chat Completions does', () => {
    const both = { prompt_cache_options: { ttl: '30m' }, prompt_cache_retention: '24h' }
    expect(refusal({ input: 'a', ...both })).toMatchObject({ param: 'prompt_cache_retention' })
    expect(refusal({ input: 'a', prompt_cache_options: {} }, { model: 'gpt-5.4' })).toMatchObject({
      code: 'unsupported_parameter',
    })
  })
})
