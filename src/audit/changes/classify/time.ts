/**
 * Clocks and dates. A reading alone says much; that it moves with the times of the calls says all. Where words are not
 * known, what a span is called and how it moves still speak.
 */
import { asciiDigits } from '../digits.ts'
import { isClockWord, calendarWord } from '../time-words.ts'
import { changeRate, shareOf, valuesOf, type Guess, type History, type Transition } from './history.ts'
import { numbersIn, templateOf } from './numbers.ts'
import { readTime, type TimeReading } from './read-time.ts'

const timeLabel =
  /\b(?:time|clock|now|hour|uhrzeit|uhr|zeit|heure|hora|ora|godzina|saat|tid|timestamp|as of|elapsed|uptime)\b|время|час|時刻|時間|时间|현재|เวลา|שעה|समय|الوقت|الساعة|ώρα/i
const dateLabel =
  /\b(?:date|today|day|datum|heute|fecha|hoy|data|oggi|hoje|dato|dag|dzisiaj|tarih|bugün)\b|дата|сегодня|日付|日期|今日|今天|오늘|날짜|วันที่|วันนี้|תאריך|तारीख|التاريخ|ημερομηνία/i

/** Seconds by which a clock may stand apart from the log. */
const SLACK = 30

/** A clock or a date, as far as the history speaks for one. */
export function guessTime(history: History): Guess | null {
  const { transitions, label, trailer } = history
  const readings = transitions.map((transition) => ({
    transition,
    one: readTime(transition.before),
    other: readTime(transition.after),
  }))
  const read = readings.filter(({ one, other }) => one !== undefined && other !== undefined) as Read[]
  const named = timeLabel.test(label) || timeLabel.test(trailer)
  if (read.length > 0 && read.length >= transitions.length / 2) {
    const ofClock = read.filter(({ one, other }) => hasClock(one) && hasClock(other))
    if (ofClock.length >= read.length / 2) {
      const follows = shareOf(ofClock, follow)
      if (follows > 0.6) return { kind: 'clock', confidence: 0.98 }
      // A day with a time says what it is, where the log has no times to hold against it.
      if (shareOf(ofClock, isUntimedInstant) > 0.6) return { kind: 'clock', confidence: 0.95 }
      const spoken = ofClock.some(({ one }) => one.grain === 900)
      return { kind: 'clock', confidence: named || !spoken ? 0.85 : 0.6 }
    }
    const days = shareOf(read, followDays)
    return { kind: 'date', confidence: days > 0.6 ? 0.97 : 0.75 }
  }
  return followsNumbers(history) ?? byWords(history)
}

interface Read {
  readonly transition: Transition
  readonly one: TimeReading
  readonly other: TimeReading
}

function hasClock({ second, instant }: TimeReading): boolean {
  return second !== undefined || instant !== undefined
}

function isUntimedInstant({ transition, one, other }: Read): boolean {
  const passed = passedIn(transition)
  return (passed === undefined || passed === 0) && one.instant !== undefined && other.instant !== undefined
}

/** Whether the value went on as the time of the calls did. */
function follow({ transition, one, other }: Read): boolean {
  const passed = passedIn(transition)
  if (passed === undefined) return false
  const slack = SLACK + Math.max(one.grain, other.grain) + passed * 0.02
  if (one.instant !== undefined && other.instant !== undefined) {
    return Math.abs((other.instant - one.instant) / 1000 - passed) <= slack
  }
  if (one.second === undefined || other.second === undefined) return false
  const { period } = one
  const difference = (((other.second - one.second - passed) % period) + period) % period
  return Math.min(difference, period - difference) <= slack
}

/** Whether the days went on as those of the calls did, in any time zone; where no times are known, whether they went on. */
function followDays({ transition, one, other }: Read): boolean {
  const days = (passedIn(transition) ?? Number.NaN) / 86_400
  if (one.day !== undefined && other.day !== undefined) {
    return Number.isNaN(days) ? other.day > one.day : Math.abs(other.day - one.day - days) < 2
  }
  return one.weekday !== other.weekday
}

function passedIn({ beforeAt, afterAt }: Transition): number | undefined {
  return beforeAt === undefined || afterAt === undefined ? undefined : (afterAt - beforeAt) / 1000
}

