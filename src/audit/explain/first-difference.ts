/** The first place where two requests differ, in the order in which their provider reads them. */
import type { Segment } from '../../cache/index.ts'

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
export function firstDifference(
  first: readonly Segment[],
  second: readonly Segment[],
  common: number,
): Divergence | null {
  const [before, after] = [first[common], second[common]]
  if (before === undefined) return null
  if (after === undefined) {
    return { kind: 'shortened', ...placeOf(before), offset: 0, before: windowOf(before.content, 0), after: null }
  }
  if (first.length !== second.length) {
    // What stood there is found again a little further on.
    if (isAmong(before, second, common)) {
      return { kind: 'inserted', ...placeOf(after), offset: 0, before: null, after: windowOf(after.content, 0) }
    }
    if (isAmong(after, first, common)) {
      return { kind: 'removed', ...placeOf(before), offset: 0, before: windowOf(before.content, 0), after: null }
    }
  }
  const offset = commonLength(before.content, after.content)
  return {
    kind: 'changed',
    ...placeOf(after),
    offset,
    before: windowOf(before.content, offset),
    after: windowOf(after.content, offset),
  }
}

function placeOf({ path, section }: Segment): Pick<Divergence, 'path' | 'section'> {
  return { path, section }
}

/** How far an inserted block is looked beyond. */
const REACH = 20

function isAmong(segment: Segment, others: readonly Segment[], from: number): boolean {
  return others
    .slice(from + 1, from + 1 + REACH)
    .some(({ content, type }) => content === segment.content && type === segment.type)
}

function commonLength(one: string, other: string): number {
  const end = Math.min(one.length, other.length)
  let length = 0
  while (length < end && one.charCodeAt(length) === other.charCodeAt(length)) length++
  // Not between the halves of a character.
  return length > 0 && isLeading(one.charCodeAt(length - 1)) ? length - 1 : length
}

function windowOf(text: string, offset: number): string {
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
