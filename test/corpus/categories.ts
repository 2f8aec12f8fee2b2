/**
 * Which turns say something about the simulator. Cold ones cannot read: nothing that they share with an earlier request
 * is long enough, or nothing is marked. In logs that start warm, what was cached before the first request is unknown,
 * unless the recording shows how the cache was created. The rest is warm: the headline. A turn that reports a read is
 * never cold.
 */
import { readOf, type Turn } from './replay.ts'
import { stepOf, toleranceOf } from './steps.ts'
import { commonShare } from './structure.ts'

/** Where a turn counts. */
export type Category = 'cold' | 'warm' | 'starts-warm' | 'without-usage'

/** Why nothing could be read. */
export type ColdReason = 'nothing earlier' | 'below the minimum' | 'not marked'

/** A turn's category; `turns` are all of its recording. */
export function categoryOf(turn: Turn, turns: readonly Turn[]): Category {
  if (turn.reported.total === undefined) return 'without-usage'
  const first = turns.find(({ call }) => call.index === turn.first)
  if (first !== undefined && readOf(first) > 0 && !first.namesCache) return 'starts-warm'
  return readOf(turn) === 0 && coldReason(turn) !== undefined ? 'cold' : 'warm'
}

/** Why a turn could not read anything, by the bodies of the recording alone; undefined where it could. */
export function coldReason(turn: Turn): ColdReason | undefined {
  if (turn.namesCache) return undefined
  const marked = turn.earlier.filter((earlier) => earlier.marked)
  if (!turn.marked || (marked.length === 0 && turn.earlier.length > 0)) return 'not marked'
  const share = marked.reduce((most, earlier) => Math.max(most, commonShare(earlier, turn)), 0)
  if (share === 0) return 'nothing earlier'
  return share * (turn.reported.total ?? 0) < turn.prediction.minimum ? 'below the minimum' : undefined
}

/** True when the prediction is as close to the report as the acceptance asks. */
export function isHit(turn: Turn): boolean {
  const reported = readOf(turn)
  const tolerance = toleranceOf(reported, stepOf(turn.call.provider, turn.model))
  return Math.abs(turn.prediction.usage.read - reported) <= tolerance
}

/** What kind of miss it is. */
export type MissClass =
  | 'not read, though it was stored'
  | 'read less, within the stated range'
  | 'read less than the stated range'
  | 'read more, within the stated range'
  | 'read more than the stated range'
  | 'read, where nothing was predicted'

/** Names a miss; for a turn that is none the answer means nothing. */
export function missClass(turn: Turn): MissClass {
  const reported = readOf(turn)
  const { usage, range } = turn.prediction
  if (reported === 0) return 'not read, though it was stored'
  if (usage.read === 0 && range.most === 0) return 'read, where nothing was predicted'
  if (reported < usage.read)
    return reported >= range.least ? 'read less, within the stated range' : 'read less than the stated range'
  return reported <= range.most ? 'read more, within the stated range' : 'read more than the stated range'
}
