import { describe, expect, it } from 'vitest'
import { inputOf, readAll } from '../test-input.ts'
import { helicone } from './helicone.ts'

function row(more: object = {}): object {
  return {
    request_id: 'r1',
    request_created_at: '2026-11-01T10:00:00.000Z',
    request_path: 'https://anthropic.helicone.ai/v1/messages',
    target_url: 'https://api.anthropic.com/v1/messages',
    request_body: { model: 'claude-opus-4-8', max_tokens: 9, messages: [{ role: 'user', content: 'hello' }] },
    response_body: { id: 'msg_1', usage: { input_tokens: 5, cache_read_input_tokens: 100, output_tokens: 2 } },
    response_status: 200,
    response_created_at: '2026-11-01T10:00:03.000Z',
    request_properties: { 'Helicone-Session-Id': 's1' },
    provider: 'ANTHROPIC',
    cache_reference_id: '00000000-0000-0000-0000-000000000000',
    prompt_tokens: 5,
    completion_tokens: 2,
    ...more,
  }
}

const lines = (...rows: readonly unknown[]): string => rows.map((each) => `${JSON.stringify(each)}\n`).join('')

describe('helicone exports', () => {
  it.each([
    ['lines', (rows: readonly object[]) => lines(...rows)],
    ['a list', (rows: readonly object[]) => JSON.stringify(rows, null, 2)],
    ['the answer of the API', (rows: readonly object[]) => JSON.stringify({ data: rows, error: null })],
  ])('give one call per row, as %s', async (_name, write) => {
    const { recognised, exchanges, unread } = await readAll(helicone, write([row(), row({ request_id: 'r2' })]))
    expect(recognised).toBe(true)
    expect(unread).toEqual([])
    expect(exchanges.map(({ ids }) => ids.request)).toEqual(['r1', 'r2'])
    expect(exchanges[0]).toMatchObject({
      kind: 'generate',
      provider: 'anthropic',
      status: 200,
      startedAt: Date.parse('2026-11-01T10:00:00Z'),
      endedAt: Date.parse('2026-11-01T10:00:03Z'),
      ids: { session: 's1', response: 'msg_1' },
      fidelity: { level: 'body', redacted: false },
    })
    expect(exchanges[0]?.usage).toBeUndefined()
  })

  it('take the counts of the row where the answer has none', async () => {
    const counts = {
      prompt_tokens: 5,
      completion_tokens: 2,
      prompt_cache_read_tokens: 100,
      prompt_cache_write_tokens: 10,
    }
    const openai = {
      target_url: 'https://api.openai.com/v1/chat/completions',
      request_body: { model: 'gpt-4o', messages: [{ role: 'user', content: 'hello' }] },
    }
    const { exchanges } = await readAll(
      helicone,
      lines(
        row({ response_body: null, ...counts }),
        row({ response_body: '', ...openai, ...counts, prompt_tokens: 300 }),
        row({ response_body: null, prompt_tokens: undefined }),
      ),
    )
    expect(exchanges.map(({ usage }) => usage && [usage.total, usage.read, usage.uncached])).toEqual([
      [115, 100, 5],
      [300, 100, 200],
      undefined,
    ])
  })

  it('leave out what Helicone answered itself and rows without bodies, and say so', async () => {
    const { exchanges, unread } = await readAll(
      helicone,
      lines(
        row({ cache_reference_id: '5e8f0c1a-1111-4222-8333-444455556666' }),
        row({ request_body: undefined }),
        { x: 1 },
        row({ assets: { a1: 'https://example.com' }, response_status: -3, delay_ms: 9 }),
      ),
    )
    expect(unread.map(({ line, kind }) => [line, kind])).toEqual([
      [1, 'other-traffic'],
      [2, 'no-body'],
      [3, 'unknown-shape'],
    ])
    expect(exchanges).toHaveLength(1)
    expect(exchanges[0]?.status).toBeUndefined()
    expect(exchanges[0]?.fidelity.redacted).toBe(true)
  })

  it('are not mistaken for other rows with requests', () => {
    expect(helicone.recognises(inputOf(lines({ request_id: 'r', request: { body: {} } })).head)).toBe(false)
    expect(helicone.recognises(inputOf('[]').head)).toBe(false)
  })
})
