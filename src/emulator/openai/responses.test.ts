import { describe, expect, it } from 'vitest'
import { fields } from '../fields.ts'
import { testPrediction, testRequest } from '../test-request.ts'
import type { CallRequest, Endpoint, Refusal } from '../types.ts'
import { openaiResponses } from './responses.ts'

function call(endpoint: Endpoint, method: string, id: string, account = 'account'): Refusal | undefined {
  const request: CallRequest = { ...testRequest({}, { account }), parameters: { id }, query: {}, strict: true }
  return endpoint.calls?.find((one) => one.method === method && one.path.endsWith(':id'))?.handle(request)
}

describe('responses that are kept', () => {
  it('can be read and deleted by their own account, once', () => {
    const endpoint = openaiResponses()
    const request = testRequest({ input: 'Hello' })
    const response = endpoint.answer(request, { text: 'Hi' }, testPrediction())
    const id = String(fields(response)['id'])
    expect(call(endpoint, 'GET', id, 'other')?.status).toBe(404)
    expect(call(endpoint, 'GET', id)).toEqual({ status: 200, body: response })
    expect(call(endpoint, 'DELETE', id)).toEqual({ status: 200, body: { id, object: 'response', deleted: true } })
    expect(call(endpoint, 'DELETE', id)?.status).toBe(404)
  })

  it('do not come back when the request is written to the log after they were deleted', () => {
    const endpoint = openaiResponses()
    const request = testRequest({ input: 'Hello' })
    endpoint.stream(request, { text: 'Hi' }, testPrediction())
    const id = 'resp_abcdef0123456789'
    call(endpoint, 'DELETE', id)
    expect(fields(endpoint.answer(request, { text: 'Hi' }, testPrediction()))['id']).toBe(id)
    expect(call(endpoint, 'GET', id)?.status).toBe(404)
  })

  it('are what a later request is laid out with, for their own account', () => {
    const endpoint = openaiResponses()
    endpoint.answer(testRequest({ input: 'Hello' }), { text: 'Hi' }, testPrediction())
    const id = 'resp_abcdef0123456789'
    expect(endpoint.reading?.('account').previousResponse?.(id)).toMatchObject({
      request: { input: 'Hello' },
      output: [{ type: 'message', role: 'assistant', content: [{ type: 'output_text', text: 'Hi' }] }],
    })
    expect(endpoint.reading?.('other').previousResponse?.(id)).toBeUndefined()
    endpoint.clear?.()
    expect(endpoint.reading?.('account').previousResponse?.(id)).toBeUndefined()
  })

  it('are none where the request says so', () => {
    const endpoint = openaiResponses()
    endpoint.answer(testRequest({ input: 'Hello', store: false }), { text: 'Hi' }, testPrediction())
    expect(call(endpoint, 'GET', 'resp_abcdef0123456789')?.status).toBe(404)
  })
})
