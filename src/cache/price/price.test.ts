import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import type { Usage } from '../../base/usage.ts'
import { combineTables } from './combine-tables.ts'
import { ownPrices } from './own-prices.ts'
import { price, type PriceQuery } from './price.ts'
import type { PriceRow } from './price-table.ts'
import type { PricedRequest, UnknownPrice } from './result.ts'

const at = '2026-11-20T12:00:00Z'
const usageOf = (uncached: number, read: number, write5m: number, write1h: number, output: number): Usage => ({
  total: uncached + read + write5m + write1h,
  uncached,
  read,
  write5m,
  write1h,
  output,
})
const openai = (uncached: number, read: number, write30m: number, output: number): Usage => ({
  total: uncached + read + write30m,
  uncached,
  read,
  write30m,
  output,
})

function priced(usage: Usage, query: PriceQuery): PricedRequest {
  const result = price(usage, query)
  if (result.type === 'unknown') throw new Error(result.message)
  return result
}
const about = (result: PricedRequest | UnknownPrice): string[] =>
  result.type === 'priced' ? result.assumed.map((assumption) => assumption.about) : [`unknown: ${result.reason}`]

/** A thousand tokens in every bucket, so an amount in thousandths of a dollar is a sum of prices. */
const each = usageOf(1000, 1000, 1000, 1000, 1000)
const eachGpt = openai(1000, 1000, 1000, 1000)
const plain: Usage = { total: 2000, uncached: 1000, read: 1000, output: 1000 }

