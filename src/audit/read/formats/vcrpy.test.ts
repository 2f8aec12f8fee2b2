import { gzipSync } from 'fflate'
import { describe, expect, it } from 'vitest'
import { stringify } from 'yaml'
import { readUsage } from '../../../cache/usage/read-usage.ts'
import { inputOf, readAll } from '../test-input.ts'
import { goVcr } from './go-vcr.ts'
import { opencodeRecorder } from './opencode-recorder.ts'
import { vcrpy } from './vcrpy.ts'

const body = '{"model": "claude-sonnet-4-5", "max_tokens": 9, "messages": [{"role": "user", "content": "hi"}]}'
const answer = JSON.stringify({
  id: 'msg_1',
  type: 'message',
  content: [],
  usage: { input_tokens: 3, cache_read_input_tokens: 5, cache_creation_input_tokens: 0, output_tokens: 1 },
})

function call(request: object, response: object, uri = 'https://api.anthropic.com/v1/messages'): object {
  return {
    request: { ...request, headers: { 'x-api-key': ['sk-ant-1234567890'], cookie: ['secret=1'] }, method: 'POST', uri },
    response: {
      ...response,
      headers: { Date: ['Fri, 27 Nov 2026 10:00:00 GMT'], 'request-id': ['req_1'] },
      status: { code: 200, message: 'OK' },
    },
  }
}

function cassette(...interactions: readonly object[]): string {
  return stringify({ interactions, version: 1 }, { customTags: ['binary'] })
}

describe('cassettes of vcrpy', () => {
  it('give a call as it was sent, with all that the headers tell and no secret', async () => {
    const { recognised, exchanges, unread } = await readAll(
      vcrpy,
      cassette(call({ body }, { body: { string: answer } })),
      'a.yaml',
    )
    expect(recognised).toBe(true)
    expect(unread).toEqual([])
    expect(exchanges).toHaveLength(1)
    const [exchange] = exchanges
    expect(exchange).toMatchObject({
      kind: 'generate',
      requestText: body,
      request: JSON.parse(body) as unknown,
      provider: 'anthropic',
      host: 'api.anthropic.com',
      status: 200,
      startedAt: Date.UTC(2026, 10, 27, 10),
      ids: { request: 'req_1', response: 'msg_1' },
      source: { file: 'a.yaml', line: 2 },
      fidelity: { level: 'wire', time: true, order: true, breakpoints: true, redacted: false },
    })
    expect(exchange?.account).toMatch(/^[0-9a-f]{32}$/)
    expect(JSON.stringify(exchange)).not.toMatch(/sk-ant|secret=/)
    expect(readUsage(exchange?.response)).toMatchObject({ total: 8, read: 5 })
  })

  it('read a body in every way that it can be kept', async () => {
    const packed = Buffer.from(gzipSync(new TextEncoder().encode(answer)))
    const text = cassette(
      call({ body }, { body: { string: packed } }),
      call({ body }, { body: { base64_string: packed.toString('base64') } }),
      call({ body }, { body: { string: packed.toString('base64') } }),
      call({ body: Buffer.from(body) }, { body: answer }),
      call({ parsed_body: JSON.parse(body) as object }, { parsed_body: JSON.parse(answer) as object }),
    )
    const { exchanges, unread } = await readAll(vcrpy, text)
    expect(unread).toEqual([])
    expect(exchanges.map(({ response }) => readUsage(response).read)).toEqual([5, 5, 5, 5, 5])
    expect(exchanges.map(({ fidelity }) => fidelity.level)).toEqual(['wire', 'wire', 'wire', 'wire', 'body'])
    expect(new Set(exchanges.map(({ request }) => JSON.stringify(request))).size).toBe(1)
  })

  it('keep a call whose answer cannot be read, and say so', async () => {
    const text = cassette(call({ body }, { body: { string: Buffer.from([0x8b, 0xff, 0x80]) } }))
    const { exchanges, unread } = await readAll(vcrpy, text)
    expect(exchanges[0]?.response).toBeUndefined()
    expect(unread).toEqual([{ line: 2, kind: 'unknown-shape', message: expect.stringMatching(/br or zstd/) as string }])
  })

  it('count what is no call of a model, and a body that a filter took away', async () => {
    const text = cassette(
      call({ body: '{}' }, {}, 'https://example.com/telemetry'),
      call({ body: null }, {}),
      call({ body: body.slice(0, 40) }, {}),
      { request: 'nothing' },
    )
    const { exchanges, unread } = await readAll(vcrpy, text)
    expect(exchanges).toEqual([])
    expect(unread.map(({ kind }) => kind)).toEqual(['other-traffic', 'no-body', 'truncated', 'unknown-shape'])
    expect(unread.every(({ line }) => line !== null)).toBe(true)
  })

  it('read what is whole of a file that was cut off while it was written', async () => {
    const text = cassette(call({ body }, { body: { string: answer } }), call({ body }, { body: { string: answer } }))
    for (const at of [0.3, 0.6, 0.8, 0.95]) {
      const { exchanges, unread } = await readAll(vcrpy, text.slice(0, text.length * at))
      expect(exchanges.length + unread.length).toBeGreaterThan(0)
    }
    const { exchanges, unread } = await readAll(vcrpy, text.slice(0, text.lastIndexOf('claude-sonnet')))
    expect(exchanges).toHaveLength(1)
    expect(unread).toMatchObject([{ kind: 'broken' }])
  })

  it('may be JSON, or of VCR for Ruby', async () => {
    const interaction = call({ body }, { body: { string: answer } })
    const json = await readAll(vcrpy, JSON.stringify({ version: 1, interactions: [interaction] }, null, 1))
    expect(json.recognised).toBe(true)
    expect(json.exchanges).toHaveLength(1)
    const ruby = stringify({
      http_interactions: [{ ...interaction, recorded_at: '2026-11-27T10:00:05Z' }],
      recorded_with: 'VCR 6.0',
    })
    const { recognised, exchanges } = await readAll(vcrpy, ruby)
    expect(recognised).toBe(true)
    expect(exchanges[0]?.endedAt).toBe(Date.UTC(2026, 10, 27, 10, 0, 5))
  })

  it('are told from those of other recorders, also where the first body fills the head', () => {
    const head = (text: string) => inputOf(text).head
    const long = head(cassette(call({ body: 'x '.repeat(200_000) }, {})))
    expect([vcrpy, goVcr, opencodeRecorder].map((reader) => reader.recognises(long))).toEqual([true, false, false])
    for (const other of ['', '{}', '[]', 'interactions', 'a: 1\n', '{"interactions": []}', '{"a":"interactions:"}\n']) {
      expect(vcrpy.recognises(head(other))).toBe(false)
    }
  })
})
