/**
 * The steps from what was sent towards the floor. What a step saves is on top of those before it, and its words say so;
 * neighbours that fix places of one item are one step. Items are named by their numbers in the list above.
 */
import type { AuditReport, AuditStep } from '../../../audit/index.ts'
import { formatNumber, WIDTH, wrap } from '../../layout.ts'
import type { Paint } from '../../output.ts'
import { formatCount, formatDollars, formatLoss, formatSaving, short } from './amounts.ts'
import type { Item } from './items.ts'

const INDENT = '   '
/** Below this share of what several fixes save together, one saves nothing. */
const NOTHING = 0.01
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

/** A step, or several that fix one item. */
interface Stage {
  /** Items of which something is fixed, by index; none where the remedy is another one. */
  readonly items: readonly number[]
  /** Of culprits. */
  readonly ids: readonly string[]
  readonly saves: AuditStep['saves']
  readonly fix: string
}

/** The plan, or what of it fits into `limit` lines. */
export function planOf(report: AuditReport, items: readonly Item[], paint: Paint, limit: number): PrintedPlan {
  const { asSent, steps, caveats } = report.counterfactual
  const sent = asSent?.cost ?? null
  const named = new Set<number>()
  const last = steps.at(-1)
  if (last === undefined) return { lines: [], named }
  const costs =
    sent === null || last.after.cost === null
      ? ''
      : `: from ${formatDollars(sent)} to ${formatDollars(last.after.cost)}`
  const lines = [paint('bold', `What to change first${costs}`)]
  const stages = stagesOf(steps, items)
  for (const [index, stage] of stages.entries()) {
    const all = limit === Infinity
    const naming = all ? stage.items : stage.items.slice(0, NAMED_IN_STEP)
    const shown = stageLines(stage, index, items, naming)
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

function stagesOf(steps: readonly AuditStep[], items: readonly Item[]): readonly Stage[] {
  const itemOf = new Map(items.flatMap(({ culprits }, index) => culprits.map(({ id }) => [id, index] as const)))
  const stages: Stage[] = []
  for (const { remedy, saves, fix } of steps) {
    const ids = remedy.type === 'culprits' ? remedy.ids : []
    const found = [...new Set(ids.flatMap((id) => itemOf.get(id) ?? []))]
    const before = stages.at(-1)
    if (before?.items.length === 1 && found.length === 1 && before.items[0] === found[0]) {
      const cost = before.saves.cost === null || saves.cost === null ? null : before.saves.cost + saves.cost
      const both = { tokens: before.saves.tokens + saves.tokens, cost }
      stages[stages.length - 1] = { ...before, ids: [...before.ids, ...ids], saves: both }
    } else stages.push({ items: found, ids, saves, fix })
  }
  return stages
}

function stageLines(stage: Stage, index: number, items: readonly Item[], naming: readonly number[]): string[] {
  const { cost, tokens } = stage.saves
  const saves = `  ${formatSaving(stage.saves)}${index === 0 || (cost ?? tokens) < 0 ? '' : ' more'}`
  const words = naming.length === 0 ? stage.fix : fixing(stage, index, items, naming)
  const text = index === 0 ? words : `Then ${words.replace(/^[A-Z](?=[a-z])/, (letter) => letter.toLowerCase())}`
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

/** Which items to fix; and, where the first step is of some that help only together, why the first alone does not. */
function fixing(
  { ids, items: all, saves }: Stage,
  index: number,
  items: readonly Item[],
  naming: readonly number[],
): string {
  const names = naming.map((item) => nameOf(items[item]!, item, ids))
  if (all.length > naming.length) names.push(`${all.length - naming.length} more`)
  const [first = '', ...others] = names
  if (others.length === 0) return `Fix ${first}.`
  const alone = items[naming[0]!]!.savesAlone?.cost ?? null
  if (index > 0 || alone === null || saves.cost === null || alone > NOTHING * saves.cost) {
    return `Fix ${listOf(names)} together.`
  }
  const [verb, together] = others.length === 1 ? ['changes', 'both'] : ['change', 'all']
  return `Fixing ${first} alone saves nothing while ${listOf(others)} behind it ${verb}; ${together} save ${formatLoss(saves.cost, saves.tokens)}.`
}

/** `git (1)`, and where, if not all of its places are fixed. */
function nameOf({ kind, culprits }: Item, index: number, ids: readonly string[]): string {
  const name = `${kind} (${index + 1})`
  const fixed = culprits.filter(({ id }) => ids.includes(id))
  if (fixed.length === culprits.length) return name
  const [one] = fixed
  return fixed.length === 1 && one?.offset !== null && one?.offset !== undefined
    ? `${name} at character ${formatNumber(one.offset)}`
    : `${name} at ${fixed.length} of ${culprits.length} places`
}

/** A caveat, or the first part of it where there is no room for more. */
function caveatLines(caveat: string, room: number): string[] {
  const width = WIDTH - INDENT.length
  const forms = [caveat, `${caveat.split(': ', 1)[0]}.`].map((form) => wrap(form, width))
  const lines = forms.find(({ length }) => length <= room) ?? []
  return lines.map((line) => INDENT + line)
}

function listOf(names: readonly string[]): string {
  return names.length === 1 ? names.join('') : `${names.slice(0, -1).join(', ')} and ${names.at(-1)}`
}
