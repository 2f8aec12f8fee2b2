import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { matchInOrder } from './match-in-order.ts'

describe('matchInOrder in a list that grows', () => {
  it('takes the earlier of equal items for the same ones', () => {
    const [first, second] = ['xana'.split(''), 'yanananan'.split('')]
    expect(matchInOrder(first, second, { grows: true })).toEqual([
      [1, 1],
      [2, 2],
      [3, 3],
    ])
  })

  it('still matches the ends of long lists without anchors', () => {
    const [first, second] = [`xz${'ab'.repeat(100)}`.split(''), `yy${'ab'.repeat(150)}`.split('')]
    expect(matchInOrder(first, second, { grows: true }).length).toBeGreaterThanOrEqual(200)
  })
})

describe('matchInOrder', () => {
  it('is not shifted by what was inserted, removed or replaced', () => {
    expect(matchInOrder('abcdef'.split(''), 'xabdyf'.split(''))).toEqual([
      [0, 1],
      [1, 2],
      [3, 3],
      [5, 5],
    ])
  })

  it('matches the longest part that kept its order', () => {
    expect(matchInOrder('abcde'.split(''), 'eabcd'.split('')).map(([first]) => first)).toEqual([0, 1, 2, 3])
  })

  it('matches what stands there more than once', () => {
    expect(matchInOrder('xaxbx'.split(''), 'xaxcxbx'.split(''))).toHaveLength(5)
  })

  it('pairs equal items only, both sides rising, each once', () => {
    const list = fc.array(fc.constantFrom(...'abcdefgh'.split('')), { maxLength: 40 })
    fc.assert(
      fc.property(list, list, (first, second) => {
        let last: readonly [number, number] = [-1, -1]
        for (const match of matchInOrder(first, second)) {
          expect(first[match[0]]).toBe(second[match[1]])
          expect(match[0]).toBeGreaterThan(last[0])
          expect(match[1]).toBeGreaterThan(last[1])
          last = match
        }
      }),
      { numRuns: 100 },
    )
  })

  it('matches all of two equal lists', () => {
    fc.assert(
      fc.property(fc.array(fc.constantFrom(...'abc'.split('')), { maxLength: 30 }), (list) => {
        expect(matchInOrder(list, [...list])).toHaveLength(list.length)
      }),
      { numRuns: 100 },
    )
  })
})
