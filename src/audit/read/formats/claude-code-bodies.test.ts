import { describe, expect, it } from 'vitest'
import type { Exchange } from '../../exchange.ts'
import { inputOf, readAll } from '../test-input.ts'
import { claudeCodeBodies } from './claude-code-bodies.ts'

interface Message {
  readonly role: string
  readonly content: unknown
}

const session = '550e8400-e29b-41d4-a716-446655440000'

function request(messages: readonly Message[], previous?: string, more: object = {}): string {
  const billing = `x-anthropic-billing-header: cc_version=2.1.9;${previous === undefined ? '' : ` cc_prev_req=${previous};`}`
  return JSON.stringify({
    model: 'claude-opus-4-8',
    max_tokens: 9,
    system: [
      { type: 'text', text: billing },
      { type: 'text', text: 'You are helpful.' },
    ],
    metadata: { user_id: JSON.stringify({ session_id: session }) },
    messages,
    ...more,
  })
}

function response(id: string, content: readonly unknown[], model = 'claude-opus-4-8'): string {
  return JSON.stringify({
    type: 'message',
    id,
    model,
    role: 'assistant',
    content,
    usage: { input_tokens: 3, output_tokens: 1 },
  })
}

const user = (content: unknown): Message => ({ role: 'user', content })
const call = (id: string): object => ({ type: 'tool_use', id, name: 'Bash', input: {} })
const result = (id: string): Message => user([{ type: 'tool_result', tool_use_id: id, content: 'ok' }])
const thinking = { type: 'thinking', thinking: '<REDACTED>', signature: 's' }

async function read(
  files: Readonly<Record<string, string>>,
): Promise<{ exchanges: readonly Exchange[]; unread: readonly string[] }> {
  const [name = '', content = ''] = Object.entries(files)[0] ?? []
  const input = inputOf(content, name, files)
  const { exchanges } = await readAll(claudeCodeBodies, input)
  return { exchanges, unread: input.problems.map(({ line, kind }) => `${line} ${kind}`) }
}

const pairs = (exchanges: readonly Exchange[]): unknown[] =>
  exchanges.map(({ source, ids }) => [source.file, ids.response])

// A tool loop of three calls, in files whose names say nothing about their order.
const first = [user([{ type: 'text', text: 'Go', cache_control: { type: 'ephemeral' } }])]
const second = [user('Go'), { role: 'assistant', content: [thinking, call('t1')] }, result('t1')]
const third = [...second, { role: 'assistant', content: [call('t2')] }, result('t2')]
const loop = {
  'c.request.json': request(third, 'req_2'),
  'b.request.json': request(second, 'req_1'),
  'd.request.json': request(first),
  'req_2.response.json': response('msg_2', [call('t2')]),
  'req_1.response.json': response('msg_1', [thinking, call('t1')]),
  'req_3.response.json': response('msg_3', [{ type: 'text', text: 'Done' }]),
}

describe('a folder with an index', () => {
  const index = (lines: readonly object[]): string => lines.map((line) => `${JSON.stringify(line)}\n`).join('')
  const line = (request: string, id: string, more: object = {}): object => ({
    timestamp: '2026-01-01T00:00:00Z',
    session_id: session,
    query_source: 'repl_main_thread',
    request_id: id,
    request_file: `/logs/${request}.request.json`,
    response_file: `/logs/${id}.response.json`,
    ...more,
  })

  it('is read in the order of the index, with its ids and times', async () => {
    const files = { ...loop, 'index.jsonl': index([line('d', 'req_1'), line('b', 'req_2'), line('c', 'req_3')]) }
    const { exchanges, unread } = await read(files)
    expect(unread).toEqual([])
    expect(pairs(exchanges)).toEqual([
      ['d.request.json', 'msg_1'],
      ['b.request.json', 'msg_2'],
      ['c.request.json', 'msg_3'],
    ])
    expect(exchanges[1]).toMatchObject({
      provider: 'anthropic',
      endedAt: Date.UTC(2026, 0, 1),
      ids: { session, request: 'req_2', agent: 'repl_main_thread', previousRequest: 'req_1' },
      fidelity: { level: 'body', order: true, time: true, redacted: true },
    })
    expect(exchanges[0]?.fidelity.redacted).toBe(false)
    expect(exchanges[0]).not.toHaveProperty('host')
  })

  it('says which files it lacks, and reads those that the index lacks', async () => {
    const files = {
      'index.jsonl': `${index([line('gone', 'req_9'), line('d', 'gone')])}{"request_fi`,
      'd.request.json': loop['d.request.json'],
      'x.request.json': request([user('Other')]),
    }
    const { exchanges, unread } = await read(files)
    expect(unread).toEqual(['1 no-body', '3 broken'])
    expect(exchanges.map(({ source, response, fidelity }) => [source.file, response, fidelity.order])).toEqual([
      ['d.request.json', undefined, true],
      ['x.request.json', undefined, true],
    ])
  })
})

