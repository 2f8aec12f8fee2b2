import { describe, expect, it } from 'vitest'
import { price } from '../../cache/index.ts'
import { CommandError } from '../errors.ts'
import { PARAMETERS } from './agent.ts'
import { addBills, toBill } from './bill.ts'

const at = new Date('2026-12-01T23:43:00Z')
const usage = {
  input_tokens: 3,
  cache_read_input_tokens: 1_000,
  cache_creation_input_tokens: 110,
  cache_creation: { ephemeral_5m_input_tokens: 100, ephemeral_1h_input_tokens: 10 },
  output_tokens: 20,
}
const bill = { read: 1_000, write5m: 100, write1h: 10, uncached: 3, output: 20, total: 1_113, usd: 0.00174 }

describe('toBill', () => {
  it('reads the usage of an answer and prices it', () => {
    expect(toBill({ usage }, 'claude-opus-5', at)).toEqual(bill)
  })

  it('has a price for the model of the demo, for which nothing is assumed', () => {
    expect(price(bill, { model: PARAMETERS.model, at })).toMatchObject({ type: 'priced', assumed: [] })
  })

  it.each([
    [
      'an answer that does not say what was read',
      { input_tokens: 3, output_tokens: 20 },
      'claude-opus-5',
      'all of its usage',
    ],
    ['a model that has no price', usage, 'claude-nobody-1', 'claude-nobody-1'],
  ])('refuses %s', (_case, reported, model, message) => {
    expect(() => toBill({ usage: reported }, model, at)).toThrow(CommandError)
    expect(() => toBill({ usage: reported }, model, at)).toThrow(message)
  })
})

describe('addBills', () => {
  it('adds up, without the noise of adding floats', () => {
    const some = { ...bill, usd: 0.1 }
    expect(addBills([some, { ...some, usd: 0.2 }])).toEqual({
      read: 2_000,
      write5m: 200,
      write1h: 20,
      uncached: 6,
      output: 40,
      total: 2_226,
      usd: 0.3,
    })
  })

  it('is nothing for no bills', () => {
    expect(addBills([]).usd).toBe(0)
  })
})
