import { describe, expect, it } from 'vitest'
import type { Exchange } from '../exchange.ts'
import { exchangeOf, type HttpRecord } from './http-exchange.ts'
import { inputOf } from './test-input.ts'

const messages = [{ role: 'user', content: 'Hello' }]
const body = { model: 'claude-sonnet-4-6', max_tokens: 5, messages }
const url = 'https://api.anthropic.com/v1/messages?beta=true'

function read(record: Partial<HttpRecord>): { exchange: Exchange | null; unread: readonly string[] } {
  const input = inputOf('', 'file')
  const exchange = exchangeOf({ url, request: body, response: undefined, line: 3, ...record }, input)
  return { exchange, unread: input.problems.map(({ kind }) => kind) }
}

function call(record: Partial<HttpRecord>): Exchange {
  const { exchange } = read(record)
  if (exchange === null) throw new Error('no call')
  return exchange
}

function bodyFor(url: string): object {
  if (/enerateContent|cachedContents/.test(url)) return { contents: [{ parts: [{ text: 'Hello' }] }] }
  return url.endsWith('/responses') ? { input: 'Hello' } : { messages }
}

describe('a logged exchange', () => {
  it('holds what the log has, and nothing else', () => {
    expect(call({})).toEqual({
      kind: 'generate',
      request: body,
      response: undefined,
      provider: 'anthropic',
      host: 'api.anthropic.com',
      ids: {},
      source: { file: 'file', line: 3 },
      fidelity: {
        level: 'body',
        breakpoints: true,
        tools: true,
        system: true,
        parameters: true,
        order: true,
        redacted: false,
        time: false,
      },
    })
  })

  it('is of the wire where its body came as text, which is kept', () => {
    const text = JSON.stringify(body, null, 3)
    expect(call({ request: text })).toMatchObject({ request: body, requestText: text, fidelity: { level: 'wire' } })
  })

  it.each([
    ['https://api.anthropic.com/v1/messages/count_tokens', 'count-tokens', 'anthropic'],
    ['https://api.openai.com/v1/chat/completions', 'generate', 'openai'],
    ['https://gw.example.com/some/base/v1/chat/completions', 'generate', undefined],
    ['https://api.x.ai/v1/responses', 'generate', 'xai'],
    ['https://chatgpt.com:443/backend-api/codex/responses', 'generate', 'openai'],
    [
      'https://generativelanguage.googleapis.com/v1beta/models/gemini-2.5-flash:streamGenerateContent?alt=sse',
      'generate',
      'gemini',
    ],
    ['https://generativelanguage.googleapis.com/v1beta/cachedContents', 'create-cache', 'gemini'],
    [
      'https://us-east5-aiplatform.googleapis.com/v1/projects/p/locations/us-east5/publishers/anthropic/models/claude-sonnet-4-5:streamRawPredict',
      'generate',
      'vertex',
    ],
    [
      'https://us-central1-aiplatform.googleapis.com/v1/projects/p/locations/us-central1/publishers/google/models/gemini-2.5-pro:generateContent',
      'generate',
      'vertex-gemini',
    ],
    [
      'https://bedrock-runtime.us-west-2.amazonaws.com/model/us.anthropic.claude-sonnet-4-5-v1%3A0/converse-stream',
      'generate',
      'bedrock',
    ],
    ['https://me.openai.azure.com/openai/deployments/mine/chat/completions?api-version=1', 'generate', 'azure'],
    ['https://me.services.ai.azure.com/anthropic/v1/messages', 'generate', 'foundry'],
    ['https://openrouter.ai/api/v1/chat/completions', 'generate', 'openrouter'],
    ['http://localhost:4000/v1/messages', 'generate', 'anthropic'],
  ])('of %s is %s at %s', (url, kind, provider) => {
    const exchange = call({ url, request: bodyFor(url) })
    expect([exchange.kind, exchange.provider]).toEqual([kind, provider])
  })

  it.each([
    ['https://bedrock-runtime.eu-west-1.amazonaws.com/model/a.b%3A0/converse', 'a.b:0', 'eu-west-1'],
    [
      'https://us-east5-aiplatform.googleapis.com/v1/projects/p/locations/us-east5/publishers/anthropic/models/c:rawPredict',
      'c',
      'us-east5',
    ],
    ['https://generativelanguage.googleapis.com/v1beta/models/g:generateContent', 'g', undefined],
    ['https://me.openai.azure.com/openai/deployments/mine/chat/completions', 'mine', undefined],
  ])('of %s has its model and region from there', (url, model, region) => {
    expect(call({ url, request: bodyFor(url) })).toMatchObject({ model, ...(region === undefined ? {} : { region }) })
  })

  it('names the API of a body that could be of several, and of no other', () => {
    const request = { messages }
    expect(call({ url: 'https://me.openai.azure.com/openai/deployments/mine/chat/completions', request }).format).toBe(
      'openai-chat',
    )
    expect(call({})).not.toHaveProperty('format')
    expect(read({ url: undefined, request })).toEqual({ exchange: null, unread: ['unknown-shape'] })
  })

  it('keeps the port of a host that has one of its own', () => {
    expect(call({ url: 'http://127.0.0.1:8080/v1/messages' }).host).toBe('127.0.0.1:8080')
    expect(call({ url: '/v1/messages' })).not.toHaveProperty('host')
  })
})

