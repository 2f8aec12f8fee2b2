import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { IndelibleError } from '../../base/error.ts'
import type { Usage } from '../../base/usage.ts'
import { combineTables } from './combine-tables.ts'
import { PricesUnreadableError } from './errors.ts'
import { fromGenaiPrices } from './from-genai-prices.ts'
import { fromLiteLlm } from './from-lite-llm.ts'
import { fromModelsDev } from './from-models-dev.ts'
import { ownPrices } from './own-prices.ts'
import { price, type PriceQuery } from './price.ts'
import type { PriceTable } from './price-table.ts'

const at = '2026-11-20T12:00:00Z'

/** USD per million by bucket, of a request with as much input as `total`. */
function perMillion(table: PriceTable, query: PriceQuery, total = 1000): Record<string, number> | string {
  const { provider } = table.rows.find(({ model }) => model === query.model) ?? {}
  const writes = provider === 'openai' ? { write30m: 1 } : { write5m: 1, write1h: 1 }
  const count = Object.keys(writes).length
  const usage: Usage = { total, read: 1, ...writes, uncached: total - count - 1, output: 1 }
  const result = price(usage, { at, ...query }, { table })
  if (result.type === 'unknown') return result.reason
  return Object.fromEntries(result.parts.map(({ bucket, usdPerMTok }) => [bucket, Number(usdPerMTok.toPrecision(9))]))
}

const liteLlm = {
  sample_spec: { input_cost_per_token: 0, output_cost_per_token: 0, litellm_provider: 'one of ...' },
  'claude-example-4-9': {
    litellm_provider: 'anthropic',
    input_cost_per_token: 3e-6,
    output_cost_per_token: 1.5e-5,
    cache_read_input_token_cost: 3e-7,
    cache_creation_input_token_cost: 3.75e-6,
    cache_creation_input_token_cost_above_1hr: 6e-6,
    input_cost_per_token_above_200k_tokens: 6e-6,
    output_cost_per_token_above_200k_tokens: 2.25e-5,
    cache_read_input_token_cost_above_200k_tokens: 6e-7,
    cache_creation_input_token_cost_above_200k_tokens: 7.5e-6,
    cache_creation_input_token_cost_above_1hr_above_200k_tokens: 1.2e-5,
    input_cost_per_token_batches: 1.5e-6,
    output_cost_per_token_batches: 7.5e-6,
  },
  'gpt-example': {
    litellm_provider: 'openai',
    input_cost_per_token: 2e-6,
    output_cost_per_token: 1e-5,
    cache_read_input_token_cost: 2e-7,
    cache_creation_input_token_cost: 2.5e-6,
    input_cost_per_token_priority: 4e-6,
    output_cost_per_token_priority: 2e-5,
    cache_read_input_token_cost_priority: 4e-7,
    input_cost_per_token_above_272k_tokens: 4e-6,
    output_cost_per_token_above_272k_tokens: 1.5e-5,
    input_cost_per_token_above_272k_tokens_priority: 8e-6,
    output_cost_per_token_above_272k_tokens_priority: 3e-5,
  },
  'deepseek/deepseek-example': {
    litellm_provider: 'deepseek',
    input_cost_per_token: 3e-7,
    output_cost_per_token: 1.2e-6,
    off_peak_pricing: {
      hours_utc: '16:30-00:30',
      windows: [{ hours_utc: '00:00-00:00', weekdays: ['sat', 7] }],
      input_cost_per_token: 1.5e-7,
      output_cost_per_token: 6e-7,
    },
  },
  'vertex_ai/gemini-example': {
    litellm_provider: 'vertex_ai-language-models',
    input_cost_per_token: 1e-6,
    output_cost_per_token: 2e-6,
    regional_endpoint_uplift_multiplier: 1.1,
  },
  'fast/claude-example-4-9': {
    litellm_provider: 'anthropic',
    input_cost_per_token: 3e-5,
    output_cost_per_token: 1.5e-4,
  },
  'dall-e': { litellm_provider: 'openai', output_cost_per_image: 0.04 },
  odd: 7,
  nameless: { input_cost_per_token: 1e-6, output_cost_per_token: 1e-6 },
}

