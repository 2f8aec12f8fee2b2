import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { portableSha256 } from '../base/digest.ts'
import { nodeSha256 } from './bring-sha256.ts'

const texts = fc.oneof(
  fc.string({ unit: 'binary' }),
  fc.constantFrom('', '\ud800', '\udc00 and more', '\0', '\u{1f600}'),
)

describe('the SHA-256 that stores on Node bring', () => {
  it('is the one that is used without them, whatever the text', () => {
    fc.assert(
      fc.property(texts, (text) => {
        expect(nodeSha256(text)).toBe(portableSha256(text))
      }),
    )
  })
})
