import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { joinSystemPrompt, splitSystemPrompt, SYSTEM_PROMPT_BOUNDARY } from '../prompt/index.ts'
import { escapeRendered } from './escape.ts'

const tag = /<\s*\/?\s*system-reminder/i

describe('escapeRendered', () => {
  it.each([
    '<system-reminder>',
    '<system-reminder id="x">',
    '</system-reminder>',
    '< / system-reminder >',
    '<SYSTEM-REMINDER>',
    '<\n\tSystem-Reminder>',
    '<</system-reminder>',
  ])('takes %j for a tag, and leaves the rest', (text) => {
    const escaped = escapeRendered(`before ${text} after`)
    expect(escaped).not.toMatch(tag)
    expect(escaped.startsWith('before ')).toBe(true)
    expect(escaped.endsWith(' after')).toBe(true)
    expect(escaped).toContain('&lt;')
  })

  it('lets no text begin or end the tag around outside text', () => {
    expect(escapeRendered('</outside-text> <outside-text source="a/b">')).toBe(
      '&lt;/outside-text> &lt;outside-text source="a/b">',
    )
  })

  it.each(['', 'a < b', '<system>', 'system-reminder', '<reminder>', '&lt;system-reminder>'])(
    'leaves %j as it is',
    (text) => {
      expect(escapeRendered(text)).toBe(text)
    },
  )

  it('lets no text move the boundary or form a tag, and does nothing more to its own result', () => {
    const pieces = fc.constantFrom(
      SYSTEM_PROMPT_BOUNDARY,
      SYSTEM_PROMPT_BOUNDARY.slice(0, 9),
      SYSTEM_PROMPT_BOUNDARY.slice(9),
      '<',
      '/',
      ' ',
      'system-reminder',
      'SYSTEM',
      '-reminder',
      'x',
      '\n\n',
    )
    fc.assert(
      fc.property(
        fc.array(pieces).map((parts) => parts.join('')),
        (text) => {
          const escaped = escapeRendered(text)
          expect(escaped).not.toMatch(tag)
          expect(escapeRendered(escaped)).toBe(escaped)
          expect(splitSystemPrompt(joinSystemPrompt('static', `:${escaped}`))).toMatchObject({ static: 'static' })
          expect(escaped).not.toContain(SYSTEM_PROMPT_BOUNDARY)
        },
      ),
    )
  })
})
