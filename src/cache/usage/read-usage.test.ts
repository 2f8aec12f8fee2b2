import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import type { Usage } from '../../base/usage.ts'
import { readUsage, type ReadUsageOptions, type UsageFormat } from './read-usage.ts'

/** The buckets, without what the report looked like. */
function buckets(response: unknown, options?: ReadUsageOptions): Omit<Usage, 'raw' | 'anomalies'> {
  const { raw: _, anomalies: __, ...rest } = readUsage(response, options)
  return rest
}
const anomalies = (usage: Usage): string[] => (usage.anomalies ?? []).map(({ type }) => type)
const sse = (...events: readonly unknown[]): string =>
  events.map((event) => `data: ${typeof event === 'string' ? event : JSON.stringify(event)}\n\n`).join('')

// One row per row of the table of providers: the report, and its buckets.
const cases: readonly (readonly [name: string, usage: object, expected: Omit<Usage, 'raw'>])[] = [
  [
    'Anthropic, writes split by lifetime',
    {
      input_tokens: 10,
      cache_read_input_tokens: 2000,
      cache_creation_input_tokens: 300,
      cache_creation: { ephemeral_5m_input_tokens: 100, ephemeral_1h_input_tokens: 200 },
      output_tokens: 50,
      output_tokens_details: { thinking_tokens: 20 },
      service_tier: 'standard',
    },
    { total: 2310, uncached: 10, read: 2000, write5m: 100, write1h: 200, output: 50, reasoning: 20 },
  ],
  [
    'Anthropic, and MiniMax in its manner, without the split',
    { input_tokens: 10, cache_read_input_tokens: 0, cache_creation_input_tokens: 300, output_tokens: 50 },
    { total: 310, uncached: 10, read: 0, write5m: 300, output: 50 },
  ],
  ['Anthropic without cache fields', { input_tokens: 10, output_tokens: 5 }, { total: 10, uncached: 10, output: 5 }],
  [
    'Anthropic with a grand total that a gateway added',
    { input_tokens: 900, cache_read_input_tokens: 800, output_tokens: 5, total_tokens: 905 },
    { total: 1700, uncached: 900, read: 800, output: 5 },
  ],
  [
    'Bedrock Converse',
    { inputTokens: 10, outputTokens: 5, totalTokens: 1115, cacheReadInputTokens: 1000, cacheWriteInputTokens: 100 },
    { total: 1110, uncached: 10, read: 1000, write5m: 100, output: 5 },
  ],
  [
    'Bedrock Converse, writes split by lifetime',
    {
      inputTokens: 10,
      outputTokens: 5,
      cacheReadInputTokens: 1000,
      cacheWriteInputTokens: 100,
      cacheDetails: [
        { ttl: '1h', inputTokens: 70 },
        { ttl: '5m', inputTokens: 30 },
      ],
    },
    { total: 1110, uncached: 10, read: 1000, write5m: 30, write1h: 70, output: 5 },
  ],
  [
    'OpenAI Responses',
    {
      input_tokens: 5000,
      input_tokens_details: { cached_tokens: 3000, cache_write_tokens: 1500 },
      output_tokens: 70,
      output_tokens_details: { reasoning_tokens: 40 },
      total_tokens: 5070,
    },
    { total: 5000, read: 3000, write30m: 1500, uncached: 500, output: 70, reasoning: 40 },
  ],
  [
    'OpenAI Chat, Azure',
    {
      prompt_tokens: 5000,
      prompt_tokens_details: { cached_tokens: 3000, cache_write_tokens: 0 },
      completion_tokens: 70,
      completion_tokens_details: { reasoning_tokens: 0 },
      total_tokens: 5070,
    },
    { total: 5000, read: 3000, write30m: 0, uncached: 2000, output: 70, reasoning: 0 },
  ],
  [
    'OpenAI before details were reported',
    { prompt_tokens: 50, completion_tokens: 7, total_tokens: 57 },
    { total: 50, output: 7 },
  ],
  [
    'OpenRouter, with its charge',
    {
      prompt_tokens: 5000,
      prompt_tokens_details: { cached_tokens: 3000, cache_write_tokens: 1500 },
      completion_tokens: 70,
      total_tokens: 5070,
      cost: 0.0123,
      cost_details: { upstream_inference_cost: null },
      is_byok: false,
    },
    {
      total: 5000,
      read: 3000,
      write30m: 1500,
      uncached: 500,
      output: 70,
      cost: { amount: 0.0123, currency: 'USD', field: 'usage.cost' },
    },
  ],
  [
    'OpenRouter with the key of the user, where the fee is not the charge',
    {
      prompt_tokens: 50,
      prompt_tokens_details: { cached_tokens: 0 },
      completion_tokens: 7,
      cost: 0.001,
      cost_details: { upstream_inference_cost: 0.02 },
      is_byok: true,
    },
    {
      total: 50,
      read: 0,
      uncached: 50,
      output: 7,
      cost: { amount: 0.021, currency: 'USD', field: 'usage.cost + usage.cost_details.upstream_inference_cost' },
    },
  ],
  [
    'Qwen, explicit cache',
    {
      prompt_tokens: 3000,
      prompt_tokens_details: {
        cached_tokens: 1000,
        cache_creation_input_tokens: 1500,
        cache_creation: { ephemeral_5m_input_tokens: 1500 },
        cache_type: 'ephemeral',
      },
      completion_tokens: 10,
      total_tokens: 3010,
    },
    { total: 3000, read: 1000, write5m: 1500, uncached: 500, output: 10 },
  ],
  [
    'DeepSeek',
    { prompt_tokens: 1000, prompt_cache_hit_tokens: 640, prompt_cache_miss_tokens: 360, completion_tokens: 10 },
    { total: 1000, read: 640, uncached: 360, output: 10 },
  ],
  [
    'xAI Chat, with its charge and the reasoning left out',
    {
      prompt_tokens: 1000,
      prompt_tokens_details: { cached_tokens: 256 },
      completion_tokens: 10,
      completion_tokens_details: { reasoning_tokens: 90 },
      total_tokens: 1100,
      cost_in_usd_ticks: 318_319_000,
    },
    {
      total: 1000,
      read: 256,
      uncached: 744,
      output: 100,
      reasoning: 90,
      cost: { amount: 0.0318319, currency: 'USD', field: 'usage.cost_in_usd_ticks' },
    },
  ],
  [
    'Kimi, older',
    { prompt_tokens: 1000, cached_tokens: 768, completion_tokens: 10, total_tokens: 1010 },
    { total: 1000, read: 768, uncached: 232, output: 10 },
  ],
  [
    'Groq, Mistral, GLM, vLLM',
    { prompt_tokens: 1000, prompt_tokens_details: { cached_tokens: 512 }, completion_tokens: 10, total_tokens: 1010 },
    { total: 1000, read: 512, uncached: 488, output: 10 },
  ],
  [
    'LiteLLM, which has the fields of two families and counts the cached tokens in',
    {
      prompt_tokens: 1000,
      completion_tokens: 10,
      total_tokens: 1010,
      cache_read_input_tokens: 600,
      cache_creation_input_tokens: 300,
    },
    { total: 1000, read: 600, write5m: 300, uncached: 100, output: 10 },
  ],
  [
    'Gemini generateContent',
    {
      promptTokenCount: 1000,
      toolUsePromptTokenCount: 50,
      cachedContentTokenCount: 800,
      candidatesTokenCount: 10,
      thoughtsTokenCount: 30,
      totalTokenCount: 1090,
    },
    { total: 1050, read: 800, uncached: 250, output: 40, reasoning: 30 },
  ],
  [
    'Gemini generateContent without a read, whose 0 is left out',
    { promptTokenCount: 1000, candidatesTokenCount: 10, totalTokenCount: 1010 },
    { total: 1000, uncached: 1000, output: 10 },
  ],
  [
    'Gemini Interactions',
    {
      total_input_tokens: 1000,
      total_cached_tokens: 800,
      total_output_tokens: 10,
      total_thought_tokens: 30,
      total_tool_use_tokens: 0,
      total_tokens: 1040,
    },
    { total: 1000, read: 800, uncached: 200, output: 40, reasoning: 30 },
  ],
  [
    'OTel GenAI',
    {
      'gen_ai.provider.name': 'openai',
      'gen_ai.usage.input_tokens': 1000,
      'gen_ai.usage.cache_read.input_tokens': 600,
      'gen_ai.usage.cache_creation.input_tokens': 300,
      'gen_ai.usage.output_tokens': 10,
    },
    { total: 1000, read: 600, write30m: 300, uncached: 100, output: 10 },
  ],
  [
    'OTel GenAI, older names and counts as text',
    {
      'gen_ai.system': 'aws.bedrock',
      'gen_ai.usage.prompt_tokens': '1000',
      'gen_ai.usage.cache_read_input_tokens': '600',
      'gen_ai.usage.cache_write.input_tokens': '300',
      'gen_ai.usage.completion_tokens': '10',
    },
    { total: 1000, read: 600, write5m: 300, uncached: 100, output: 10 },
  ],
]

