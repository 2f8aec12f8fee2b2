import { describe, expect, it } from 'vitest'
import { layout } from '../../../cache/index.ts'
import { inputOf, readAll } from '../test-input.ts'
import { langfuse } from './langfuse.ts'

const messages = [
  { role: 'system', content: 'S' },
  { role: 'user', content: 'hi, "you"\n\nthere' },
]
const tools = [{ type: 'function', function: { name: 'ls', description: 'd', parameters: { type: 'object' } } }]
const usage = { input: 10, input_cache_read: 100, input_cache_creation: 5, output: 3, total: 118 }

/** A row of the export to blob storage. */
function row(more: object = {}): Record<string, unknown> {
  return {
    id: 'obs-1',
    trace_id: 'trace-1',
    session_id: 'session-1',
    parent_observation_id: null,
    type: 'GENERATION',
    name: 'ChatAnthropic',
    start_time: '2026-11-27 10:00:00.250000',
    end_time: '2026-11-27 10:00:02.000000',
    provided_model_name: 'claude-sonnet-4-5',
    model_parameters: { max_tokens: 9 },
    input: JSON.stringify({ messages, tools }),
    output: '{"role":"assistant","content":"a"}',
    usage_details: usage,
    level: 'DEFAULT',
    ...more,
  }
}

/** The same as the API answers. */
function camel(from: Record<string, unknown>): Record<string, unknown> {
  const { provided_model_name: model, ...rest } = from
  const named = Object.entries(rest).map(([name, value]) => [
    name.replace(/_(\w)/g, (_, letter: string) => letter.toUpperCase()),
    value,
  ])
  return { ...(Object.fromEntries(named) as object), model }
}

