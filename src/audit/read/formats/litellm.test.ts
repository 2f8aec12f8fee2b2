import { describe, expect, it } from 'vitest'
import { layout } from '../../../cache/index.ts'
import { readAll } from '../test-input.ts'
import { liteLlm } from './litellm.ts'

const messages = [
  { role: 'system', content: [{ type: 'text', text: 'S', cache_control: { type: 'ephemeral' } }] },
  { role: 'user', content: 'hi' },
]
const tools = [{ type: 'function', function: { name: 'ls', description: 'd', parameters: { type: 'object' } } }]

function payload(more: object = {}): object {
  return {
    id: 'chatcmpl-1',
    trace_id: 'trace-1',
    call_type: 'acompletion',
    stream: false,
    status: 'success',
    custom_llm_provider: 'anthropic',
    model: 'claude-sonnet-4-5',
    api_base: 'https://api.anthropic.com',
    startTime: 1_764_237_600.5,
    endTime: 1_764_237_602,
    prompt_tokens: 120,
    completion_tokens: 5,
    cache_hit: null,
    messages,
    response: { id: 'chatcmpl-1', choices: [] },
    model_parameters: { max_tokens: 9, tools },
    metadata: {
      usage_object: {
        prompt_tokens: 120,
        completion_tokens: 5,
        total_tokens: 125,
        cache_read_input_tokens: 100,
        cache_creation_input_tokens: 10,
        prompt_tokens_details: {
          cached_tokens: 100,
          cache_creation_token_details: { ephemeral_5m_input_tokens: 0, ephemeral_1h_input_tokens: 10 },
        },
      },
    },
    ...more,
  }
}

const lines = (...rows: readonly object[]): string => rows.map((row) => `${JSON.stringify(row)}\n`).join('')

