/**
 * How far a value reaches around the stretch of it that changed: of `2026-11-01` only the last digits differ at
 * midnight, and the value is the whole date. A value is a run of characters without spaces (words and the signs inside
 * of them), and a date or time may be several such runs: `Saturday, November 1, 2026 at 23:59`.
 */
import { asciiDigits } from './digits.ts'
import { numberInWords } from './number-words.ts'
import type { Stretch } from './stretch.ts'
import { calendarWord, isClockWord, isConnective } from './time-words.ts'
import { isBehindEscape, isWordUnit } from './words.ts'

/** A stretch of one text. */
interface Extent {
  readonly start: number
  readonly end: number
}

/** Units that a value reaches at most beyond what changed, on each side. */
const REACH = 80

/**
 * The values around a difference, within `limits`. Where lines came or went, they are whole lines; where words only came
 * or went, the value on the side without them is what is left of that on the other.
 */
export function valueExtents(first: string, second: string, { before, after }: Stretch, limits: Stretch): Stretch {
  const [one, other] = [first.slice(before.start, before.end), second.slice(after.start, after.end)]
  if (one.includes('\n') || other.includes('\n')) {
    const [left, right] = reachOfLines(first, before, [one, other])
    return within({ before, after }, left, right, limits)
  }
  const values = {
    before: valueExtent(first, before, limits.before.start, limits.before.end),
    after: valueExtent(second, after, limits.after.start, limits.after.end),
  }
  if (one !== '' && other !== '') return values
  // The text around is the same on both sides.
  const [value, from] = one === '' ? [values.after, after] : [values.before, before]
  return within({ before, after }, from.start - value.start, value.end - from.end, limits)
}

function within({ before, after }: Stretch, left: number, right: number, limits: Stretch): Stretch {
  const start = Math.min(left, before.start - limits.before.start, after.start - limits.after.start)
  const end = Math.min(right, limits.before.end - before.end, limits.after.end - after.end)
  const grown = (extent: Extent): Extent => ({
    start: extent.start - Math.max(0, start),
    end: extent.end + Math.max(0, end),
  })
  return { before: grown(before), after: grown(after) }
}

/** Units in front of and behind a difference over lines to the rims of its lines; what follows a label begins there. */
function reachOfLines(text: string, { start, end }: Extent, values: readonly string[]): [left: number, right: number] {
  const line = text.lastIndexOf('\n', start - 1) + 1
  const front = text.slice(start === 0 ? 0 : line, start)
  const found = text.indexOf('\n', end)
  const startsLine = values.some((value) => value.startsWith('\n')) || /[:=]\s*$/.test(front)
  const endsLine = values.some((value) => value.endsWith('\n'))
  const [left, right] = [startsLine ? 0 : front.length, endsLine ? 0 : (found < 0 ? text.length : found) - end]
  return [left > LONGEST_REST ? 0 : left, right > LONGEST_REST ? 0 : right]
}

/** Units of what is left of a line beside a difference; more is a text without line ends, which tells nothing. */
const LONGEST_REST = 400

/** The value around `from` to `to`, between `low` and `high`. */
function valueExtent(text: string, from: Extent, low: number, high: number): Extent {
  const limits = { start: Math.max(low, from.start - REACH), end: Math.min(high, from.end + REACH) }
  return phrase(text, run(text, from, limits), limits)
}

function run(text: string, { start, end }: Extent, limits: Extent): Extent {
  let [left, right] = [start, end]
  while (
    left > limits.start &&
    !isBehindEscape(text, left) &&
    isInValue(text, left - 1, left, end > start || left < start)
  )
    left--
  while (right < limits.end && isInValue(text, right, right - 1, end > start || right > end)) right++
  if (!hasWord(text, { start, end })) return { start: left, end: right }
  // A sign at the rim belongs to the sentence.
  while (left < start && !isWordUnit(text.charCodeAt(left)) && !isPathSign(text.charAt(left))) left++
  while (right > end && !isWordUnit(text.charCodeAt(right - 1))) right--
  return { start: left, end: right }
}

/** True where a word changed, not only signs (as those of a bar that grows). */
function hasWord(text: string, { start, end }: Extent): boolean {
  for (let index = start; index < end; index++) if (isWordUnit(text.charCodeAt(index))) return true
  return start === end
}

