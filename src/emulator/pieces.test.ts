import fc from 'fast-check'
import { expect, it } from 'vitest'
import { pieces } from './pieces.ts'

function codePoints(text: string): readonly string[] {
  return text.match(/./gsu) ?? []
}

it('puts together to the text, never splits a code point, and has no empty piece', () => {
  fc.assert(
    fc.property(fc.string({ unit: 'binary' }), (text) => {
      const found = pieces(text)
      expect(found.join('')).toBe(text)
      expect(found.flatMap(codePoints)).toEqual(codePoints(text))
      expect(found).not.toContain('')
    }),
  )
})