describe('a folder without an index', () => {
  it('is put in order and paired by what the requests repeat', async () => {
    const { exchanges, unread } = await read(loop)
    expect(unread).toEqual([])
    expect(pairs(exchanges)).toEqual([
      ['d.request.json', 'msg_1'],
      ['b.request.json', 'msg_2'],
      ['c.request.json', 'msg_3'],
    ])
    expect(exchanges.map(({ ids }) => ids.request)).toEqual(['req_1', 'req_2', 'req_3'])
    expect(exchanges.every(({ fidelity }) => fidelity.order && !fidelity.time)).toBe(true)
  })

  it('needs no ids for that', async () => {
    const bare = { ...loop, 'b.request.json': request(second), 'c.request.json': request(third) }
    expect(pairs((await read(bare)).exchanges)).toEqual(pairs((await read(loop)).exchanges))
  })

  it('keeps conversations apart that have nothing to do with each other, whose order is not known', async () => {
    const files = {
      ...loop,
      'a.request.json': request([user('A title, please')], undefined, { model: 'claude-haiku-4-5' }),
      'req_t.response.json': response('msg_t', [{ type: 'text', text: 'Title' }], 'claude-haiku-4-5'),
    }
    const { exchanges } = await read(files)
    expect(exchanges.map(({ ids, fidelity }) => [ids.response, fidelity.order])).toEqual([
      ['msg_1', true],
      ['msg_2', true],
      ['msg_3', true],
      ['msg_t', false],
    ])
  })

  it('does not guess an answer between two requests that were alike', async () => {
    const again = { ...loop, 'e.request.json': loop['d.request.json'] }
    const { exchanges, unread } = await read(again)
    expect(exchanges.filter(({ ids }) => ids.response === 'msg_1')).toHaveLength(1)
    expect(exchanges).toHaveLength(4)
    expect(unread.length).toBeLessThanOrEqual(1)
  })

  it('says which answers are nobody’s', async () => {
    const files = {
      'd.request.json': loop['d.request.json'],
      'req_1.response.json': loop['req_1.response.json'],
      'req_2.response.json': loop['req_2.response.json'],
    }
    const { exchanges, unread } = await read(files)
    expect(exchanges).toMatchObject([{ response: undefined }])
    expect(unread).toEqual(['null no-body', 'null no-body'])
  })

  it('counts files that were half written, and reads the rest', async () => {
    const files = {
      'b.request.json': loop['b.request.json'].slice(0, 100),
      'd.request.json': loop['d.request.json'],
      'empty.request.json': '',
      'req_1.response.json': '{"type":"mess',
    }
    const { exchanges, unread } = await read(files)
    expect(exchanges.map(({ source }) => source.file)).toEqual(['d.request.json'])
    expect(unread).toContain('null truncated')
    expect(unread).toContain('null no-body')
  })

  it('does not compare what holds only the tail of a conversation', async () => {
    const { exchanges } = await read({ 'a.request.json': request([user('tail')], undefined, { thread: { id: 't' } }) })
    expect(exchanges).toMatchObject([{ fidelity: { level: 'usage' } }])
  })

  it('ends for requests that seem to follow each other in a circle', async () => {
    const files = {
      'a.request.json': request([user('1')], 'req_b'),
      'b.request.json': request([user('2')], 'req_a'),
      'req_a.response.json': response('msg_a', [{ type: 'text', text: 'x' }]),
    }
    expect((await read(files)).exchanges).toHaveLength(2)
  })
})

describe('log events with bodies', () => {
  const event = (body: string | undefined, more: readonly object[] = []): string =>
    JSON.stringify({
      resourceLogs: [
        {
          scopeLogs: [
            {
              logRecords: [
                {
                  timeUnixNano: '1767225600000000000',
                  body: { stringValue: 'claude_code.api_request_body' },
                  attributes: [
                    { key: 'session.id', value: { stringValue: session } },
                    ...(body === undefined ? [] : [{ key: 'body', value: { stringValue: body } }]),
                    ...more,
                  ],
                },
                { body: { stringValue: 'claude_code.api_request' }, attributes: [] },
              ],
            },
          ],
        },
      ],
    })

  it('are read where the body is whole, and named where it was cut or is elsewhere', async () => {
    const whole = request(first)
    const text = [event(whole), event(whole.slice(0, 200)), event(undefined)].join('\n')
    const { recognised, exchanges, unread } = await readAll(claudeCodeBodies, text)
    expect(recognised).toBe(true)
    expect(exchanges).toMatchObject([{ startedAt: Date.UTC(2026, 0, 1), ids: { session }, source: { line: 1 } }])
    expect(unread.map(({ line, kind }) => `${line} ${kind}`)).toEqual(['2 truncated', '3 no-body'])
    expect(unread[0]?.message).toContain('OTEL_LOG_RAW_API_BODIES=file:')
  })

  it('are read as collectors flatten them', async () => {
    const flat = JSON.stringify({
      attributes: { 'event.name': 'api_request_body', body: request(first) },
      timestamp: '2026-01-01T00:00:00Z',
    })
    const { recognised, exchanges } = await readAll(claudeCodeBodies, flat)
    expect([recognised, exchanges.length]).toEqual([true, 1])
  })

  it('are not seen in a conversation about them', () => {
    const text = JSON.stringify({
      type: 'user',
      message: { content: 'What is claude_code.api_request_body? api_request_body' },
    })
    expect(claudeCodeBodies.recognises(inputOf(text).head)).toBe(false)
  })
})