/** Whether the unit at `at` belongs to a value that reaches up to it from its neighbour at `from`. */
function isInValue(text: string, at: number, from: number, grown: boolean): boolean {
  const unit = text.charCodeAt(at)
  const near = text.charCodeAt(from)
  if (isWordUnit(unit)) return isWordUnit(near) || (grown && !/\s/.test(text.charAt(from)))
  const sign = text.charAt(at)
  if (barSigns.includes(sign) && barSigns.includes(text.charAt(from))) return true
  if (!isWordUnit(near) && !isPathSign(text.charAt(from))) return false
  if ('-_./\\@+%#~'.includes(sign)) return true
  const beyond = text.charAt(at * 2 - from)
  return (sign === ':' || sign === ',' || sign === "'") && isDigit(beyond) && isDigit(text.charAt(from))
}

/** What bars are drawn with. */
const barSigns = '#.=*-|+>'

function isPathSign(sign: string): boolean {
  return sign === '/' || sign === '\\' || sign === '~' || sign === '.'
}

function isDigit(character: string): boolean {
  return /\p{Nd}/u.test(character)
}

/** The next word of a line; behind the number of a day, a full stop may stand between. */
const behind = /^(?:[ ,]{1,2}|T)([^\s,()[\]{}"'<>|=;]+)/
const behindDay = /^(?:\.?[ ,]{1,2}|T)([^\s,()[\]{}"'<>|=;]+)/

/** A date or time in several words, as far as it goes. */
function phrase(text: string, value: Extent, limits: Extent): Extent {
  let { start, end } = value
  if (!isTimePart(text.slice(start, end), true)) return value
  for (;;) {
    const before = /([^\s,()[\]{}"'<>|=]+)[ ,]{1,2}$/.exec(text.slice(limits.start, start))
    const left = before === null ? null : joinedTo((before[1] as string).replace(/\.$/, ''), text.slice(start, end))
    if (before !== null && left === true) start -= before[0].length
    const after = (/(?:^|[ ,])\d{1,2}$/.test(text.slice(start, end)) ? behindDay : behind).exec(
      text.slice(end, limits.end),
    )
    const right = after === null ? null : joinedTo((after[1] as string).replace(/[.:]$/, ''), text.slice(start, end))
    if (after !== null && right === true) end += after[0].replace(/[.:]$/, '').length
    if (left !== true && right !== true) break
  }
  return trimConnectives(text, { start, end }, value)
}

function joinedTo(word: string, value: string): boolean {
  if (word === '') return false
  // Bare numbers join only to what is surely a date or a time.
  return isTimePart(word, isTimePart(value, false)) || (isConnective(word) && isTimePart(value, false))
}

/** Connectives at the rim are of the sentence around. */
function trimConnectives(text: string, { start, end }: Extent, least: Extent): Extent {
  let [left, right] = [start, end]
  for (
    let found = /^(\S+)\s+/.exec(text.slice(left, right));
    found !== null;
    found = /^(\S+)\s+/.exec(text.slice(left, right))
  ) {
    if (!isConnective(found[1] as string) || left + found[0].length > least.start) break
    left += found[0].length
  }
  for (
    let found = /\s+(\S+)$/.exec(text.slice(left, right));
    found !== null;
    found = /\s+(\S+)$/.exec(text.slice(left, right))
  ) {
    if (!isConnective(found[1] as string) || right - found[0].length < least.end) break
    right -= found[0].length
  }
  return { start: left, end: right }
}

const shapes =
  /^(\d{1,4}[-/.]\d{1,2}[-/.]\d{1,4}.*|\d{1,2}[:h時时]\d{2}.*|\d{1,2}(?:st|nd|rd|th|日|月|時|分)|\d{1,2}(?:am|pm)|[+-]\d{2}:?\d{2}|z)$/

function isTimePart(word: string, besideTime: boolean): boolean {
  const plain = asciiDigits(word).toLowerCase()
  if (shapes.test(plain) || calendarWord(plain) !== undefined || isClockWord(plain)) return true
  if (plain.includes(' ')) return plain.split(/[ ,]+/).some((part) => isTimePart(part, false))
  return besideTime && (/^\d{1,4}$/.test(plain) || numberInWords(plain) !== undefined)
}
