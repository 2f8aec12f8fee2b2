import { describe, expect, it } from 'vitest'
import { readUsage } from '../../../cache/usage/read-usage.ts'
import { readAll } from '../test-input.ts'
import { goVcr } from './go-vcr.ts'
import { vcrpy } from './vcrpy.ts'

const body = `{"model":"gpt-5","messages":[{"role":"user","content":"it's"}],"stream":true}`

const second = `---
version: 2
interactions:
    - id: 0
      request:
        proto: HTTP/1.1
        content_length: 0
        host: api.openai.com
        body: '${body.replaceAll("'", "''")}'
        url: https://api.openai.com/v1/chat/completions
        method: POST
      response:
        proto: HTTP/2.0
        body: |+
            data: {"id":"chatcmpl-1","created":1773310258,"choices":[{"delta":{"content":"a"}}]}

            data: {"id":"chatcmpl-1","choices":[],"usage":{"prompt_tokens":9,"completion_tokens":1,"prompt_tokens_details":{"cached_tokens":4}}}

            data: [DONE]

        headers: {}
        status: 200 OK
        code: 200
        duration: 1.58s
`

const first = `---
version: 1
interactions:
- request:
    body: '{"model":"gpt-5","messages":[{"role":"user","content":"a"}]}'
    form: {}
    headers:
      Authorization:
      - Bearer sk-proj-12345678
    url: https://api.openai.com/v1/chat/completions
    method: POST
  response:
    body: '{"id":"chatcmpl-2","usage":{"prompt_tokens":3,"completion_tokens":1}}'
    headers:
      Date:
      - Fri, 27 Nov 2026 10:00:00 GMT
    status: 429 Too Many Requests
    duration: ""
`

describe('cassettes of go-vcr', () => {
  it('of version 2 hold streams as their text', async () => {
    const { recognised, exchanges, unread } = await readAll(goVcr, second)
    expect(recognised).toBe(true)
    expect(unread).toEqual([])
    expect(exchanges).toMatchObject([
      {
        requestText: body,
        provider: 'openai',
        status: 200,
        streamed: true,
        startedAt: 1_773_310_258_000,
        source: { line: 4 },
        fidelity: { level: 'wire' },
      },
    ])
    expect(readUsage(exchanges[0]?.response)).toMatchObject({ total: 9, read: 4, output: 1 })
  })

  it('of version 1 are read alike, with the status out of its words', async () => {
    const { recognised, exchanges } = await readAll(goVcr, first)
    expect(recognised).toBe(true)
    expect(exchanges).toMatchObject([{ status: 429, startedAt: Date.UTC(2026, 10, 27, 10), source: { line: 4 } }])
    expect(exchanges[0]?.account).toBeDefined()
    expect(JSON.stringify(exchanges)).not.toContain('sk-proj')
  })

  it('are no one else’s', async () => {
    for (const text of [first, second]) expect((await readAll(vcrpy, text)).recognised).toBe(false)
  })

  it('of a shape that is not known are named, one by one', async () => {
    const { exchanges, unread } = await readAll(goVcr, 'interactions:\n- id: 0\n- request: {body: x}\n- 12\n- "\n')
    expect(exchanges).toEqual([])
    expect(unread.map(({ kind, line }) => [kind, line])).toEqual([
      ['unknown-shape', 2],
      ['unknown-shape', 3],
      ['unknown-shape', 4],
      ['broken', 5],
    ])
  })
})