describe('readUsage', () => {
  it.each(cases)('reads %s, bare', (_, usage, expected) => {
    expect(buckets(usage)).toEqual(expected)
    expect(readUsage(usage).raw).toBe(usage)
  })

  it.each(cases)('reads %s, in a response or as JSON text', (_, usage, expected) => {
    const response = 'promptTokenCount' in usage ? { candidates: [], usageMetadata: usage } : { id: 'x', usage }
    expect(buckets(response)).toEqual(expected)
    expect(buckets(JSON.stringify(response))).toEqual(expected)
    expect(readUsage(response).raw).toBe(usage)
  })

  it('counts unsplit writes at the lifetime that was asked for', () => {
    const usage = { input_tokens: 10, cache_read_input_tokens: 0, cache_creation_input_tokens: 300, output_tokens: 5 }
    expect(buckets(usage, { ttl: '1h' })).toMatchObject({ write1h: 300, total: 310 })
    expect(buckets({ inputTokens: 1, cacheWriteInputTokens: 9 }, { ttl: '1h' })).toMatchObject({
      write1h: 9,
      total: 10,
    })
  })

  it('counts the writes of a gateway that answers for Claude as those of Claude', () => {
    const usage = { prompt_tokens: 9, prompt_tokens_details: { cached_tokens: 0, cache_write_tokens: 5 } }
    expect(buckets({ model: 'anthropic/claude-opus-5.5', usage })).toMatchObject({ write5m: 5, uncached: 4 })
    expect(buckets({ model: 'openai/gpt-5.6-sol', usage })).toMatchObject({ write30m: 5, uncached: 4 })
  })

  it('takes the family that it is given', () => {
    expect(buckets({ input_tokens: 9, cache_read_input_tokens: 4 }, { format: 'openai' })).toEqual({})
    expect(buckets({ input_tokens: 9, total_tokens: 9 }, { format: 'anthropic' })).toEqual({ total: 9, uncached: 9 })
  })

  it('reads what the AI SDK makes of a report, where cached tokens are counted in, and not as that of Bedrock', () => {
    const flat = { inputTokens: 9, outputTokens: 1, totalTokens: 10, cachedInputTokens: 4 }
    expect(readUsage({ usage: flat })).toEqual({ total: 9, uncached: 5, read: 4, output: 1, raw: flat })
    const detailed = {
      inputTokens: 20,
      inputTokenDetails: { noCacheTokens: 3, cacheReadTokens: 12, cacheWriteTokens: 5 },
      outputTokens: 7,
      outputTokenDetails: { textTokens: 4, reasoningTokens: 3 },
      totalTokens: 27,
    }
    const buckets = { total: 20, uncached: 3, read: 12, write5m: 5, output: 7, reasoning: 3 }
    expect(readUsage({ usage: detailed })).toEqual({ ...buckets, raw: detailed })
    expect(readUsage(detailed)).toEqual({ ...buckets, raw: detailed })
  })

  it('reads the report of the provider where the AI SDK kept it', () => {
    const raw = {
      input_tokens: 3,
      cache_read_input_tokens: 12,
      cache_creation_input_tokens: 5,
      cache_creation: { ephemeral_5m_input_tokens: 0, ephemeral_1h_input_tokens: 5 },
      output_tokens: 7,
    }
    const usage = { inputTokens: 20, inputTokenDetails: { cacheReadTokens: 12 }, outputTokens: 7, raw }
    for (const response of [{ text: 'Hi.', usage }, usage]) {
      expect(readUsage(response)).toMatchObject({ total: 20, read: 12, write1h: 5, uncached: 3, output: 7, raw })
    }
  })

  it.each([
    undefined,
    null,
    0,
    'Bad gateway',
    '',
    '[DONE]',
    [],
    {},
    { usage: null },
    { error: { type: 'overloaded_error' } },
  ])('has nothing but the raw value for %j, and says so', (response) => {
    const message = expect.stringContaining('No usage of a known shape') as string
    expect(readUsage(response)).toEqual({ raw: response, anomalies: [{ type: 'not-recognised', message }] })
  })

  it('never throws', () => {
    const names = fc.constantFrom(
      'usage',
      'usageMetadata',
      'message',
      'input_tokens',
      'cache_creation',
      'iterations',
      'prompt_tokens',
      'prompt_tokens_details',
      'cached_tokens',
      'choices',
      'inputTokens',
      'cacheDetails',
      'promptTokenCount',
      'attributes',
      'gen_ai.usage.input_tokens',
      'data',
      'type',
      '__proto__',
    )
    const { value } = fc.letrec<{ value: unknown }>((tie) => ({
      value: fc.oneof(
        { maxDepth: 4 },
        fc.constantFrom(null, undefined, -1, 0, 7, Number.NaN, 'data: {"usage":{"input_tokens":1}}', '7', true),
        fc.array(tie('value'), { maxLength: 3 }),
        fc.dictionary(names, tie('value'), { maxKeys: 4, noNullPrototype: false }),
      ),
    }))
    const format = fc.constantFrom<UsageFormat | undefined>(
      undefined,
      'anthropic',
      'bedrock',
      'openai',
      'gemini',
      'otel',
    )
    fc.assert(
      fc.property(value, format, (response, format) => {
        const usage = readUsage(response, { format })
        for (const count of [usage.total, usage.read, usage.uncached, usage.output]) {
          if (count !== undefined) expect(count).toBeGreaterThanOrEqual(0)
        }
      }),
      { numRuns: 1000 },
    )
  })
})

