import { describe, expect, it } from 'vitest'
import { inputOf, readAll } from '../test-input.ts'
import { genericJsonl } from './generic-jsonl.ts'

const body = { model: 'claude-sonnet-4-6', max_tokens: 9, messages: [{ role: 'user', content: 'Hi' }] }
const answer = { id: 'msg_1', type: 'message', usage: { input_tokens: 3, output_tokens: 1 } }
const lines = (...records: readonly unknown[]): string =>
  records.map((record) => `${JSON.stringify(record)}\n`).join('')

describe('JSON lines of somebody’s own', () => {
  it.each([
    ['request.body', { request: { body } }],
    ['request', { request: body }],
    ['body', { body }],
    ['req.body', { req: { body } }],
    ['what LiteLLM calls it', { kwargs: { additional_args: { complete_input_dict: body } } }],
    ['the line itself', body],
  ])('hold the body in %s', async (_, record) => {
    const { recognised, exchanges, unread } = await readAll(genericJsonl, lines(record))
    expect(recognised).toBe(true)
    expect(unread).toEqual([])
    expect(exchanges).toMatchObject([{ request: body, source: { line: 1 }, fidelity: { level: 'body' } }])
  })

  it('keep a body that is text as it is', async () => {
    const text = JSON.stringify(body, null, 1)
    const { exchanges } = await readAll(
      genericJsonl,
      lines({ request: { body: text } }, { body: text }, { request: text }),
    )
    expect(exchanges.map(({ requestText, fidelity }) => [requestText, fidelity.level])).toEqual(
      Array.from({ length: 3 }, () => [text, 'wire']),
    )
  })

  it.each([
    { response: { body: answer } },
    { response: answer },
    { res: { body: JSON.stringify(answer) } },
    { output: answer },
    { answer },
    { response: { status: 200, headers: {}, body: JSON.stringify(answer) } },
  ])('hold the answer in %j', async (more) => {
    const { exchanges } = await readAll(genericJsonl, lines({ request: { body }, ...more }))
    expect(exchanges).toMatchObject([{ response: answer, ids: { response: 'msg_1' } }])
  })

  it.each([
    [{ timestamp: '2026-01-01T00:00:00Z' }, Date.UTC(2026, 0, 1), undefined],
    [{ ts: 1767225600 }, Date.UTC(2026, 0, 1), undefined],
    [{ time: 1767225600000, duration_ms: 50 }, Date.UTC(2026, 0, 1), Date.UTC(2026, 0, 1) + 50],
    [{ startedAt: '2026-01-01T00:00:00Z', endedAt: 1767225601 }, Date.UTC(2026, 0, 1), Date.UTC(2026, 0, 1) + 1000],
    [{ time: 'noon', created_at: null }, undefined, undefined],
  ])('were made at %j', async (more, startedAt, endedAt) => {
    const { exchanges } = await readAll(genericJsonl, lines({ request: body, ...more }))
    expect([exchanges[0]?.startedAt, exchanges[0]?.endedAt]).toEqual([startedAt, endedAt])
  })

  it('name session, request, agent, status, address, provider and usage where they do', async () => {
    const { exchanges } = await readAll(
      genericJsonl,
      lines(
        {
          request: {
            url: 'https://api.anthropic.com/v1/messages',
            method: 'POST',
            headers: { 'x-api-key': 'k-1' },
            body,
          },
          status: 529,
          error: { message: 'Busy' },
        },
        {
          sessionId: 's',
          requestId: 'r',
          agent: 'title',
          status: 'ok',
          provider: 'aws_bedrock',
          usage: answer.usage,
          body,
          response: 'Hello',
        },
        {
          metadata: { thread_id: 't' },
          body: { ...body, model: undefined },
          model: 'claude-haiku-4-5',
          usage: answer.usage,
        },
      ),
    )
    expect(exchanges).toMatchObject([
      { host: 'api.anthropic.com', status: 529, error: 'Busy', provider: 'anthropic' },
      { ids: { session: 's', request: 'r', agent: 'title' }, provider: 'bedrock', response: 'Hello' },
      { ids: { session: 't' }, model: 'claude-haiku-4-5', usage: { total: 3 } },
    ])
    expect(exchanges[1]).not.toHaveProperty('status')
    expect(JSON.stringify(exchanges)).not.toContain('k-1')
  })

  it('count a body that the logger cut, other traffic, and lines without any', async () => {
    const { exchanges, unread } = await readAll(
      genericJsonl,
      lines(
        { body: JSON.stringify(body).slice(0, 60) },
        { level: 'info', message: 'started', body: 'text' },
        { url: 'https://api.openai.com/v1/embeddings', body: { model: 'e', input: ['a'] } },
        'text',
        { body },
      ),
    )
    expect(unread.map(({ line, kind }) => `${line} ${kind}`)).toEqual([
      '1 truncated',
      '2 unknown-shape',
      '3 other-traffic',
      '4 unknown-shape',
    ])
    expect(exchanges.map(({ source }) => source.line)).toEqual([5])
  })

  it('are recognised by a first line that is longer than what is looked at', () => {
    const messages = [{ role: 'user', content: 'long '.repeat(80_000) }]
    expect(genericJsonl.recognises(inputOf(lines({ request: { body: { ...body, messages } } })).head)).toBe(true)
    expect(genericJsonl.recognises(inputOf(lines({ body: JSON.stringify({ ...body, messages }) })).head)).toBe(true)
  })

  it('of the emulator have no bodies, which is said once', async () => {
    const line = { schema: 'indelible.emulate/1', at: '2026-01-01T00:00:00Z', path: '/v1/messages', total: 10 }
    const { recognised, exchanges, unread } = await readAll(genericJsonl, lines(line, line))
    expect([recognised, exchanges.length]).toEqual([true, 0])
    expect(unread).toMatchObject([{ line: 1, kind: 'no-body' }])
  })

  it.each(['', 'text', '{}', '{"a":{"messages":[]}}', '{"message":"no body"}\n{"x":1}'])(
    'are not seen in %j',
    (text) => {
      expect(genericJsonl.recognises(inputOf(text).head)).toBe(false)
    },
  )
})
