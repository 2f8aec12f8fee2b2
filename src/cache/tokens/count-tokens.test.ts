import { describe, expect, it } from 'vitest'
import { guessTokens, loadTokenCounter } from './count-tokens.ts'

const code = 'export function add(left: number, right: number): number {\n  return left + right\n}\n'.repeat(20)
const prose = 'The provider keeps what it has read of a prompt, and reads it again for less. '.repeat(20)
const chinese = '缓存提供者会保留它已经读过的提示。'.repeat(20)

describe('the guess', () => {
  it('is nothing for nothing, and at least one for anything', () => {
    expect(guessTokens('')).toBe(0)
    expect(guessTokens('a')).toBe(1)
  })

  it.each([
    ['code', code],
    ['prose', prose],
    ['Chinese', chinese],
  ])('is within a factor of two of the tokenizer for %s', async (_, text) => {
    const count = (await loadTokenCounter())(text)
    expect(guessTokens(text) / count).toBeGreaterThan(0.5)
    expect(guessTokens(text) / count).toBeLessThan(2)
  })
})

describe('the loaded counter', () => {
  it('counts in o200k', async () => {
    const count = await loadTokenCounter()
    expect([count(''), count('hello world'), count('indelible')]).toEqual([0, 2, 3])
  })

  it.each(['<|endoftext|>', '<|endofprompt|>', 'a <|im_start|> b'])('counts %s as plain text', async (text) => {
    const count = await loadTokenCounter()
    expect(count(text)).toBeGreaterThan(3)
  })

  it.each([
    ['letters', 'z'],
    ['signs', '*'],
    ['blanks', ' '],
    ['letters of two units', '𝒜'],
  ])(
    'counts millions of %s in a row as it counts a hundred of them, and what stands around them',
    async (_, letter) => {
      const count = await loadTokenCounter()
      const one = count(letter.repeat(100))
      const around = count('before ') + count(' 1 after')
      const many = count(`before ${letter.repeat(5_000_000)} 1 after`)
      expect(Math.abs(many - around - one * 50_000)).toBeLessThan(one * 50_000 * 0.02 + 2)
    },
  )

  it('counts a long text without blanks or line ends as the tokenizer does', async () => {
    const count = await loadTokenCounter()
    const { countTokens } = await import('gpt-tokenizer/encoding/o200k_base')
    const base64 = btoa(Array.from({ length: 5000 }, (_, index) => index * index).join(''))
    for (const text of [chinese.repeat(20), base64, code.replaceAll(/\s/g, '').repeat(10)]) {
      expect(count(text)).toBe(countTokens(text))
    }
  })
})
