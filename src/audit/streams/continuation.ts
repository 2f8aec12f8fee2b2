/**
 * Whether a turn goes on from an earlier one, by their messages alone.
 *
 * - `whole`: it begins with all of them.
 * - `edited`: it has their end, or an edited form of it, and something in front of that was changed, dropped or added.
 * - `parted`: both begin alike and then go different ways, or the later one goes less far: it may go on from one of the
 *   turns before the earlier one.
 *
 * What many conversations share (a reminder, examples, "continue") is no evidence. So a turn that only begins like another
 * one does not go on from it: that one's last message, or an edit of it, has to be there.
 */
import type { Block } from '../record/types.ts'
import { blockLikeness, isEdited, isSized } from './likeness.ts'
import { matchInOrder, type Matching, type Pair } from './matching.ts'
import { isWritten } from './messages.ts'
import type { Prompt } from './prompt.ts'

/** What a turn is to an earlier one. */
export interface Continuation {
  readonly kind: 'whole' | 'edited' | 'parted'
  /** Tokens that both begin with. */
  readonly start: number
  /** Tokens in common, those that both begin with counted twice. */
  readonly score: number
  /** Blocks of the earlier turn up to the last that both have. */
  readonly reach: number
  /** The share of the earlier turn's tokens that the later one has, or has in another form; from 0 to 1. */
  readonly share: number
  /** The later turn has something behind all that both have. */
  readonly adds: boolean
  /** A model has written more in the later turn than in the earlier one, behind all that both have. */
  readonly extended: boolean
}

/** Null where the two have nothing to do with each other. `isOwn` tells blocks that only one conversation has. */
export function continuationOf(
  earlier: readonly Block[],
  later: Prompt,
  isOwn: (block: Block) => boolean,
): Continuation | null {
  const matching = matchInOrder(earlier, later)
  const { prefix, prefixTokens: start, anchors, anchorTokens } = matching
  const last = anchors.at(-1) ?? { from: prefix - 1, to: prefix - 1 }
  const reach = last.from + 1
  const found = {
    start,
    score: 2 * start + anchorTokens,
    reach,
    share: 1,
    adds: last.to < later.messages.length - 1,
    extended: countWritten(later.messages, last.to + 1) > countWritten(earlier, reach),
  }
  if (prefix === earlier.length) return { ...found, kind: 'whole' }
  const parted = { ...found, kind: 'parted' } as const
  // Two first questions are two conversations, however much both were told besides.
  if (!later.answered && countWritten(earlier, 0) === 0) return parted
  const gaps = gapsOf(earlier, later.messages, matching)
  const total = Math.max(1, tokensOf(earlier))
  const edited = {
    ...found,
    kind: 'edited',
    score: found.score + gaps.sizedTokens * SIZED_WEIGHT,
    share: (start + anchorTokens + gaps.sizedTokens) / total,
  } as const
  if (reach === earlier.length) {
    // The end of the earlier turn is there. It could be there by chance, as "continue" is.
    const likely = found.adds && ((start + anchorTokens) / total >= HALF || gaps.sized === gaps.blocks)
    return likely || ownTokens(earlier, matching, isOwn) >= EVIDENT_TOKENS ? edited : null
  }
  if (reach === 0) return found.extended && isReworded(earlier, later.messages) ? edited : null
  if (!found.extended) return parted
  return endsEdited(earlier, later.messages, last) && isTrusted(earlier, matching, gaps, isOwn) ? edited : parted
}

const HALF = 0.5
/** Blocks of one size in one place are a sign of edits, and much less than equal ones. */
const SIZED_WEIGHT = 0.25
/** Tokens of blocks that no other conversation has: fewer may be chance. */
const EVIDENT_TOKENS = 24
/** How alike two first messages must be that are taken for one without any other sign. */
const REWORDED = 0.6

/** Blocks that stand between those in common. */
interface Gaps {
  /** Blocks of the earlier turn there. */
  readonly blocks: number
  /** Those that face a block of their kind and size in the later one, and their tokens. */
  readonly sized: number
  readonly sizedTokens: number
}

function gapsOf(earlier: readonly Block[], later: readonly Block[], { prefix, anchors }: Matching): Gaps {
  let blocks = 0
  let sized = 0
  let sizedTokens = 0
  let from = prefix
  let to = prefix
  for (const end of [...anchors, { from: earlier.length, to: later.length }]) {
    blocks += end.from - from
    for (; from < end.from && to < end.to; from++, to++) {
      const [one, other] = [earlier[from], later[to]]
      if (one === undefined || other === undefined || isSaid(one) || !isSized(one, other)) continue
      sized++
      sizedTokens += Math.min(one.tokens, other.tokens)
    }
    from = end.from + 1
    to = end.to + 1
  }
  return { blocks, sized, sizedTokens }
}

/** All of the earlier turn's blocks were put differently (an opening that tells the time, say), and nothing is equal. */
function isReworded(earlier: readonly Block[], later: readonly Block[]): boolean {
  if (later.length <= earlier.length) return false
  return earlier.every((block, index) => {
    const counterpart = later[index]
    if (counterpart === undefined || block.role !== counterpart.role || block.type !== counterpart.type) return false
    return blockLikeness(block, counterpart) >= REWORDED
  })
}

/** What follows in the earlier turn was only put differently, or left out in front of the model's answer. */
function endsEdited(earlier: readonly Block[], later: readonly Block[], last: Pair): boolean {
  const [next, counterpart] = [earlier[last.from + 1], later[last.to + 1]]
  if (next === undefined || counterpart === undefined) return true
  if (isWritten(counterpart) && !isWritten(next)) {
    return earlier.slice(last.from + 1).every((block) => !isWritten(block)) && !isWritten(earlier[last.from] ?? next)
  }
  // A result stands for the call in front of it, whatever it was shortened to.
  if (next.role === counterpart.role && isResult(next) && isResult(counterpart)) return true
  return isEdited(next, counterpart)
}

/** Behind the last block in common the two are one conversation still: most of what follows faces its edited form. */
function isTrusted(
  earlier: readonly Block[],
  { prefix, anchors }: Matching,
  gaps: Gaps,
  isOwn: (block: Block) => boolean,
): boolean {
  const rest = earlier.length - (anchors.at(-1)?.from ?? prefix - 1) - 1
  if (rest <= 2 || gaps.sized * 2 >= gaps.blocks) return true
  return ownTokens(earlier, { prefix: 0, anchors }, isOwn) >= EVIDENT_TOKENS
}

function ownTokens(
  earlier: readonly Block[],
  matching: Pick<Matching, 'prefix' | 'anchors'>,
  isOwn: (block: Block) => boolean,
): number {
  let tokens = 0
  const add = (block: Block | undefined): void => {
    if (block !== undefined && isOwn(block)) tokens += block.tokens
  }
  for (let index = 0; index < matching.prefix; index++) add(earlier[index])
  for (const { from } of matching.anchors) add(earlier[from])
  return tokens
}

/** Prose of a model, which is long, sounds alike and is sent back as it came. */
function isSaid(block: Block): boolean {
  return block.type === 'text' && isWritten(block)
}

function countWritten(messages: readonly Block[], from: number): number {
  let count = 0
  for (let index = from; index < messages.length; index++) {
    const block = messages[index]
    if (block !== undefined && isWritten(block)) count++
  }
  return count
}

function tokensOf(blocks: readonly Block[]): number {
  return blocks.reduce((sum, { tokens }) => sum + tokens, 0)
}

function isResult({ type }: Block): boolean {
  return /result|output|response/i.test(type)
}
