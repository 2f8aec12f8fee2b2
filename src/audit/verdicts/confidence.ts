/**
 * How sure a verdict is, from 0 to 1: by what the figures rest on, and by whether the report agrees. The numbers are
 * ranks, not frequencies.
 */
import type { Prediction } from '../../cache/index.ts'
import type { Turn } from '../record/types.ts'
import { readOf } from './reported.ts'
import type { VerdictKind } from './types.ts'

/** What the confidence rests on. */
export interface Grounds {
  readonly turn: Turn
  readonly verdict: VerdictKind
  readonly prediction: Prediction | null
  readonly reproduced: boolean | null
}

/** The confidence in a verdict. */
export function confidenceOf({ turn, verdict, prediction, reproduced }: Grounds): number {
  if (verdict === 'failed') return 1
  if (verdict === 'unknown') return 0.3
  if (prediction === null) return readOf(turn) === undefined ? 0.4 : 0.6
  const { fidelity } = turn.exchange
  // A verdict on what the provider did against the rules is made where the prediction is not met.
  const contradicted = reproduced === false && verdict !== 'provider-miss' && verdict !== 'scope'
  const agreement = contradicted ? 0.5 : readOf(turn) === undefined ? 0.75 : 0.95
  const recorded = fidelity.level === 'prompt' ? 0.8 : fidelity.redacted ? 0.9 : 1
  const mayBe = prediction.misses.some(({ reason }) => reason === 'maybe-expired') && verdict === 'expired' ? 0.8 : 1
  return Math.round(agreement * recorded * mayBe * 100) / 100
}
