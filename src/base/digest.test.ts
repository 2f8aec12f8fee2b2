import { createHash } from 'node:crypto'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { sha256Base64, digest } from './digest.ts'

describe('digest', () => {
  it('is the first half of SHA-256 over UTF-8', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'binary' }), (text) => {
        expect(digest(text)).toBe(createHash('sha256').update(text, 'utf8').digest('hex').slice(0, 32))
      }),
    )
  })
})

describe('a content hash', () => {
  it('is SHA-256 over UTF-8 in Base64', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'binary' }), (text) => {
        expect(sha256Base64(text)).toBe(createHash('sha256').update(text, 'utf8').digest('base64'))
      }),
    )
  })
})
