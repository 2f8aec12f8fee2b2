/** Two reports side by side: what it came to before and after a change, and which culprits are gone, new and left. */
import type { AuditCulprit, AuditReport } from '../report/types.ts'
import { figuresOf } from './figures.ts'
import { matchCulprits } from './match-culprits.ts'
import type { AuditComparison, ComparedCulprit, CulpritLoss } from './types.ts'

/** Compares two reports, of different logs or of one log by different releases. */
export function compareReports(before: AuditReport, after: AuditReport): AuditComparison {
  const [earlier, later] = [figuresOf(before), figuresOf(after)]
  const matched = matchCulprits(before.culprits, after.culprits)
  return {
    schema: 'indelible.compare/1',
    currency: 'USD',
    before: earlier,
    after: later,
    culprits: {
      gone: matched.gone.map((culprit) => comparedCulprit(culprit, earlier.turns)),
      new: matched.new.map((culprit) => comparedCulprit(culprit, later.turns)),
      left: matched.left.map((pair) => ({
        ...nameOf(pair.after),
        idBefore: pair.before.id === pair.after.id ? null : pair.before.id,
        before: lossOf(pair.before, earlier.turns),
        after: lossOf(pair.after, later.turns),
      })),
    },
  }
}

function comparedCulprit(culprit: AuditCulprit, turns: number): ComparedCulprit {
  return { ...nameOf(culprit), loss: lossOf(culprit, turns) }
}

function nameOf({ id, kind, path, scope }: AuditCulprit): Omit<ComparedCulprit, 'loss'> {
  return { id, kind, path, scope }
}

function lossOf({ tokensLost, cost }: AuditCulprit, turns: number): CulpritLoss {
  const count = Math.max(1, turns)
  return { tokensPerTurn: tokensLost / count, costPerTurn: cost === null ? null : cost / count }
}
