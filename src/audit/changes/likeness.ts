/** How alike the contents of two blocks are, from 0 to 1: by what they begin and end with, else by their words. */
import type { Block } from '../record/types.ts'
import type { TextOf } from './text-of.ts'

/** Units that are looked at from either end. */
const REACH = 4000
/** Units of which the words are compared. */
const WORDS = 2000

/** The likeness of two blocks; by length alone where a text is gone. */
export function likeness(one: Block, other: Block, textOf: TextOf): number {
  if (one === other) return 1
  const [first, second] = [textOf(one), textOf(other)]
  if (first === null || second === null) {
    return one.length === 0 || other.length === 0
      ? 0
      : Math.min(one.length, other.length) / Math.max(one.length, other.length) / 2
  }
  return textLikeness(first, second)
}

/** The likeness of two texts. */
export function textLikeness(first: string, second: string): number {
  const longest = Math.max(first.length, second.length)
  if (longest === 0) return 1
  const most = Math.min(first.length, second.length, REACH)
  let start = 0
  while (start < most && first.charCodeAt(start) === second.charCodeAt(start)) start++
  let end = 0
  const left = Math.min(first.length, second.length) - start
  while (
    end < Math.min(left, REACH) &&
    first.charCodeAt(first.length - 1 - end) === second.charCodeAt(second.length - 1 - end)
  ) {
    end++
  }
  const share = (start + end) / Math.min(longest, 2 * REACH)
  return share > 0.5 ? Math.min(1, share) : Math.max(share, sharedWords(first, second))
}

function sharedWords(first: string, second: string): number {
  const one = new Set(first.slice(0, WORDS).match(/[\p{L}\p{N}]{2,}/gu))
  const other = new Set(second.slice(0, WORDS).match(/[\p{L}\p{N}]{2,}/gu))
  if (one.size === 0 || other.size === 0) return 0
  let shared = 0
  for (const word of one) if (other.has(word)) shared++
  return (2 * shared) / (one.size + other.size)
}
