import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import type { Segment } from '../../cache/index.ts'
import { firstDifference } from './first-difference.ts'

const segments = (...texts: string[]): Segment[] =>
  texts.map((content, index) => ({
    path: `messages[${index}]`,
    section: 'messages',
    role: 'user',
    type: 'text',
    content,
    tokens: 1,
    breakpoint: null,
  }))

describe('firstDifference', () => {
  it('is none where the second has all of the first', () => {
    expect(firstDifference(segments('a'), segments('a', 'b'), 1)).toBeNull()
  })

  it.each([
    ['changed', ['a', 'b', 'c'], ['a', 'x', 'c'], 'b', 'x'],
    ['inserted', ['a', 'b'], ['a', 'x', 'b'], null, 'x'],
    ['removed', ['a', 'b', 'c'], ['a', 'c'], 'b', null],
    ['shortened', ['a', 'b'], ['a'], 'b', null],
  ] as const)('tells what was %s', (kind, first, second, before, after) => {
    expect(firstDifference(segments(...first), segments(...second), 1)).toMatchObject({
      kind,
      path: 'messages[1]',
      before,
      after,
    })
  })

  it('knows a message that lost its last block, or has one more', () => {
    const at = (...paths: string[]): Segment[] =>
      segments(...paths).map((segment, index) => ({ ...segment, path: paths[index]! }))
    const short = at('messages[0].content[0]', 'messages[1].content[0]')
    const long = at('messages[0].content[0]', 'messages[0].content[1]', 'messages[1].content[9]')
    const path = 'messages[0].content[1]'
    expect(firstDifference(long, short, 1)).toMatchObject({ kind: 'removed', path, before: path, after: null })
    expect(firstDifference(short, long, 1)).toMatchObject({ kind: 'inserted', path, before: null, after: path })
  })

  it('shows the text around it, and counts in UTF-16 units', () => {
    const text = (day: string): string => `${'x'.repeat(100)}😀 on ${day}, ${'y'.repeat(200)}`
    const found = firstDifference(segments(text('Monday')), segments(text('Tuesday')), 0)
    expect(found?.offset).toBe(106)
    expect(found?.before).toMatch(/^…x+😀 on Monday, y+…$/)
    expect(found?.after).toMatch(/^…x+😀 on Tuesday, y+…$/)
  })

  it('never cuts a character in two', () => {
    fc.assert(
      fc.property(
        fc.array(fc.constantFrom('😀', '😁', 'a')),
        fc.array(fc.constantFrom('😀', '😁', 'a')),
        (one, other) => {
          const found = firstDifference(segments(one.join('')), segments(other.join('')), 0)!
          expect((found.before ?? '').isWellFormed()).toBe(true)
          expect((found.after ?? '').isWellFormed()).toBe(true)
        },
      ),
    )
  })
})
