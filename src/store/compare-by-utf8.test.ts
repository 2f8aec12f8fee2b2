import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { compareByUtf8 } from './compare-by-utf8.ts'

describe('compareByUtf8', () => {
  it.each([
    ['', 'a'],
    ['a', 'ab'],
    ['Z', 'a'],
    ['a', '\u00e1'],
    ['\uff5e', '\u{1f600}'],
    ['\uffff', '\u{10000}'],
    ['\u{1f600}', '\u{1f601}'],
    ['\u{1f600}\uffff', '\u{1f601}a'],
  ])('puts %j before %j', (smaller, larger) => {
    expect(compareByUtf8(smaller, larger)).toBeLessThan(0)
    expect(compareByUtf8(larger, smaller)).toBeGreaterThan(0)
    expect(compareByUtf8(smaller, smaller)).toBe(0)
  })

  it('orders well-formed texts as their UTF-8 bytes', () => {
    // Few letters, so that texts often share a start; astral ones share their first surrogate.
    const letter = fc.constantFrom('a', '\u05d0', '\ud7ff', '\ue000', '\uffff', '\u{10000}', '\u{1f600}', '\u{1f601}')
    const text = fc.oneof(fc.string({ unit: letter, maxLength: 4 }), fc.string({ unit: 'binary' }))
    fc.assert(
      fc.property(text, text, (a, b) => {
        expect(Math.sign(compareByUtf8(a, b))).toBe(Buffer.compare(Buffer.from(a), Buffer.from(b)))
      }),
    )
  })
})