describe('a count', () => {
  it.each([-1, 1e300, Infinity, Number.NaN, '1e9', '-1', null])(
    'is absent where %j stands, which adds up to nothing',
    (odd) => {
      const usage = readUsage(
        { usage: { input_tokens: odd, cache_read_input_tokens: 5, output_tokens: 7 } },
        { format: 'anthropic' },
      )
      expect([usage.uncached, usage.read, usage.output]).toEqual([undefined, 5, 7])
    },
  )
})

describe('a stream', () => {
  const start = {
    type: 'message_start',
    message: {
      model: 'claude-opus-5-5',
      usage: {
        input_tokens: 10,
        cache_read_input_tokens: 2000,
        cache_creation_input_tokens: 0,
        cache_creation: { ephemeral_5m_input_tokens: 0, ephemeral_1h_input_tokens: 0 },
        output_tokens: 1,
      },
    },
  }
  const text = { type: 'content_block_delta', index: 0, delta: { type: 'text_delta', text: 'usage' } }

  it('of Anthropic has its input at the start and its output at the end', () => {
    const delta = { type: 'message_delta', usage: { output_tokens: 50 } }
    const expected = { total: 2010, uncached: 10, read: 2000, write5m: 0, write1h: 0, output: 50 }
    expect(buckets([start, text, delta, { type: 'message_stop' }])).toEqual(expected)
    expect(buckets(sse(start, text, delta, { type: 'message_stop' }))).toEqual(expected)
    expect(buckets([start, delta].map((data) => ({ event: data.type, data: JSON.stringify(data) })))).toEqual(expected)
    expect(buckets([start, delta].map((data) => ({ event: data.type, data })))).toEqual(expected)
  })

  it('of Anthropic reports last what counts, unless it is null', () => {
    const usage = readUsage([
      start,
      { type: 'message_delta', usage: { input_tokens: 30, cache_read_input_tokens: 2500, output_tokens: 9 } },
      {
        type: 'message_delta',
        usage: {
          input_tokens: null,
          cache_read_input_tokens: null,
          cache_creation_input_tokens: 400,
          output_tokens: 50,
        },
      },
    ])
    expect(usage).toMatchObject({ total: 2930, uncached: 30, read: 2500, write5m: 400, write1h: 0, output: 50 })
    expect(anomalies(usage)).toEqual(['write-split-differs'])
  })

  it('of Anthropic that breaks off has no output', () => {
    const usage = readUsage(`${sse(start, text)}data: {"type":"message_del`)
    expect(usage).toMatchObject({ total: 2010, uncached: 10, read: 2000 })
    expect(usage.output).toBeUndefined()
    expect(anomalies(usage)).toEqual(['stream-incomplete'])
  })

  it('of Responses has its usage at the end', () => {
    const usage = { input_tokens: 9, input_tokens_details: { cached_tokens: 4 }, output_tokens: 1, total_tokens: 10 }
    const events = [
      { type: 'response.created', response: { id: 'r', usage: null } },
      { type: 'response.output_text.delta', delta: 'x' },
      { type: 'response.completed', response: { id: 'r', usage } },
    ]
    expect(buckets(events)).toEqual({ total: 9, read: 4, uncached: 5, output: 1 })
    expect(buckets(sse(...events))).toEqual(buckets(events))
  })

  it('of Chat has its usage in the last chunk that has one', () => {
    const usage = { prompt_tokens: 9, prompt_tokens_details: { cached_tokens: 4 }, completion_tokens: 1 }
    const chunk = { choices: [{ delta: { content: 'x' } }], usage: null }
    const expected = { total: 9, read: 4, uncached: 5, output: 1 }
    expect(buckets(sse(chunk, { choices: [], usage }, '[DONE]'))).toEqual(expected)
    expect(buckets([chunk, { choices: [{ delta: {}, finish_reason: 'stop', usage }] }])).toEqual(expected)
    expect(buckets([chunk, { choices: [], x_groq: { usage } }])).toEqual(expected)
    expect(buckets([chunk])).toEqual({})
  })

  it('of Gemini counts by its last chunk', () => {
    const chunks = [
      { usageMetadata: { promptTokenCount: 1000, totalTokenCount: 1000 } },
      { usageMetadata: { promptTokenCount: 1000, cachedContentTokenCount: 800, candidatesTokenCount: 10 } },
    ]
    const expected = { total: 1000, read: 800, uncached: 200, output: 10 }
    expect(buckets(chunks)).toEqual(expected)
    expect(buckets(JSON.stringify(chunks))).toEqual(expected)
    expect(buckets(sse(...chunks))).toEqual(expected)
  })

  it('of Interactions and of ConverseStream has its usage in one event', () => {
    const usage = { total_input_tokens: 9, total_cached_tokens: 4, total_output_tokens: 1 }
    expect(buckets([{ event_type: 'interaction.completed', interaction: { usage } }])).toMatchObject({
      read: 4,
      uncached: 5,
    })
    const metadata = { usage: { inputTokens: 5, cacheReadInputTokens: 4, outputTokens: 1 } }
    expect(buckets([{ messageStop: {} }, { metadata }])).toEqual({ total: 9, uncached: 5, read: 4, output: 1 })
  })
})

