/** Puts a verdict together from what was found. */
import type { Turn } from '../record/types.ts'
import type { LinkedTurn } from '../streams/types.ts'
import type { Comparison } from './comparisons.ts'
import { confidenceOf } from './confidence.ts'
import { gapBetween } from './extent.ts'
import { lacking } from './lacking.ts'
import { order, type Loss } from './losses.ts'
import type { PlayedTurn } from './play.ts'
import { readOf } from './reported.ts'
import type { Reason, Uncorrected, Verdict } from './types.ts'

/** What was found of a turn. */
export interface Found {
  /** At least one. */
  readonly reasons: readonly Reason[]
  readonly loss?: Pick<Loss, 'tokens'>
  readonly uncorrected?: Uncorrected | null
  /** Undefined where it could not be played. */
  readonly played?: PlayedTurn
  readonly reproduced?: boolean | null
  readonly missing?: readonly string[]
  readonly ttlSeconds?: number | null
}

/** The verdict: the reason that is worth most, ties in the order of the kinds. */
export function verdictOf({ turn, parent }: LinkedTurn, comparison: Comparison | null, found: Found): Verdict {
  const { played, loss, uncorrected = null, reproduced = null, missing = [], ttlSeconds = null } = found
  const reasons = found.reasons.toSorted(
    (one, other) => other.tokens - one.tokens || order.indexOf(one.kind) - order.indexOf(other.kind),
  )
  const verdict = reasons[0]?.kind ?? 'unknown'
  const prediction = played?.prediction ?? null
  const gap = parent === null ? undefined : gapBetween(parent, turn)
  const isUnreported = readOf(turn) === undefined && !turn.answer.serverEdited && !turn.failed
  return {
    turn,
    parent,
    verdict,
    reasons,
    confidence: confidenceOf({ turn, verdict, prediction, reproduced }),
    providerReason: turn.exchange.providerReason ?? turn.answer.missReason ?? null,
    divergence: comparison?.divergence ?? null,
    prediction,
    predicted: prediction?.usage ?? null,
    basis: prediction === null ? 'reported' : 'simulated',
    rewrittenTokens: comparison && rewrittenTokens(turn, comparison, prediction?.usage.total ?? turn.usage?.total),
    lostTokens: loss?.tokens ?? 0,
    uncorrected,
    gapSeconds: gap === undefined ? null : gap.most / 1000,
    ttlSeconds,
    reproduced,
    missing: [...new Set([...missing, ...(isUnreported ? [lacking.usage] : [])])],
  }
}

/** min(total, parent's total) less the common start, on the scale of the turn's total. */
function rewrittenTokens(turn: Turn, { parent, common, divergence }: Comparison, total: number | undefined): number {
  if (divergence === null || turn.tokens === 0) return 0
  const scale = (total ?? turn.tokens) / turn.tokens
  return Math.max(0, Math.round((Math.min(turn.tokens, parent.tokens) - common.tokens) * scale))
}
