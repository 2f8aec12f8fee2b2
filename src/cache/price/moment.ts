/**
 * When a request was made, in UTC. The time zone and the locale of the machine play no part: a date is a day in UTC, and
 * a time without a zone is UTC as well.
 */
import type { HolidayCalendar, PriceWindow } from './price-table.ts'

/** A point in time, or a day whose time is not known. */
export interface Moment {
  /** `YYYY-MM-DD`. */
  readonly day: string
  /** Minutes since midnight; not there when only the day is known. */
  readonly minute?: number | undefined
}

const dayMilliseconds = 86_400_000

/** Reads an ISO date or date-time, milliseconds since 1970, or a `Date`; `undefined` for anything else. */
export function readMoment(at: string | number | Date): Moment | undefined {
  if (typeof at === 'string') {
    const text = at.trim()
    if (/^\d{4}-\d{2}-\d{2}$/.test(text)) {
      const time = Date.parse(text)
      return Number.isNaN(time) || dayOf(time) !== text ? undefined : { day: text }
    }
    const found = /^(\d{4}-\d{2}-\d{2})[T ](\d{2}:\d{2}(?::\d{2}(?:\.\d+)?)?)\s*(Z|[+-]\d{2}:?\d{2})?$/i.exec(text)
    if (found === null) return undefined
    const zone = found[3]?.toUpperCase().replace(/^([+-]\d{2})(\d{2})$/, '$1:$2') ?? 'Z'
    return momentOf(Date.parse(`${found[1]}T${found[2]}${zone}`))
  }
  return momentOf(typeof at === 'number' ? at : at.getTime())
}

function momentOf(time: number): Moment | undefined {
  // Years that ISO writes with a sign are no dates of requests.
  if (!Number.isFinite(time) || time < 0 || time > 253_402_300_799_999) return undefined
  return { day: dayOf(time), minute: Math.floor((time % dayMilliseconds) / 60_000) }
}

function dayOf(time: number): string {
  return new Date(time).toISOString().slice(0, 10)
}

/** Whether a window holds; `unknown-holidays` when it does unless the day, of a year not announced, is a holiday. */
export function inWindow(window: PriceWindow, { day, minute }: Moment): boolean | 'unknown-holidays' {
  if (minute === undefined) return false
  for (const [start, end] of window.hours) {
    const wraps = end <= start
    if (minute >= start && (wraps || minute < end)) {
      const held = onDay(window, day)
      if (held !== false) return held
    }
    if (wraps && minute < end) {
      const held = onDay(window, dayOf(Date.parse(day) - dayMilliseconds))
      if (held !== false) return held
    }
  }
  return false
}

function onDay({ weekdays, except }: PriceWindow, day: string): boolean | 'unknown-holidays' {
  const weekday = new Date(Date.parse(day)).getUTCDay() || 7
  if (weekdays !== undefined && !weekdays.includes(weekday)) return false
  return except === undefined ? true : notHoliday(except, day)
}

function notHoliday(calendar: HolidayCalendar, day: string): boolean | 'unknown-holidays' {
  if (calendar.days.includes(day)) return false
  return calendar.years.includes(Number(day.slice(0, 4))) ? true : 'unknown-holidays'
}
