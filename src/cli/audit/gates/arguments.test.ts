import { describe, expect, it } from 'vitest'
import { parseHitRate, parseTokenLimit, parseTurnCount } from './arguments.ts'

describe('limits on a command line', () => {
  it.each([
    ['0', 0],
    ['1', 1],
    ['0.95', 0.95],
    ['.5', 0.5],
    ['95%', 0.95],
    ['100 %', 1],
    ['0%', 0],
    // Divided by 100, this would be a little more.
    ['99.9%', 0.999],
    ['55.1%', 0.551],
  ])('have %s as a hit rate of %d', (text, rate) => {
    expect(parseHitRate(text)).toBe(rate)
  })

  it.each(['', ' ', '-0.1', '1.01', '95', '101%', '1e-2', '0x1', 'half', '%', '0,95', 'NaN', 'Infinity'])(
    'have no hit rate in "%s"',
    (text) => {
      expect(() => parseHitRate(text)).toThrow('Give a share from 0 to 1, or from 0% to 100%.')
    },
  )

  it.each(['', '-1', '1.5', '1e3', '1,000', 'many', '9'.repeat(16)])('have no tokens in "%s"', (text) => {
    expect(() => parseTokenLimit(text)).toThrow('Give a whole number of tokens, 0 or more.')
  })

  it('have tokens from 0, and turns from 1', () => {
    expect([parseTokenLimit('0'), parseTokenLimit('20000'), parseTurnCount('1')]).toEqual([0, 20_000, 1])
    for (const text of ['0', '-1', '2.5', '']) {
      expect(() => parseTurnCount(text)).toThrow('Give a whole number of turns, 1 or more.')
    }
  })
})