describe('iterations on the server', () => {
  const entry = (type: string, input: number, read: number, more?: object): object => ({
    type,
    input_tokens: input,
    cache_read_input_tokens: read,
    cache_creation_input_tokens: 0,
    output_tokens: 1,
    ...more,
  })

  it('are summed, with a compaction that the fields beside them leave out', () => {
    const iterations = [entry('compaction', 900, 0), entry('message', 10, 100), entry('message', 20, 110)]
    const usage = { input_tokens: 30, cache_read_input_tokens: 210, output_tokens: 2, iterations }
    expect(buckets(usage)).toEqual({ total: 1140, uncached: 930, read: 210, write5m: 0, output: 3 })
  })

  it('of another model are left out and said to be', () => {
    const iterations = [
      entry('message', 10, 100, { model: 'claude-sonnet-5-5' }),
      entry('advisor_message', 500, 0, { model: 'claude-opus-5-5' }),
    ]
    const usage = readUsage({ model: 'claude-sonnet-5-5', usage: { input_tokens: 10, output_tokens: 1, iterations } })
    expect(usage).toMatchObject({ total: 110, uncached: 10, read: 100, output: 1 })
    expect(anomalies(usage)).toEqual(['other-model'])
  })

  it.each([null, []])('that are %j leave the usage as it is', (iterations) => {
    expect(buckets({ input_tokens: 10, output_tokens: 1, iterations })).toEqual({ total: 10, uncached: 10, output: 1 })
  })
})

