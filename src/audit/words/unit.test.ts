import { describe, expect, it } from 'vitest'
import { dollars, notRead, savingIn, secondsOfPrefill, unitFor } from './unit.ts'

describe('a unit', () => {
  it('of dollars shows the price, or the tokens where there is none', () => {
    expect(dollars.of(1.5, 1000)).toBe('$1.50')
    expect(dollars.of(null, 1234)).toBe('1,234 tokens')
  })

  it.each([
    [0, '0.00 s'],
    [4, '0.00 s'],
    [420, '0.42 s'],
    [8300, '8.3 s'],
    [95_000, '95 s'],
    [720_000, '12 min'],
    [12_240_000, '3.4 h'],
    [360_000_000, '100 h'],
    [-8300, '-8.3 s'],
  ])('of prefill shows %i tokens at 1,000 a second as %s, whatever they cost', (tokens, text) => {
    expect(secondsOfPrefill(1000).of(99, tokens)).toBe(text)
  })

  it('ranks by money, or by tokens', () => {
    expect(dollars.rank(1, 10)).toBeGreaterThan(dollars.rank(0.5, 1e6))
    expect(dollars.rank(null, 20)).toBeGreaterThan(dollars.rank(null, 10))
    expect(secondsOfPrefill(10).rank(0.5, 1e6)).toBeGreaterThan(secondsOfPrefill(10).rank(1, 10))
  })

  it('words what a fix saves by the figure that is shown', () => {
    expect(savingIn(dollars, { cost: 0.5, tokens: -10 })).toBe('saves $0.50')
    expect(savingIn(dollars, { cost: -0.5, tokens: 10 })).toBe('costs $0.50 more')
    expect(savingIn(unitFor(100), { cost: 0.5, tokens: -1000 })).toBe('costs 10 s more')
    expect(savingIn(unitFor(undefined), { cost: null, tokens: 1000 })).toBe('saves 1,000 tokens')
  })

  it('is not applied where nobody knows how much input there was', () => {
    expect(notRead({ total: null, read: 5 })).toBeNull()
    expect(notRead({ total: 10, read: null })).toBe(10)
    expect(notRead({ total: 10, read: 4 })).toBe(6)
  })
})
