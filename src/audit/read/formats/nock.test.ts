import { gzipSync } from 'fflate'
import { describe, expect, it } from 'vitest'
import { readUsage } from '../../../cache/usage/read-usage.ts'
import { readAll } from '../test-input.ts'
import { nock } from './nock.ts'

const body = { model: 'claude-opus-4-8', max_tokens: 9, messages: [{ role: 'user', content: 'hi' }] }
const answer = { id: 'msg_1', usage: { input_tokens: 4, output_tokens: 2 } }
const packed = Buffer.from(gzipSync(new TextEncoder().encode(JSON.stringify(answer)))).toString('hex')

function call(more: object = {}): object {
  return {
    scope: 'https://api.anthropic.com:443',
    method: 'POST',
    path: '/v1/messages?beta=true',
    body,
    status: 200,
    response: answer,
    rawHeaders: ['Date', 'Fri, 27 Nov 2026 10:00:00 GMT', 'request-id', 'req_1'],
    responseIsBinary: false,
    ...more,
  }
}

describe('recordings of nock', () => {
  it('are read with headers in either shape', async () => {
    const object = { date: 'Fri, 27 Nov 2026 10:00:00 GMT', 'request-id': 'req_1' }
    const { recognised, exchanges, unread } = await readAll(
      nock,
      JSON.stringify([call(), call({ rawHeaders: object })], null, 2),
    )
    expect(recognised).toBe(true)
    expect(unread).toEqual([])
    for (const exchange of exchanges) {
      expect(exchange).toMatchObject({
        request: body,
        host: 'api.anthropic.com',
        provider: 'anthropic',
        startedAt: Date.UTC(2026, 10, 27, 10),
        ids: { request: 'req_1', response: 'msg_1' },
        fidelity: { level: 'body', time: true },
      })
    }
    expect(exchanges.map(({ source }) => source.line)).toEqual([2, 32])
  })

  it('unpack what came compressed, in one piece or several, and read streams as text', async () => {
    const stream = 'event: message_start\ndata: {"type":"message_start","message":{"usage":{"input_tokens":4}}}\n\n'
    const responses = [packed, [packed], [packed.slice(0, 20), packed.slice(20)], JSON.stringify(answer), stream]
    const { exchanges, unread } = await readAll(nock, JSON.stringify(responses.map((response) => call({ response }))))
    expect(unread).toEqual([])
    expect(exchanges.map(({ response }) => readUsage(response).uncached)).toEqual([4, 4, 4, 4, 4])
  })

  it('do not take an ordinary list or word for bytes', async () => {
    const { exchanges } = await readAll(nock, JSON.stringify([call({ response: [] }), call({ response: 'abc' })]))
    expect(exchanges.map(({ response }) => response)).toEqual([[], 'abc'])
  })

  it('read what is whole of a file that was cut off, and name the rest', async () => {
    const text = JSON.stringify([call(), call(), 7, call({ path: '/v1/models', method: 'GET', body: '' })], null, 2)
    const whole = await readAll(nock, text)
    expect(whole.exchanges).toHaveLength(2)
    expect(whole.unread.map(({ kind }) => kind)).toEqual(['unknown-shape', 'other-traffic'])
    const cut = await readAll(nock, text.slice(0, text.length / 2))
    expect(cut.exchanges).toHaveLength(1)
    expect(cut.unread).toMatchObject([{ kind: 'broken' }])
  })

  it('are told from other lists', async () => {
    for (const other of ['[]', '[1]', '[{"scope":"openid"}]', '{"scope":"https://a"}', '']) {
      expect((await readAll(nock, other)).recognised).toBe(false)
    }
  })
})
