/**
 * A difference as a person would tell it. Of several that lead from the one text to the other, the one in which whole
 * lines and paragraphs came or went; and a sentence that was written anew is one difference, not those between the few
 * words that both happen to have.
 */
import type { Stretch } from './stretch.ts'

/** Words of a stretch from which it is a text and not a value. */
const PROSE = 3

/** `stretches` so told; those in which both sides are equal are left out. */
export function tidied(first: string, second: string, stretches: readonly Stretch[]): Stretch[] {
  const whole = withoutIslands(first, second, stretches).filter(
    ({ before, after }) => first.slice(before.start, before.end) !== second.slice(after.start, after.end),
  )
  const result: Stretch[] = []
  for (const [index, stretch] of whole.entries()) {
    const next = whole[index + 1] ?? { before: { start: first.length + 1 }, after: { start: second.length + 1 } }
    result.push(onLines(first, second, stretch, { last: result.at(-1), next }))
  }
  return result
}

/** Joins stretches of one line of which the text between is shorter than either: it is there by chance. */
function withoutIslands(first: string, second: string, stretches: readonly Stretch[]): Stretch[] {
  const found: Stretch[] = []
  for (const stretch of stretches) {
    let joined = stretch
    for (let last = found.at(-1); last !== undefined && isIsland(first, second, last, joined); last = found.at(-1)) {
      found.pop()
      joined = {
        before: { start: last.before.start, end: joined.before.end },
        after: { start: last.after.start, end: joined.after.end },
      }
    }
    found.push(joined)
  }
  return found
}

function isIsland(first: string, second: string, one: Stretch, other: Stretch): boolean {
  const length = other.before.start - one.before.end
  if (length >= LONGEST_ISLAND || length >= Math.min(longest(one), longest(other))) return false
  const between = first.slice(one.before.end, other.before.start)
  // What a label names is a value of its own.
  if (/[\n:=|]/.test(between)) return false
  const texts = [one, other].map(({ before, after }) => `${beginningOf(first, before)} ${beginningOf(second, after)}`)
  if (texts.every((text) => wordsOf(text) > PROSE)) return true
  return (
    /^\s+$/.test(between) && texts.some((text) => wordsOf(text) > PROSE) && !texts.some((text) => /^\S*\d/.test(text))
  )
}

/** UTF-16 units of what may stand in two sentences by chance. */
const LONGEST_ISLAND = 24

/** Enough of a stretch to tell whether it is prose, however long it has grown. */
function beginningOf(text: string, { start, end }: Stretch['before']): string {
  return text.slice(start, Math.min(end, start + BEGINNING))
}

const BEGINNING = 200

function longest({ before, after }: Stretch): number {
  return Math.max(before.end - before.start, after.end - after.start)
}

function wordsOf(text: string): number {
  return text.match(/\p{L}{2,}/gu)?.length ?? 0
}

/** The differences on either side. */
interface Neighbours {
  readonly last: Stretch | undefined
  readonly next: { readonly before: { readonly start: number }; readonly after: { readonly start: number } }
}

/** Lines that came or went begin where a line does: of `- a` and `- b`, the second is not ` b` and the next `-`. */
function onLines(first: string, second: string, stretch: Stretch, { last, next }: Neighbours): Stretch {
  const { before, after } = stretch
  const side = before.start === before.end ? 'after' : 'before'
  if (side === 'before' && after.start !== after.end) return stretch
  const text = side === 'after' ? second : first
  const { start, end } = stretch[side]
  if (!text.slice(start, end).includes('\n')) return stretch
  const [low, high] = [last === undefined ? 0 : last[side].end + 1, Math.min(next[side].start - 1, text.length)]
  let [best, most] = [0, placeWorth(text, start)]
  const consider = (by: number): void => {
    const worth = placeWorth(text, start + by)
    if (worth > most) [best, most] = [by, worth]
  }
  for (let by = -1; start + by >= low && text.charCodeAt(start + by) === text.charCodeAt(end + by); by--) consider(by)
  for (let by = 1; end + by <= high && text.charCodeAt(start + by - 1) === text.charCodeAt(end + by - 1); by++)
    consider(by)
  const shifted = (extent: Stretch['before']): Stretch['before'] => ({
    start: extent.start + best,
    end: extent.end + best,
  })
  return { before: shifted(before), after: shifted(after) }
}

/** How good a place `at` is for something to begin: at a paragraph, at a line, inside of one. */
function placeWorth(text: string, at: number): number {
  if (at === 0 || text.startsWith('\n\n', at) || text.endsWith('\n\n', at)) return 2
  return text.charAt(at) === '\n' || text.charAt(at - 1) === '\n' ? 1 : 0
}
