import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { tagOpening } from './tag-opening.ts'

const opening = tagOpening('our-tag')
const escape = (text: string): string => text.replace(opening, '&lt;')

describe('the opening of a tag', () => {
  it.each([
    '<our-tag>',
    '</our-tag>',
    '<Our-TAG id="x">',
    '< / \n our-tag',
    '<\u00a0/\u2028our-tag>',
    '<\u200bour-tag>',
    '<o\u00adu\u200dr\u2060-\u{e0041}t\ufe0fag>',
    '<our\u2011tag>',
    '<our\u2212tag>',
    '\uff1cour-tag\uff1e',
    '\ufe64\uff0four-tag>',
    '<\uff4f\uff55\uff52-\uff34ag>',
    '<<our-tag>',
  ])('is found in %j', (text) => {
    expect(escape(text)).toContain('&lt;')
    expect(escape(text)).not.toMatch(opening)
  })

  it.each(['', 'our-tag', '<our>', '<our tag>', '<o ur-tag>', 'a < b', '&lt;our-tag>', '<//our-tag>', '<x-our-tag>'])(
    'is not found in %j',
    (text) => {
      expect(escape(text)).toBe(text)
    },
  )

  it('is gone once it was escaped, whatever stands around it, and nothing else changes', () => {
    const pieces = fc.constantFrom('<', '\uff1c', '/', ' ', '\u200b', 'our', '\uff4f', 'ur', '-', 'tag', '>', '&lt;')
    fc.assert(
      fc.property(
        fc.array(pieces, { maxLength: 20 }).map((parts) => parts.join('')),
        (text) => {
          const escaped = escape(text)
          expect(escaped).not.toMatch(opening)
          expect(escape(escaped)).toBe(escaped)
          expect(escaped.replaceAll('&lt;', '<')).toBe(text.replace(opening, '<').replaceAll('&lt;', '<'))
        },
      ),
    )
  })

  // A pattern whose loops share a run takes hours for these.
  it.each([
    '<' + ' '.repeat(1_000_000),
    '<' + ' /'.repeat(500_000),
    '< '.repeat(500_000),
    '<' + '\u200b'.repeat(1_000_000),
  ])('is looked for in linear time %#', (text) => {
    expect(escape(text)).toBe(text)
  })
})