// Worked out by hand from the vendors' lists, in USD per million: uncached + read + writes + output.
const pinned: readonly (readonly [model: string, usage: Usage, perMillion: number, more?: Partial<PriceQuery>])[] = [
  ['claude-fable-5-2', each, 8 + 0.2 + 10 + 16 + 40],
  ['claude-fable-5-1', each, 10 + 0.25 + 12.5 + 20 + 50],
  ['claude-opus-5-5', each, 4 + 0.2 + 5 + 8 + 20],
  ['claude-opus-5-5', each, 2 * (4 + 0.2 + 5 + 8 + 20), { speed: 'fast' }],
  ['claude-opus-5', each, 5 + 0.5 + 6.25 + 10 + 25],
  ['claude-opus-4-8', each, 5 + 0.5 + 6.25 + 10 + 25],
  ['claude-opus-4-7', each, 5 + 0.5 + 6.25 + 10 + 25],
  ['claude-opus-4-6', each, 5 + 0.5 + 6.25 + 10 + 25],
  ['claude-opus-4-5-20251101', each, 5 + 0.5 + 6.25 + 10 + 25],
  ['claude-sonnet-5-5', each, 2 + 0.1 + 2.5 + 4 + 10],
  ['claude-sonnet-5-5', each, 2 + 0.1 + 2.5 + 4 + 10, { at: '2026-10-07' }],
  ['claude-sonnet-5-5', each, 2 + 0.2 + 2.5 + 4 + 10, { at: '2026-10-06T23:59:59Z' }],
  ['claude-sonnet-5', each, 2 + 0.2 + 2.5 + 4 + 10],
  ['claude-sonnet-4-6', each, 3 + 0.3 + 3.75 + 6 + 15],
  ['claude-sonnet-4-5', each, 3 + 0.3 + 3.75 + 6 + 15],
  ['claude-haiku-4-5', each, 1 + 0.1 + 1.25 + 2 + 5],
  ['claude-haiku-5-5', each, 0.1 + 0.01 + 0.125 + 0.2 + 0.5],
  ['claude-opus-5', each, 0.5 * (5 + 0.5 + 6.25 + 10 + 25), { batch: true }],
  ['claude-opus-5', each, 0.5 * 1.1 * (5 + 0.5 + 6.25 + 10 + 25), { tier: 'batch', region: 'us' }],
  ['claude-opus-5', each, 5 + 0.5 + 6.25 + 10 + 25, { tier: 'standard', region: 'global' }],
  ['claude-opus-5', each, 1.1 * (5 + 0.5 + 6.25 + 10 + 25), { platform: 'vertex', region: 'us-east5' }],
  ['us.anthropic.claude-opus-5-v1:0', each, 1.1 * (5 + 0.5 + 6.25 + 10 + 25)],
  ['global.anthropic.claude-opus-5-v1:0', each, 5 + 0.5 + 6.25 + 10 + 25],
  ['gpt-6.2-sol', eachGpt, 2 + 0.1 + 2.5 + 10],
  ['gpt-6.2-astra', eachGpt, 8 + 0.4 + 10 + 40],
  ['gpt-6.1-sol', eachGpt, 2 + 0.1 + 2.5 + 10],
  ['gpt-6-sol', eachGpt, 2 + 0.2 + 2.5 + 10],
  ['gpt-6-luna', eachGpt, 0.1 + 0.01 + 0.125 + 0.5],
  ['gpt-6-astra', eachGpt, 10 + 1 + 12.5 + 50],
  ['gpt-5.6-sol-2026-07-01', eachGpt, 4 + 0.4 + 5 + 20],
  ['openai/gpt-5.6-terra', eachGpt, 2 + 0.2 + 2.5 + 12],
  ['gpt-5.6-luna', eachGpt, 0.2 + 0.02 + 0.25 + 1.2],
  ['gpt-5.6-luna', eachGpt, 1.1 * (0.2 + 0.02 + 0.25 + 1.2), { platform: 'azure', region: 'Data Zone' }],
  ['gpt-5.5', plain, 5 + 0.5 + 30],
  ['gemini-4-argon', plain, 2 + 0.1 + 10, { at: '2026-11-30T23:59:59Z' }],
  ['gemini-4-argon', plain, 4 + 0.2 + 20, { at: '2026-12-01T00:00:00Z' }],
  ['gemini-4-argon', plain, 2 + 0.1 + 10, { at: '2026-12-01T01:00:00+02:00' }],
  ['gemini-4-neon', plain, 3 + 0.15 + 15],
  ['gemini-4-hydrogen', plain, 1.5 + 0.075 + 7.5],
  ['models/gemini-3.8-flash', plain, 0.75 + 0.075 + 3.75],
  ['gemini-3.8-flash', plain, 1.5 + 0.15 + 7.5, { at: '2027-01-01' }],
  ['gemini-3.8-flash', plain, 0.75 + 0.075 + 3.75 + 3 * 0.5, { storage: { tokens: 1000, hours: 3 } }],
  ['gemini-3.1-pro-preview', plain, 2 + 0.2 + 12],
  // A Friday at noon, which is after both peaks; and the edges of the peaks.
  ['deepseek-flash', plain, 0.15 + 0.003 + 0.6],
  ['deepseek-flash', plain, 0.15 + 0.003 + 0.6, { at: '2026-11-20T00:59:59Z' }],
  ['deepseek-flash', plain, 0.3 + 0.006 + 1.2, { at: '2026-11-20T01:00:00Z' }],
  ['deepseek-flash', plain, 0.3 + 0.006 + 1.2, { at: '2026-11-20T11:59:00+08:00' }],
  ['deepseek-flash', plain, 0.15 + 0.003 + 0.6, { at: '2026-11-20T04:00:00Z' }],
  ['deepseek-v4-pro', plain, 1.32 + 0.044 + 3.96, { at: '2026-11-20T06:00:00Z' }],
  ['deepseek-v4-pro', plain, 0.66 + 0.022 + 1.98, { at: '2026-11-20T10:00:00Z' }],
  ['deepseek-v4-pro', plain, 0.66 + 0.022 + 1.98, { at: '2026-11-21T06:00:00Z' }],
  ['deepseek-v4-pro', plain, 0.66 + 0.022 + 1.98, { at: '2026-10-01T06:00:00Z' }],
  ['deepseek-v4-pro', plain, 1.32 + 0.044 + 3.96, { at: '2026-10-08T06:00:00Z' }],
  ['grok-4.7', plain, 2 + 0.5 + 6],
  ['kimi-k3', each, 3 + 0.3 + 6 + 6 + 15],
  ['kimi-k3.1-pro', each, 2 + 0.2 + 2 + 4 + 10],
  ['glm-5.3', plain, 1.4 + 0.26 + 4.4],
  ['MiniMax-M3', plain, 0.3 + 0.06 + 1.2],
  ['mistral-medium-3.5', plain, 1.5 + 0.15 + 7.5],
  ['qwen3.7-max', plain, 2.5 + 0.5 + 7.5],
  ['qwen3.7-max', { ...plain, total: 3000, write5m: 1000 }, 2.5 + 0.25 + 3.125 + 7.5],
]

