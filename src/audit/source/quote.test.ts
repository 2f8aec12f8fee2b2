import { runInNewContext } from 'node:vm'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { hostile } from '../../../test/support/source-report.ts'
import { quote } from './quote.ts'

describe('a text as a string literal', () => {
  it('evaluates to the text', () => {
    fc.assert(
      fc.property(hostile, (text) => {
        expect(runInNewContext(quote(text))).toBe(text)
      }),
    )
  })

  it('is one line of which every character is seen, and ends nothing that it stands in', () => {
    fc.assert(
      fc.property(hostile, (text) => {
        const literal = quote(text)
        expect(literal).not.toMatch(/[\p{Cc}\p{Cs}\p{Zl}\p{Zp}\u200b-\u200f\u202a-\u202e\u2066-\u2069]/u)
        expect(literal).not.toMatch(/<\/|<!|\*\/|(?<!\\)`|(?<!\\)\$\{/)
      }),
    )
  })

  it('reads as the text does where that can be read', () => {
    expect(quote('Branch: "main" & größer')).toBe(`'Branch: "main" & größer'`)
    expect(quote("it's\n</script>*/ ${a}")).toBe(`'it\\'s\\n\\u003c/script>*\\/ \\\${a}'`)
  })
})
