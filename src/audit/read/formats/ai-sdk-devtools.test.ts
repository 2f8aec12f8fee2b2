import { describe, expect, it } from 'vitest'
import { layout } from '../../../cache/index.ts'
import { readUsage } from '../../../cache/usage/read-usage.ts'
import { readAll } from '../test-input.ts'
import { aiSdkDevtools } from './ai-sdk-devtools.ts'

const body = {
  model: 'claude-sonnet-4-5',
  max_tokens: 9,
  system: [{ type: 'text', text: 'S', cache_control: { type: 'ephemeral' } }],
  messages: [{ role: 'user', content: [{ type: 'text', text: 'hi' }] }],
}
const answer = {
  id: 'msg_1',
  usage: { input_tokens: 1, cache_read_input_tokens: 8, cache_creation_input_tokens: 0, output_tokens: 2 },
}
const prompt = [
  { role: 'system', content: 'S' },
  { role: 'user', content: [{ type: 'text', text: 'hi' }] },
  {
    role: 'assistant',
    content: [
      { type: 'text', text: 'a' },
      { type: 'tool-call', toolCallId: 'c1', toolName: 'ls', input: { path: '.' } },
    ],
  },
  {
    role: 'tool',
    content: [{ type: 'tool-result', toolCallId: 'c1', toolName: 'ls', output: { type: 'text', value: 'b' } }],
  },
]

function step(more: object): object {
  return {
    id: 'step-1',
    run_id: 'run-1',
    step_number: 1,
    type: 'generate',
    model_id: 'claude-sonnet-4-5',
    provider: 'anthropic.messages',
    started_at: '2026-11-27T10:00:00.000Z',
    duration_ms: 1500,
    input: JSON.stringify({
      prompt,
      tools: [{ type: 'function', name: 'ls', description: 'd', inputSchema: { type: 'object' } }],
    }),
    output: null,
    usage: null,
    error: null,
    raw_request: JSON.stringify(body),
    raw_response: JSON.stringify(answer),
    raw_chunks: null,
    provider_options: null,
    ...more,
  }
}

function file(...steps: readonly unknown[]): string {
  return JSON.stringify({ runs: [{ id: 'run-1', started_at: '2026-11-27T10:00:00.000Z' }], steps }, null, 2)
}

describe('generations of AI SDK DevTools', () => {
  it('are the exact bodies, with a clock', async () => {
    const { recognised, exchanges, unread } = await readAll(aiSdkDevtools, file(step({})))
    expect(recognised).toBe(true)
    expect(unread).toEqual([])
    expect(exchanges).toMatchObject([
      {
        kind: 'generate',
        request: body,
        requestText: JSON.stringify(body),
        provider: 'anthropic',
        streamed: false,
        startedAt: Date.UTC(2026, 10, 27, 10),
        endedAt: Date.UTC(2026, 10, 27, 10, 0, 1, 500),
        ids: { request: 'step-1', response: 'msg_1', session: 'run-1' },
        fidelity: { level: 'wire', time: true, breakpoints: true, tools: true },
      },
    ])
    expect(readUsage(exchanges[0]?.response)).toMatchObject({ total: 9, read: 8 })
  })

  it('unwrap a body that was text when it was recorded', async () => {
    const text = '{"model": "gpt-5", "messages": [{"role": "user", "content": "hi"}]}'
    const raw = step({ provider: 'openai.chat', model_id: 'gpt-5', raw_request: JSON.stringify(text) })
    const { exchanges } = await readAll(aiSdkDevtools, file(raw))
    expect(exchanges).toMatchObject([{ requestText: text, provider: 'openai' }])
  })

  it('read a stream from its chunks, and usage from the SDK where the provider’s is not there', async () => {
    const chunks = [
      {
        type: 'message_start',
        message: {
          id: 'msg_2',
          usage: { input_tokens: 1, cache_read_input_tokens: 8, cache_creation_input_tokens: 0 },
        },
      },
      { type: 'message_delta', usage: { output_tokens: 3 } },
    ]
    const usage = {
      inputTokens: 10,
      outputTokens: 3,
      inputTokenDetails: { cacheReadTokens: 4, cacheWriteTokens: 0, noCacheTokens: 6 },
    }
    const { exchanges } = await readAll(
      aiSdkDevtools,
      file(
        step({ type: 'stream', raw_response: '[]', raw_chunks: JSON.stringify(chunks), usage: JSON.stringify(usage) }),
        step({
          type: 'stream',
          raw_response: '[{"type":"text-delta"}]',
          raw_chunks: '[]',
          usage: JSON.stringify(usage),
        }),
      ),
    )
    expect(exchanges.map(({ usage: reported }) => reported?.read)).toEqual([undefined, 4])
    expect(readUsage(exchanges[0]?.response)).toMatchObject({ total: 9, output: 3 })
    expect(exchanges.map(({ streamed }) => streamed)).toEqual([true, true])
  })

  it('stand in with the prompt of the SDK, in the format of the provider, where no body was kept', async () => {
    const failed = step({ raw_request: null, raw_response: null, error: 'Overloaded', duration_ms: null })
    const { exchanges, unread } = await readAll(aiSdkDevtools, file(failed))
    expect(unread).toEqual([])
    const [exchange] = exchanges
    expect(exchange).toMatchObject({
      error: 'Overloaded',
      response: undefined,
      endedAt: undefined,
      fidelity: { level: 'prompt', breakpoints: false },
    })
    const { format, segments } = layout(exchange?.request)
    expect(format).toBe('anthropic')
    expect(segments.map(({ section, type }) => `${section} ${type}`)).toEqual([
      'tools tool',
      'system text',
      'messages text',
      'messages text',
      'messages tool_use',
      'messages tool_result',
    ])
  })

  it('survive what is broken', async () => {
    const text = file(step({ raw_request: 'no json', input: '7' }), 5, step({}))
    const { exchanges, unread } = await readAll(aiSdkDevtools, text)
    expect(exchanges).toHaveLength(2)
    expect(unread.map(({ kind }) => kind)).toEqual(['no-body', 'broken'])
    const cut = await readAll(aiSdkDevtools, text.slice(0, -40))
    expect(cut.unread.map(({ kind }) => kind)).toContain('broken')
  })

  it('are told from other documents with runs or steps', async () => {
    for (const other of [
      '{"runs":[]}',
      '{"steps":[{"run_id":"1"}]}',
      '{"runs":[{"id":1}],"steps":[{"id":1}]}',
      '[]',
      '',
    ]) {
      expect((await readAll(aiSdkDevtools, other)).recognised).toBe(false)
    }
  })
})