describe('fromLiteLlm', () => {
  const table = fromLiteLlm(liteLlm)

  it.each<[string, PriceQuery, number, Record<string, number>]>([
    [
      'prices of every bucket',
      { model: 'claude-example-4-9' },
      200_000,
      { uncached: 3, read: 0.3, write5m: 3.75, write1h: 6, output: 15 },
    ],
    [
      'context tiers, above their size',
      { model: 'claude-example-4-9' },
      200_001,
      { uncached: 6, read: 0.6, write5m: 7.5, write1h: 12, output: 22.5 },
    ],
    [
      'batches, with the standard price of what they do not name',
      { model: 'claude-example-4-9', batch: true },
      1000,
      { uncached: 1.5, read: 0.3, write5m: 3.75, write1h: 6, output: 7.5 },
    ],
    ['writes of OpenAI', { model: 'gpt-example' }, 1000, { uncached: 2, read: 0.2, write30m: 2.5, output: 10 }],
    [
      'service levels, tiers and all',
      { model: 'gpt-example', tier: 'priority' },
      300_000,
      { uncached: 8, read: 0.4, write30m: 2.5, output: 30 },
    ],
    [
      'another entry for another way to be sold',
      { model: 'fast/claude-example-4-9' },
      1000,
      { uncached: 30, output: 150 },
    ],
  ])('has %s', (_, query, total, expected) => {
    expect(perMillion(table, query, total)).toMatchObject(expected)
  })

  it.each([
    ['2026-11-20T12:00:00Z', 0.3],
    ['2026-11-20T16:30:00Z', 0.15],
    ['2026-11-21T00:29:00Z', 0.15],
    ['2026-11-21T12:00:00Z', 0.15],
    ['2026-11-22T12:00:00Z', 0.15],
    ['2026-11-23T12:00:00Z', 0.3],
  ])('has the hours of off-peak prices: %s', (time, expected) => {
    expect(perMillion(table, { model: 'deepseek-example', at: time })).toMatchObject({ uncached: expected })
  })

  it('has regional factors', () => {
    const query = { model: 'gemini-example', platform: 'vertex' }
    expect(perMillion(table, { ...query, region: 'us-east1' })).toMatchObject({ uncached: 1.1 })
    expect(perMillion(table, { ...query, region: 'global' })).toMatchObject({ uncached: 1 })
  })

  it('says what it left out', () => {
    expect(table.skipped?.map(({ path }) => path)).toEqual(['dall-e', 'odd', 'nameless'])
  })
})

describe('fromModelsDev', () => {
  const table = fromModelsDev({
    anthropic: {
      id: 'anthropic',
      models: {
        'claude-example-4-9': {
          id: 'claude-example-4-9',
          cost: { input: 3, output: 15, cache_read: 0.3, cache_write: 3.75 },
        },
        'claude-nocost-4-9': { id: 'claude-nocost-4-9' },
      },
    },
    xai: {
      models: {
        'grok-example': {
          cost: {
            input: 2,
            output: 6,
            cache_read: 0.5,
            tiers: [{ input: 4, output: 12, cache_read: 1, tier: { type: 'context', size: 200_000 } }],
            context_over_200k: { input: 9, output: 9 },
          },
        },
      },
    },
    openrouter: {
      models: { 'openai/gpt-example': { cost: { input: 1, output: 2, context_over_200k: { input: 2, output: 3 } } } },
    },
    broken: { models: { one: null, two: { cost: { input: '?', output: 1 } } } },
    empty: {},
  })

  it('has prices, tiers and resellers', () => {
    expect(perMillion(table, { model: 'grok-example' }, 200_000)).toMatchObject({ uncached: 2, read: 0.5, output: 6 })
    expect(perMillion(table, { model: 'grok-example' }, 200_001)).toMatchObject({ uncached: 4, read: 1, output: 12 })
    const reseller = { model: 'openai/gpt-example', platform: 'openrouter' }
    expect(perMillion(table, reseller, 200_001)).toMatchObject({ uncached: 2, output: 3 })
  })

  it("has no price of an hour's write, and so none for a request with one", () => {
    expect(perMillion(table, { model: 'claude-example-4-9' })).toBe('bucket')
    const usage: Usage = { total: 3, uncached: 1, read: 1, write5m: 1, output: 1 }
    expect(price(usage, { model: 'claude-example-4-9', at }, { table })).toMatchObject({
      amount: (3 + 0.3 + 3.75 + 15) / 1e6,
    })
  })

  it('says what it left out', () => {
    expect(table.skipped?.map(({ path }) => path)).toEqual([
      'anthropic.models.claude-nocost-4-9',
      'broken.models.one',
      'broken.models.two',
    ])
  })
})

