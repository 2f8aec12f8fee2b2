import { gzipSync } from 'fflate'
import { describe, expect, it } from 'vitest'
import { readUsage } from '../../../cache/usage/read-usage.ts'
import { readAll } from '../test-input.ts'
import { httpmock } from './httpmock.ts'

const body = '{"model":"claude-sonnet-4-6","max_tokens":1,"messages":[{"role":"user","content":"a"}]}'
const answer = '{"id":"msg_1","usage":{"input_tokens":2,"output_tokens":1}}'

function interaction(then: string, path = '/v1/messages', request = `body: '${body}'`): string {
  return `when:
  path: ${path}
  method: POST
  query_param: []
  header:
  - name: anthropic-beta
    value: extended-cache-ttl-2025-04-11
  ${request}
then:
  status: 200
  header:
  - name: request-id
    value: req_1
  ${then}
`
}

describe('recordings of httpmock', () => {
  it('are a call for each document', async () => {
    const text = [interaction(`body: '${answer}'`), interaction(`body: '${answer}'`)].join('---\n')
    const { recognised, exchanges, unread } = await readAll(httpmock, text)
    expect(recognised).toBe(true)
    expect(unread).toEqual([])
    expect(exchanges.map(({ source }) => source.line)).toEqual([1, 16])
    expect(exchanges[0]).toMatchObject({
      requestText: body,
      provider: 'anthropic',
      status: 200,
      headers: { 'anthropic-beta': 'extended-cache-ttl-2025-04-11' },
      ids: { request: 'req_1', response: 'msg_1' },
      fidelity: { level: 'wire', time: false },
    })
    expect(exchanges[0]?.host).toBeUndefined()
    expect(readUsage(exchanges[0]?.response)).toMatchObject({ uncached: 2 })
  })

  it('hold bytes as base64', async () => {
    const packed = Buffer.from(gzipSync(new TextEncoder().encode(answer))).toString('base64')
    const { exchanges, unread } = await readAll(httpmock, interaction(`body_base64: ${packed}`))
    expect(unread).toEqual([])
    expect(readUsage(exchanges[0]?.response)).toMatchObject({ output: 1 })
  })

  it('of other traffic, broken or without an answer are counted or kept', async () => {
    const text = [
      interaction('body: x', '/v1/models', 'body: x'),
      'when:\n  path: "/v1/messages\n',
      'then:\n  status: 200\n',
      `when:\n  path: /v1/messages\n  method: POST\n  body: '${body}'\n`,
    ].join('---\n')
    const { exchanges, unread } = await readAll(httpmock, text)
    expect(unread.map(({ kind }) => kind)).toEqual(['other-traffic', 'broken', 'unknown-shape'])
    expect(exchanges).toHaveLength(1)
    expect(exchanges[0]?.response).toBeUndefined()
  })
})
