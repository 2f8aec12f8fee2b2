import { describe, expect, it } from 'vitest'
import { layout } from '../../../cache/index.ts'
import { readAll } from '../test-input.ts'
import { otelGenAi } from './otel-genai.ts'

type Attributes = Readonly<Record<string, unknown>>

function otlpValue(value: unknown): object {
  if (typeof value === 'number') return { intValue: String(value) }
  if (typeof value === 'boolean') return { boolValue: value }
  if (typeof value === 'string') return { stringValue: value }
  if (Array.isArray(value)) return { arrayValue: { values: value.map(otlpValue) } }
  return { kvlistValue: { values: otlpAttributes(value as Attributes) } }
}

function otlpAttributes(attributes: Attributes): object[] {
  return Object.entries(attributes).map(([key, value]) => ({ key, value: otlpValue(value) }))
}

const usage = {
  'gen_ai.usage.input_tokens': 120,
  'gen_ai.usage.output_tokens': 4,
  'gen_ai.usage.cache_read.input_tokens': 100,
  'gen_ai.usage.cache_creation.input_tokens': 5,
}

const input = [
  { role: 'user', parts: [{ type: 'text', content: 'hi' }] },
  { role: 'assistant', parts: [{ type: 'tool_call', id: 'c1', name: 'ls', arguments: { path: '.' } }] },
  { role: 'tool', parts: [{ type: 'tool_call_response', id: 'c1', response: 'b' }] },
]

const call: Attributes = {
  'gen_ai.operation.name': 'chat',
  'gen_ai.provider.name': 'anthropic',
  'gen_ai.request.model': 'claude-sonnet-4-5',
  'gen_ai.response.id': 'msg_1',
  'gen_ai.response.model': 'claude-sonnet-4-5-20250929',
  'gen_ai.conversation.id': 'conversation-1',
  'server.address': 'api.anthropic.com',
  ...usage,
}

const content: Attributes = {
  'gen_ai.system_instructions': JSON.stringify([{ type: 'text', content: 'S' }]),
  'gen_ai.input.messages': JSON.stringify(input),
  'gen_ai.tool.definitions': JSON.stringify([
    { type: 'function', name: 'ls', description: 'd', parameters: { type: 'object' } },
  ]),
  'gen_ai.output.messages': JSON.stringify([{ role: 'assistant', parts: [{ type: 'text', content: 'a' }] }]),
}

function span(attributes: Attributes, more: object = {}): object {
  return {
    traceId: 'trace-1',
    spanId: 'a',
    name: 'chat claude-sonnet-4-5',
    startTimeUnixNano: '1764237600250000000',
    endTimeUnixNano: '1764237602000000000',
    attributes: otlpAttributes(attributes),
    status: {},
    ...more,
  }
}

const otlp = (...spans: readonly object[]): object => ({
  resourceSpans: [{ resource: {}, scopeSpans: [{ scope: {}, spans }] }],
})

const withContent = { ...call, ...content }

