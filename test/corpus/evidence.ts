/**
 * Turns that the provider itself missed are taken out of the count, but only one by one, in a checked-in list, and only
 * when the recording proves it: the same bytes in the same scope had been sent a short time before, less was read than
 * they allow, and either a later turn reads that far (so the entry was there), or what was read ends exactly where an
 * older entry ends (so an older server answered).
 */
import { writeOf } from '../../src/audit/verdicts/reported.ts'
import { isHit } from './categories.ts'
import { readOf, type Turn } from './replay.ts'
import { commonSegments } from './structure.ts'

/** What proves that the provider missed. */
export type Evidence = 'later-read' | 'older-breakpoint'

/** One line of the list. */
export interface Exclusion {
  /** The name of the recording, without its folder. */
  readonly file: string
  readonly call: number
  readonly evidence: Evidence
  /** One line for people. */
  readonly explanation: string
}

// The shortest lifetime that any provider documents.
const stableFor = 5 * 60_000

/** What is wrong with an exclusion; undefined when it is needed and its evidence holds. `turns` are its recording's. */
export function problemWith({ call, evidence }: Exclusion, turns: readonly Turn[]): string | undefined {
  const turn = turns.find((each) => each.call.index === call)
  if (turn === undefined) return 'the recording has no such call'
  if (isHit(turn)) return 'it is not needed: the prediction is right'
  const predicted = turn.prediction.usage.read
  if (readOf(turn) >= predicted) return `${readOf(turn)} were read, not less than the predicted ${predicted}`
  const through = turn.segments.findIndex(({ path }) => path === turn.prediction.hit?.path)
  const source = turn.earlier.findLast((earlier) => sentTheSame(earlier, turn, through))
  if (source === undefined) return 'no earlier request of its scope had sent the same bytes that far'
  if (!isSoonAfter(source, turn)) return `more than ${stableFor / 1000} s lie between it and call ${source.call.index}`
  return evidence === 'later-read' ? missingLaterRead(turn, turns, through) : missingBreakpoint(turn)
}

/** `through` is the segment that the predicted read ends in; -1 asks for the whole earlier request. */
function sentTheSame(earlier: Turn, turn: Turn, through: number): boolean {
  if (earlier.scope !== turn.scope) return false
  const common = commonSegments(earlier, turn)
  return through < 0 ? common === earlier.segments.length : common > through
}

function isSoonAfter(earlier: Turn, later: Turn): boolean {
  const [from, to] = [earlier, later].map(({ call: { exchange } }) => exchange.startedAt ?? exchange.endedAt)
  return from === undefined || to === undefined || to - from <= stableFor
}

function missingLaterRead(turn: Turn, turns: readonly Turn[], through: number): string | undefined {
  const predicted = turn.prediction.usage.read
  const proof = turns.some(
    (later) => later.call.index > turn.call.index && sentTheSame(turn, later, through) && readOf(later) >= predicted,
  )
  return proof ? undefined : `no later turn reads ${predicted} tokens or more of the same bytes`
}

function missingBreakpoint(turn: Turn): string | undefined {
  const read = readOf(turn)
  const ends = turn.earlier.flatMap((earlier) => [readOf(earlier), readOf(earlier) + (writeOf(earlier.reported) ?? 0)])
  return read > 0 && ends.includes(read) ? undefined : `no older entry is known to end at ${read} tokens`
}
