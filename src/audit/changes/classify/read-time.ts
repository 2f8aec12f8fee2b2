/** Reads dates and times out of values: in digits of any script, in words, as an epoch. */
import { asciiDigits } from '../digits.ts'
import { numberInWords } from '../number-words.ts'
import { calendarWord } from '../time-words.ts'

/** What a value says of a moment. Absent is what it does not say. */
export interface TimeReading {
  /** Days since the epoch. */
  readonly day?: number
  /** Seconds of the day. */
  readonly second?: number
  /** Seconds after which the reading repeats: a day, or half of one where nothing tells the halves apart. */
  readonly period: number
  /** Seconds up to which the reading is exact. */
  readonly grain: number
  /** Milliseconds since the epoch, where it says all. */
  readonly instant?: number
  readonly weekday?: number
}

const DAY = 86_400

/** What `value` says of a moment; undefined where it is no date or time. */
export function readTime(value: string): TimeReading | undefined {
  const text = asciiDigits(value).trim().toLowerCase()
  const epoch = readEpoch(text)
  if (epoch !== undefined) return { instant: epoch, period: DAY, grain: 1 }
  const day = readDay(text)
  const clock = readClock(text) ?? (day === undefined ? readSpoken(text) : undefined)
  const weekday = text
    .split(/[\s,]+/)
    .map(calendarWord)
    .find((word) => word?.unit === 'weekday')?.index
  if (day === undefined && clock === undefined && weekday === undefined) return undefined
  const instant = day === undefined || clock === undefined ? undefined : (day * DAY + clock.second) * 1000
  return {
    period: clock?.period ?? DAY,
    grain: clock?.grain ?? DAY,
    ...(day !== undefined && { day }),
    ...(clock !== undefined && { second: clock.second }),
    ...(instant !== undefined && { instant }),
    ...(weekday !== undefined && { weekday }),
  }
}

/** Seconds, milliseconds, micro- or nanoseconds, from 2001 to 2100. */
function readEpoch(text: string): number | undefined {
  const digits = /^(\d{10}|\d{13}|\d{16}|\d{19})(?:\.\d+)?$/.exec(text)?.[1]
  if (digits === undefined) return undefined
  const milliseconds = Number(digits) / 10 ** (digits.length - 13)
  return milliseconds < Date.UTC(2100, 0) ? milliseconds : undefined
}

function readDay(text: string): number | undefined {
  const ordered = /(\d{4})[-/.年]\s?(\d{1,2})[-/.月]\s?(\d{1,2})/.exec(text)
  if (ordered !== null) return dayOf(Number(ordered[1]), Number(ordered[2]), Number(ordered[3]))
  const turned = /(?<!\d)(\d{1,2})([-/.])(\d{1,2})\2(\d{4}|\d{2})(?!\d)/.exec(text)
  if (turned !== null) {
    const [first, second, year] = [Number(turned[1]), Number(turned[3]), fullYear(Number(turned[4]))]
    const american = (turned[2] === '/' && first <= 12) || second > 12
    return american ? dayOf(year, first, second) : dayOf(year, second, first)
  }
  const month = text
    .split(/[\s,/-]+/)
    .map(calendarWord)
    .find((word) => word?.unit === 'month')?.index
  if (month === undefined) return undefined
  const numbers = [...text.matchAll(/(?<![\d:])(\d{1,4})(?![\d:])/g)].map((found) => Number(found[1]))
  const date = numbers.find((number) => number >= 1 && number <= 31)
  const year = numbers.find((number) => number > 1900 && number < 2700)
  return date === undefined ? undefined : dayOf(year ?? 2000, month + 1, date)
}

function dayOf(year: number, month: number, date: number): number | undefined {
  if (month < 1 || month > 12 || date < 1 || date > 31) return undefined
  // The Buddhist calendar is 543 years ahead.
  const gregorian = year > 2400 ? year - 543 : year
  return Date.UTC(gregorian, month - 1, date) / 1000 / DAY
}

function fullYear(year: number): number {
  return year < 100 ? 2000 + year : year
}

interface Clock {
  readonly second: number
  readonly period: number
  readonly grain: number
}

function readClock(text: string): Clock | undefined {
  const half = /(?:^|[\s\d.])([ap])\.?m\b/.exec(text)?.[1]
  const full = /(?<![\d.])(\d{1,2})\s?[:h時시]\s?(\d{2})(?:\s?[:m分분]\s?(\d{2}(?:[.,]\d+)?))?/.exec(text)
  const hourOnly = full === null ? /(?<![\d.])(\d{1,2})\s?(?:[ap]\.?m\b|uhr\b|o['’]?clock|h\b|時)/.exec(text) : null
  const [hour, minute, second] = [
    Number((full ?? hourOnly)?.[1]),
    Number(full?.[2] ?? 0),
    Number((full?.[3] ?? '0').replace(',', '.')),
  ]
  if ((full ?? hourOnly) === null || hour > 24 || minute > 59 || second >= 61) return undefined
  const grain = full === null ? 3600 : full[3] === undefined ? 60 : 1
  const shifted = half === undefined ? hour : (hour % 12) + (half === 'p' ? 12 : 0)
  return { second: shifted * 3600 + minute * 60 + second, period: DAY, grain }
}

const parts: Readonly<Record<string, number>> = { quarter: 15, half: 30 }

/** `quarter past nine`, `twenty to ten`, `nine thirty`. */
function readSpoken(text: string): Clock | undefined {
  const relative =
    /^(?:about |around |almost )?(?:a )?([a-z-]+|\d{1,2}|[a-z]+ [a-z]+)(?: minutes?)? (past|after|to|before) ([a-z-]+|\d{1,2})\b/.exec(
      text,
    )
  if (relative !== null) {
    const [minute, hour] = [minutesOrHour(relative[1]), minutesOrHour(relative[3])]
    if (minute === undefined || hour === undefined || hour > 12 || minute > 59) return undefined
    const later = relative[2] === 'past' || relative[2] === 'after'
    return spoken(hour, later ? minute : -minute)
  }
  const plain = /^([a-z]+) (?:o['’]?clock|((?:oh |o )?[a-z]+(?:[- ][a-z]+)?))$/.exec(text)
  const [hour, minute] = [
    minutesOrHour(plain?.[1]),
    plain?.[2] === undefined ? 0 : minutesOrHour(plain[2].replace(/^oh? /, '')),
  ]
  return hour === undefined || minute === undefined || hour < 1 || hour > 12 || minute > 59
    ? undefined
    : spoken(hour, minute)
}

function spoken(hour: number, minute: number): Clock {
  const period = DAY / 2
  return { second: ((hour % 12) * 3600 + minute * 60 + period) % period, period, grain: 900 }
}

function minutesOrHour(words: string | undefined): number | undefined {
  return words === undefined ? undefined : (parts[words] ?? numberOf(words))
}

function numberOf(words: string): number | undefined {
  return /^\d+$/.test(words) ? Number(words) : numberInWords(words)
}
