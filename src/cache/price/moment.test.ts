import { afterEach, describe, expect, it } from 'vitest'
import { chineseHolidays } from './chinese-holidays.ts'
import { inWindow, readMoment } from './moment.ts'
import type { PriceWindow } from './price-table.ts'

const zone = process.env['TZ']
afterEach(() => {
  if (zone === undefined) delete process.env['TZ']
  else process.env['TZ'] = zone
})

describe('readMoment', () => {
  it.each([
    ['2026-12-01', { day: '2026-12-01' }],
    ['2026-12-01T00:30:00Z', { day: '2026-12-01', minute: 30 }],
    ['2026-12-01T00:30:00.123Z', { day: '2026-12-01', minute: 30 }],
    ['2026-12-01T00:30', { day: '2026-12-01', minute: 30 }],
    ['2026-12-01 00:30:00', { day: '2026-12-01', minute: 30 }],
    ['2026-12-01T00:30:00+02:00', { day: '2026-11-30', minute: 1350 }],
    ['2026-11-30T20:00:00-0500', { day: '2026-12-01', minute: 60 }],
    [Date.UTC(2026, 11, 1, 0, 30), { day: '2026-12-01', minute: 30 }],
    [new Date(Date.UTC(2026, 11, 1, 0, 30)), { day: '2026-12-01', minute: 30 }],
  ])('reads %o the same in every time zone', (at, expected) => {
    const offsets = ['UTC', 'Pacific/Kiritimati', 'America/Los_Angeles'].map((name) => {
      process.env['TZ'] = name
      expect(readMoment(at)).toEqual(expected)
      return new Date(2026, 11, 1).getTimezoneOffset()
    })
    expect(offsets).toEqual([0, -840, 480])
  })

  it.each(['yesterday', '', '2026-13-01', '2026-02-30', '01/12/2026', Number.NaN, -1, Infinity, new Date('x')])(
    'does not guess at %o',
    (at) => {
      expect(readMoment(at)).toBeUndefined()
    },
  )
})

describe('inWindow', () => {
  const night: PriceWindow = { hours: [[1320, 120]], weekdays: [5], prices: {} }

  it.each([
    // 2026-11-27 is a Friday.
    ['2026-11-27T21:59', false],
    ['2026-11-27T22:00', true],
    ['2026-11-28T01:59', true],
    ['2026-11-28T02:00', false],
    ['2026-11-28T22:00', false],
    ['2026-11-27T01:00', false],
  ])('holds from Friday evening to Saturday morning: %s %s', (at, expected) => {
    expect(inWindow(night, readMoment(at)!)).toBe(expected)
  })

  it('says when the holidays of a year are not known', () => {
    const window: PriceWindow = { hours: [[0, 60]], except: chineseHolidays, prices: {} }
    expect(inWindow(window, readMoment('2026-10-01T00:00')!)).toBe(false)
    expect(inWindow(window, readMoment('2026-10-08T00:00')!)).toBe(true)
    expect(inWindow(window, readMoment('2027-10-08T00:00')!)).toBe('unknown-holidays')
  })
})

describe('the Chinese holidays of 2026', () => {
  it('are 33 days', () => {
    expect(new Set(chineseHolidays.days).size).toBe(33)
    expect(chineseHolidays.days).toContain('2026-02-17')
  })
})
