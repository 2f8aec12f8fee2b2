/**
 * A report on a terminal of 80 columns: the summary, turns, culprits, the plan, and what is not known. In two screens
 * unless all is asked for: the parts below are laid out first, and turns take what is left. The plan comes before the list of
 * culprits, which has to hold all that it names.
 */
import type { AuditReport } from '../../../audit/index.ts'
import { itemsOf } from '../../../audit/words/items.ts'
import { dollars, type Unit } from '../../../audit/words/unit.ts'
import type { Paint } from '../../output.ts'
import { culpritLines, leastLines } from './culprits.ts'
import { planOf } from './plan.ts'
import { remarkLines } from './remarks.ts'
import { summaryLines } from './summary.ts'
import { turnLines } from './turns.ts'

/** Lines of two screens. */
const SCREENS = 48
/** Lines of the parts below the turns, unless there is room left. */
const limits = { culprits: 13, plan: 7, remarks: 4 }

/** The report as text, its amounts in `unit`; every text in it comes out printable. */
export function printReport(report: AuditReport, paint: Paint, all: boolean, unit: Unit = dollars): string {
  const limit = (lines: number): number => (all ? Infinity : lines)
  const items = itemsOf(report)
  const summary = summaryLines(report, paint, all, unit)
  const plan = planOf(report, items, paint, limit(limits.plan), unit)
  const remarks = remarkLines(report, paint, limit(limits.remarks))
  const culpritsIn = (lines: number): string[] =>
    culpritLines(items, plan.named, report.totals, paint, limit(lines), unit)
  const culprits = culpritsIn(Math.max(limits.culprits, leastLines(items, plan.named, report.totals, paint, unit)))
  const room = SCREENS - heightOf([summary, culprits, plan.lines, remarks]) - 1
  const turns = turnLines(report, paint, limit(room), unit)
  const parts = [summary, turns, culpritsIn(culprits.length + room - turns.length), plan.lines, remarks].filter(
    (part) => part.length > 0,
  )
  return `${parts.map((part) => part.join('\n')).join('\n\n')}\n`
}

/** Lines of parts with an empty line between them. */
function heightOf(parts: readonly (readonly string[])[]): number {
  return parts.reduce((sum, part) => sum + (part.length === 0 ? 0 : part.length + 1), -1)
}
