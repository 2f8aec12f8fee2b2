import { describe, expect, it } from 'vitest'
import { inputOf, readAll } from '../test-input.ts'
import { har } from './har.ts'

const body = { model: 'gpt-4o-mini', messages: [{ role: 'user', content: 'Grüße' }] }
const stream = 'data: {"id":"chatcmpl-1","created":1767225601}\n\ndata: [DONE]\n\n'
const text = JSON.stringify(body)

function entry(request: object = {}, response: object = {}, more: object = {}): object {
  return {
    startedDateTime: '2026-01-01T00:00:00.250Z',
    time: 1500,
    request: {
      method: 'POST',
      url: 'https://api.openai.com/v1/chat/completions',
      headers: [{ name: 'Authorization', value: 'Bearer sk-1' }],
      cookies: [{ name: 'a', value: 'secret' }],
      postData: { mimeType: 'application/json', text },
      ...request,
    },
    response: {
      status: 200,
      headers: [{ name: 'x-request-id', value: 'req_1' }],
      content: { text: stream },
      ...response,
    },
    ...more,
  }
}

const document = (...entries: readonly object[]): string =>
  JSON.stringify({ log: { version: '1.2', creator: { name: 'x' }, pages: [], entries } }, null, 2)
const base64 = (text: string): string => Buffer.from(text).toString('base64')

describe('an HTTP archive', () => {
  it('gives each call with the body as it was sent', async () => {
    const { recognised, exchanges, unread } = await readAll(har, document(entry()))
    expect(recognised).toBe(true)
    expect(unread).toEqual([])
    expect(exchanges).toMatchObject([
      {
        request: body,
        requestText: text,
        response: stream,
        status: 200,
        startedAt: Date.UTC(2026, 0, 1, 0, 0, 0, 250),
        endedAt: Date.UTC(2026, 0, 1, 0, 0, 1, 750),
        provider: 'openai',
        ids: { request: 'req_1', response: 'chatcmpl-1' },
        fidelity: { level: 'wire' },
      },
    ])
    expect(JSON.stringify(exchanges)).not.toMatch(/secret|sk-1/)
  })

  it('reads bodies in base64, on both sides', async () => {
    const { exchanges } = await readAll(
      har,
      document(
        entry(
          { postData: { text: base64(text), encoding: 'base64' } },
          { content: { text: base64(stream), encoding: 'base64' } },
        ),
      ),
    )
    expect(exchanges).toMatchObject([{ request: body, response: stream }])
  })

  it('says which bodies a browser left out', async () => {
    const { exchanges, unread } = await readAll(
      har,
      document(
        entry({ postData: undefined, bodySize: 5000 }),
        entry({}, { status: 0, content: { size: 9 } }, { time: -1 }),
      ),
    )
    expect(unread).toMatchObject([{ kind: 'no-body', line: 9 }])
    expect(exchanges).toMatchObject([{ response: undefined }])
    expect(exchanges[0]).not.toHaveProperty('endedAt')
    expect(exchanges[0]).not.toHaveProperty('status')
  })

  it('counts other traffic, and what is no entry', async () => {
    const page = entry({ method: 'GET', url: 'https://example.com/', postData: undefined })
    const damaged = document(entry()).replace('"request": {', '"request": 3, "was": {')
    expect((await readAll(har, document(page, page))).unread.map(({ kind }) => kind)).toEqual([
      'other-traffic',
      'other-traffic',
    ])
    expect((await readAll(har, damaged)).unread.map(({ kind }) => kind)).toEqual(['broken'])
  })

  it('gives what was whole of a file that was cut off', async () => {
    const whole = document(entry(), entry())
    const { exchanges, unread } = await readAll(har, whole.slice(0, whole.length - 300))
    expect(exchanges).toHaveLength(1)
    expect(unread).toMatchObject([{ kind: 'broken' }])
  })

  it('gives the calls of a WebSocket', async () => {
    const message = (type: string, data: unknown): object => ({
      type,
      time: 1767225600.5,
      opcode: 1,
      data: JSON.stringify(data),
    })
    const messages = [
      message('send', { type: 'response.create', model: 'gpt-5.5', input: [{ role: 'user', content: 'a' }] }),
      message('receive', { type: 'response.created', response: { id: 'resp_1' } }),
      message('receive', { type: 'response.completed', response: { id: 'resp_1', usage: { input_tokens: 4 } } }),
      { type: 'receive', data: 'not json' },
    ]
    const url = 'wss://api.openai.com/v1/responses'
    const { exchanges } = await readAll(
      har,
      document(entry({ method: 'GET', url }, { status: 101 }, { _webSocketMessages: messages })),
    )
    expect(exchanges).toMatchObject([
      {
        startedAt: 1767225600500,
        ids: { response: 'resp_1' },
        response: { usage: { input_tokens: 4 } },
        streamed: true,
      },
    ])
    expect(exchanges[0]).not.toHaveProperty('status')
  })

  it.each(['', '{}', '{"log":{}}', '{"log":"entries"}', '[{"log":{"entries":[]}}]'])(
    'is not recognised in %j',
    (text) => {
      expect(har.recognises(inputOf(text).head)).toBe(false)
    },
  )
})