describe('a report that does not add up', () => {
  it.each<[string, object]>([
    ['more read than input', { prompt_tokens: 123, cached_tokens: 7808, completion_tokens: 5 }],
    [
      'a grand total with the cached tokens on top',
      { prompt_tokens: 8000, cached_tokens: 7808, completion_tokens: 5, total_tokens: 15_813 },
    ],
    [
      'a span of Claude with more read and written than input',
      {
        'gen_ai.provider.name': 'anthropic',
        'gen_ai.usage.input_tokens': 900,
        'gen_ai.usage.cache_read.input_tokens': 800,
        'gen_ai.usage.cache_creation.input_tokens': 700,
      },
    ],
  ])('has its total corrected: %s', (_, report) => {
    const usage = readUsage(report)
    const input = Number(Object.values(report).find((value) => typeof value === 'number'))
    expect(anomalies(usage)).toEqual(['total-excludes-cached'])
    expect(usage.uncached).toBe(input)
    expect(usage.total).toBe(input + (usage.read ?? 0) + (usage.write5m ?? 0))
  })

  it('has no total where no reading is evident', () => {
    const usage = readUsage({
      prompt_tokens: 900,
      prompt_tokens_details: { cached_tokens: 800, cache_write_tokens: 700 },
    })
    expect(usage).toMatchObject({ read: 800, write30m: 700 })
    expect(usage.total ?? usage.uncached).toBeUndefined()
    expect(anomalies(usage)).toEqual(['cached-exceeds-total'])
  })

  it('is said to: misses, writes of 12 hours, reasoning apart', () => {
    const deepseek = { prompt_tokens: 100, prompt_cache_hit_tokens: 64, prompt_cache_miss_tokens: 30 }
    expect(anomalies(readUsage(deepseek))).toEqual(['uncached-differs'])
    expect(readUsage(deepseek)).toMatchObject({ total: 100, read: 64, uncached: 36 })
    const details = { cached_tokens: 0, cache_write_tokens: 9, cache_write_tokens_details: { ttl_12h_tokens: 9 } }
    const azure = readUsage({ input_tokens: 9, input_tokens_details: details, total_tokens: 9 })
    expect(azure).toMatchObject({ write30m: 9 })
    expect(anomalies(azure)).toEqual(['write-lifetime-unknown'])
  })
})

