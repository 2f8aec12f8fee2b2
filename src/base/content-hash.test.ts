import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { contentHash } from './content-hash.ts'

describe('contentHash', () => {
  it('is the same for equal texts, on every machine', () => {
    expect(contentHash('')).toBe('00000000000000000000000000000000')
    expect(contentHash('Be brief.')).toMatchInlineSnapshot(`"969b5342daed7c40d0d80acd025a0434"`)
    expect(contentHash('Be brief, be right, say what you did. 👍')).toMatchInlineSnapshot(
      `"2934bec653f4853d1c75550eb21ae9a3"`,
    )
  })

  it('tells texts apart that differ in one unit, in their length, or in the order of their parts', () => {
    const hashes = new Set<string>()
    const base = 'x'.repeat(40)
    for (let at = 0; at < base.length; at++) hashes.add(contentHash(`${base.slice(0, at)}y${base.slice(at + 1)}`))
    for (let length = 0; length < 40; length++) hashes.add(contentHash('\0'.repeat(length)))
    expect(hashes.size).toBe(80)
    expect(contentHash('12345678abcdefgh')).not.toBe(contentHash('abcdefgh12345678'))
  })

  it('has a value of its own for each of many texts that are alike', () => {
    const texts = Array.from({ length: 100_000 }, (_, index) => `tool_result ${index} of the same call`)
    expect(new Set(texts.map(contentHash)).size).toBe(texts.length)
  })

  it('is 32 hex digits for any text, lone surrogates included', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'binary' }), (text) => {
        expect(contentHash(text)).toMatch(/^[0-9a-f]{32}$/)
        expect(contentHash(`${text}\ud800`)).not.toBe(contentHash(text))
      }),
    )
  })
})
