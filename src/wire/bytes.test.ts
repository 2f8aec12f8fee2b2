import * as fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { copyJson, type Json } from '../base/json.ts'
import { decodeBytes, encodeBytes } from './bytes.ts'

const key = fc.oneof(fc.string(), fc.constantFrom('$bytes', '$$bytes', '$$$bytes', 'bytes', '__proto__'))
const { value } = fc.letrec<{ value: unknown }>((tie) => ({
  value: fc.oneof(
    { maxDepth: 4 },
    fc.string(),
    fc.integer(),
    fc.boolean(),
    fc.constant(null),
    fc.uint8Array(),
    fc.array(tie('value'), { maxLength: 4 }),
    fc
      .array(fc.tuple(key, tie('value')), { maxLength: 4 })
      .map((entries) => Object.fromEntries(entries) as Record<string, unknown>),
  ),
}))

describe('bytes as JSON', () => {
  it('are base64 under a key of their own', () => {
    expect(encodeBytes({ image: { source: { bytes: Uint8Array.of(1, 2, 3) } } })).toEqual({
      image: { source: { bytes: { $bytes: 'AQID' } } },
    })
  })

  it('come back as they were, whatever looks like them', () => {
    fc.assert(
      fc.property(value, (given) => {
        const json = encodeBytes(given) as Json
        expect(copyJson(json)).toEqual(json)
        expect(decodeBytes(JSON.parse(JSON.stringify(json)) as Json)).toEqual(given)
      }),
      { numRuns: 200 },
    )
  })

  it('may be many', () => {
    const bytes = Uint8Array.from({ length: 200_000 }, (_, index) => index % 251)
    expect(decodeBytes(encodeBytes(bytes) as Json)).toEqual(bytes)
  })

  it('leaves what is no JSON for others to name', () => {
    const date = new Date(0)
    expect(encodeBytes({ date })).toEqual({ date })
  })
})
