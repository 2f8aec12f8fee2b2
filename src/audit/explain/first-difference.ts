/**
 * The first place where two requests differ, in the order in which their provider reads them. A text that is no longer
 * kept is not shown, and a difference inside of it has the offset 0.
 */
import type { Segment } from '../../cache/index.ts'

/** A segment as far as it is compared. */
export interface Comparable {
  readonly path: string
  readonly section: Segment['section']
  readonly type: string
  /** Null where it is not known any more. */
  readonly content: string | null
}

/** Where a request differs from an earlier one. */
export interface Divergence {
  /**
   * - `changed`: another text stands there.
   * - `inserted`, `removed`: what followed in the other is still there, behind something new, or without something old.
   * - `shortened`: the second ends there, and the first goes on.
   */
  readonly kind: 'changed' | 'inserted' | 'removed' | 'shortened'
  /** Where in the second body, or in the first where the second has nothing there. */
  readonly path: string
  readonly section: Segment['section']
  /** UTF-16 units into the text of the segment. */
  readonly offset: number
  /** The text around it in both, at most {@link WINDOW} characters; `null` where there is none. */
  readonly before: string | null
  readonly after: string | null
}

/** Characters that are shown, some of them before the difference. */
const WINDOW = 80
const LEAD = 24

/** Where the second differs behind `common` equal segments; `null` where it has all of the first. */
export function firstDifference<Compared extends Comparable>(
  first: readonly Compared[],
  second: readonly Compared[],
  common: number,
  isSame: (one: Compared, other: Compared) => boolean = hasSameContent,
): Divergence | null {
  const [before, after] = [first[common], second[common]]
  if (before === undefined) return null
  if (after === undefined) {
    return { kind: 'shortened', ...placeOf(before), offset: 0, before: windowOf(before.content, 0), after: null }
  }
  if (first.length !== second.length) {
    // What stood there is found again a little further on.
    if (isAmong(before, second, common, isSame)) {
      return { kind: 'inserted', ...placeOf(after), offset: 0, before: null, after: windowOf(after.content, 0) }
    }
    if (isAmong(after, first, common, isSame)) {
      return { kind: 'removed', ...placeOf(before), offset: 0, before: windowOf(before.content, 0), after: null }
    }
  }
  // What both have in front of it, belongs to a message that goes on in one of them only.
  const [last, lastAfter] = [first[common - 1], second[common - 1]]
  if (last !== undefined && lastAfter !== undefined && elementOf(before) !== elementOf(after)) {
    if (elementOf(lastAfter) === elementOf(before)) {
      return { kind: 'removed', ...placeOf(before), offset: 0, before: windowOf(before.content, 0), after: null }
    }
    if (elementOf(last) === elementOf(after)) {
      return { kind: 'inserted', ...placeOf(after), offset: 0, before: null, after: windowOf(after.content, 0) }
    }
  }
  const offset = before.content === null || after.content === null ? 0 : commonLength(before.content, after.content)
  return {
    kind: 'changed',
    ...placeOf(after),
    offset,
    before: windowOf(before.content, offset),
    after: windowOf(after.content, offset),
  }
}

function hasSameContent(one: Comparable, other: Comparable): boolean {
  return one.content === other.content && one.type === other.type
}

function placeOf({ path, section }: Comparable): Pick<Divergence, 'path' | 'section'> {
  return { path, section }
}

/** The tool, block or message of a segment: `messages[4]` of `messages[4].content[1]`. */
function elementOf({ path }: Comparable): string {
  return path.slice(0, path.indexOf(']') + 1)
}

/** How far an inserted block is looked beyond. */
const REACH = 20

function isAmong<Compared extends Comparable>(
  segment: Compared,
  others: readonly Compared[],
  from: number,
  isSame: (one: Compared, other: Compared) => boolean,
): boolean {
  return others.slice(from + 1, from + 1 + REACH).some((other) => isSame(other, segment))
}

function commonLength(one: string, other: string): number {
  const end = Math.min(one.length, other.length)
  let length = 0
  while (length < end && one.charCodeAt(length) === other.charCodeAt(length)) length++
  // Not between the halves of a character.
  return length > 0 && isLeading(one.charCodeAt(length - 1)) ? length - 1 : length
}

function windowOf(text: string | null, offset: number): string | null {
  if (text === null) return null
  let start = Math.max(0, offset - LEAD)
  if (start > 0 && isLeading(text.charCodeAt(start - 1))) start--
  let end = Math.min(text.length, start + WINDOW)
  if (end < text.length && isLeading(text.charCodeAt(end - 1))) end--
  return `${start > 0 ? '…' : ''}${text.slice(start, end)}${end < text.length ? '…' : ''}`
}

/** The first half of a pair of surrogates. */
function isLeading(unit: number): boolean {
  return unit >= 0xd800 && unit <= 0xdbff
}
