import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { escapeInvisible } from './invisible.ts'

describe('escaping what is invisible', () => {
  it('leaves the value of a JSON text as it is', () => {
    fc.assert(
      fc.property(fc.jsonValue(), (json) => {
        const written = JSON.stringify(json)
        expect(JSON.parse(escapeInvisible(written))).toEqual(JSON.parse(written))
      }),
    )
  })
})
