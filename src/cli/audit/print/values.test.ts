import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import type { AuditCulprit, ReportText } from '../../../audit/index.ts'
import { culprit, masked, shown } from './test-report.ts'
import { valueLines, valuesLine } from './values.ts'

const lineOf = (values: readonly ReportText[], over: Partial<AuditCulprit> = {}): string =>
  valuesLine(culprit({ values, ...over }), 77)
const of = (...texts: readonly string[]): string => lineOf(texts.map(shown))

describe('values on a line', () => {
  it('are whole where they fit', () => {
    expect(of('main', 'feature/zürich')).toBe('"main" → "feature/zürich"')
  })

  it('lose what they begin and end with before what differs is cut', () => {
    const at = (time: string): string => `Tuesday, 24 November 2026, ${time} in the time zone of Europe/Zurich`
    expect(of(at('09:58:12'), at('09:58:20'))).toBe('…"09:58:12"… → …"09:58:20"…')
    expect(of(...['12', '20', '31', '40'].map((second) => at(`09:58:${second}`)))).toBe(
      '…"09:58:12"… → …"09:58:20"… → …"09:58:31"… → …"09:58:40"…',
    )
  })

  it('show where they part when even that is too long', () => {
    const line = of(`same ${'a'.repeat(100)}`, `same ${'b'.repeat(100)}`)
    expect(line).toMatch(/^…"a+… → …"b+…$/)
    expect(Array.from(line).length).toBeLessThanOrEqual(77)
  })

  it('that are masked show their shapes and lengths', () => {
    expect(of('')).toBe('""')
    const texts = ['xxx 00', 'xxx xxxx'].map((end) => ({ ...masked(1200), preview: `${'xxxx '.repeat(14)}${end}` }))
    expect(lineOf(texts)).toBe('…00 [1,200] → …xxxx [1,200]')
    expect(lineOf([masked(9), masked(9), masked(9)])).toBe('3 texts of one shape: xxxxxxxxx [9]')
  })

  it('stand in the text around them where there is room', () => {
    const anchor = { before: shown('Branch: '), after: shown('\nStatus') }
    expect(lineOf([shown('a'), shown('b')], { anchor })).toBe('"a" → "b"   (Branch: … Status)')
    expect(lineOf([shown('a'.repeat(30)), shown('b'.repeat(30))], { anchor })).not.toContain('Branch')
  })

  it('are not said twice where the path names what was added', () => {
    expect(lineOf([shown('grep, glob')], { kind: 'tool-added', path: 'tools[grep, glob]' })).toBe('')
  })

  it('name the tools that moved', () => {
    const lists = ['read, edit, grep, bash', 'bash, read, edit, grep', 'bash, read, grep, edit'].map(shown)
    expect(lineOf(lists, { kind: 'tool-reordered' })).toBe('moved: bash from place 4 to 1; then edit from place 3 to 4')
    const names = Array.from({ length: 40 }, (_, index) => `a_tool_with_a_name_${index}`)
    const cut = [names, [...names.slice(1), names[0]!]].map((list) => {
      const text = list.join(', ')
      return { ...shown(text.slice(0, 200)), length: text.length }
    })
    // The lists are cut: that it is gone from the front is all that can be seen.
    expect(lineOf(cut, { kind: 'tool-reordered' })).toMatch(/^"a_tool_with_a_name_0.*"a_tool_with_a_name_1/)
    expect(lineOf([masked(80), masked(80)], { kind: 'tool-reordered' })).toContain('of one shape')
  })

  it('fit into the line, and show a difference where there is one', () => {
    const text = fc.oneof(fc.string({ unit: 'grapheme', maxLength: 150 }), fc.string({ unit: 'binary', maxLength: 90 }))
    fc.assert(
      fc.property(text, text, text, text, (start, one, other, end) => {
        const line = of(start + one + end, start + other + end, start + one + end)
        expect(Array.from(line).length).toBeLessThanOrEqual(77)
        expect(line).not.toMatch(/\p{Cc}|\p{Bidi_Control}/u)
      }),
      { numRuns: 100 },
    )
  })
})

describe('values in full', () => {
  it('are all there, over as many lines as they take', () => {
    const values = [`a ${'b '.repeat(90)}`, `a ${'c '.repeat(90)}`, 'd'].map(shown)
    const lines = valueLines(culprit({ values }), 77)
    expect(lines.every((line) => line.length <= 77)).toBe(true)
    expect(lines.join('')).toBe(values.map(({ text }) => JSON.stringify(text)).join('→ '))
  })
})