/** Seconds in what a number may count. */
const units = [1, 1 / 1000, 60, 3600]

/** Numbers that grow as time passes, whatever their unit: an uptime, a clock without signs, one in another notation. */
function followsNumbers({ transitions, label, trailer }: History): Guess | null {
  const named = timeLabel.test(label) || timeLabel.test(trailer)
  for (const unit of units) {
    const moved = transitions.flatMap((transition) => {
      const passed = passedIn(transition)
      const [one, other] = [numbersIn(transition.before), numbersIn(transition.after)]
      if (passed === undefined || one.length !== 1 || other.length !== 1) return []
      return [{ passed: passed / unit, by: (other[0] as number) - (one[0] as number) }]
    })
    if (moved.length < 3 || moved.length < transitions.length * 0.8) continue
    const spread = new Set(moved.map(({ passed }) => Math.round(passed))).size > 1
    const fits = shareOf(moved, ({ passed, by }) => by > 0 && Math.abs(by - passed) <= 1 + passed * 0.03)
    // Steps of one are a counter unless the pauses differ too.
    if (fits > 0.8 && (spread || named) && moved.some(({ by }) => by > 1))
      return { kind: 'clock', confidence: spread ? 0.9 : 0.7 }
  }
  return followsFields(transitions)
}

/** Two or more numbers that grow as those of a clock do: the last is the fastest, and carries into the one before. */
function followsFields(transitions: readonly Transition[]): Guess | null {
  const pairs = transitions.map(
    ({ before, after }) => [numbersIn(before), numbersIn(after), templateOf(before) === templateOf(after)] as const,
  )
  if (pairs.length < 2 || !pairs.every(([one, other, same]) => same && one.length >= 2 && one.length === other.length))
    return null
  const inRange = pairs.every(([, other]) => other.slice(-1).every((number) => number >= 0 && number < 60))
  const carries = pairs.some(([one, other]) => (other.at(-1) ?? 0) < (one.at(-1) ?? 0))
  const rising = shareOf(pairs, ([one, other]) => compareNumbers(one, other) > 0)
  return inRange && carries && rising > 0.8 ? { kind: 'clock', confidence: 0.75 } : null
}

function compareNumbers(one: readonly number[], other: readonly number[]): number {
  for (const [index, number] of one.entries()) {
    const difference = (other[index] ?? 0) - number
    if (difference !== 0) return difference
  }
  return 0
}

/** Units in front of a value that name it. */
const NEAR = 28

/** Words alone: those of a clock, or any under a label that says so, or few words that come again in other orders. */
function byWords(history: History): Guess | null {
  const values = valuesOf(history).map((value) => asciiDigits(value).toLowerCase())
  const words = values.map((value) => value.split(/[\s,]+/).filter((word) => word !== ''))
  const ofTime = shareOf(words, (list) => list.some((word) => isClockWord(word) && word.length > 3))
  const ofCalendar = shareOf(words, (list) => list.some((word) => calendarWord(word) !== undefined))
  if (timeLabel.test(history.label.slice(-NEAR)) && !/\b(?:times|timeout)\b/i.test(history.label)) {
    const isDay = dateLabel.test(history.label) && changeRate(history) < 0.3
    return { kind: isDay ? 'date' : 'clock', confidence: ofTime > 0.5 ? 0.85 : changeRate(history) > 0.3 ? 0.7 : 0.5 }
  }
  if (dateLabel.test(history.label))
    return { kind: changeRate(history) > 0.5 && history.turns > 3 ? 'clock' : 'date', confidence: 0.8 }
  if (ofCalendar > 0.8) return { kind: 'date', confidence: 0.8 }
  if (ofTime > 0.6) return { kind: 'clock', confidence: 0.65 }
  return movesLikeSpeech(history, words)
}

/** Phrases that change with nearly every call and are put together from the same few words: a time that someone says. */
function movesLikeSpeech(history: History, words: readonly (readonly string[])[]): Guess | null {
  if (history.transitions.length < 4 || changeRate(history) < 0.5) return null
  if (!words.every((list) => list.length >= 2 && list.length <= 6)) return null
  const all = words.flat()
  const again = 1 - new Set(all).size / all.length
  return again > 0.4 ? { kind: 'clock', confidence: 0.45 } : null
}
