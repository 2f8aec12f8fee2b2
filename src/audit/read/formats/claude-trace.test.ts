import { describe, expect, it } from 'vitest'
import { inputOf, readAll } from '../test-input.ts'
import { claudeTrace } from './claude-trace.ts'

const body = {
  model: 'claude-sonnet-4-6',
  max_tokens: 9,
  system: 'Be brief.',
  messages: [{ role: 'user', content: 'Hi' }],
}
const stream =
  'event: message_start\ndata: {"type":"message_start","message":{"id":"msg_1","usage":{"input_tokens":3}}}\n\n'

function line(more: object = {}, request: object = {}): string {
  return `${JSON.stringify({
    request: {
      timestamp: 1767225600.5,
      method: 'POST',
      url: 'https://api.anthropic.com/v1/messages?beta=true',
      headers: { authorization: 'Bearer sk-ant-a...b', 'anthropic-beta': 'x' },
      body,
      ...request,
    },
    response: { timestamp: 1767225602, status_code: 200, headers: { 'request-id': 'req_1' }, body_raw: stream },
    logged_at: '2026-01-01T00:00:02Z',
    ...more,
  })}\n`
}

describe('a log of claude-trace', () => {
  it('gives each request with the stream that answered it', async () => {
    const { recognised, exchanges, unread } = await readAll(claudeTrace, line())
    expect(recognised).toBe(true)
    expect(unread).toEqual([])
    expect(exchanges).toMatchObject([
      {
        kind: 'generate',
        request: body,
        response: stream,
        status: 200,
        startedAt: 1767225600500,
        endedAt: 1767225602000,
        provider: 'anthropic',
        headers: { 'anthropic-beta': 'x' },
        ids: { request: 'req_1', response: 'msg_1' },
        source: { line: 1 },
        fidelity: { level: 'body', time: true },
      },
    ])
    expect(exchanges[0]?.account).not.toContain('sk-ant')
  })

  it('gives answers that came in one piece, and requests that were never answered', async () => {
    const { exchanges } = await readAll(
      claudeTrace,
      line({ response: { status_code: 200, body: { id: 'msg_2' } } }) +
        line({ response: null, note: 'ORPHANED_REQUEST' }),
    )
    expect(exchanges.map(({ response }) => response)).toEqual([{ id: 'msg_2' }, undefined])
  })

  it('counts what is broken or of others, and reads on', async () => {
    const other = line({}, { url: 'https://api.anthropic.com/api/oauth/profile', method: 'GET', body: null })
    const { exchanges, unread } = await readAll(
      claudeTrace,
      `${line()}{"request":\n${other}{"logged_at":1}\n${line({}, { body: null })}${line().slice(0, 90)}`,
    )
    expect(exchanges).toHaveLength(1)
    expect(unread.map(({ line, kind }) => `${line} ${kind}`)).toEqual([
      '2 broken',
      '3 other-traffic',
      '4 unknown-shape',
      '5 no-body',
      '6 broken',
    ])
  })

  it('is recognised by a first line that is longer than what is looked at', () => {
    const long = line({}, { body: { ...body, system: 'long '.repeat(80_000) } })
    expect(claudeTrace.recognises(inputOf(long).head)).toBe(true)
  })

  it.each(['', '{}', '{"request":{"body":{}},"response":{}}', '[]', '{"request":{"url":"/","timestamp":1}}'])(
    'is not recognised in %j',
    (text) => {
      expect(claudeTrace.recognises(inputOf(text).head)).toBe(false)
    },
  )
})