describe('what is no call', () => {
  it.each([
    ['GET', url, undefined],
    ['POST', 'https://api.openai.com/v1/embeddings', { model: 'e', input: 'text' }],
    ['POST', 'https://api.anthropic.com/api/event_logging/batch', { events: [] }],
    ['POST', 'https://api.anthropic.com/v1/messages/batches', { requests: [] }],
    ['POST', 'https://generativelanguage.googleapis.com/v1beta/models/e:embedContent', { content: {} }],
    ['GET', 'https://generativelanguage.googleapis.com/v1beta/cachedContents', undefined],
  ])('%s %s is counted as other traffic', (method, url, request) => {
    expect(read({ method, url, request })).toEqual({ exchange: null, unread: ['other-traffic'] })
  })

  it('is a call behind a path that nobody knows where it has messages and a model', () => {
    expect(read({ url: 'https://gw.example.com/llm', request: body }).exchange).not.toBeNull()
  })

  it.each([
    [undefined, 'no-body'],
    ['', 'no-body'],
    ['{"model":"a","messages":[{"ro', 'truncated'],
    ['{"model":"a","messages":[] ...[truncated 20000 chars]', 'truncated'],
    ['model=a&messages=', 'broken'],
    ['[1,2]', 'broken'],
    [[1, 2], 'broken'],
    [17, 'broken'],
    [{ prompt: 'text' }, 'unknown-shape'],
  ])('because its body is %j is %s', (request, kind) => {
    expect(read({ request })).toEqual({ exchange: null, unread: [kind] })
  })
})

describe('times', () => {
  const responseHeaders = { Date: 'Tue, 10 Feb 2026 18:27:38 GMT' }
  const date = Date.UTC(2026, 1, 10, 18, 27, 38)

  it('are those of the log where it has a clock', () => {
    const exchange = call({ startedAt: 5, responseHeaders, response: { created: 99 } })
    expect(exchange.startedAt).toBe(5)
    expect(exchange).not.toHaveProperty('endedAt')
  })

  it('are a start up to a minute earlier where only a Date header was kept', () => {
    const exchange = call({ responseHeaders })
    expect(exchange).toMatchObject({ startedAt: date, uncertainty: 60_000, fidelity: { time: true } })
    expect(exchange).not.toHaveProperty('endedAt')
  })

  it('are a start where the provider says when it created the answer', () => {
    expect(call({ response: { id: 'c', created: date / 1000 - 2 }, responseHeaders })).toMatchObject({
      startedAt: date - 2000,
      endedAt: date,
    })
    expect(call({ response: 'data: {"id":"c","created":7}\n\ndata: [DONE]\n\n' }).startedAt).toBe(7000)
  })

  it('leave out what the provider says where its clock and that of the log disagree', () => {
    expect(call({ response: { created: 9 }, endedAt: 5000 })).not.toHaveProperty('startedAt')
  })

  it('are absent for a Date that is none, and a creation at 0', () => {
    expect(call({ responseHeaders: { date: 'soon' }, response: { created: 0 } }).fidelity.time).toBe(false)
  })
})

