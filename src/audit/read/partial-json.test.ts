import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { parseStart } from './partial-json.ts'

const string = fc.string({ unit: fc.constantFrom('a', '"', '\\', '{', ']', ',', ':', '\n', '\u0001', 'é', '😀') })
const value = fc.oneof(fc.jsonValue({ maxDepth: 3 }), string)
const document = fc.oneof(fc.array(value, { maxLength: 4 }), fc.dictionary(string, value, { maxKeys: 4 }))

describe('parseStart', () => {
  it('is the value where the text has the whole of it, whatever follows', () => {
    fc.assert(
      fc.property(document, fc.constantFrom('', '\n', '\n{"next":1}', '\n[half'), (document, rest) => {
        const text = JSON.stringify(document)
        expect(parseStart(`  ${text}${rest}`)).toEqual(JSON.parse(text))
      }),
    )
  })

  it('is a part of the value wherever it is cut', () => {
    fc.assert(
      fc.property(document, fc.double({ min: 0, max: 1, noNaN: true }), (document, share) => {
        const text = JSON.stringify(document)
        const start = parseStart(text.slice(0, 1 + Math.floor(share * (text.length - 1))))
        expect(start).toBeDefined()
        expect(isPart(start, JSON.parse(text))).toBe(true)
      }),
    )
  })

  it('keeps the start of a text that the cut goes through', () => {
    expect(parseStart('{"request":{"url":"/v1","body":"{\\"model\\":\\"a')).toEqual({
      request: { url: '/v1', body: '{"model":"a' },
    })
    expect(parseStart('{"a":"x\\u00')).toEqual({ a: 'x' })
    expect(parseStart('{"a":1,"half of a ke')).toEqual({ a: 1 })
  })

  it.each(['', 'text', '"text"', '12', '- yaml: [', '{broken'])('is nothing, or empty, for %j', (text) => {
    expect(parseStart(text) ?? {}).toEqual({})
  })
})

/** True where the one is the other, or the start of it. */
function isPart(part: unknown, whole: unknown): boolean {
  if (typeof part === 'string' && typeof whole === 'string') return whole.startsWith(part)
  if (Array.isArray(part) && Array.isArray(whole)) return part.every((item, index) => isPart(item, whole[index]))
  if (typeof part === 'object' && part !== null && typeof whole === 'object' && whole !== null) {
    return Object.entries(part).every(([key, item]) => isPart(item, (whole as Record<string, unknown>)[key]))
  }
  return Object.is(part, whole)
}