describe('price', () => {
  it.each(pinned.map(([model, usage, perMillion, more = {}]) => ({ model, usage, perMillion, more })))(
    'of $model with $more',
    ({ model, usage, perMillion, more }) => {
      const result = priced(usage, { model, at, ...more })
      expect(result.amount * 1000).toBeCloseTo(perMillion, 9)
      expect(result).toMatchObject({ currency: 'USD', basis: 'list', model })
      expect(result.parts.reduce((sum, part) => sum + part.amount, 0)).toBe(result.amount)
    },
  )

  it('names the parts, the source and how sure it is', () => {
    const usage = usageOf(10, 200_000, 5000, 0, 700)
    expect(price(usage, { model: 'claude-opus-5-5', at, batch: true })).toEqual({
      type: 'priced',
      amount: (10 * 2 + 200_000 * 0.1 + 5000 * 2.5 + 700 * 10) / 1e6,
      currency: 'USD',
      parts: [
        { bucket: 'uncached', tokens: 10, usdPerMTok: 2, amount: 20 / 1e6 },
        { bucket: 'read', tokens: 200_000, usdPerMTok: 0.1, amount: 20_000 / 1e6 },
        { bucket: 'write5m', tokens: 5000, usdPerMTok: 2.5, amount: 12_500 / 1e6 },
        { bucket: 'output', tokens: 700, usdPerMTok: 10, amount: 7000 / 1e6 },
      ],
      basis: 'list',
      assumed: [],
      model: 'claude-opus-5-5',
      source: 'https://platform.claude.com/docs/en/about-claude/pricing',
      confidence: 'reported',
    })
  })

  it.each<[string, number, number, number]>([
    // Where the tier changes, the last size before it, and the factor on input.
    ['claude-haiku-5-5', 100_000, 100_001, 5],
    ['gpt-6.2-sol', 272_000, 272_001, 2],
    ['gpt-5.6-luna', 272_000, 272_001, 2],
    ['gemini-3.1-pro-preview', 200_000, 200_001, 2],
    ['grok-4.7', 199_999, 200_000, 2],
  ])(
    'of %s changes for the whole request between %i and %i tokens, with the cached ones',
    (model, last, first, factor) => {
      const perRead = (total: number): number => {
        const result = priced({ total, uncached: 10, read: total - 10, output: 0 }, { model, at })
        return result.parts.find(({ bucket }) => bucket === 'uncached')!.usdPerMTok
      }
      expect(perRead(first)).toBeCloseTo(perRead(last) * factor, 12)
    },
  )

  it('prefers what the provider reported, even for a model that it does not know', () => {
    const cost = { amount: 0.0123, currency: 'USD', field: 'usage.cost' } as const
    const result = price({ ...each, cost }, { model: 'someone/something:free' })
    expect(result).toMatchObject({ type: 'priced', amount: 0.0123, basis: 'reported', parts: [], source: 'usage.cost' })
  })

  it('of a reseller is its own where the table has it', () => {
    const usage: Usage = { total: 1000, uncached: 1000, read: 0, write30m: 0, output: 1000 }
    for (const query of [{ platform: 'openrouter' }, { provider: 'openrouter' }]) {
      expect(priced(usage, { model: 'openai/gpt-5.6-sol', at, ...query }).amount * 1000).toBeCloseTo(12, 9)
      expect(priced(usage, { model: 'x-ai/grok-4.7', at, ...query }).amount * 1000).toBeCloseTo(6.4, 9)
    }
    expect(about(price(usage, { model: 'openai/gpt-6-sol', at, platform: 'openrouter' }))).toEqual(['platform'])
  })
})

