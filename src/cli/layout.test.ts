import { describe, expect, it } from 'vitest'
import { clip, clipLines, formatNumber, table, wrap } from './layout.ts'

describe('clip', () => {
  it.each([
    ['text that fits', 'abcde', 'abcde'],
    ['longer text', 'abcdef', 'abcd…'],
    ['text with a character of two units at the end', 'abc👍ef', 'abc👍…'],
    ['several lines', 'ab\ncd', 'ab cd'],
  ])('gives %s five columns', (_case, text, expected) => {
    expect(clip(text, 5)).toBe(expected)
  })
})

describe('wrap', () => {
  it.each([
    ['between words', 'ab cd ef', ['ab cd', 'ef']],
    ['and fills lines to the last column', 'abc d efghi', ['abc d', 'efghi']],
    ['and clips a word that is longer', 'a bcdefgh i', ['a', 'bcde…', 'i']],
  ])('breaks lines %s', (_case, text, expected) => {
    expect(wrap(text, 5)).toEqual(expected)
  })
})

describe('clipLines', () => {
  it('leaves out blank lines and keeps what fits', () => {
    expect(clipLines('a\n\nb\n', 80, 2)).toEqual(['a', 'b'])
  })

  it('says how many lines are left out', () => {
    expect(clipLines('a\nb\nc\nd', 80, 3)).toEqual(['a', 'b', '… and 2 more lines'])
  })

  it('lets no line be forged or hidden by control characters', () => {
    expect(clipLines('a\rb\u001b[1Ac', 80, 3)).toEqual(['abc'])
  })
})

describe('formatNumber', () => {
  it.each([
    [0, '0'],
    [999, '999'],
    [1000, '1,000'],
    [1234567, '1,234,567'],
  ])('writes %d', (count, expected) => {
    expect(formatNumber(count)).toBe(expected)
  })
})

describe('table', () => {
  it('aligns its columns under their titles, and numbers to the right', () => {
    const columns = [{ title: 'name' }, { title: 'size', align: 'right' }, { title: 'note' }] as const
    expect(
      table(
        columns,
        [
          ['a', '10,000', ''],
          ['longer', '1', 'x'],
        ],
        80,
      ),
    ).toEqual(['name      size  note', 'a       10,000', 'longer       1  x'])
  })

  it('cuts lines at the width that it is given, and takes control characters out of cells', () => {
    expect(table([{ title: 'a' }, { title: 'b' }], [['x\u001b[5m', 'yyyyyyyy']], 6)).toEqual(['a  b', 'x  yy…'])
  })
})
