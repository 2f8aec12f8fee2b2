/**
 * The steps from what was sent towards the floor, in words. What a step saves is on top of those before it, and its words
 * say so; neighbours that fix places of one item are one step. Items are named by their numbers in the list of culprits.
 */
import type { AuditCounterfactual, AuditStep } from '../report/types.ts'
import { formatNumber } from './amounts.ts'
import type { Item } from './items.ts'
import { dollars, savingIn, type Unit } from './unit.ts'

/** Below this share of what several fixes save together, one saves nothing. */
const NOTHING = 0.01

/** A step, or several that fix one item. */
export interface Stage {
  /** Items of which something is fixed, by index; none where the remedy is another one. */
  readonly items: readonly number[]
  /** Of culprits. */
  readonly ids: readonly string[]
  readonly saves: AuditStep['saves']
  readonly fix: string
}

/** What the plan begins with: from what was sent to what all of its steps come to. */
export function planTitle({ asSent, steps }: AuditCounterfactual, unit: Unit = dollars): string {
  const [sent, left] = [asSent?.cost ?? null, steps.at(-1)?.after.cost ?? null]
  const costs = sent === null || left === null ? '' : `: from ${unit.amount(sent)} to ${unit.amount(left)}`
  return `What to change first${costs}`
}

/** The steps, in order; those that follow each other and fix one item are one. */
export function stagesOf(steps: readonly AuditStep[], items: readonly Item[]): readonly Stage[] {
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

/** What step `index` is, with the items `naming` of it by name. */
export function wordsOf(
  stage: Stage,
  index: number,
  items: readonly Item[],
  naming: readonly number[],
  unit: Unit = dollars,
): string {
  const words = naming.length === 0 ? stage.fix : fixing(stage, index, items, naming, unit)
  return index === 0 ? words : `Then ${words.replace(/^[A-Z](?=[a-z])/, (letter) => letter.toLowerCase())}`
}

/** What step `index` saves on top of those before it. */
export function savesOf({ saves }: Stage, index: number, unit: Unit = dollars): string {
  return `${savingIn(unit, saves)}${index === 0 || (saves.cost ?? saves.tokens) < 0 ? '' : ' more'}`
}

/** Which items to fix; and, where the first step is of some that help only together, why the first alone does not. */
function fixing(
  { ids, items: all, saves }: Stage,
  index: number,
  items: readonly Item[],
  naming: readonly number[],
  unit: Unit,
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
  return `Fixing ${first} alone saves nothing while ${listOf(others)} behind it ${verb}; ${together} save ${unit.of(saves.cost, saves.tokens)}.`
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

function listOf(names: readonly string[]): string {
  return names.length === 1 ? names.join('') : `${names.slice(0, -1).join(', ')} and ${names.at(-1)}`
}