describe('an unknown price', () => {
  it.each<[string, Usage, PriceQuery, UnknownPrice['reason']]>([
    ['a model without a row', each, { model: 'gpt-7' }, 'model'],
    ['a model whose name starts like another', each, { model: 'claude-sonnet-5-9' }, 'model'],
    ['a variant', each, { model: 'claude-opus-4-8-fast' }, 'model'],
    ['a model of another maker', each, { model: 'claude-opus-5', provider: 'openai' }, 'model'],
    ['a day before the first price', each, { model: 'claude-fable-5-2', at: '2026-11-08' }, 'date'],
    ['a service level without a price', eachGpt, { model: 'gpt-6-sol', tier: 'flex' }, 'service-level'],
    ['a level named like a property', eachGpt, { model: 'gpt-6-sol', tier: 'constructor' }, 'service-level'],
    ['a lifetime without a price', each, { model: 'gpt-6-sol' }, 'bucket'],
    ['storage without a price', plain, { model: 'gpt-6-sol', storage: { tokens: 1, hours: 1 } }, 'bucket'],
    ['no usage', { raw: {} }, { model: 'gpt-6-sol' }, 'usage'],
  ])('is that of %s', (_, usage, query, reason) => {
    expect(price(usage, query)).toMatchObject({ type: 'unknown', reason, model: query.model })
  })

  it('stays unknown, whatever the usage', () => {
    const count = fc.option(fc.nat(1e6), { nil: undefined })
    fc.assert(
      fc.property(count, count, count, (total, read, output) => {
        expect(price({ total, read, output }, { model: 'claude-sonnet-5-9', at }).type).toBe('unknown')
      }),
    )
  })
})

describe('what is assumed', () => {
  it.each<[string, Usage, PriceQuery, string[]]>([
    ['nothing', each, { model: 'claude-opus-5', at }, []],
    ['the date', each, { model: 'claude-opus-5' }, ['date']],
    ['the date, of one that cannot be read', each, { model: 'claude-opus-5', at: 'yesterday' }, ['date']],
    ['nothing, on the last day of a promotion', eachGpt, { model: 'gpt-5.6-sol', at: '2026-11-21T23:59:59Z' }, []],
    ['that a promotion goes on', eachGpt, { model: 'gpt-5.6-sol', at: '2026-11-22' }, ['stale']],
    ['the time of day', { ...plain, write5m: 0 }, { model: 'deepseek-flash', at: '2026-11-20' }, ['time']],
    ['no holiday', { ...plain, write5m: 0 }, { model: 'deepseek-flash', at: '2027-11-19T02:00Z' }, ['holidays']],
    ['no writes', plain, { model: 'claude-opus-5', at }, ['bucket']],
    ['nothing, where writes are not billed', plain, { model: 'gpt-5.5', at }, []],
    ['no reads', { total: 9, uncached: 9, write5m: 0, output: 1 }, { model: 'claude-opus-5', at }, ['bucket']],
    ['no output', { total: 9, uncached: 9, read: 0, write5m: 0 }, { model: 'claude-opus-5', at }, ['bucket']],
    ['the split', { total: 9, output: 1 }, { model: 'claude-opus-5', at }, ['split', 'bucket', 'bucket']],
    ['the tier', { read: 9, write5m: 0, output: 1 }, { model: 'claude-haiku-5-5', at }, ['bucket', 'context']],
    ['that a read is implicit', { ...plain, write5m: 0 }, { model: 'qwen3.7-max', at }, ['read-kind']],
    ['that a write is input', { ...eachGpt }, { model: 'gpt-5.5', at }, ['bucket-price']],
    ['which price is right', each, { model: 'kimi-k3', at }, ['disputed']],
    ['that a region costs the same', eachGpt, { model: 'gpt-6-sol', at, region: 'eu' }, ['region']],
    ['the global region', each, { model: 'claude-opus-5', at, platform: 'bedrock' }, ['region']],
    ['the price of the vendor', each, { model: 'claude-opus-5', at, platform: 'my-proxy' }, ['platform']],
    [
      'what an anomaly says',
      { ...each, anomalies: [{ type: 'other-model', message: 'An iteration is left out.' }] },
      { model: 'claude-opus-5', at },
      ['usage'],
    ],
  ])('%s', (_, usage, query, expected) => {
    expect(about(price(usage, query))).toEqual(expected)
  })

  it('prices the part of a total that is in no bucket as uncached', () => {
    const result = priced({ total: 1000, read: 400, output: 0 }, { model: 'claude-opus-5', at })
    expect(result.parts.map(({ bucket, tokens }) => [bucket, tokens])).toEqual([
      ['read', 400],
      ['uncached', 600],
    ])
  })

  it('takes the newest price, even one to come, when the date is not known', () => {
    expect(priced(plain, { model: 'gemini-4-argon' }).parts[0]?.usdPerMTok).toBe(4)
  })
})

