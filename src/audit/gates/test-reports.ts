/** Reports for the tests of gates and comparisons: turns with predictions of one's own, on a report that is whole. */
import { clockReport } from '../report/test-parts.ts'
import type { AuditCulprit, AuditReport, AuditTurn, PredictedLoss } from '../report/types.ts'
import type { VerdictKind } from '../verdicts/types.ts'

const whole = clockReport()
const [wholeStream] = whole.streams
const [wholeTurn] = wholeStream?.turns ?? []
const [clock] = whole.culprits

/** What the rules say of a turn: tokens read, and tokens lost by reason. */
export interface PredictedTurn {
  readonly read?: number
  readonly lost?: Readonly<Partial<Record<VerdictKind, number>>>
  readonly over?: Partial<AuditTurn>
}

/** A loss. */
export function lossOf(reason: VerdictKind, tokens: number, parameters: readonly string[] = []): PredictedLoss {
  return { reason, tokens, parameters }
}

/** A conversation of `turns`, of which each but the first continues the one before. */
export function reportOf(turns: readonly PredictedTurn[], culprits: readonly AuditCulprit[] = []): AuditReport {
  if (wholeStream === undefined || wholeTurn === undefined) throw new Error('The report has no turn.')
  const predicted = turns.map(({ read = 1000, lost = {}, over }, index): AuditTurn => {
    const losses = Object.entries(lost).map(([reason, tokens]) => lossOf(reason as VerdictKind, tokens))
    return {
      ...wholeTurn,
      index,
      parent: index === 0 ? null : index - 1,
      source: { file: 'a.jsonl', line: index + 1 },
      culprits: [],
      predicted: { read, write: 100, uncached: 0, byRulesAlone: { read, lost: losses } },
      ...over,
    }
  })
  const stream = { ...wholeStream, turns: predicted, culprits }
  return { ...whole, streams: [stream], culprits, totals: { ...whole.totals, turns: turns.length } }
}

/** A clock in the system prompt, unless `over` says otherwise. */
export function culpritOf(id: string, over: Partial<AuditCulprit> = {}): AuditCulprit {
  if (clock === undefined) throw new Error('The report has no culprit.')
  return { ...clock, id, ...over }
}
