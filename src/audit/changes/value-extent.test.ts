import { describe, expect, it } from 'vitest'
import { valueExtents } from './value-extent.ts'

/** The value around the part of `text` that stands in braces. */
function around(text: string): string {
  const [start, end] = [text.indexOf('{'), text.indexOf('}') - 1]
  const plain = text.replace(/[{}]/g, '')
  const [changed, whole] = [
    { start, end },
    { start: 0, end: plain.length },
  ]
  const { before } = valueExtents(plain, plain, { before: changed, after: changed }, { before: whole, after: whole })
  return plain.slice(before.start, before.end)
}

/** The values around what was inserted into `text`, or is removed there, in braces. */
function between(text: string): readonly [without: string, whole: string] {
  const [start, end] = [text.indexOf('{'), text.indexOf('}') - 1]
  const whole = text.replace(/[{}]/g, '')
  const without = whole.slice(0, start) + whole.slice(end)
  const { before, after } = valueExtents(
    without,
    whole,
    { before: { start, end: start }, after: { start, end } },
    { before: { start: 0, end: without.length }, after: { start: 0, end: whole.length } },
  )
  return [without.slice(before.start, before.end), whole.slice(after.start, after.end)]
}

describe('valueExtents', () => {
  it.each([
    ['Date: 2026-11-{01}', '2026-11-01'],
    ['It is 14:{03}:59 now.', '14:03:59 now'],
    ['Today is Saturday, November {1}, 2026 at 23:59.', 'Saturday, November 1, 2026 at 23:59'],
    ['Heute ist der {31}. Oktober 2026.', '31. Oktober 2026'],
    ['On branch feature/{a}-1.', 'feature/a-1'],
    ['in /home/{ann}/work, please', '/home/ann/work'],
    ['id="{7f3a}"', '7f3a'],
    ['Iteration {7}, 12000 tokens left', '7'],
    ['{32} of 40', '32'],
    ['left: 196,{877}.', '196,877'],
    ['[##{#}....]', '###....'],
    ['one\n{two\nthree}\nfour', 'two\nthree'],
  ])('reads %s as %s', (text, value) => {
    expect(around(text)).toBe(value)
  })

  it('does not reach beyond its limits', () => {
    const [changed, limits] = [
      { start: 4, end: 7 },
      { start: 4, end: 9 },
    ]
    const text = 'aaa-bbb-ccc'
    expect(valueExtents(text, text, { before: changed, after: changed }, { before: limits, after: limits })).toEqual({
      before: limits,
      after: limits,
    })
  })

  it.each([
    ['in /home/ana/shop{/packages/cart}\n', '/home/ana/shop', '/home/ana/shop/packages/cart'],
    ['branch: fix/tax{-2}, clean', 'fix/tax', 'fix/tax-2'],
    ['at 14:03{:59}.', '14:03', '14:03:59'],
    ['The {very }quick fox', '', 'very '],
  ])('gives the value on both sides where %s was only inserted', (text, without, whole) => {
    expect(between(text)).toEqual([without, whole])
  })

  it.each([
    ['calm down{\n\nYou were called.}', '', '\n\nYou were called.'],
    ['- a\n{- b\n}- c', '', '- b\n'],
    ['Status: {M a\n?? }b\n', 'b', 'M a\n?? b'],
    ['one {two\nand }three\nfour', 'one three', 'one two\nand three'],
  ])('gives whole lines where lines came: %j', (text, without, whole) => {
    expect(between(text)).toEqual([without, whole])
  })
})
