/** The steps from what was sent towards the floor, in the lines that there are for them. */
import type { AuditReport } from '../../../audit/index.ts'
import type { Item } from '../../../audit/words/items.ts'
import { planTitle, savesOf, stagesOf, wordsOf, type Stage } from '../../../audit/words/plan.ts'
import { dollars, type Unit } from '../../../audit/words/unit.ts'
import { WIDTH, wrap } from '../../layout.ts'
import type { Paint } from '../../output.ts'
import { formatCount, short } from './amounts.ts'

const INDENT = '   '
/** Items that one step names; and all steps, unless all are asked for. */
const NAMED_IN_STEP = 4
const NAMED = 5
/** Lines of a step's words. */
const STEP_LINES = 2

/** What is printed of a plan. */
export interface PrintedPlan {
  readonly lines: readonly string[]
  /** Indexes of the items that it names. */
  readonly named: ReadonlySet<number>
}

/** The plan, or what of it fits into `limit` lines. */
export function planOf(
  report: AuditReport,
  items: readonly Item[],
  paint: Paint,
  limit: number,
  unit: Unit = dollars,
): PrintedPlan {
  const { steps, caveats } = report.counterfactual
  const named = new Set<number>()
  if (steps.length === 0) return { lines: [], named }
  const lines = [paint('bold', planTitle(report.counterfactual, unit))]
  const stages = stagesOf(steps, items)
  for (const [index, stage] of stages.entries()) {
    const all = limit === Infinity
    const naming = all ? stage.items : stage.items.slice(0, NAMED_IN_STEP)
    const shown = stageLines(stage, index, items, naming, unit)
    const many = new Set([...named, ...naming]).size > NAMED && !all
    if (many || lines.length + shown.length + (index === stages.length - 1 ? 0 : 1) > limit) {
      lines.push(`… and ${formatCount(stages.length - index, 'more step')} (--all)`)
      return { lines, named }
    }
    lines.push(...shown)
    for (const item of naming) named.add(item)
  }
  for (const caveat of caveats) lines.push(...caveatLines(caveat, limit - lines.length))
  return { lines, named }
}

function stageLines(
  stage: Stage,
  index: number,
  items: readonly Item[],
  naming: readonly number[],
  unit: Unit,
): string[] {
  const saves = `  ${savesOf(stage, index, unit)}`
  const text = wordsOf(stage, index, items, naming, unit)
  const number = `${index + 1}. `.padEnd(INDENT.length)
  const [first = '', ...rest] = wrap(text, WIDTH - number.length - saves.length)
  const head = number + first
  return [
    head + saves.padStart(WIDTH - Array.from(head).length),
    ...rest.slice(0, STEP_LINES - 1).map((line, row) => {
      const cut = row === STEP_LINES - 2 && rest.length > STEP_LINES - 1
      return short(INDENT + line + (cut ? '…' : ''), WIDTH)
    }),
  ]
}

/** A caveat, or the first part of it where there is no room for more. */
function caveatLines(caveat: string, room: number): string[] {
  const width = WIDTH - INDENT.length
  const forms = [caveat, `${caveat.split(': ', 1)[0]}.`].map((form) => wrap(form, width))
  const lines = forms.find(({ length }) => length <= room) ?? []
  return lines.map((line) => INDENT + line)
}
