/** Of several turns that one may go on from, which it is. */
import type { Turn } from '../record/types.ts'
import type { Candidate } from './candidate.ts'
import { sameSession } from './client-hints.ts'
import type { Continuation } from './continuation.ts'
import { isKindred, isUnlike, type HeaderLikeness } from './header-likeness.ts'

/** An earlier turn that may be the parent. */
export interface Match {
  readonly candidate: Candidate
  readonly continuation: Continuation
  readonly likeness: HeaderLikeness
}

/**
 * The longer continuation, then the more alike, then the same model, then the same session, then the newer.
 * Whatever a turn shares with one whose end it has, it does not go on from that before one that it begins with all of:
 * a turn of the same conversation has that beginning too.
 */
export function isBetter(match: Match, best: Match, turn: Turn): boolean {
  const [one, other] = [match.continuation, best.continuation]
  const sound = (match.candidate.sound === null) === (best.candidate.sound === null)
  if (sound && one.kind === 'whole' && other.kind === 'whole') {
    // Sessions that say the same words are as many conversations.
    const own = [match, best].map(({ candidate }) => sameSession(candidate.linked.turn, turn))
    if (own.includes(true) && own.includes(false)) return own[0] === true
  }
  if (sound && (one.kind === 'whole' || other.kind === 'whole') && one.start !== other.start) {
    return one.start > other.start
  }
  const ranks = [rank(match, turn), rank(best, turn)] as const
  for (const [index, value] of ranks[0].entries()) {
    const against = ranks[1][index] ?? 0
    if (value !== against) return value > against
  }
  return match.candidate.linked.turn.number > best.candidate.linked.turn.number
}

/** In a few steps: which of two clocks is nearer to a third means nothing. */
function closeness(likeness: HeaderLikeness): number {
  if (likeness.same) return 3
  if (isUnlike(likeness)) return 0
  return isKindred(likeness) ? 2 : 1
}

function rank({ candidate, continuation, likeness }: Match, turn: Turn): readonly number[] {
  const earlier = candidate.linked.turn
  return [
    // What failed is a parent only where there is nothing else.
    candidate.sound === null ? 0 : 1,
    continuation.score,
    closeness(likeness),
    earlier.model === turn.model ? 1 : 0,
    sameSession(earlier, turn) === true ? 1 : 0,
  ]
}
