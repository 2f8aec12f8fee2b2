import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { gzipSync } from 'node:zlib'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { stringify } from 'yaml'
import type { Call } from './calls.ts'
import { readRecording, readRecordings } from './recordings.ts'

const request = { model: 'claude-sonnet-4-6', max_tokens: 1, messages: [{ role: 'user', content: 'Hello' }] }
const response = { id: 'msg_1', type: 'message', usage: { input_tokens: 9, output_tokens: 1 } }
const address = 'https://api.anthropic.com/v1/messages?beta=true'
const stream = 'event: message_start\ndata: {"type":"message_start"}\n\n'

function calls(file: string, text: string): readonly Call[] {
  const recording = readRecording(file, text)
  if (recording.type !== 'calls') throw new Error(JSON.stringify(recording))
  return recording.calls
}

function call(file: string, text: string): Call | undefined {
  const found = calls(file, text)
  expect(found).toHaveLength(1)
  return found[0]
}

describe('a vcrpy cassette', () => {
  const cassette = (interaction: object): string => stringify({ interactions: [interaction], version: 1 })

  it('gives bodies that are strings, with the Date header as a start that may lie a minute earlier', () => {
    const text = cassette({
      request: { body: JSON.stringify(request), headers: {}, method: 'POST', uri: address },
      response: {
        body: { string: JSON.stringify(response) },
        headers: { Date: ['Tue, 10 Feb 2026 18:27:38 GMT'] },
        status: { code: 200, message: 'OK' },
      },
    })
    expect(call('a.yaml', text)).toEqual({
      file: 'a.yaml',
      index: 0,
      provider: 'anthropic',
      host: 'api.anthropic.com',
      model: undefined,
      request,
      response,
      startedAt: Date.UTC(2026, 1, 10, 18, 27, 38),
      uncertainty: 60_000,
    })
  })

  it('gives parsed bodies, and the text of an event stream', () => {
    const text = cassette({
      request: { parsed_body: request, method: 'POST', uri: address },
      response: { body: { string: stream }, headers: {}, status: { code: 200 } },
    })
    expect(call('a.yaml', text)).toMatchObject({ request, response: stream, startedAt: undefined })
  })

  it('unpacks bodies in gzip, as binary YAML and as base64', () => {
    const packed = gzipSync(JSON.stringify(response)).toString('base64')
    const tail = 'headers: {}, status: {code: 200}}'
    const sent = `request: {body: ${JSON.stringify(JSON.stringify(request))}, method: POST, uri: '${address}'}`
    const text = `interactions:
- {${sent}, response: {body: {string: !!binary "${packed}"}, ${tail}}
- {${sent}, response: {body: {base64_string: "${packed}"}, ${tail}}
`
    expect(calls('a.yaml', text).map((each) => each.response)).toEqual([response, response])
  })

  it('takes the model from the address where the body does not name it', () => {
    const uri = 'https://bedrock-runtime.us-east-1.amazonaws.com/model/us.anthropic.claude-sonnet-4-5-v1%3A0/converse'
    const text = cassette({
      request: { body: '{"messages":[]}', method: 'POST', uri },
      response: { parsed_body: {}, status: { code: 200 } },
    })
    expect(call('a.yaml', text)).toMatchObject({
      provider: 'bedrock',
      model: 'us.anthropic.claude-sonnet-4-5-v1:0',
    })
  })

  it('leaves out what is no call of a model and what was refused, and keeps the place in the file', () => {
    const other = { request: { body: '{}', uri: 'https://example.com/traces' }, response: { status: { code: 200 } } }
    const refused = { request: { body: '{}', uri: address }, response: { status: { code: 400 } } }
    const asked = { request: { parsed_body: request, uri: address }, response: { status: { code: 200 } } }
    const text = stringify({ interactions: [other, refused, asked] })
    expect(calls('a.yaml', text).map(({ index }) => index)).toEqual([2])
  })

  it('keeps the bodies of explicit caches under their names', () => {
    const host = 'https://generativelanguage.googleapis.com/v1beta'
    const created = {
      request: { parsed_body: { contents: [] }, uri: `${host}/cachedContents` },
      response: { parsed_body: { name: 'cachedContents/1' } },
    }
    const used = {
      request: {
        parsed_body: { cachedContent: 'cachedContents/1' },
        uri: `${host}/models/gemini-2.5-flash:generateContent`,
      },
      response: { parsed_body: {} },
    }
    const recording = readRecording('a.yaml', stringify({ interactions: [created, used] }))
    expect(recording).toMatchObject({
      caches: new Map([['cachedContents/1', { contents: [] }]]),
      calls: [{ index: 1, provider: 'gemini', model: 'gemini-2.5-flash' }],
    })
  })
})

