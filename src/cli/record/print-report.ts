/** The report on what was recorded, in short: for all of it there is `indelible audit`. */
import type { AuditReport } from '../../audit/index.ts'
import { itemsOf } from '../../audit/words/items.ts'
import { culpritLines, leastLines } from '../audit/print/culprits.ts'
import { planOf } from '../audit/print/plan.ts'
import { summaryLines } from '../audit/print/summary.ts'
import { createPaint } from '../output.ts'

/** Lines of the plan. */
const PLAN_LINES = 7

/** The summary, what breaks the cache in brief, what to change first. */
export function printShortReport(report: AuditReport): string {
  const paint = createPaint(false)
  const items = itemsOf(report)
  const plan = planOf(report, items, paint, PLAN_LINES)
  const least = leastLines(items, plan.named, report.totals, paint)
  const culprits = culpritLines(items, plan.named, report.totals, paint, least)
  const parts = [summaryLines(report, paint, false), culprits, plan.lines].filter(({ length }) => length > 0)
  return parts.map((part) => `${part.join('\n')}\n`).join('\n')
}
