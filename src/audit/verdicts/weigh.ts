/**
 * The simulator's word against the report. What was read although the simulator thought it lost was not lost; what was
 * not read although it was certain is a loss of its own, which the simulator cannot know. A provider that promises no
 * hit breaks no promise: within the range of the prediction a low read is noted, not judged, unless what scopes the cache
 * changed.
 */
import type { Loss } from './losses.ts'
import { explainLowRead, knownCause, type Holder } from './low-read.ts'
import type { PlayedTurn } from './play.ts'
import { readOf } from './reported.ts'
import type { Requests } from './requests.ts'
import type { Scopes } from './scopes.ts'
import { toleranceOf } from './tolerance.ts'
import type { Reason } from './types.ts'

/** What is needed besides the report. */
export interface Claim extends Holder {
  readonly scopes: Scopes
  readonly requests: Requests
  readonly played: PlayedTurn
  readonly loss: Loss
}

/** What is left of a loss. */
export interface Weighed {
  readonly loss: Loss
  /** What the report adds in words, where it adds something. */
  readonly note: string | null
  readonly missing: readonly string[]
  /** How the report stands to the prediction's range; null where nothing was reported. */
  readonly report: 'within' | 'below' | 'above' | null
}

/** Weighs a loss against what was reported for the turn. */
export function weigh(claim: Claim): Weighed {
  const { played, loss } = claim
  const { usage, range } = played.prediction
  const { step } = played.rules
  const reported = readOf(played.turn)
  if (reported === undefined) return { loss, note: null, missing: [], report: null }
  const tolerance = toleranceOf(reported, step)
  const low = { ...claim, turn: played.turn, expected: usage.read, reported, step }
  if (reported < range.least - tolerance) {
    const { reason, missing } = explainLowRead(low)
    return { loss: add(loss, reason), note: null, missing, report: 'below' }
  }
  const report = reported > range.most + tolerance ? 'above' : 'within'
  const kept = Math.max(0, reported - usage.read)
  if (kept <= tolerance) {
    const isLow = reported < usage.read - tolerance
    const cause = isLow ? knownCause(low) : null
    if (cause !== null) return { loss: add(loss, cause), note: null, missing: [], report }
    const note = isLow
      ? `${reported} of ${usage.read} tokens were read: the provider does not promise to find them.`
      : null
    return { loss, note, missing: [], report }
  }
  const note = `${reported} tokens were read, ${kept} more than the rules say.`
  const left = loss.tokens - kept <= tolerance ? 0 : loss.tokens - kept
  return { loss: scale(loss, left), note, missing: [], report }
}

function add({ tokens, reasons }: Loss, reason: Reason): Loss {
  const same = reasons.find(({ kind }) => kind === reason.kind)
  const others = reasons.filter((each) => each !== same)
  const joined = same === undefined ? reason : { ...reason, tokens: reason.tokens + same.tokens }
  return { tokens: tokens + reason.tokens, reasons: [...others, joined] }
}

/** The reasons with shares of what is left; the first takes what rounding leaves. */
function scale({ tokens, reasons }: Loss, left: number): Loss {
  if (tokens === 0) return { tokens: 0, reasons }
  const shares = reasons.map((reason) => ({ ...reason, tokens: Math.floor((reason.tokens * left) / tokens) }))
  const rest = left - shares.reduce((sum, reason) => sum + reason.tokens, 0)
  return {
    tokens: left,
    reasons: shares.map((reason, at) => (at === 0 ? { ...reason, tokens: reason.tokens + rest } : reason)),
  }
}