describe('the price within a tier', () => {
  const count = fc.nat(10_000)
  const usage = fc.tuple(count, count, count, count, count).map((counts) => usageOf(...counts))
  const add = (one: Usage, other: Usage): Usage =>
    usageOf(
      (one.uncached ?? 0) + (other.uncached ?? 0),
      (one.read ?? 0) + (other.read ?? 0),
      (one.write5m ?? 0) + (other.write5m ?? 0),
      (one.write1h ?? 0) + (other.write1h ?? 0),
      (one.output ?? 0) + (other.output ?? 0),
    )
  const query = fc.record({
    model: fc.constantFrom('claude-opus-5-5', 'claude-haiku-5-5', 'claude-haiku-4-5', 'kimi-k3.1-pro'),
    region: fc.constantFrom(undefined, 'us'),
    at: fc.constantFrom(at, undefined),
  })

  it('is linear in the usage', () => {
    fc.assert(
      fc.property(usage, usage, query, (one, other, query) => {
        const apart = priced(one, query).amount + priced(other, query).amount
        expect(priced(add(one, other), query).amount).toBeCloseTo(apart, 9)
      }),
    )
  })

  it('prices every token of the total once', () => {
    const maybe = fc.option(count, { nil: undefined })
    fc.assert(
      fc.property(count, maybe, maybe, maybe, (rest, uncached, read, write5m) => {
        const total = rest + (uncached ?? 0) + (read ?? 0) + (write5m ?? 0)
        const { parts } = priced({ total, uncached, read, write5m, output: 1 }, { model: 'claude-opus-5', at })
        const input = parts.filter(({ bucket }) => bucket !== 'output').reduce((sum, { tokens }) => sum + tokens, 0)
        expect(input).toBe(total)
      }),
    )
  })
})

describe('the table', () => {
  it('is dated, sourced, in order, and has only prices', () => {
    const dates = new Map<string, string>()
    for (const { platform, model, from = '', tiers, source, regions = [] } of ownPrices.rows) {
      expect(source).toMatch(/^https:\/\//)
      expect(regions.every((region) => region.source.startsWith('https://'))).toBe(true)
      expect(from).toMatch(/^(?:\d{4}-\d{2}-\d{2})?$/)
      const name = `${platform} ${model}`
      expect(dates.get(name) ?? '-').not.toBe(from)
      expect(from >= (dates.get(name) ?? '')).toBe(true)
      dates.set(name, from)
      for (const tier of tiers) {
        for (const value of Object.values(tier.prices)) expect(value).toBeGreaterThanOrEqual(0)
      }
      const sizes = tiers.map(({ above = 0 }) => above)
      expect(sizes).toEqual(sizes.toSorted((one, other) => one - other))
    }
  })

  it('gives way to a later one, model by model and platform by platform, dates and all', () => {
    const row: PriceRow = {
      provider: 'google',
      platform: 'google',
      model: 'gemini/gemini-4-argon',
      tiers: [{ prices: { uncached: 1, output: 1 } }],
      source: 'https://example.com',
      confidence: 'official',
    }
    const skipped = [{ path: 'x', reason: 'y' }]
    const table = combineTables(ownPrices, { rows: [row], skipped })
    expect(table.skipped).toEqual(skipped)
    const usage: Usage = { total: 1000, uncached: 1000, read: 0, write5m: 0, output: 0 }
    const amount = (model: string): number | undefined => {
      const result = price(usage, { model, at: '2026-12-02' }, { table })
      return result.type === 'priced' ? Math.round(result.amount * 1e6) : undefined
    }
    expect(amount('gemini-4-argon')).toBe(1000)
    expect(amount('gemini-4-neon')).toBe(3000)
    expect(price(usage, { model: 'gemini-4-neon' }, { table: { rows: [row] } })).toMatchObject({ reason: 'model' })
  })

  it('of resellers alone is ambiguous until one is named', () => {
    const rows = ['one', 'two'].map((platform): PriceRow => ({
      provider: 'openai',
      platform,
      model: 'gpt-7',
      tiers: [{ prices: { uncached: 1, output: 1 } }],
      source: 'https://example.com',
      confidence: 'reported',
    }))
    const usage: Usage = { total: 9, uncached: 9, read: 0, write30m: 0, output: 0 }
    expect(price(usage, { model: 'gpt-7', at }, { table: { rows } })).toMatchObject({ reason: 'ambiguous' })
    expect(about(price(usage, { model: 'gpt-7', at, platform: 'two' }, { table: { rows } }))).toEqual([])
    expect(about(price(usage, { model: 'gpt-7', at }, { table: { rows: rows.slice(1) } }))).toEqual(['platform'])
  })
})
