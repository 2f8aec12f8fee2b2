/**
 * The play of a log that no report of what was cached has corrected: what the rules come to for the requests alone. Sizes
 * are learned from reports, reads and writes are not, so that a provider that missed, or wrote nothing, changes nothing in
 * it, on that turn or later. Limits are held against this play, verdicts against the corrected one.
 */
import type { Turn } from '../record/types.ts'
import type { LinkedTurn } from '../streams/types.ts'
import { play, type PlayedTurn, type PlayOptions } from './play.ts'
import { readOf, writeOf } from './reported.ts'

/** Plays turns once more, by turn number; where reports say nothing that corrects, `played` is that play already. */
export function playUncorrected(
  linked: readonly LinkedTurn[],
  options: PlayOptions,
  played: ReadonlyMap<number, PlayedTurn>,
): ReadonlyMap<number, PlayedTurn> {
  const isCorrected = linked.some(({ turn }) => saysWhatIsCached(turn))
  return isCorrected ? play(linked, { ...options, taken: sizeOnly }) : played
}

function saysWhatIsCached(turn: Turn): boolean {
  return readOf(turn) !== undefined || (turn.usage !== undefined && writeOf(turn.usage) !== undefined)
}

function sizeOnly(turn: Turn): Turn {
  const { total, output } = turn.usage ?? {}
  return turn.usage === undefined ? turn : { ...turn, usage: { total, output } }
}