function csv(rows: readonly Record<string, unknown>[]): string {
  const cell = (value: unknown): string => {
    const text = typeof value === 'string' ? value : value === null ? '' : JSON.stringify(value)
    return /[",\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text
  }
  return [Object.keys(rows[0] ?? {}), ...rows.map((each) => Object.values(each))]
    .map((cells) => cells.map(cell).join(','))
    .join('\r\n')
}

describe('exports of Langfuse', () => {
  it('are the same calls in every wrapping', async () => {
    const wrapped = {
      lines: `${JSON.stringify(row())}\n`,
      api: JSON.stringify({ data: [camel(row({ input: { messages, tools } }))], meta: { page: 1 } }),
      pages: JSON.stringify([camel(row())], null, 2),
      trace: JSON.stringify({ id: 'trace-1', observations: [camel(row())] }, null, 2),
      csv: csv([row()]),
    }
    for (const [name, text] of Object.entries(wrapped)) {
      const { recognised, exchanges, unread } = await readAll(langfuse, text)
      expect([name, recognised, unread]).toEqual([name, true, []])
      expect(exchanges).toMatchObject([
        {
          kind: 'generate',
          model: 'claude-sonnet-4-5',
          startedAt: Date.UTC(2026, 10, 27, 10, 0, 0, 250),
          endedAt: Date.UTC(2026, 10, 27, 10, 0, 2),
          response: { role: 'assistant', content: 'a' },
          usage: { total: 115, read: 100, write5m: 5, uncached: 10, output: 3 },
          ids: { request: 'obs-1', session: 'session-1', agent: 'ChatAnthropic' },
          fidelity: { level: 'prompt', tools: true, system: true, breakpoints: false, parameters: false, time: true },
        },
      ])
      const { format, segments } = layout(exchanges[0]?.request)
      expect([name, format]).toEqual([name, 'anthropic'])
      expect(segments.map(({ content }) => content).slice(1)).toEqual(['S', 'hi, "you"\n\nthere'])
    }
  })

  it('read every kind of input that is a prompt, and say which is none', async () => {
    const inputs = [
      'just a text',
      JSON.stringify(messages),
      { contents: [{ parts: [{ text: 'a' }] }] },
      { input: [{ role: 'user', content: 'a' }], instructions: 'b' },
      [
        { type: 'human', content: 'a' },
        { type: 'ai', content: 'b' },
      ],
      { question: 'why' },
      null,
    ]
    const text = inputs.map((input) => JSON.stringify(row({ input, provided_model_name: 'gpt-5' }))).join('\n')
    const { exchanges, unread } = await readAll(langfuse, text)
    const formats = exchanges.map(({ request }) => (request === undefined ? undefined : layout(request).format))
    expect(formats).toEqual([
      'openai-chat',
      'openai-chat',
      'gemini',
      'openai-responses',
      'openai-chat',
      undefined,
      undefined,
    ])
    expect(unread.map(({ kind, line }) => [kind, line])).toEqual([
      ['no-body', 6],
      ['no-body', 7],
    ])
    expect(exchanges.map(({ fidelity }) => fidelity.level).slice(4)).toEqual(['prompt', 'usage', 'usage'])
  })

  it('take tools from wherever they are', async () => {
    const definition = JSON.stringify({ description: 'd', parameters: { type: 'object' } })
    const rows = [
      row({ input: messages, metadata: { tools } }),
      row({ input: messages, model_parameters: { tools: JSON.stringify(tools) } }),
      row({ input: messages, tool_definitions: { ls: definition } }),
      row({ input: messages }),
    ]
    const { exchanges } = await readAll(langfuse, rows.map((each) => JSON.stringify(each)).join('\n'))
    const named = exchanges.map(
      ({ request }) => layout(request).segments.filter(({ section }) => section === 'tools').length,
    )
    expect(named).toEqual([1, 1, 1, 0])
    expect(exchanges.map(({ fidelity }) => fidelity.tools)).toEqual([true, true, true, false])
  })

  it('count cached tokens by the convention that the numbers follow', async () => {
    const reports = [
      { input: 10, input_cached_tokens: 100, output: 3, output_reasoning_tokens: 2 },
      { input: 110, cache_read_input_tokens: 100, output: 3, total: 113 },
      {
        input: 10,
        cache_read_input_tokens: 100,
        cache_creation_input_tokens: 5,
        cache_creation_1h: 7,
        output: 3,
        total: 125,
      },
      { input: 10, output: 3, total: 13 },
      { promptTokens: 10, completionTokens: 3 },
      {},
    ]
    const rows = reports.map((usage_details) => JSON.stringify(row({ usage_details })))
    const { exchanges } = await readAll(langfuse, rows.join('\n'))
    const read = exchanges.map(
      ({ usage: found }) => found && [found.total, found.read, found.write5m, found.write1h, found.output],
    )
    expect(read).toEqual([
      [110, 100, undefined, undefined, 5],
      [110, 100, undefined, undefined, 3],
      [122, 100, 5, 7, 3],
      [10, undefined, undefined, undefined, 3],
      [10, undefined, undefined, undefined, 3],
      undefined,
    ])
  })

  it('leave spans out, keep failures, and name what is broken', async () => {
    const text = [
      JSON.stringify(row({ type: 'SPAN' })),
      JSON.stringify(row({ level: 'ERROR', status_message: 'overloaded', output: null })),
      '{"id":',
      '{"a":1}',
    ].join('\n')
    const { exchanges, unread } = await readAll(langfuse, text)
    expect(exchanges).toMatchObject([{ error: 'overloaded', response: undefined, source: { line: 2 } }])
    expect(unread.map(({ kind, line }) => [kind, line])).toEqual([
      ['other-traffic', 1],
      ['broken', 3],
      ['unknown-shape', 4],
    ])
  })

  it('in CSV may be cut off inside of a row', async () => {
    const text = csv([row(), row()])
    const { exchanges, unread } = await readAll(langfuse, text.slice(0, text.lastIndexOf('there') + 3))
    expect(exchanges).toHaveLength(1)
    expect(unread).toMatchObject([{ kind: 'broken', line: 3 }])
  })

  it('are told from other tables and lists', () => {
    for (const text of ['id,name,type\n1,2,3\n', 'start_time,trace_id\n', '[]', '{"data":[{"id":1}]}', '']) {
      expect(langfuse.recognises(inputOf(text).head)).toBe(false)
    }
  })
})
