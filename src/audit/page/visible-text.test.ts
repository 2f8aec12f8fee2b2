import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { LONGEST, visibleText } from './visible-text.ts'

describe('a visible text', () => {
  it.each([
    ['Zürich, 東京 🙂\n\tand on', 'Zürich, 東京 🙂\n\tand on'],
    ['\u001b[31mred', '\\u001b[31mred'],
    ['\u202egnp.exe', '\\u202egnp.exe'],
    ['a\u200bb\ufeff', 'a\\u200bb\\ufeff'],
    ['a\r\nb\0', 'a\\u000d\nb\\u0000'],
    ['half \ud83d', 'half \\ud83d'],
  ])('of %j is %j', (text, shown) => {
    expect(visibleText(text)).toBe(shown)
  })

  it('has no character that moves, hides or turns others', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'binary' }), (text) => {
        const shown = visibleText(text)
        expect(shown).not.toMatch(/[^\P{Cc}\t\n]|\p{Cs}|\p{Bidi_Control}/u)
        expect(visibleText(shown)).toBe(shown)
      }),
    )
  })

  it('is bounded, and says what it is the start of', () => {
    expect(visibleText('x'.repeat(10_000_000))).toBe(`${'x'.repeat(LONGEST)}… (10000000 characters)`)
  })
})
