import { describe, expect, it } from 'vitest'
import { CommandError } from '../errors.ts'
import { addBills, toBill } from './bill.ts'

const at = new Date('2026-12-01T23:43:00Z')
const usage = {
  input_tokens: 3,
  cache_read_input_tokens: 1_000,
  cache_creation_input_tokens: 110,
  cache_creation: { ephemeral_5m_input_tokens: 100, ephemeral_1h_input_tokens: 10 },
  output_tokens: 20,
}
const bill = {
  read: 1_000,
  write5m: 100,
  write30m: 0,
  write1h: 10,
  uncached: 3,
  output: 20,
  total: 1_113,
  usd: 0.00174,
}
const claude = { model: 'claude-opus-5', usage: 'anthropic', writes: ['write5m', 'write1h'] } as const
const gpt = { model: 'gpt-6.2-sol', usage: 'openai', writes: ['write30m'] } as const
const gemini = { model: 'gemini-3.8-flash', usage: 'gemini', writes: [] } as const

describe('toBill', () => {
  it('reads the usage of an answer and prices it', () => {
    expect(toBill({ usage }, claude, at)).toEqual(bill)
  })

  it('knows writes of other lifetimes, and providers that have none', () => {
    const details = { cached_tokens: 1_000, cache_write_tokens: 110 }
    const reported = { prompt_tokens: 1_113, completion_tokens: 20, prompt_tokens_details: details }
    expect(toBill({ usage: reported }, gpt, at)).toMatchObject({ read: 1_000, write5m: 0, write30m: 110, uncached: 3 })
    const counts = { promptTokenCount: 5_000, candidatesTokenCount: 20 }
    const read = { ...counts, cachedContentTokenCount: 4_500 }
    expect(toBill({ usageMetadata: read }, gemini, at)).toMatchObject({ read: 4_500, write5m: 0, uncached: 500 })
  })

  it('takes a count of Gemini that is left out for none', () => {
    const counts = { promptTokenCount: 5_000, candidatesTokenCount: 20 }
    expect(toBill({ usageMetadata: counts }, gemini, at)).toMatchObject({ read: 0, uncached: 5_000 })
  })

  it.each([
    ['what was read', { input_tokens: 3, output_tokens: 20 }, claude],
    ['what was written', { prompt_tokens: 3, completion_tokens: 2, prompt_tokens_details: { cached_tokens: 0 } }, gpt],
  ])('refuses an answer that does not say %s', (_case, reported, provider) => {
    expect(() => toBill({ usage: reported }, provider, at)).toThrow(CommandError)
    expect(() => toBill({ usage: reported }, provider, at)).toThrow('all of its usage')
  })

  it('refuses a model that has no price', () => {
    expect(() => toBill({ usage }, { ...claude, model: 'claude-nobody-1' }, at)).toThrow(CommandError)
    expect(() => toBill({ usage }, { ...claude, model: 'claude-nobody-1' }, at)).toThrow('claude-nobody-1')
  })
})

describe('addBills', () => {
  it('adds up, without the noise of adding floats', () => {
    const some = { ...bill, usd: 0.1 }
    expect(addBills([some, { ...some, usd: 0.2 }])).toEqual({
      read: 2_000,
      write5m: 200,
      write30m: 0,
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