describe('GenAI spans', () => {
  it('of OTLP are calls, with prompts where content was captured', async () => {
    const document = otlp(span(withContent), span({ 'http.method': 'GET' }))
    for (const text of [JSON.stringify(document), JSON.stringify(document, null, 2)]) {
      const { recognised, exchanges, unread } = await readAll(otelGenAi, text)
      expect(recognised).toBe(true)
      expect(unread.map(({ kind }) => kind)).toEqual(['other-traffic'])
      expect(exchanges).toMatchObject([
        {
          provider: 'anthropic',
          model: 'claude-sonnet-4-5',
          host: 'api.anthropic.com',
          startedAt: 1_764_237_600_250,
          endedAt: 1_764_237_602_000,
          usage: { total: 120, read: 100, write5m: 5, uncached: 15, output: 4 },
          ids: { response: 'msg_1', session: 'conversation-1' },
          fidelity: { level: 'prompt', tools: true, system: true, breakpoints: false, parameters: false, time: true },
        },
      ])
      const { format, segments } = layout(exchanges[0]?.request)
      expect(format).toBe('anthropic')
      expect(segments.map(({ role, type }) => `${role} ${type}`)).toEqual([
        'tool tool',
        'system text',
        'user text',
        'assistant tool_use',
        'user tool_result',
      ])
    }
  })

  it('without content are usage only', async () => {
    const { exchanges } = await readAll(otelGenAi, JSON.stringify(otlp(span(call))))
    expect(exchanges).toMatchObject([
      { request: undefined, fidelity: { level: 'usage', tools: false, system: false }, usage: { read: 100 } },
    ])
    expect(JSON.stringify(exchanges[0]?.usage)).not.toContain('conversation')
  })

  it('may have their content on an event, or as structured values', async () => {
    const event = { name: 'gen_ai.client.inference.operation.details', attributes: otlpAttributes(content) }
    const structured = { ...call, 'gen_ai.response.id': 'msg_2', 'gen_ai.input.messages': input }
    const { exchanges } = await readAll(
      otelGenAi,
      JSON.stringify(otlp(span(call, { events: [event] }), span(structured))),
    )
    expect(exchanges.map(({ request }) => layout(request).segments.length)).toEqual([5, 3])
  })

  it('go on from each other: what grew at the end is an appended prompt', async () => {
    const [first, second] = [input.slice(0, 1), input].map((messages, at) => ({
      ...call,
      'gen_ai.response.id': `msg_${at}`,
      'gen_ai.input.messages': JSON.stringify(messages),
    }))
    const { exchanges } = await readAll(otelGenAi, JSON.stringify(otlp(span(first ?? {}), span(second ?? {}))))
    const [before = [], after = []] = exchanges.map(({ request }) =>
      layout(request).segments.map((each) => each.content),
    )
    expect(after.slice(0, before.length)).toEqual(before)
  })

  it('of older OpenLLMetry have numbered attributes', async () => {
    const old: Attributes = {
      'llm.request.type': 'chat',
      'gen_ai.system': 'OpenAI',
      'gen_ai.request.model': 'gpt-4o',
      'gen_ai.prompt.0.role': 'system',
      'gen_ai.prompt.0.content': 'S',
      'gen_ai.prompt.1.role': 'user',
      'gen_ai.prompt.1.content': '[{"type":"text","text":"hi"}]',
      'gen_ai.prompt.2.role': 'assistant',
      'gen_ai.prompt.2.tool_calls.0.id': 'c1',
      'gen_ai.prompt.2.tool_calls.0.name': 'ls',
      'gen_ai.prompt.2.tool_calls.0.arguments': '{"path":"."}',
      'gen_ai.prompt.10.role': 'user',
      'gen_ai.prompt.10.content': '[1, 2]',
      'gen_ai.prompt.3.role': 'tool',
      'gen_ai.prompt.3.tool_call_id': 'c1',
      'gen_ai.prompt.3.content': 'b',
      'llm.request.functions.0.name': 'ls',
      'llm.request.functions.0.description': 'd',
      'llm.request.functions.0.parameters': '{"type":"object"}',
      'gen_ai.usage.prompt_tokens': 9,
      'gen_ai.usage.completion_tokens': 1,
      'gen_ai.usage.cache_read_input_tokens': 3,
    }
    const { exchanges } = await readAll(otelGenAi, JSON.stringify(otlp(span(old))))
    expect(exchanges).toMatchObject([{ provider: 'openai', usage: { total: 9, read: 3, output: 1 } }])
    const { format, segments } = layout(exchanges[0]?.request)
    expect(format).toBe('openai-chat')
    expect(segments.map(({ role }) => role)).toEqual(['tool', 'system', 'user', 'assistant', 'tool', 'user'])
    expect(segments.at(-1)?.content).toBe('[1, 2]')
  })

  it('may be a flat list as SDKs dump it, with any clock', async () => {
    const flat = {
      name: 'chat',
      context: { trace_id: '0x1' },
      attributes: withContent,
      status: { status_code: 'ERROR', description: 'overloaded' },
    }
    const rows = [
      { ...flat, start_time: '2026-11-27T10:00:00.250000Z', end_time: '2026-11-27T10:00:02Z' },
      {
        ...flat,
        attributes: { ...withContent, 'gen_ai.response.id': 'msg_2' },
        startTime: [1_795_773_600, 250_000_000],
        endTime: [1_795_773_602, 0],
      },
    ]
    for (const text of [
      JSON.stringify(rows),
      rows.map((each) => JSON.stringify(each)).join('\n'),
      JSON.stringify({ spans: rows }, null, 1),
    ]) {
      const { recognised, exchanges, unread } = await readAll(otelGenAi, text)
      expect(recognised).toBe(true)
      expect(unread).toEqual([])
      expect(exchanges.map(({ startedAt }) => startedAt)).toEqual([
        Date.UTC(2026, 10, 27, 10, 0, 0, 250),
        Date.UTC(2026, 10, 27, 10, 0, 0, 250),
      ])
      expect(exchanges.map(({ error }) => error)).toEqual(['overloaded', 'overloaded'])
    }
  })

  it('count an answer once, and no agent or tool that encloses it', async () => {
    const agent = { ...call, 'gen_ai.operation.name': 'invoke_agent' }
    const tool = { 'gen_ai.operation.name': 'execute_tool', 'gen_ai.tool.name': 'ls' }
    const { exchanges, unread } = await readAll(
      otelGenAi,
      JSON.stringify(otlp(span(call), span(call), span(agent), span(tool))),
    )
    expect(exchanges).toHaveLength(1)
    expect(unread.map(({ kind }) => kind)).toEqual(['other-traffic', 'other-traffic', 'other-traffic'])
  })

  it('of the AI SDK have its own names for prompts and cached tokens', async () => {
    const sdk: Attributes = {
      'operation.name': 'ai.generateText.doGenerate',
      'gen_ai.system': 'anthropic.messages',
      'gen_ai.request.model': 'claude-sonnet-4-5',
      'gen_ai.usage.input_tokens': 20,
      'gen_ai.usage.output_tokens': 2,
      'ai.usage.cachedInputTokens': 15,
      'ai.prompt.messages': JSON.stringify([
        { role: 'system', content: 'S' },
        { role: 'user', content: [{ type: 'text', text: 'hi' }] },
      ]),
      'ai.prompt.tools': [JSON.stringify({ type: 'function', name: 'ls', inputSchema: { type: 'object' } })],
    }
    const { exchanges } = await readAll(otelGenAi, JSON.stringify(otlp(span(sdk))))
    expect(exchanges).toMatchObject([
      { provider: 'anthropic', usage: { total: 20, read: 15 }, fidelity: { tools: true } },
    ])
    expect(layout(exchanges[0]?.request).segments.map(({ section }) => section)).toEqual([
      'tools',
      'system',
      'messages',
    ])
  })

  it('survive what is broken or hostile', async () => {
    const hostile = {
      ...call,
      'gen_ai.input.messages': '[{"role":',
      'gen_ai.prompt.0.__proto__': 'x',
      'gen_ai.prompt.999999999999.role': 'user',
    }
    const text = [
      JSON.stringify(otlp(span(hostile), 7 as unknown as object, span({ 'gen_ai.operation.name': 'chat' }))),
      '{"resourceSpans":[',
      '{"other":1}',
      '[]',
    ].join('\n')
    const { exchanges, unread } = await readAll(otelGenAi, text)
    expect(exchanges).toHaveLength(2)
    expect(unread.map(({ kind, line }) => [kind, line])).toEqual([
      ['other-traffic', 1],
      ['broken', 2],
      ['unknown-shape', 3],
      ['unknown-shape', 4],
    ])
  })
})
