import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import type { Usage } from '../../base/usage.ts'
import { ownPrices, type PriceTable } from '../../cache/index.ts'
import type { Turn } from '../record/types.ts'
import { turnsOf } from '../test-turns.ts'
import { priceTurn } from './money.ts'
import { priceOf } from './rates.ts'

const [turn] = turnsOf([{ model: 'claude-opus-5', messages: [{ role: 'user', content: 'Hello' }] }]) as [Turn]

/** With hours of the day, a day off, and tiers that begin at and behind a size. */
const table: PriceTable = {
  rows: [
    ...ownPrices.rows,
    {
      provider: 'nobody',
      platform: 'nobody',
      model: 'night-1',
      tiers: [
        { prices: { uncached: 3, read: 0.3, write5m: 3.75, output: 15 } },
        { above: 1000, prices: { uncached: 6, read: 0.6, readExplicit: 0.5, write5m: 7.5, output: 22.5 } },
        { above: 2000, inclusive: true, prices: { uncached: 7, output: 23 } },
      ],
      levels: { flex: { factor: 0.5 }, priority: { tiers: [{ prices: { uncached: 9, output: 90 } }] } },
      windows: [
        {
          hours: [[1320, 360]],
          except: { name: 'Fair', years: [2026], days: ['2026-11-03'], source: '' },
          prices: { uncached: 1, read: 0.1 },
        },
      ],
      source: '',
      confidence: 'assumed',
    },
  ],
}

const models = ['night-1', 'claude-opus-5', 'nobody-1', ...new Set(ownPrices.rows.map(({ model }) => model))]
const tokens = fc.oneof(fc.constant(0), fc.constantFrom(500, 1000, 1500, 100_000, 200_000, 272_000), fc.nat(300_000))
const usages = fc
  .record({ read: tokens, write5m: tokens, write30m: tokens, write1h: tokens, uncached: tokens, output: tokens })
  .map(({ read, write5m, write30m, write1h, uncached, output }) => {
    const total = read + write5m + write30m + write1h + uncached
    return { total, read, write5m, write30m, write1h, uncached, output }
  })
const turns = fc
  .record({
    model: fc.oneof(fc.constant('night-1'), fc.constantFrom(...models)),
    provider: fc.constantFrom('anthropic', 'openai', 'bedrock', 'vertex-gemini', 'generic'),
    tier: fc.constantFrom(undefined, 'flex', 'priority', 'standard'),
    region: fc.constantFrom(undefined, 'us', 'eu-central-1'),
    startedAt: fc.oneof(
      fc.constant(undefined),
      fc.integer({ min: 0, max: 4 * 24 * 60 }).map((minute) => Date.UTC(2026, 10, 1) + minute * 60_000),
    ),
  })
  .map(({ model, provider, tier, region, startedAt }): Turn => ({
    ...turn,
    model,
    provider,
    answer: { ...turn.answer, tier },
    exchange: { ...turn.exchange, region, startedAt, endedAt: undefined },
  }))

function exact(one: Turn, usage: Usage, prices?: PriceTable): number | null {
  const priced = priceTurn(one, usage, prices)
  return priced.type === 'priced' ? priced.amount : null
}

describe('the price of what is played', () => {
  it('is that of each turn by itself, whatever was looked up before', () => {
    const price = priceOf(table)
    fc.assert(
      fc.property(fc.array(turns, { minLength: 1, maxLength: 4 }), fc.array(usages, { minLength: 1 }), (some, all) => {
        for (const one of some) for (const usage of all) expect(price(one, usage)).toBe(exact(one, usage, table))
      }),
      { numRuns: 100 },
    )
  })

  it('is an amount or null', () => {
    const usage = { total: 10, read: 0, write5m: 0, write30m: 0, write1h: 0, uncached: 10, output: 1 }
    expect(priceOf()(turn, usage)).toBe(exact(turn, usage))
    expect(priceOf({ rows: [] })(turn, usage)).toBeNull()
  })

  it('is that of what was reported where not all is known', () => {
    for (const usage of [{}, { total: 10 }, { total: 10, uncached: 4, output: 1 }, { output: 3 }]) {
      expect(priceOf()(turn, usage)).toBe(exact(turn, usage))
    }
  })
})
