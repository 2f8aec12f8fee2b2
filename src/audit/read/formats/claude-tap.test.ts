import { describe, expect, it } from 'vitest'
import { inputOf, readAll } from '../test-input.ts'
import { claudeTap } from './claude-tap.ts'

const lines = (...records: readonly object[]): string => records.map((record) => `${JSON.stringify(record)}\n`).join('')
const common = { timestamp: '2026-01-01T00:00:10Z', request_id: 'req_tap', turn: 1, duration_ms: 4000 }

const http = {
  ...common,
  transport: 'http',
  upstream_base_url: 'https://api.anthropic.com',
  request: {
    method: 'POST',
    path: '/v1/messages?beta=true',
    headers: { 'X-Api-Key': 'sk-1' },
    body: { model: 'claude-sonnet-4-6', max_tokens: 9, messages: [{ role: 'user', content: 'Hi' }] },
  },
  response: { status: 200, headers: {}, body: { id: 'msg_1', usage: { input_tokens: 3 } } },
}

const create = (input: unknown, previous?: string): object => ({
  type: 'response.create',
  model: 'gpt-5.5',
  instructions: 'Be brief.',
  input: [input],
  ...(previous === undefined ? {} : { previous_response_id: previous }),
})
const text = (text: string): object => ({ role: 'user', content: text })

function answer(id: string, at: number, item: object): object[] {
  const response = { id, created_at: at, status: 'in_progress' }
  return [
    { type: 'response.created', response },
    { type: 'response.output_item.done', item },
    {
      type: 'response.completed',
      response: { ...response, completed_at: at + 2, output: [], usage: { input_tokens: at } },
    },
  ]
}

function socket(sent: readonly object[], received: readonly object[]): object {
  return {
    ...common,
    transport: 'websocket',
    upstream_base_url: 'https://chatgpt.com:443',
    request: {
      method: 'WEBSOCKET',
      path: '/backend-api/codex/responses',
      headers: {},
      body: sent.at(-1),
      ws_events: sent,
    },
    response: { status: 101, headers: {}, body: null, ws_events: received },
  }
}

describe('a trace of claude-tap', () => {
  it('gives requests over HTTP, which began before the line was written', async () => {
    const { recognised, exchanges, unread } = await readAll(claudeTap, lines(http))
    expect(recognised).toBe(true)
    expect(unread).toEqual([])
    expect(exchanges).toMatchObject([
      {
        request: http.request.body,
        response: { id: 'msg_1' },
        status: 200,
        host: 'api.anthropic.com',
        startedAt: Date.UTC(2026, 0, 1, 0, 0, 6),
        endedAt: Date.UTC(2026, 0, 1, 0, 0, 10),
        ids: { request: 'req_tap', response: 'msg_1' },
      },
    ])
  })

  it('gives every call of a WebSocket with its own answer, joined by ids', async () => {
    const item = { type: 'function_call', call_id: 'c', name: 'pwd' }
    const sent = [create(text('one')), { type: 'session.update' }, create(text('two'), 'resp_1')]
    const received = [
      ...answer('resp_1', 100, item),
      { type: 'codex.rate_limits' },
      ...answer('resp_2', 200, { type: 'message' }),
    ]
    const { exchanges } = await readAll(claudeTap, lines(socket(sent, received)))
    expect(exchanges).toMatchObject([
      {
        ids: { response: 'resp_1' },
        startedAt: 100_000,
        endedAt: 102_000,
        response: { output: [item], usage: { input_tokens: 100 } },
      },
      {
        ids: { response: 'resp_2', previousResponse: 'resp_1' },
        startedAt: 200_000,
        response: { usage: { input_tokens: 200 } },
      },
    ])
    expect(exchanges[1]?.request).toEqual({
      model: 'gpt-5.5',
      instructions: 'Be brief.',
      input: [text('two')],
      previous_response_id: 'resp_1',
    })
    expect(exchanges[0]).not.toHaveProperty('status')
  })

  it('leaves out what a connection that is written again repeats', async () => {
    const first = [create(text('one'))]
    const received = answer('resp_1', 100, { type: 'message' })
    const { exchanges } = await readAll(
      claudeTap,
      lines(
        socket(first, received),
        socket([...first, create(text('two'), 'resp_1')], [...received, ...answer('resp_2', 200, {})]),
      ),
    )
    expect(exchanges.map(({ ids, source }) => [ids.response, source.line])).toEqual([
      ['resp_1', 1],
      ['resp_2', 2],
    ])
  })

  it('keeps a call without an answer, and one that failed', async () => {
    const failed = { type: 'error', error: { message: 'Rate limit' } }
    const { exchanges } = await readAll(claudeTap, lines(socket([create(text('one')), create(text('two'))], [failed])))
    expect(exchanges.map(({ error, response }) => [error, response])).toEqual([
      ['Rate limit', undefined],
      [undefined, undefined],
    ])
  })

  it('reads the one message of an older trace', async () => {
    const { ws_events: _, ...request } = (socket([create(text('one'))], []) as { request: Record<string, unknown> })
      .request
    const record = { ...socket([], answer('resp_1', 0, {})), request }
    const { exchanges } = await readAll(claudeTap, lines(record))
    expect(exchanges).toMatchObject([
      { ids: { request: 'req_tap', response: 'resp_1' }, endedAt: 2000, request: { input: [text('one')] } },
    ])
  })

  it('counts what is broken or of others', async () => {
    const other = { ...http, request: { method: 'GET', path: '/v1/models', body: null } }
    const { unread } = await readAll(claudeTap, `${lines(http, other, { turn: 1 }, { ...http, request: 'x' })}{`)
    expect(unread.map(({ line, kind }) => `${line} ${kind}`)).toEqual([
      '2 other-traffic',
      '3 unknown-shape',
      '4 unknown-shape',
      '5 broken',
    ])
  })

  it.each(['', '{"turn":1}', '{"request":{"path":"/"},"response":{}}'])('is not recognised in %j', (text) => {
    expect(claudeTap.recognises(inputOf(text).head)).toBe(false)
  })
})