describe('the buckets', () => {
  const count = fc.nat(100_000)

  it('never overlap: they add up to the total, in either kind of report', () => {
    fc.assert(
      fc.property(count, count, count, count, count, (uncached, read, write5m, write1h, output) => {
        const write = write5m + write1h
        const total = uncached + read + write
        const split = { ephemeral_5m_input_tokens: write5m, ephemeral_1h_input_tokens: write1h }
        const reports = [
          {
            input_tokens: uncached,
            cache_read_input_tokens: read,
            cache_creation_input_tokens: write,
            cache_creation: split,
          },
          { inputTokens: uncached, cacheReadInputTokens: read, cacheWriteInputTokens: write, outputTokens: output },
          {
            prompt_tokens: total,
            prompt_tokens_details: { cached_tokens: read, cache_write_tokens: write },
            completion_tokens: output,
            total_tokens: total + output,
          },
          { promptTokenCount: total - write, cachedContentTokenCount: read },
          {
            'gen_ai.usage.input_tokens': total,
            'gen_ai.usage.cache_read.input_tokens': read,
            'gen_ai.usage.cache_creation.input_tokens': write,
          },
        ]
        for (const report of reports) {
          const usage = readUsage(report)
          expect(usage.uncached).toBe(uncached)
          expect(usage.read).toBe(read)
          const written = (usage.write5m ?? 0) + (usage.write30m ?? 0) + (usage.write1h ?? 0)
          expect(usage.total).toBe(uncached + read + written)
          expect(usage.anomalies).toBeUndefined()
        }
      }),
    )
  })

  it('add up to the total wherever there is one, whatever was reported', () => {
    const maybe = fc.option(count, { nil: undefined })
    fc.assert(
      fc.property(maybe, maybe, maybe, maybe, maybe, (total, read, write, output, all) => {
        const details = { cached_tokens: read, cache_write_tokens: write }
        const report = {
          prompt_tokens: total,
          prompt_tokens_details: details,
          completion_tokens: output,
          total_tokens: all,
        }
        const usage = readUsage(report)
        if (usage.total === undefined || usage.uncached === undefined) return
        expect(usage.uncached + (usage.read ?? 0) + (usage.write30m ?? 0)).toBe(usage.total)
      }),
    )
  })
})

describe('a span', () => {
  it('is read from the attributes of OTLP', () => {
    const attributes = [
      { key: 'gen_ai.provider.name', value: { stringValue: 'anthropic' } },
      { key: 'gen_ai.usage.input_tokens', value: { intValue: '120' } },
      { key: 'gen_ai.usage.cache_read.input_tokens', value: { intValue: '100' } },
      { key: 'gen_ai.usage.output_tokens', value: { intValue: 7 } },
    ]
    const expected = { total: 120, read: 100, uncached: 20, output: 7 }
    expect(buckets(attributes)).toEqual(expected)
    expect(buckets({ name: 'chat', attributes })).toEqual(expected)
    expect(buckets({ attributes: { 'gen_ai.usage.input_tokens': 9, 'gen_ai.usage.cached_tokens': 4 } })).toEqual({
      total: 9,
      read: 4,
      uncached: 5,
    })
  })
})
