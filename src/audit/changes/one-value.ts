/** When two stretches of a line that change are parts of one value. */
import { asciiDigits } from './digits.ts'
import { calendarWord, isClockWord, isConnective } from './time-words.ts'

/** True when `gap`, the stable text between two values, says that they are one: `November`, `14`:`03`, not `7, 3 left`. */
export function isOneValue(left: string, right: string, gap: string): boolean {
  if (gap.includes('\n')) return false
  const [one, other, between] = [asciiDigits(left), asciiDigits(right), asciiDigits(gap)]
  if (behindBranch.test(gap) && /^[0-9a-f]{7,64}$/i.test(right)) return true
  if (/^[-:./_+T ]{0,2}$/.test(between) && /\d$/.test(one) && /^\d/.test(other)) return true
  if (/[=|{}<>"'`;()[\]]|: |:$/.test(between)) return false
  const words = between.split(/[\s,.\-/]+/).filter((word) => word !== '')
  if (!isTimeLike(one) || !isTimeLike(other)) return false
  if (words.length === 0) return between.length <= 3 && (namesCalendar(one) || namesCalendar(other))
  return words.every(isOfTime) && words.some(isCalendar)
}

/** What stands between a branch and the commit that it is at. */
const behindBranch = /^["'`]?,? ?(?:at |@ ?|\()(?:commit |revision )?["'`]?$/i

function isTimeLike(value: string): boolean {
  return /\d/.test(value) || namesCalendar(value) || value.split(/[\s,]+/).some(isClockWord)
}

function namesCalendar(value: string): boolean {
  return value.split(/[\s,]+/).some((word) => calendarWord(word) !== undefined)
}

function isOfTime(word: string): boolean {
  return isCalendar(word) || isConnective(word) || isClockWord(word) || /^\d{1,4}$/.test(word)
}

function isCalendar(word: string): boolean {
  return calendarWord(word) !== undefined || isClockWord(word) || /^\d{4}$/.test(word)
}
