import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import type { Hunk } from '../changes/types.ts'
import { carry, substitute, type Substitution } from './substitutions.ts'

/** A text of stretches that stay and slots that change, at one moment. */
function textOf(values: readonly string[]): string {
  return values.map((value, at) => `[${at}:${value}]`).join(' and ')
}

function hunksBetween(before: readonly string[], after: readonly string[]): Hunk[] {
  const hunks: Hunk[] = []
  let [at, later] = [0, 0]
  for (const [slot, value] of before.entries()) {
    const start = `[${slot}:`.length
    const next = after[slot] ?? ''
    if (value !== next) {
      hunks.push({
        before: { start: at + start, end: at + start + value.length },
        after: { start: later + start, end: later + start + next.length },
        culprit: String(slot),
      })
    }
    at += start + value.length + ']'.length + ' and '.length
    later += start + next.length + ']'.length + ' and '.length
  }
  return hunks
}

const hunk = (before: [number, number], after: [number, number], culprit = 'a'): Hunk => ({
  before: { start: before[0], end: before[1] },
  after: { start: after[0], end: after[1] },
  culprit,
})

const isA = (culprit: string): boolean => culprit === 'a'

describe('carry', () => {
  it('keeps the first form of what is frozen, and the newest of all else', () => {
    const values = fc.array(fc.string({ maxLength: 6 }), { minLength: 4, maxLength: 4 })
    fc.assert(
      fc.property(
        fc.array(values, { minLength: 1, maxLength: 8 }),
        fc.subarray(['0', '1', '2', '3']),
        (turns, frozen) => {
          const isFrozen = (culprit: string): boolean => frozen.includes(culprit)
          let substitutions: readonly Substitution[] = []
          for (const [at, now] of turns.entries()) {
            const before = turns[at - 1] ?? now
            const texts = { before: textOf(before), after: textOf(now) }
            substitutions = carry(substitutions, hunksBetween(before, now), isFrozen, texts)
            const expected = now.map((value, slot) => (isFrozen(String(slot)) ? (turns[0]?.[slot] ?? '') : value))
            expect(substitute(textOf(now), substitutions)).toBe(textOf(expected))
          }
        },
      ),
      { numRuns: 100 },
    )
  })

  it('says nothing once the text is what it was', () => {
    const first = carry([], [hunk([2, 4], [2, 5])], isA, { before: 'x 09 y', after: 'x 010 y' })
    expect(first).toEqual([{ start: 2, end: 5, original: '09', culprit: 'a' }])
    expect(carry(first, [hunk([2, 5], [2, 4])], isA, { before: 'x 010 y', after: 'x 09 y' })).toEqual([])
  })

  it('brings text back where it was taken away', () => {
    const gone = carry([], [hunk([2, 8], [2, 2])], isA, { before: 'x draft y', after: 'x y' })
    expect(substitute('x y', gone)).toBe('x draft y'.slice(0, 8) + 'y')
    expect(carry(gone, [hunk([2, 2], [2, 8])], isA, { before: 'x y', after: 'x draft y' })).toEqual([])
  })

  it('lets a change pass that is not frozen, with the rest of what it reaches into kept', () => {
    const earlier = [{ start: 4, end: 10, original: 'FIRST', culprit: 'a' }]
    const texts = { before: 'abcdefghijklmn', after: 'abcdefghXXn' }
    const carried = carry(earlier, [hunk([8, 13], [8, 10], 'b')], isA, texts)
    expect(substitute(texts.after, carried)).toBe('abcdFIRSTXXn')
    const over = carry(earlier, [hunk([2, 12], [2, 3], 'b')], isA, { before: 'abcdefghijklmn', after: 'abXmn' })
    expect(over).toEqual([])
  })

  it('keeps what changes inside of a frozen stretch out of sight', () => {
    const earlier = [{ start: 4, end: 10, original: 'FIRST', culprit: 'a' }]
    const texts = { before: 'abcdefghijklmn', after: 'abcdeZZZhijklmn' }
    const carried = carry(earlier, [hunk([5, 7], [5, 8], 'b')], isA, texts)
    expect(substitute(texts.after, carried)).toBe('abcdFIRSTklmn')
  })

  it('knows the stretch where the texts are not kept any more, and not what stood there', () => {
    const carried = carry([], [hunk([2, 4], [2, 5])], isA, { before: null, after: null })
    expect(carried).toEqual([{ start: 2, end: 5, original: null, culprit: 'a' }])
    expect(substitute('x 010 y', carried)).toBeNull()
  })
})
