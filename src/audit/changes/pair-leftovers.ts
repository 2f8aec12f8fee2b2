/**
 * Pairs what is left of two lists between equal blocks: what stands in one order in both, is of one kind, and so may be
 * one block that was edited.
 */
import type { Segment } from '../record/types.ts'
import { callKey, isCallOrResult, isMedia, isThinking } from './calls.ts'
import { likeness } from './likeness.ts'
import { matchInOrder, type Match } from './match-in-order.ts'
import type { TextOf } from './text-of.ts'

/** What is left, by indexes into the segments. */
export interface Leftovers {
  readonly before: readonly Segment[]
  readonly after: readonly Segment[]
  readonly from: readonly number[]
  readonly to: readonly number[]
  /** Nothing that both have follows. */
  readonly isLast: boolean
  /** Answers of the model by which two places are apart. */
  readonly distance: (from: number, to: number) => number
  readonly textOf: TextOf
}

/** Pairs of leftovers that are held against each other; of more, the first of its kind is taken. */
const MOST_PAIRS = 1600
const LOOK_AHEAD = 8

/** Pairs of indexes, both rising. Calls and results under other ids come first: they are anchors for the rest. */
export function pairLeftovers(left: Leftovers): Match[] {
  const { from, to, before, after } = left
  if (from.length === 0 || to.length === 0) return []
  const keys = [from.map((index) => keyOf(before[index], left)), to.map((index) => keyOf(after[index], left))] as const
  const pairs: Match[] = []
  let [one, other] = [0, 0]
  for (const [a, b] of [...matchInOrder<string | symbol>(...keys), [from.length, to.length] as const]) {
    const isLast = left.isLast && a === from.length
    pairs.push(...pairAlike({ ...left, from: from.slice(one, a), to: to.slice(other, b), isLast }))
    const [first, second] = [from[a], to[b]]
    if (first !== undefined && second !== undefined) pairs.push([first, second])
    one = a + 1
    other = b + 1
  }
  return pairs
}

function keyOf(segment: Segment | undefined, { textOf }: Leftovers): string | symbol {
  const text = segment === undefined || !isCallOrResult(segment.block) ? null : textOf(segment.block)
  return text === null ? Symbol('never the same') : `${segment?.block.type} ${callKey(text)}`
}

/** Pairs in order, so that the sum of their likeness is greatest. */
function pairAlike(left: Leftovers): Match[] {
  const { from, to } = left
  const [one, other] = [from[0], to[0]]
  if (one === undefined || other === undefined) return []
  if (from.length === 1 && to.length === 1 && left.distance(one, other) === 0) {
    return areAlike(left, one, other) ? [[one, other]] : []
  }
  if (from.length * to.length > MOST_PAIRS) return pairByKind(left)
  const width = to.length + 1
  const scores = new Float64Array((from.length + 1) * width)
  const worth = new Float64Array((from.length + 1) * width)
  for (let a = from.length - 1; a >= 0; a--) {
    for (let b = to.length - 1; b >= 0; b--) {
      const score = scoreOf(left, from[a] as number, to[b] as number)
      const at = a * width + b
      scores[at] = score
      const paired = score > 0 ? score + (worth[at + width + 1] as number) : 0
      worth[at] = Math.max(paired, worth[at + width] as number, worth[at + 1] as number)
    }
  }
  const pairs: Match[] = []
  let [a, b] = [0, 0]
  while (a < from.length && b < to.length) {
    const at = a * width + b
    const score = scores[at] as number
    if (score > 0 && worth[at] === score + (worth[at + width + 1] as number)) {
      pairs.push([from[a++] as number, to[b++] as number])
    } else if (worth[at] === worth[at + width]) a++
    else b++
  }
  return pairs
}

function pairByKind(left: Leftovers): Match[] {
  const { from, to, isLast, distance } = left
  const pairs: Match[] = []
  let b = 0
  for (const a of from) {
    const end = Math.min(to.length, b + LOOK_AHEAD)
    for (let next = b; next < end; next++) {
      const other = to[next] as number
      if (!areAlike(left, a, other) || (isLast && distance(a, other) > 0)) continue
      pairs.push([a, other])
      b = next + 1
      break
    }
  }
  return pairs
}

/** 0 for what cannot be one block. */
function scoreOf(left: Leftovers, from: number, to: number): number {
  if (!areAlike(left, from, to)) return 0
  const [one, other] = [left.before[from] as Segment, left.after[to] as Segment]
  const isFar = one.block.section === 'messages' && left.distance(from, to) > 0
  if (isFar && left.isLast) return 0
  const alike = isMedia(one.block) ? 0.5 : likeness(one.block, other.block, left.textOf)
  return isFar && alike < 0.5 ? 0 : 0.25 + alike
}

/** Of one kind: a picture may give way to text, a thought to its hidden form. Tools are known by their names. */
function areAlike({ before, after }: Leftovers, from: number, to: number): boolean {
  const { block: one } = before[from] as Segment
  const { block: other } = after[to] as Segment
  if (one.section !== other.section || one.section === 'tools') return false
  if (one.section === 'messages' && one.role !== other.role) return false
  if (one.type === other.type) return true
  return (isMedia(one) && other.type === 'text') || (isThinking(one) && isThinking(other))
}
