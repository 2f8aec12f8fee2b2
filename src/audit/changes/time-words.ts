/** Words that times and dates are made of: months, weekdays, and the words that people put between them. */
import { monthNames, weekdayNames } from './calendar-table.ts'

/** What a word of the calendar names, counted from 0: January, Sunday. */
export interface CalendarWord {
  readonly unit: 'month' | 'weekday'
  readonly index: number
}

const calendar = new Map<string, CalendarWord>()
for (const [unit, lists] of [
  ['month', monthNames],
  ['weekday', weekdayNames],
] as const) {
  for (const [index, list] of lists.entries()) for (const word of list.split(' ')) calendar.set(word, { unit, index })
}

/** What `word` (any case) names; undefined for other words. */
export function calendarWord(word: string): CalendarWord | undefined {
  return calendar.get(plain(word))
}

function plain(word: string): string {
  return word.toLowerCase().replace(/\.$/, '')
}

const clockWords = new Set(
  (
    'am pm utc gmt cet cest est edt pst pdt noon midnight quarter half past to oclock morning afternoon evening night ' +
    'dawn dusk today tonight yesterday uhr vor nach halb viertel heure heures moins et demie quart cuarto media las y ' +
    'menos час часов часа минут เวลา นาฬิกา hour hours minute minutes second seconds ago now'
  ).split(' '),
)

/** True for words of a spoken or relative time; numbers in words are no part of it. */
export function isClockWord(word: string): boolean {
  return clockWords.has(plain(word).replace(/['’]/g, ''))
}

const connectives = new Set('at of on the um a à de las den der le el il al o kl kl. th st nd rd'.split(' '))

/** True for words that only join the parts of a date. */
export function isConnective(word: string): boolean {
  return connectives.has(word.toLowerCase())
}
