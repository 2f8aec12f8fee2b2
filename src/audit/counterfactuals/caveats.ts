/** What freezing costs besides the updates that are in the figures: more input, another price, a larger context. */
import type { Turn } from '../record/types.ts'
import { formatCount, formatNumber } from '../words/amounts.ts'
import type { PriceOf } from './sum.ts'

/** A turn, with its input as it was sent and with everything fixed. */
export interface Compared {
  readonly turn: Turn
  readonly before: number
  readonly after: number
}

/** From so much on, growth of the largest request is told. */
const GROWTH = 0.05

/** Sentences for a person. */
export function caveatsOf(compared: readonly Compared[], priceOf: PriceOf): readonly string[] {
  const played = compared.filter(({ before, after }) => before > 0 && after > 0)
  const added = played.reduce((sum, { before, after }) => sum + after - before, 0)
  const caveats: string[] = []
  if (added > 0) {
    caveats.push(
      `Fixed, the same calls have ${formatCount(added, 'token')} more of input: updates, and what stays instead of being taken out.`,
    )
  }
  const dearer = played.filter(
    ({ turn, before, after }) => before !== after && isOtherTier(turn, before, after, priceOf),
  )
  if (dearer.length > 0) {
    caveats.push(`${formatCount(dearer.length, 'call')} would come under another price tier, which is in the figures.`)
  }
  const [most, mostAfter] = [largest(played, 'before'), largest(played, 'after')]
  if (mostAfter > most * (1 + GROWTH)) {
    caveats.push(
      `The largest request would grow from ${formatNumber(most)} to ${formatNumber(mostAfter)} tokens: see that it fits the model's context.`,
    )
  }
  return caveats
}

function largest(played: readonly Compared[], side: 'before' | 'after'): number {
  return played.reduce((most, one) => Math.max(most, one[side]), 0)
}

/** Whether a token costs more or less because the request is longer or shorter. */
function isOtherTier(turn: Turn, before: number, after: number, priceOf: PriceOf): boolean {
  const [one, other] = [rate(turn, before, priceOf), rate(turn, after, priceOf)]
  return one !== null && other !== null && Math.abs(one - other) > one * 1e-6
}

function rate(turn: Turn, tokens: number, priceOf: PriceOf): number | null {
  const usage = { total: tokens, read: 0, write5m: 0, write30m: 0, write1h: 0, uncached: tokens, output: 0 }
  const cost = priceOf(turn, usage)
  return cost === null ? null : cost / tokens
}
