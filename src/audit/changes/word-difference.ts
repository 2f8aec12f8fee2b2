/**
 * Where two texts differ, word by word. Applied to the first text, the stretches give the second; they do not touch, and
 * in none of them are both sides equal.
 *
 * Lines are matched before words, so that a long text with a few changes costs little more than reading it. Stretches
 * that only a sign or two part are one (`14:03:59` and `14:04:00`), unless the one is a number and the other a word.
 */
import { matchInOrder } from './match-in-order.ts'
import type { Stretch } from './stretch.ts'
import { tidied } from './tidy-difference.ts'
import { isInsideWord, isWordUnit, splitWords } from './words.ts'

/** Words of a stretch that are compared; a longer one is taken as a whole. */
const MOST_WORDS = 20_000

/** The stretches that differ, in order; empty for equal texts. */
export function wordDifference(first: string, second: string): Stretch[] {
  const found: Stretch[] = []
  const whole = { before: { start: 0, end: first.length }, after: { start: 0, end: second.length } }
  const rest = trimmed(first, second, whole)
  if (rest === null) return found
  const lines = between(unitsOf(first, rest.before), unitsOf(second, rest.after), rest)
  for (const gap of lines) {
    const part = trimmed(first, second, gap)
    if (part === null) continue
    const { before, after } = part
    const words = [splitWords(first, before.start, before.end), splitWords(second, after.start, after.end)] as const
    if (words[0].length + words[1].length > MOST_WORDS) found.push(part)
    else found.push(...between(words[0], words[1], part))
  }
  return tidied(first, second, merged(first, second, found))
}

/** `stretch` without what both sides begin and end with, cut between words; null where nothing is left. */
function trimmed(first: string, second: string, { before, after }: Stretch): Stretch | null {
  const most = Math.min(before.end - before.start, after.end - after.start)
  let start = 0
  while (start + CHUNK <= most && sliceAt(first, before.start + start) === sliceAt(second, after.start + start))
    start += CHUNK
  while (start < most && first.charCodeAt(before.start + start) === second.charCodeAt(after.start + start)) start++
  if (start === most && before.end - before.start === after.end - after.start) return null
  while (start > 0 && (isInsideWord(first, before.start + start) || isInsideWord(second, after.start + start))) start--
  let end = 0
  while (
    end + CHUNK <= most - start &&
    sliceAt(first, before.end - end - CHUNK) === sliceAt(second, after.end - end - CHUNK)
  )
    end += CHUNK
  while (end < most - start && first.charCodeAt(before.end - 1 - end) === second.charCodeAt(after.end - 1 - end)) end++
  while (end > 0 && (isInsideWord(first, before.end - end) || isInsideWord(second, after.end - end))) end--
  return {
    before: { start: before.start + start, end: before.end - end },
    after: { start: after.start + start, end: after.end - end },
  }
}

/** Units that are compared at once. */
const CHUNK = 256

function sliceAt(text: string, at: number): string {
  return text.slice(at, at + CHUNK)
}

/** Lines; where a text has none, sentences and the members of JSON. */
const unitEnd = /\n|\\n|[.;!?] |"[,}\]]|[}\]],?/g

function unitsOf(text: string, { start, end }: Stretch['before']): string[] {
  const units: string[] = []
  let from = start
  unitEnd.lastIndex = start
  for (let found = unitEnd.exec(text); found !== null && unitEnd.lastIndex <= end; found = unitEnd.exec(text)) {
    units.push(text.slice(from, unitEnd.lastIndex))
    from = unitEnd.lastIndex
  }
  if (from < end) units.push(text.slice(from, end))
  return units
}

/** What lies between equal items of two lists of texts that together fill `range`. */
function between(first: readonly string[], second: readonly string[], range: Stretch): Stretch[] {
  const found: Stretch[] = []
  let [one, other] = [0, 0]
  let [before, after] = [range.before.start, range.after.start]
  const skip = (upToFirst: number, upToSecond: number): void => {
    const start = { before, after }
    while (one < upToFirst) before += (first[one++] ?? '').length
    while (other < upToSecond) after += (second[other++] ?? '').length
    if (before === start.before && after === start.after) return
    found.push({ before: { start: start.before, end: before }, after: { start: start.after, end: after } })
  }
  for (const [a, b] of matchInOrder(first, second, { isTelling })) {
    skip(a, b)
    before += (first[one++] ?? '').length
    after += (second[other++] ?? '').length
  }
  skip(first.length, second.length)
  return found
}

/** Words, not numbers and signs, say that two places are the same. */
function isTelling(text: string): boolean {
  return /\p{L}{2}/u.test(text)
}

function merged(first: string, second: string, stretches: readonly Stretch[]): Stretch[] {
  const found: Stretch[] = []
  for (const stretch of stretches) {
    const last = found.at(-1)
    if (last === undefined || !isOne(first, second, last, stretch)) found.push(stretch)
    else {
      found[found.length - 1] = {
        before: { start: last.before.start, end: stretch.before.end },
        after: { start: last.after.start, end: stretch.after.end },
      }
    }
  }
  return found
}

/** Signs that may stand inside of a value. */
const NEAR = 2

function isOne(first: string, second: string, one: Stretch, other: Stretch): boolean {
  const [start, end] = [one.before.end, other.before.start]
  if (end === start) return true
  if (end - start > NEAR) return false
  for (let index = start; index < end; index++) {
    const code = first.charCodeAt(index)
    if (isWordUnit(code) || code === 10 || code === 13) return false
  }
  const left = second.slice(one.after.start, one.after.end) || first.slice(one.before.start, one.before.end)
  const right = second.slice(other.after.start, other.after.end) || first.slice(other.before.start, other.before.end)
  return hasDigit(left) === hasDigit(right)
}

function hasDigit(text: string): boolean {
  return /\p{Nd}/u.test(text)
}