describe('ids', () => {
  const session = '550e8400-e29b-41d4-a716-446655440000'
  const account = '11111111-2222-3333-4444-555555555555'

  it.each([
    [{ metadata: { user_id: `user_ab_account_${account}_session_${session}` } }],
    [{ metadata: { user_id: JSON.stringify({ device_id: 'd', account_uuid: account, session_id: session }) } }],
  ])('name session and account of %j', (more) => {
    const exchange = call({
      request: { ...body, ...more },
      requestHeaders: { authorization: 'Bearer changes-hourly-1' },
    })
    expect(exchange.ids).toEqual({ session })
    expect(exchange.account).toBe(call({ request: { ...body, ...more } }).account)
    expect(exchange.account).not.toContain(account)
  })

  it('take the session from headers where the body has none', () => {
    expect(call({ requestHeaders: { 'X-Claude-Code-Session-Id': 's' } }).ids).toEqual({ session: 's' })
    expect(call({ request: { ...body, metadata: { user_id: 'someone' } } }).ids).toEqual({})
  })

  it('read the billing block of Claude Code', () => {
    const text =
      'x-anthropic-billing-header: cc_version=2.1.9; cc_prev_req=req_0; cc_prompt_id=p; cc_is_subagent=true; cch=1;'
    const ids = (text: string): unknown => call({ request: { ...body, system: [{ type: 'text', text }] } }).ids
    expect(ids(text)).toEqual({ previousRequest: 'req_0', isSubagent: true })
    expect(ids(text.replace('true', 'false'))).toMatchObject({ isSubagent: false })
    expect(ids(`Quoted: ${text}`)).toEqual({})
  })

  it.each([
    [{ id: 'msg_1', type: 'message' }, 'msg_1'],
    ['event: message_start\ndata: {"type":"message_start","message":{"id":"msg_2"}}\n\n', 'msg_2'],
    [
      ': hi\n\nevent: ping\ndata: {"type":"ping"}\n\ndata: {"type":"response.created","response":{"id":"resp_1"}}\r\n\r\n',
      'resp_1',
    ],
    [
      [
        { type: 'response.created', response: { id: 'resp_2' } },
        { type: 'response.completed', response: { id: 'resp_2' } },
      ],
      'resp_2',
    ],
    [[{ event: 'message_start', data: '{"type":"message_start","message":{"id":"msg_3"}}' }], 'msg_3'],
    ['{"responseId":"g1"}', 'g1'],
    ['<html>', undefined],
  ])('find the answer in %j', (response, id) => {
    expect(call({ response }).ids.response).toBe(id)
  })

  it('name the answer that a request goes on from', () => {
    expect(
      call({ url: 'https://api.openai.com/v1/responses', request: { previous_response_id: 'resp_1' } }).ids,
    ).toEqual({ previousResponse: 'resp_1' })
    expect(call({ request: { ...body, diagnostics: { previous_message_id: 'msg_0' } } }).ids.previousResponse).toBe(
      'msg_0',
    )
  })

  it('prefer what the log says', () => {
    expect(
      call({
        response: { id: 'msg_1' },
        ids: { response: 'other', request: undefined },
        responseHeaders: { 'request-id': 'req_1' },
      }).ids,
    ).toEqual({ response: 'other', request: 'req_1' })
  })
})

describe('answers', () => {
  it('are parsed where they are JSON, and kept as text where they are a stream', () => {
    expect(call({ response: '{"a":1}' }).response).toEqual({ a: 1 })
    expect(call({ response: 'data: {}\n\n' })).toMatchObject({ response: 'data: {}\n\n', streamed: true })
    expect(call({ response: '' }).response).toBeUndefined()
    expect(call({ response: null }).response).toBeUndefined()
  })

  it('say what went wrong, and why the cache missed', () => {
    expect(
      call({
        status: 529,
        response: { type: 'error', error: { type: 'overloaded_error', message: 'Overloaded' }, request_id: 'req_9' },
      }),
    ).toMatchObject({ status: 529, error: 'Overloaded', ids: { request: 'req_9' } })
    expect(
      call({ response: { id: 'm', diagnostics: { cache_miss_reason: { type: 'tools_changed' } } } }).providerReason,
    ).toBe('tools_changed')
  })
})