describe('logs of LiteLLM', () => {
  it('are prompts in the format of the provider, with the provider’s tokens counted once', async () => {
    const { recognised, exchanges, unread } = await readAll(liteLlm, lines(payload()))
    expect(recognised).toBe(true)
    expect(unread).toEqual([])
    const [exchange] = exchanges
    expect(exchange).toMatchObject({
      provider: 'anthropic',
      host: 'api.anthropic.com',
      startedAt: 1_764_237_600_500,
      endedAt: 1_764_237_602_000,
      status: 200,
      ids: { request: 'chatcmpl-1', response: 'chatcmpl-1', session: 'trace-1' },
      usage: { total: 120, read: 100, write1h: 10, uncached: 10, output: 5 },
      fidelity: { level: 'prompt', breakpoints: true, tools: true, system: true, parameters: true, time: true },
    })
    const { format, segments } = layout(exchange?.request)
    expect(format).toBe('anthropic')
    expect(segments.map(({ section, breakpoint }) => [section, breakpoint !== null])).toEqual([
      ['tools', false],
      ['system', true],
      ['messages', false],
    ])
  })

  it('are the sent body where raw requests were logged, as Python prints it or as JSON', async () => {
    const python = `{'model': 'claude-sonnet-4-5', 'messages': [{'role': 'user', 'content': [{'type': 'text', 'text': "it's \\n\\U0001f600", 'x': None, 'y': True}]}], 'max_tokens': 9}`
    const json = '{"model":"claude-sonnet-4-5","messages":[{"role":"user","content":"it\'s"}],"max_tokens":9}'
    const curl = (data: string): string =>
      `\n\nPOST Request Sent from LiteLLM:\ncurl -X POST \\\nhttps://api.anthropic.com/v1/messages \\\n-H 'x-api-key: sk-a****' -H 'a: b' \\\n-d '${data}'\n`
    const { exchanges } = await readAll(
      liteLlm,
      lines(...[python, json].map((data) => payload({ metadata: { raw_request: curl(data) } }))),
    )
    expect(exchanges.map(({ fidelity }) => fidelity.level)).toEqual(['body', 'body'])
    expect(exchanges[0]?.request).toEqual({
      model: 'claude-sonnet-4-5',
      messages: [{ role: 'user', content: [{ type: 'text', text: "it's \n😀", x: null, y: true }] }],
      max_tokens: 9,
    })
    expect(exchanges[1]?.request).toEqual(JSON.parse(json))
    expect(exchanges[0]?.usage).toMatchObject({ total: 120, output: 5 })
  })

  it('fall back to the messages where the raw request is none', async () => {
    const raws = [
      'Unable to Log',
      "-d '{'a': <object at 0x1>}'",
      "curl -d '",
      "-d ''",
      "-d '{'model': __import__('os')}'",
    ]
    const { exchanges } = await readAll(
      liteLlm,
      lines(...raws.map((raw_request) => payload({ metadata: { raw_request } }))),
    )
    expect(exchanges.map(({ fidelity }) => fidelity.level)).toEqual(raws.map(() => 'prompt'))
  })

  it('are read from spend logs, as a list and in the answer of the API', async () => {
    const row = {
      request_id: 'chatcmpl-9',
      call_type: 'anthropic_messages',
      spend: 0.1,
      prompt_tokens: 7,
      completion_tokens: 2,
      startTime: '2026-11-27 10:00:00.123456',
      endTime: '2026-11-27T10:00:02Z',
      model: 'bedrock/us.anthropic.claude-sonnet-4-5-20250929-v1:0',
      custom_llm_provider: 'bedrock',
      cache_hit: 'None',
      session_id: 's1',
      messages: '{}',
      response: '{}',
      proxy_server_request: JSON.stringify({
        model: 'claude-sonnet-4-5',
        system: 'S',
        messages: [{ role: 'user', content: 'hi' }],
        max_tokens: 1,
      }),
      metadata: JSON.stringify({
        status: 'failure',
        error_information: { error_code: '429', error_message: 'slow down' },
      }),
    }
    for (const text of [
      JSON.stringify([row]),
      JSON.stringify({ data: [row] }),
      JSON.stringify({ data: [row] }, null, 2),
    ]) {
      const { recognised, exchanges, unread } = await readAll(liteLlm, text)
      expect(recognised).toBe(true)
      expect(unread).toEqual([])
      expect(exchanges).toMatchObject([
        {
          provider: 'bedrock',
          model: 'us.anthropic.claude-sonnet-4-5-20250929-v1:0',
          startedAt: Date.UTC(2026, 10, 27, 10, 0, 0, 123),
          status: 429,
          error: 'slow down',
          response: undefined,
          ids: { session: 's1', request: 'chatcmpl-9' },
          usage: { total: 7, output: 2 },
          fidelity: { level: 'prompt', tools: true, system: true, breakpoints: true },
        },
      ])
      expect(exchanges[0]?.usage?.read).toBeUndefined()
    }
  })

  it('say where the prompt was cut or blacked out, and keep the usage', async () => {
    const cut = payload({ messages: [{ role: 'user', content: 'abc... (litellm_truncated skipped 9 chars) ...xyz' }] })
    const black = payload({ messages: [{ role: 'user', content: 'redacted-by-litellm' }] })
    const none = payload({ messages: '{}' })
    const { exchanges, unread } = await readAll(liteLlm, lines(cut, black, none))
    expect(unread).toMatchObject([
      { kind: 'truncated', line: 1, message: expect.stringMatching(/MAX_STRING_LENGTH/) as string },
    ])
    expect(exchanges.map(({ request }) => request)).toEqual([undefined, undefined, undefined])
    expect(exchanges.map(({ fidelity }) => [fidelity.level, fidelity.redacted])).toEqual([
      ['usage', false],
      ['usage', true],
      ['usage', false],
    ])
    expect(exchanges.map(({ usage }) => usage?.read)).toEqual([100, 100, 100])
  })

  it('leave out what no provider was asked for', async () => {
    const { exchanges, unread } = await readAll(
      liteLlm,
      `${lines(payload({ cache_hit: true }), payload({ call_type: 'aembedding' }), { a: 1 })}{"call_type":`,
    )
    expect(exchanges).toEqual([])
    expect(unread.map(({ kind, line }) => [kind, line])).toEqual([
      ['other-traffic', 1],
      ['other-traffic', 2],
      ['unknown-shape', 3],
      ['broken', 4],
    ])
  })

  it('are found inside of what a callback was given, and for every provider in its format', async () => {
    const formats = await Promise.all(
      [
        { custom_llm_provider: 'openai', model: 'gpt-5' },
        { custom_llm_provider: 'gemini', model: 'gemini/gemini-2.5-pro' },
        { custom_llm_provider: 'bedrock', model: 'amazon.nova-pro-v1:0' },
        { custom_llm_provider: 'vertex_ai', model: 'claude-sonnet-4-5@20250929' },
      ].map(async (more) => {
        const { exchanges } = await readAll(liteLlm, lines({ kwargs: { standard_logging_object: payload(more) } }))
        const [exchange] = exchanges
        return [exchange?.provider, exchange?.model, layout(exchange?.request, { model: exchange?.model }).format]
      }),
    )
    expect(formats).toEqual([
      ['openai', 'gpt-5', 'openai-chat'],
      ['gemini', 'gemini-2.5-pro', 'gemini'],
      ['bedrock', 'amazon.nova-pro-v1:0', 'bedrock-converse'],
      ['vertex', 'claude-sonnet-4-5@20250929', 'anthropic'],
    ])
  })
})
