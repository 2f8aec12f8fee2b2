import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { readTime } from './read-time.ts'

describe('times', () => {
  it('are the same moment in every unit and notation', () => {
    fc.assert(
      fc.property(fc.integer({ min: Date.UTC(2015, 0), max: Date.UTC(2040, 0) }), (moment) => {
        const iso = new Date(moment).toISOString()
        const local = `${iso.slice(0, 10)} ${iso.slice(11, 23)}000`
        const nanoseconds = `${moment}123456`
        for (const each of [
          iso,
          local,
          iso.slice(0, 23),
          moment,
          String(moment),
          moment * 1000,
          [Math.floor(moment / 1000), (moment % 1000) * 1e6],
        ]) {
          expect(readTime(each)).toBeCloseTo(moment, 3)
        }
        expect(readTime(moment / 1000)).toBeCloseTo(moment, 0)
        expect(readTime(nanoseconds)).toBeCloseTo(moment, -1)
      }),
      { numRuns: 100 },
    )
  })

  it('keep the zone that they name', () => {
    expect(readTime('2026-11-27T10:00:00+02:00')).toBe(Date.UTC(2026, 10, 27, 8))
    expect(readTime('2026-11-27 10:00')).toBe(Date.UTC(2026, 10, 27, 10))
  })

  it('are absent where there is none', () => {
    for (const none of [undefined, null, '', 'soon', 0, -1, 12, Number.NaN, Infinity, {}, [], ['a', 1]])
      expect(readTime(none)).toBeUndefined()
  })
})
