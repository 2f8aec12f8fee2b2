/**
 * Holds a report against limits. Lower limits never let more through: what passes `maxRewrittenTokens` of N passes every
 * larger one, and what passes `minHitRate` of R every smaller one.
 */
import { IndelibleError } from '../../base/error.ts'
import { matchCulprits } from '../compare/match-culprits.ts'
import type { AuditReport } from '../report/types.ts'
import { comparableTurns, countTokens, predictedHitRate, type ComparableTurn, type CountedTokens } from './counted.ts'
import type { GateCheck, Gates, GatesResult, GateTurn } from './types.ts'

/** Comparable turns that are asked for unless the caller says how many. */
const MIN_TURNS = 2
/** Turns that are named. */
const WORST = 5

/**
 * Checks `report` against `gates`. Throws an `IndelibleError` (`option_invalid`) for a limit that is no limit, and for a
 * baseline without a comparable turn.
 */
export function checkGates(report: Pick<AuditReport, 'streams' | 'culprits'>, gates: Gates): GatesResult {
  const { maxRewrittenTokens, minHitRate, baseline, minTurns = MIN_TURNS } = gates
  const turns = comparableTurns(report)
  const counted = countTokens(turns)
  const checks: GateCheck[] = []
  if (maxRewrittenTokens !== undefined) checks.push(checkTokens(counted, maxRewrittenTokens))
  if (minHitRate !== undefined) checks.push(checkHitRate(counted, minHitRate))
  if (baseline !== undefined) checks.push(checkCulprits(report, baseline), checkLoss(counted, baseline))
  const tooFew = turns.length < within(minTurns, 'minTurns', 1, Infinity)
  return {
    outcome: tooFew ? 'too-few-turns' : checks.every(({ passed }) => passed) ? 'passed' : 'failed',
    comparableTurns: turns.length,
    minTurns,
    checks,
    worstTurns: worstOf(turns),
  }
}

function checkTokens({ lost }: CountedTokens, limit: number): GateCheck {
  const passed = lost <= within(limit, 'maxRewrittenTokens', 0, Infinity)
  return { gate: 'max-rewritten-tokens', passed, tokens: lost, limit }
}

function checkHitRate(counted: CountedTokens, limit: number): GateCheck {
  const hitRate = predictedHitRate(counted)
  const passed = (hitRate ?? 1) >= within(limit, 'minHitRate', 0, 1)
  return { gate: 'min-hit-rate', passed, hitRate, limit, read: counted.read, reusable: counted.read + counted.lost }
}

function checkCulprits(report: Pick<AuditReport, 'culprits'>, baseline: Pick<AuditReport, 'culprits'>): GateCheck {
  const known = new Set(baseline.culprits.map(({ id }) => id))
  const { left } = matchCulprits(baseline.culprits, report.culprits)
  const resembled = new Map(left.map(({ before, after }) => [after.id, before.id]))
  const found = report.culprits
    .filter(({ id }) => !known.has(id))
    .map(({ id, kind, path }) => ({ id, kind, path, resembles: resembled.get(id) ?? null }))
  return { gate: 'baseline-culprits', passed: found.length === 0, new: found }
}

function checkLoss({ turns, lost }: CountedTokens, baseline: Pick<AuditReport, 'streams'>): GateCheck {
  const before = countTokens(comparableTurns(baseline))
  if (before.turns === 0) {
    throw new IndelibleError(
      'option_invalid',
      'The baseline has no turn that continues another one and has a prediction. Save it anew, from a log with whole requests.',
    )
  }
  // In whole numbers, so that 10 % are 10 %.
  const grew = lost * before.turns > before.lost * turns
  const passed = !grew || 10 * lost * before.turns < 11 * before.lost * turns
  return {
    gate: 'baseline-loss',
    passed,
    tokensPerTurn: turns === 0 ? 0 : lost / turns,
    baselineTokensPerTurn: before.lost / before.turns,
  }
}

function worstOf(turns: readonly ComparableTurn[]): readonly GateTurn[] {
  return turns
    .filter(({ lost }) => lost > 0)
    .sort((one, other) => other.lost - one.lost || one.turn.index - other.turn.index)
    .slice(0, WORST)
    .map(({ stream, turn: { index, source, culprits }, lost, losses }) => ({
      stream,
      turn: index,
      source,
      tokens: lost,
      losses,
      culprits,
    }))
}

/** `value`, which has to lie between `least` and `most`. */
function within(value: number, name: keyof Gates, least: number, most: number): number {
  if (value >= least && value <= most) return value
  const range = most === Infinity ? `${least} or more` : `from ${least} to ${most}`
  throw new IndelibleError('option_invalid', `${name} is ${value}. Give a number, ${range}.`)
}
