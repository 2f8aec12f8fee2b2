import fc from 'fast-check'
import { expect, it } from 'vitest'
import { sketchLikeness, sketchOf } from './word-sketch.ts'

const likeness = (one: string, other: string): number => sketchLikeness(sketchOf(one), sketchOf(other))
const words = (count: number, from = 0): string =>
  Array.from({ length: count }, (_, index) => `word${from + index}`).join(' ')

it('tells equal texts from texts without a pair of words in common', () => {
  expect(likeness(words(300), words(300))).toBe(1)
  expect(likeness(words(300), words(300, 1000))).toBe(0)
  expect(likeness('夜空 の 星', '夜空 の 星')).toBe(1)
})

it('estimates the share of a text that was changed in several places', () => {
  const one = words(200)
  const other = one.replace('word20', 'other').replace('word90', 'else').replace('word150', 'more')
  expect(likeness(one, other)).toBeGreaterThan(0.8)
  expect(likeness(words(200), words(200, 100))).toBeLessThan(0.6)
  expect(likeness(words(200), words(200, 100))).toBeGreaterThan(0.15)
})

it('has nothing to say of texts without words', () => {
  expect(likeness('', '')).toBe(0)
  expect(likeness('--- !!! ---', 'a word')).toBe(0)
})

it('is the same both ways, and between 0 and 1', () => {
  fc.assert(
    fc.property(fc.string({ unit: 'binary' }), fc.string({ unit: 'binary' }), (one, other) => {
      const found = likeness(one, other)
      expect(found).toBe(likeness(other, one))
      expect(found).toBeGreaterThanOrEqual(0)
      expect(found).toBeLessThanOrEqual(1)
      expect(sketchOf(one)).toEqual([...new Set(sketchOf(one))].sort((left, right) => left - right))
    }),
    { numRuns: 50 },
  )
})
