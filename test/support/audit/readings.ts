/** What a test wants to know of a report. */
import { expect } from 'vitest'
import type { AuditCulprit, AuditReport, AuditTurn, VerdictKind } from '../../../src/audit/index.ts'

/** All turns in the order of the log. */
export function turnsOf({ streams }: AuditReport): readonly AuditTurn[] {
  return streams.flatMap(({ turns }) => turns).sort((one, other) => one.index - other.index)
}

/** The verdict of each turn in the order of the log. */
export function verdictsOf(report: AuditReport): readonly VerdictKind[] {
  return turnsOf(report).map(({ verdict }) => verdict)
}

/** The numbers of turns of all streams, ascending. */
export function lengthsOf({ streams }: AuditReport): readonly number[] {
  return streams.map(({ turns }) => turns.length).sort((one, other) => one - other)
}

/** Kind and path of each culprit, the most expensive first. */
export function namesOf({ culprits }: AuditReport): readonly string[] {
  return culprits.map(({ kind, path }) => `${kind} at ${path}`)
}

/** The turns on which a culprit differs. */
export function turnsWith({ occurrences }: AuditCulprit): readonly number[] {
  return occurrences.map(({ turn }) => turn)
}

/** Its values, as far as they are shown. */
export function valuesOf({ values }: AuditCulprit): readonly (string | null)[] {
  return values.map(({ text }) => text)
}

/** The only culprit of a report. */
export function onlyCulprit(report: AuditReport): AuditCulprit {
  expect(namesOf(report)).toHaveLength(1)
  return report.culprits[0]!
}

/** What holds of every report: verdicts are among their reasons, and everything that was lost is somebody's, once. */
export function expectSound(report: AuditReport): void {
  for (const { verdict, reasons, lost, index } of turnsOf(report)) {
    expect(
      reasons.map(({ kind }) => kind),
      `turn ${index}`,
    ).toContain(verdict)
    expect(
      reasons.reduce((sum, { tokens }) => sum + tokens, 0),
      `turn ${index}`,
    ).toBe(lost.tokens)
  }
  const { totals, culprits } = report
  const tokens = [...culprits.map(({ tokensLost }) => tokensLost), ...totals.otherLosses.map((loss) => loss.tokens)]
  expect(tokens.reduce((sum, one) => sum + one, 0)).toBe(totals.lost.tokens)
  const costs = [...culprits.map(({ cost }) => cost ?? 0), ...totals.otherLosses.map(({ cost }) => cost ?? 0)]
  expect(costs.reduce((sum, one) => sum + one, 0)).toBeCloseTo(totals.lost.cost ?? 0, 9)
}
