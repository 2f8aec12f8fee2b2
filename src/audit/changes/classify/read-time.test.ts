import { describe, expect, it } from 'vitest'
import { readTime } from './read-time.ts'

const day = Date.UTC(2026, 10, 1) / 86_400_000

describe('readTime', () => {
  it.each([
    ['2026-11-01', { day }],
    ['1.11.2026', { day }],
    ['11/1/2026', { day }],
    ['2026年11月1日', { day }],
    ['๑ พฤศจิกายน ๒๕๖๙', { day }],
    ['November 1st, 2026', { day }],
    ['14:03:59', { second: 50_639, grain: 1 }],
    ['2:03 p.m.', { second: 50_580, grain: 60 }],
    ['12 am', { second: 0, grain: 3600 }],
    ['14時03分', { second: 50_580 }],
    ['quarter past nine', { second: 33_300, period: 43_200 }],
    ['twenty to ten', { second: 34_800 }],
    ['2026-11-01T00:00:01Z', { instant: Date.UTC(2026, 10, 1, 0, 0, 1) }],
    ['1793491200', { instant: 1_793_491_200_000 }],
    ['Monday', { weekday: 1 }],
  ])('reads %s', (value, reading) => {
    expect(readTime(value)).toMatchObject(reading)
  })

  it.each(['', 'main', '7', '99:99', 'version 1.2', '2026-13-45', 'half of it', '\u0000'])(
    'reads no time in %j',
    (value) => {
      expect(readTime(value)).toBeUndefined()
    },
  )
})
