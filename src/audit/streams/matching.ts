/**
 * Which blocks of an earlier conversation a later one has, in order: all that it begins with, and of the rest the longest
 * sequence of blocks that stand once in the later one. So a block that was changed, dropped or put in front shifts nothing.
 */
import type { Block } from '../record/types.ts'
import type { Prompt } from './prompt.ts'

/** A block of the earlier conversation, and the same block in the later one. */
export interface Pair {
  readonly from: number
  readonly to: number
}

/** What two conversations share. */
export interface Matching {
  /** Blocks that both begin with. */
  readonly prefix: number
  readonly prefixTokens: number
  /** Behind that, ascending on both sides. */
  readonly anchors: readonly Pair[]
  readonly anchorTokens: number
}

/** Compares an earlier conversation with a later one. */
export function matchInOrder(earlier: readonly Block[], later: Pick<Prompt, 'messages' | 'positions'>): Matching {
  const { messages } = later
  let prefix = 0
  let prefixTokens = 0
  while (prefix < earlier.length && earlier[prefix] === messages[prefix]) {
    prefixTokens += earlier[prefix]?.tokens ?? 0
    prefix++
  }
  if (prefix === earlier.length || prefix === messages.length) {
    return { prefix, prefixTokens, anchors: [], anchorTokens: 0 }
  }
  const anchors = longestAscending(pairsBehind(prefix, earlier, later.positions))
  const anchorTokens = anchors.reduce((sum, { from }) => sum + (earlier[from]?.tokens ?? 0), 0)
  return { prefix, prefixTokens, anchors, anchorTokens }
}

function pairsBehind(prefix: number, earlier: readonly Block[], positions: Prompt['positions']): Pair[] {
  const pairs: Pair[] = []
  for (let from = prefix; from < earlier.length; from++) {
    const block = earlier[from]
    const to = block === undefined ? undefined : positions.get(block)
    if (to !== undefined && to >= prefix) pairs.push({ from, to })
  }
  return pairs
}

/** The longest choice of pairs whose `to` ascends, as `from` does already. O(n log n). */
function longestAscending(pairs: readonly Pair[]): readonly Pair[] {
  if (pairs.every((pair, index) => index === 0 || pair.to > (pairs[index - 1]?.to ?? -1))) return pairs
  // ends[k]: which pair ends the ascending sequence of length k + 1 that ends lowest.
  const ends: number[] = []
  const before: number[] = []
  for (const [index, { to }] of pairs.entries()) {
    let low = 0
    let high = ends.length
    while (low < high) {
      const middle = (low + high) >> 1
      if ((pairs[ends[middle] ?? 0]?.to ?? 0) < to) low = middle + 1
      else high = middle
    }
    before.push(low === 0 ? -1 : (ends[low - 1] ?? -1))
    ends[low] = index
  }
  const chosen: Pair[] = []
  for (let index = ends.at(-1) ?? -1; index >= 0; index = before[index] ?? -1) {
    const pair = pairs[index]
    if (pair !== undefined) chosen.push(pair)
  }
  return chosen.reverse()
}