describe('a go-vcr cassette', () => {
  it('gives bodies and streams', () => {
    const text = stringify({
      version: 2,
      interactions: [
        {
          id: 0,
          request: {
            host: 'api.openai.com',
            body: JSON.stringify(request),
            url: 'https://api.openai.com/v1/responses',
          },
          response: { body: stream, headers: {}, status: '200 OK', code: 200 },
        },
      ],
    })
    expect(call('a.yaml', text)).toMatchObject({ provider: 'openai', request, response: stream })
  })
})

describe('an httpmock recording', () => {
  const document = (path: string, body: object, answer: object): string =>
    stringify({
      when: { path, method: 'POST', body: JSON.stringify(body) },
      then: { status: 200, body: JSON.stringify(answer) },
    })

  it('gives one call per document', () => {
    const one = document('/v1/messages', request, response)
    expect(calls('a.yaml', `${one}---\n${one}`)).toMatchObject([
      { index: 0, provider: 'anthropic', host: '', request, response },
      { index: 1 },
    ])
  })

  it.each([
    ['gemini', '/v1beta/models/gemini-2.5-flash:generateContent', {}, {}],
    ['groq', '/openai/v1/chat/completions', { model: 'openai/gpt-oss-20b' }, {}],
    ['llama.cpp', '/v1/chat/completions', { model: 'qwen' }, { timings: { cache_n: 0 } }],
    ['openrouter', '/api/v1/chat/completions', { model: 'openai/gpt-4o' }, { provider: 'OpenAI' }],
    ['generic', '/api/v1/chat/completions', { model: 'qwen' }, { venice_parameters: {} }],
    ['deepseek', '/chat/completions', { model: 'deepseek-chat' }, {}],
    ['mistral', '/v1/chat/completions', { model: 'mistral-large-latest' }, {}],
    ['xai', '/v1/responses', { model: 'grok-3-mini' }, {}],
    ['openai', '/v1/responses', { model: 'gpt-4o' }, {}],
    ['generic', '/v1/chat/completions', { model: 'unheard-of' }, {}],
  ])('knows %s by %s and what is in the bodies', (provider, path, body, answer) => {
    expect(call('a.yaml', document(path, body, answer))?.provider).toBe(provider)
  })
})

describe('a nock recording', () => {
  const recorded = { scope: 'https://api.anthropic.com:443', method: 'POST', path: '/v1/messages', status: 200 }

  it('gives parsed bodies with headers in either form', () => {
    const text = JSON.stringify([
      { ...recorded, body: request, response, rawHeaders: { date: 'Fri, 21 Nov 2025 09:36:59 GMT' } },
      { ...recorded, body: request, response, rawHeaders: ['Date', 'Fri, 21 Nov 2025 09:36:59 GMT'] },
    ])
    const startedAt = Date.UTC(2025, 10, 21, 9, 36, 59)
    expect(calls('a.json', text)).toMatchObject([
      { index: 0, request, response, startedAt },
      { index: 1, request, response, startedAt },
    ])
  })

  it('unpacks hex, whole and in chunks', () => {
    const hex = gzipSync(JSON.stringify(response)).toString('hex')
    const chunks = [hex.slice(0, 20), hex.slice(20)]
    const text = JSON.stringify([
      { ...recorded, body: request, response: hex },
      { ...recorded, body: request, response: chunks },
    ])
    expect(calls('a.json', text).map((each) => each.response)).toEqual([response, response])
  })
})