describe('fromGenaiPrices', () => {
  const providers = [
    {
      id: 'anthropic',
      models: [
        {
          id: 'claude-example-4-9',
          match: { or: [{ starts_with: 'claude-example' }, { equals: 'claude-example-latest' }] },
          prices: {
            input_mtok: { base: 3, tiers: [{ start: 200_000, price: 6 }] },
            output_mtok: { base: 15, tiers: [{ start: 200_000, price: 22.5 }] },
            cache_read_mtok: 0.3,
            cache_write_mtok: '3.75',
            cache_write_1h_mtok: 6,
          },
        },
        { match: {} },
        { id: 'claude-odd-4-9', prices: { input_mtok: 3 } },
      ],
    },
    {
      id: 'deepseek',
      models: [
        {
          id: 'deepseek-example',
          prices: [
            { prices: { input_mtok: 0.3, output_mtok: 1.2 } },
            {
              constraint: { start_time: '16:30:00Z', end_time: '00:30:00Z' },
              prices: { input_mtok: 0.15, output_mtok: 0.6 },
            },
            { constraint: { type: 'start_date', start_date: '2026-12-01' }, prices: { input_mtok: 1, output_mtok: 2 } },
            { constraint: { type: 'moon', phase: 'full' }, prices: { input_mtok: 0, output_mtok: 0 } },
          ],
        },
      ],
    },
  ]
  const table = fromGenaiPrices(providers)

  it('has prices, and tiers bucket by bucket', () => {
    const low = { uncached: 3, read: 0.3, write5m: 3.75, write1h: 6, output: 15 }
    expect(perMillion(table, { model: 'claude-example-4-9' }, 200_000)).toEqual(low)
    expect(perMillion(table, { model: 'claude-example-4-9' }, 200_001)).toEqual({ ...low, uncached: 6, output: 22.5 })
  })

  it('has the ids that are equal, and not those that only start alike', () => {
    expect(perMillion(table, { model: 'claude-example-latest' })).toMatchObject({ uncached: 3 })
    expect(perMillion(table, { model: 'claude-example-4-9-5' })).toBe('model')
    expect(perMillion(table, { model: 'claude-example-5' })).toBe('model')
  })

  it.each([
    ['2026-11-20T12:00:00Z', 0.3],
    ['2026-11-20T23:00:00Z', 0.15],
    ['2026-12-01T12:00:00Z', 1],
  ])('has dates and hours: %s', (time, expected) => {
    expect(perMillion(table, { model: 'deepseek-example', at: time })).toMatchObject({ uncached: expected })
  })

  it('says what it left out, and reads the providers with the units beside them', () => {
    const paths = ['anthropic.models[1]', 'anthropic.models.claude-odd-4-9', 'deepseek.models.deepseek-example']
    expect(table.skipped?.map(({ path }) => path)).toEqual(paths)
    expect(fromGenaiPrices({ providers, units: {} })).toEqual(table)
  })
})

describe('a loader', () => {
  const loaders = { fromLiteLlm, fromModelsDev, fromGenaiPrices }

  it.each(Object.entries(loaders))('throws a typed error for a document of another kind: %s', (_, load) => {
    for (const document of [undefined, null, 7, 'x', [], {}, [1], { error: 'not found' }, { data: [{ id: 'gpt' }] }]) {
      expect(() => load(document)).toThrow(PricesUnreadableError)
      expect(() => load(document)).toThrow(/Pass the parsed JSON/)
    }
    const foreign = load === fromLiteLlm ? { openai: { models: {} } } : liteLlm
    expect(() => load(foreign)).toThrow(expect.objectContaining({ code: 'prices_unreadable' }))
  })

  it('throws nothing else, whatever the document', () => {
    const key = fc.constantFrom(
      'openai',
      'models',
      'cost',
      'input',
      'output',
      'id',
      'prices',
      'litellm_provider',
      'input_mtok',
    )
    const { value } = fc.letrec<{ value: unknown }>((tie) => ({
      value: fc.oneof(
        { maxDepth: 5 },
        fc.constantFrom(null, 1, '1', 'openai', -1, true),
        fc.array(tie('value'), { maxLength: 2 }),
        fc.dictionary(key, tie('value'), { maxKeys: 4, noNullPrototype: false }),
      ),
    }))
    fc.assert(
      fc.property(value, fc.constantFrom(...Object.values(loaders)), (document, load) => {
        try {
          expect(Array.isArray(load(document).rows)).toBe(true)
        } catch (error) {
          expect(IndelibleError.isInstance(error, 'prices_unreadable')).toBe(true)
        }
      }),
    )
  })

  it("gives a table that goes before the package's own, model by model", () => {
    const cost = { input: 7, output: 8 }
    const table = combineTables(ownPrices, fromModelsDev({ openai: { models: { 'gpt-6-sol': { cost } } } }))
    const usage: Usage = { total: 1, uncached: 1, read: 0, write30m: 0, output: 1 }
    const amount = (model: string): unknown => ({ amount: 0, ...price(usage, { model, at }, { table }) }).amount
    expect(amount('gpt-6-sol')).toBeCloseTo(15 / 1e6, 12)
    expect(amount('gpt-6-astra')).toBeCloseTo(60 / 1e6, 12)
  })
})
