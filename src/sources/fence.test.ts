import * as fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { fence } from './fence.ts'

describe('fence', () => {
  it.each([
    ['plain', '```\nplain\n```'],
    ['ends with a line break\n', '```\nends with a line break\n```'],
    ['CRLF\r\n', '```\nCRLF\r\n```'],
    ['', '```\n```'],
    ['```ts\ncode\n```', '````\n```ts\ncode\n```\n````'],
    ['five ````` in a line', '``````\nfive ````` in a line\n``````'],
  ])('frames %j', (text, expected) => {
    expect(fence(text)).toBe(expected)
  })

  it('cannot be closed by what it holds', () => {
    fc.assert(
      fc.property(fc.array(fc.constantFrom('`', '```', '\n', '\r', '~~~', ' ', 'x')), (pieces) => {
        const text = pieces.join('')
        const lines = fence(text).split('\n')
        expect(lines.at(-1)).toBe(lines[0])
        expect(text).not.toContain(lines[0])
      }),
    )
  })
})