describe('a claude-tap trace', () => {
  it('gives the body of the response, or the events of the WebSocket', () => {
    const line = {
      timestamp: '2026-05-02T02:34:55Z',
      duration_ms: 8000,
      turn: 1,
      upstream_base_url: 'https://chatgpt.com:443',
      request: { path: '/backend-api/codex/responses', body: { model: 'gpt-5.5', input: [] } },
    }
    const events = [{ type: 'response.completed', response: { id: 'resp_1', output: [] } }]
    const text = [
      { ...line, response: { status: 101, body: response, ws_events: events } },
      { ...line, response: { status: 101, body: null, ws_events: events } },
    ]
    const startedAt = Date.UTC(2026, 4, 2, 2, 34, 47)
    expect(calls('a.jsonl', text.map((each) => JSON.stringify(each)).join('\n'))).toMatchObject([
      { index: 0, provider: 'openai', response, startedAt },
      { index: 1, provider: 'openai', response: events, startedAt },
    ])
  })
})

describe('an Inspect log', () => {
  const log = (attachments: object): string => {
    const message = { role: 'user', content: 'attachment://abc' }
    const event = {
      event: 'model',
      model: 'openai/gpt-4o-mini',
      timestamp: '2025-05-12T20:27:38-04:00',
      call: { request: { model: 'gpt-4o-mini', messages: [message] }, response },
    }
    return JSON.stringify({ eval: {}, samples: [{ events: [{ event: 'state' }, event], attachments }] })
  }

  it('gives the calls of its model events with their attachments in place', () => {
    expect(call('a.json', log({ abc: 'a long text' }))).toMatchObject({
      provider: 'openai',
      request: { messages: [{ content: 'a long text' }] },
      startedAt: Date.UTC(2025, 4, 13, 0, 27, 38),
      uncertainty: 0,
    })
  })

  it('cannot be read when an attachment is missing', () => {
    expect(readRecording('a.json', log({}))).toMatchObject({
      type: 'unreadable',
      error: 'the log has no attachment://abc',
    })
  })
})

describe('a folder of recordings', () => {
  let folder = ''
  beforeEach(() => {
    folder = mkdtempSync(join(tmpdir(), 'indelible-corpus-'))
  })
  afterEach(() => {
    rmSync(folder, { recursive: true })
  })

  it('is read file by file, in the order of names, whatever else lies in it', async () => {
    mkdirSync(join(folder, 'b'))
    writeFileSync(join(folder, 'README.md'), '# No recording')
    writeFileSync(join(folder, 'a.json'), JSON.stringify({ hello: 'world' }))
    writeFileSync(join(folder, 'c.jsonl'), 'no JSON')
    writeFileSync(
      join(folder, 'b', 'a.jsonl'),
      JSON.stringify({ type: 'user', sessionId: 'one', message: { role: 'user', content: 'Hello' } }),
    )
    const recordings = await readRecordings(folder)
    expect(recordings.map(({ file, type }) => [file, type])).toEqual([
      ['a.json', 'unreadable'],
      ['b/a.jsonl', 'without-bodies'],
      ['c.jsonl', 'unreadable'],
    ])
  })

  it.each([
    ['a JSON schema', { $schema: 'x', definitions: {} }],
    ['a request body', request],
    ['several request bodies', { turn1: request, turn2: request }],
    ['a list of messages', request.messages],
    ['a trajectory', { messages: [], info: {} }],
  ])('has nothing to play in %s', (_, value) => {
    expect(readRecording('a.json', JSON.stringify(value)).type).toBe('without-bodies')
  })
})
