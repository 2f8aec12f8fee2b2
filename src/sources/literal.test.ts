import * as fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { literal } from './literal.ts'

const anyText = fc.string({ unit: 'binary', maxLength: 200 })

/** The whole numbers from `first` to `last`. */
function range(first: number, last: number): number[] {
  return Array.from({ length: last - first + 1 }, (_, index) => first + index)
}

describe('literal', () => {
  it.each([
    ['main', '"main"'],
    ['', '""'],
    ['a "quoted" \\ name', String.raw`"a \"quoted\" \\ name"`],
    ['line\nbreak\r\ttab\0', String.raw`"line\nbreak\r\ttab\u0000"`],
    ['\u001b[31mred\u007f\u0085', String.raw`"\u001b[31mred\u007f\u0085"`],
    ['\u2028\u2029', String.raw`"\u2028\u2029"`],
    ['abc\u202etxt.exe', String.raw`"abc\u202etxt.exe"`],
    ['a\u200bb\u200dc\ufeff\u00ad', String.raw`"a\u200bb\u200dc\ufeff\u00ad"`],
    ['\u3164\u{e0041}\ufe0f', String.raw`"\u3164\udb40\udc41\ufe0f"`],
    ['\ud800', String.raw`"\ud800"`],
    ['\\\u200b', String.raw`"\\\u200b"`],
    ['naïve 文件 🚀', '"naïve 文件 🚀"'],
  ])('writes %j as %s', (text, expected) => {
    expect(literal(text)).toBe(expected)
  })

  it('reads back as the same text', () => {
    fc.assert(fc.property(anyText, (text) => JSON.parse(literal(text)) === text))
  })

  it('shows every character that there is, on one line', () => {
    const pages = range(0, 0x10ff).map((page) => String.fromCodePoint(...range(page * 0x100, page * 0x100 + 0xff)))
    for (const page of pages) {
      expect(literal(page)).not.toMatch(/[\p{Cc}\p{Cs}\p{Zl}\p{Zp}\p{Default_Ignorable_Code_Point}\p{Bidi_Control}]/u)
    }
  })

  it('cuts by code points and says how long the text was', () => {
    expect(literal('🚀🚀🚀', 2)).toBe('"🚀🚀" (cut from 3 characters)')
    expect(literal('🚀🚀🚀', 3)).toBe('"🚀🚀🚀"')
    expect(literal('x'.repeat(501))).toBe(`"${'x'.repeat(500)}" (cut from 501 characters)`)
  })

  it('says that a text was cut where the text itself cannot say so', () => {
    expect(literal('a" (cut from 9 characters)', 50)).toBe(String.raw`"a\" (cut from 9 characters)"`)
  })
})
