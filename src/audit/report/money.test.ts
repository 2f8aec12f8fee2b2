import { describe, expect, it } from 'vitest'
import type { Usage } from '../../base/usage.ts'
import { turnsOf } from '../test-turns.ts'
import { costOfLoss, priceTurn } from './money.ts'

const [turn] = turnsOf([{ model: 'claude-opus-5', messages: [{ role: 'user', content: 'Hello' }] }])
const priceOf = (usage: Usage): ReturnType<typeof priceTurn> => priceTurn(turn!, usage)
const perToken = (bucket: 'read' | 'write5m' | 'write1h' | 'uncached'): number => {
  const priced = priceOf({ total: 1_000_000, [bucket]: 1_000_000 })
  return priced.type === 'priced' ? priced.amount / 1_000_000 : Number.NaN
}

describe('the cost of a loss', () => {
  it('is what was paid for writing again, less what reads cost', () => {
    const usage = { total: 1000, read: 100, write5m: 900, uncached: 0 }
    expect(costOfLoss(usage, 800, priceOf)).toBeCloseTo(800 * (perToken('write5m') - perToken('read')), 12)
  })

  it('takes the longest lifetime first, and what was never written last', () => {
    const usage = { total: 1000, read: 0, write5m: 300, write1h: 200, uncached: 500 }
    const expected =
      200 * perToken('write1h') + 300 * perToken('write5m') + 100 * perToken('uncached') - 600 * perToken('read')
    expect(costOfLoss(usage, 600, priceOf)).toBeCloseTo(expected, 12)
  })

  it('counts what a total has beyond the buckets as uncached', () => {
    expect(costOfLoss({ total: 1000 }, 500, priceOf)).toBeCloseTo(500 * (perToken('uncached') - perToken('read')), 12)
  })

  it('is no more than what was not read', () => {
    const usage = { total: 1000, read: 900, uncached: 100 }
    expect(costOfLoss(usage, 5000, priceOf)).toBeCloseTo(100 * (perToken('uncached') - perToken('read')), 12)
  })

  it('is 0 where nothing was lost, and null where nothing is known', () => {
    expect(costOfLoss({}, 0, priceOf)).toBe(0)
    const [unknown] = turnsOf([{ model: 'nobody-1', messages: [{ role: 'user', content: 'Hello' }] }])
    expect(costOfLoss({ total: 10 }, 5, (usage) => priceTurn(unknown!, usage))).toBeNull()
  })
})

describe('the price of a turn', () => {
  it('is the list price, whatever the provider charged', () => {
    const cost = { amount: 99, currency: 'USD', field: 'usage.cost' } as const
    expect(priceOf({ total: 1000, uncached: 1000, cost })).toMatchObject({ type: 'priced', basis: 'list' })
  })

  it('is that of the model that was asked for where the answer names one that nobody sells', () => {
    const served = { ...turn!, answer: { ...turn!.answer, model: 'gateway-alias' } }
    expect(priceTurn(served, { total: 1000, uncached: 1000 })).toMatchObject({ type: 'priced', model: 'claude-opus-5' })
  })

  it('is not known without a model', () => {
    const nameless = { ...turn!, model: undefined }
    expect(priceTurn(nameless, { total: 1000 })).toMatchObject({ type: 'unknown', reason: 'model' })
  })
})
