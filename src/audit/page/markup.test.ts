import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { element, scriptJson, toHtml, type Markup } from './markup.ts'
import { visibleText } from './visible-text.ts'

const hostile = fc.oneof(
  fc.string({ unit: 'binary' }),
  fc.constantFrom(
    '</script>',
    '<!--<script>',
    '"><img src=x onerror=alert(1)>',
    "' onfocus='alert(1)",
    '&lt;&amp;',
    '\0',
  ),
)

/** What stands for the characters that mean something, as it is read. */
const references: Readonly<Record<string, string>> = {
  '&amp;': '&',
  '&lt;': '<',
  '&gt;': '>',
  '&quot;': '"',
  '&#39;': "'",
}
const read = (html: string): string => html.replace(/&[^;]*;/g, (reference) => references[reference] ?? reference)

describe('an element', () => {
  it('is written so that its texts are read as they are, and end nothing', () => {
    fc.assert(
      fc.property(hostile, hostile, (title, text) => {
        const html = toHtml(element('p', { title }, text))
        const [, attribute = '', content = ''] = /^<p title="([^"<>]*)">([^<>]*)<\/p>$/.exec(html) ?? []
        expect([read(attribute), read(content)]).toEqual([visibleText(title), visibleText(text)])
      }),
    )
  })

  it('leaves out what is nothing', () => {
    expect(toHtml(element('p', { class: undefined }, null, 0, ' of ', element('br', {})))).toBe('<p>0 of <br></p>')
  })
})

describe('JSON in a script', () => {
  it('means what it was given, and ends no element', () => {
    fc.assert(
      fc.property(hostile, (text) => {
        const markup: Markup = element('p', { title: text }, text)
        const json = scriptJson([markup])
        expect(JSON.parse(json)).toEqual([markup])
        expect(json).not.toMatch(/<|[\u2028\u2029]/)
      }),
    )
  })
})
