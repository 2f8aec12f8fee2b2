/**
 * Which items of one list are found again in another, in order. What both have once is an anchor, so that something
 * inserted, removed or moved does not shift what follows; between anchors the ends are matched, and short rests exactly.
 *
 * Cost: linear in the lists for each level of anchors. A long rest without anchors stays unmatched rather than be
 * compared pair by pair.
 */

/** An item of the first list and the equal one of the second, by index. */
export type Match = readonly [first: number, second: number]

/** Pairs of a rest that are compared at most. */
const MOST_PAIRS = 4096
/** Levels of anchors; each needs a unique pair in what the one before left, so that real lists need few. */
const MOST_LEVELS = 12

/** What is known of two lists. */
interface Matching<T> {
  /** Which items may be anchors: two equal numbers are often not the same number. */
  readonly isTelling?: (item: T) => boolean
  /** The second list is the first and more at its end, so that of equal items the earlier are the same ones. */
  readonly grows?: boolean
}

/** Equal items (`===`) of both lists, both indexes rising. */
export function matchInOrder<T>(
  first: readonly T[],
  second: readonly T[],
  { isTelling = () => true, grows = false }: Matching<T> = {},
): Match[] {
  const lists: Lists<T> = { first, second, isTelling, grows, matches: [] }
  match(lists, [0, first.length, 0, second.length], 0)
  return lists.matches
}

interface Lists<T> {
  readonly first: readonly T[]
  readonly second: readonly T[]
  readonly isTelling: (item: T) => boolean
  readonly grows: boolean
  readonly matches: Match[]
}

/** Equal items in a row that show that all goes on. */
const GOES_ON = 8

type Range = readonly [firstStart: number, firstEnd: number, secondStart: number, secondEnd: number]

function match<T>(lists: Lists<T>, range: Range, level: number, fromEnd: boolean = !lists.grows): void {
  const { first, second, matches } = lists
  let [a, aEnd, b, bEnd] = range
  for (;;) {
    while (a < aEnd && b < bEnd && first[a] === second[b]) matches.push([a++, b++])
    // One item in the place of another, and all goes on: the most frequent difference by far.
    let on = 1
    while (on <= GOES_ON && a + on < aEnd && b + on < bEnd && first[a + on] === second[b + on]) on++
    if (on <= GOES_ON) break
    a++
    b++
  }
  let same = 0
  const most = fromEnd ? Math.min(aEnd - a, bEnd - b) : 0
  while (same < most && first[aEnd - 1] === second[bEnd - 1]) {
    aEnd--
    bEnd--
    same++
  }
  if (a < aEnd && b < bEnd) {
    const anchors = level < MOST_LEVELS ? rising(uniquePairs(lists, [a, aEnd, b, bEnd])) : []
    if (anchors.length > 0) {
      for (const [one, other] of anchors) {
        match(lists, [a, one, b, other], level + 1)
        matches.push([one, other])
        a = one + 1
        b = other + 1
      }
      match(lists, [a, aEnd, b, bEnd], level + 1)
    } else if ((aEnd - a) * (bEnd - b) <= MOST_PAIRS) {
      matchExactly(first, second, [a, aEnd, b, bEnd], matches)
    } else if (!fromEnd) match(lists, [a, aEnd, b, bEnd], MOST_LEVELS, true)
  }
  for (let index = 0; index < same; index++) matches.push([aEnd + index, bEnd + index])
}

/** What stands once in either range, in the order of the first. */
function uniquePairs<T>({ first, second, isTelling }: Lists<T>, [a, aEnd, b, bEnd]: Range): Match[] {
  const places = new Map<T, { one: number; other: number }>()
  for (let index = a; index < aEnd; index++) {
    const item = first[index] as T
    const place = places.get(item)
    if (place === undefined) {
      if (isTelling(item)) places.set(item, { one: index, other: -1 })
    } else place.one = -2
  }
  for (let index = b; index < bEnd; index++) {
    const place = places.get(second[index] as T)
    if (place !== undefined) place.other = place.other === -1 ? index : -2
  }
  const pairs: Match[] = []
  for (const { one, other } of places.values()) if (one >= 0 && other >= 0) pairs.push([one, other])
  return pairs
}

/** The longest part of `pairs` (first indexes rise) in which the second indexes rise too. */
function rising(pairs: readonly Match[]): Match[] {
  // tails[n]: the pair with the smallest second index that ends a rising part of n + 1.
  const tails: number[] = []
  const previous: number[] = []
  for (const [index, [, value]] of pairs.entries()) {
    let low = 0
    let high = tails.length
    while (low < high) {
      const middle = (low + high) >> 1
      if ((pairs[tails[middle] as number] as Match)[1] < value) low = middle + 1
      else high = middle
    }
    previous[index] = low > 0 ? (tails[low - 1] as number) : -1
    tails[low] = index
  }
  const found: Match[] = []
  for (let index = tails.at(-1) ?? -1; index >= 0; index = previous[index] as number) found.push(pairs[index] as Match)
  return found.reverse()
}

/** The longest common subsequence of a short range. */
function matchExactly<T>(first: readonly T[], second: readonly T[], range: Range, matches: Match[]): void {
  const [a, aEnd, b, bEnd] = range
  const width = bEnd - b + 1
  const lengths = new Uint16Array((aEnd - a + 1) * width)
  const at = (one: number, other: number): number => lengths[(one - a) * width + (other - b)] ?? 0
  for (let one = aEnd - 1; one >= a; one--) {
    for (let other = bEnd - 1; other >= b; other--) {
      lengths[(one - a) * width + (other - b)] =
        first[one] === second[other] ? at(one + 1, other + 1) + 1 : Math.max(at(one + 1, other), at(one, other + 1))
    }
  }
  let one = a
  let other = b
  while (one < aEnd && other < bEnd) {
    if (first[one] === second[other] && at(one, other) === at(one + 1, other + 1) + 1) matches.push([one++, other++])
    else if (at(one + 1, other) >= at(one, other + 1)) one++
    else other++
  }
}
