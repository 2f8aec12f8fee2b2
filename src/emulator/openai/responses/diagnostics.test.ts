import { describe, expect, it } from 'vitest'
import type { Json } from '../../../base/json.ts'
import { fields } from '../../fields.ts'
import { testPrediction, testRequest } from '../../test-request.ts'
import type { Endpoint, EndpointRequest } from '../../types.ts'
import { openaiResponses } from '../responses.ts'

const first = {
  model: 'gpt-5.6-sol',
  instructions: 'Be brief.',
  tools: [{ type: 'function', name: 'look' }],
  input: [{ role: 'user', content: 'one' }],
}
const compared = { prompt_cache_options: { comparison_response_id: 'resp_first' } }

/** An endpoint that has answered `first`, of which 2,000 tokens can be read again. */
function answered(): Endpoint {
  const endpoint = openaiResponses()
  endpoint.answer(
    testRequest(first, { id: 'req_first' }),
    { text: 'ok' },
    testPrediction({ total: 2000, write30m: 2000 }),
  )
  return endpoint
}

function diagnosis(body: object, read = 0, over: Partial<EndpointRequest> = {}): Json | undefined {
  const request = testRequest({ ...first, ...compared, ...body }, { id: 'req_second', ...over })
  const response = answered().answer(request, { text: 'ok' }, testPrediction({ total: 4000, read }))
  return fields(response)['prompt_cache_diagnostics'] as Json | undefined
}

describe('cache diagnostics', () => {
  it('are given where they are asked for', () => {
    expect(diagnosis({ prompt_cache_options: {} })).toBeUndefined()
    expect(diagnosis({}, 2000)).toEqual({ type: 'cache_hit' })
  })

  it('do not know a response that is not kept, or is of another account', () => {
    const notFound = { type: 'comparison_response_not_found' }
    expect(diagnosis({ prompt_cache_options: { comparison_response_id: 'resp_other' } })).toEqual(notFound)
    expect(diagnosis({}, 2000, { account: 'other' })).toEqual(notFound)
  })

  it('say that they cannot tell when nothing differs and it was not read', () => {
    expect(diagnosis({})).toEqual({ type: 'unavailable' })
  })

  it.each([
    ['model_changed', { model: 'gpt-5.6-luna' }],
    ['prompt_cache_key_changed', { prompt_cache_key: 'a' }],
    ['service_tier_changed', { service_tier: 'flex' }],
    ['tools_changed', { tools: [] }],
    ['text_format_changed', { text: { format: { type: 'json_object' } } }],
    ['reasoning_effort_changed', { reasoning: { effort: 'low' } }],
    ['verbosity_changed', { text: { verbosity: 'low' } }],
  ])('name %s', (reason, change) => {
    expect(diagnosis(change)).toEqual({
      type: 'cache_miss',
      reason,
      cache_missed_tokens: 4000,
      comparison_reusable_tokens: 2000,
    })
  })

  it('name the first of several reasons', () => {
    expect(diagnosis({ tools: [], model: 'gpt-6-sol', instructions: 'x' })).toMatchObject({ reason: 'model_changed' })
  })

  it('name changed input with what stands behind the change', () => {
    const input = [{ role: 'user', content: 'two' }]
    const found = fields(diagnosis({ input }))
    expect(found).toMatchObject({ type: 'cache_miss', reason: 'input_changed' })
    expect(found['cache_missed_tokens']).toBeGreaterThan(2000)
    expect(found['cache_missed_tokens']).toBeLessThan(4000)
  })

  it('name compaction', () => {
    const input = [{ type: 'compaction', id: 'cmp_1', encrypted_content: 'x' }]
    expect(diagnosis({ input })).toMatchObject({ reason: 'context_compacted' })
  })

  it('take moved breakpoints for no change', () => {
    const endpoint = openaiResponses()
    const body = (mark: object): EndpointRequest['body'] => ({
      ...first,
      ...compared,
      input: [{ role: 'user', content: [{ type: 'input_text', text: 'a', ...mark }] }],
    })
    const prediction = testPrediction({ total: 2000 })
    endpoint.answer(
      testRequest(body({ prompt_cache_breakpoint: { mode: 'explicit' } }), { id: 'req_first' }),
      {},
      prediction,
    )
    const answer = endpoint.answer(testRequest(body({}), { id: 'req_second' }), {}, prediction)
    expect(fields(answer)['prompt_cache_diagnostics']).toEqual({ type: 'unavailable' })
  })

  it('come with the end of a stream', () => {
    const request = testRequest({ ...first, ...compared }, { id: 'req_second' })
    const events = answered().stream(request, { text: 'ok' }, testPrediction({ total: 4000, read: 2000 }))
    const seen = events.map(({ data }) => fields(fields(data)['response'])['prompt_cache_diagnostics'])
    expect(seen.filter((found) => found !== undefined)).toEqual([{ type: 'cache_hit' }])
    expect(seen.at(-1)).toEqual({ type: 'cache_hit' })
  })

  it('are not given for a model before 5.6', () => {
    expect(diagnosis({ model: 'gpt-5.5' })).toBeUndefined()
  })
})
