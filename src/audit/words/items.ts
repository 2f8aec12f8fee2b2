/**
 * Culprits as a person fixes them: those of one kind in one block that one source would tell of are one item, numbered
 * by money.
 *
 * Savings do not add up, so an item of several has one only where the plan begins with just these.
 */
import type { AuditCulprit, AuditReport } from '../report/types.ts'

/** A culprit, or several with one remedy. */
export interface Item {
  readonly kind: AuditCulprit['kind']
  readonly path: string
  readonly scope: AuditCulprit['scope']
  /** The most expensive first. */
  readonly culprits: readonly [AuditCulprit, ...AuditCulprit[]]
  /** Turns that differ in any of them. */
  readonly turns: number
  readonly tokensLost: number
  /** USD; null where nothing of it has a price. */
  readonly cost: number | null
  /** What fixing all of it and nothing else saves; null where that was not played. */
  readonly savesAlone: AuditCulprit['savesAlone']
  readonly fix: string
}

/** Kinds of which one source, or one definition that is kept, takes care at all places of a block. */
const joined: ReadonlySet<AuditCulprit['kind']> = new Set(['clock', 'date', 'git', 'path', 'rules-text', 'tool-edited'])

/** All items, the most expensive first. */
export function itemsOf({ culprits, counterfactual }: Pick<AuditReport, 'culprits' | 'counterfactual'>): Item[] {
  const groups = Map.groupBy(culprits, ({ id, kind, path }) => (joined.has(kind) ? `${kind} ${path}` : `id ${id}`))
  const items = [...groups.values()].map((group) => itemOf(group as [AuditCulprit, ...AuditCulprit[]], counterfactual))
  // What is alike in money stays in the order of the report.
  return items.sort((one, other) => (other.cost ?? 0) - (one.cost ?? 0) || other.tokensLost - one.tokensLost)
}

function itemOf(
  culprits: readonly [AuditCulprit, ...AuditCulprit[]],
  counterfactual: AuditReport['counterfactual'],
): Item {
  const [first] = culprits
  const costs = culprits.map(({ cost }) => cost).filter((cost) => cost !== null)
  const turns = new Set(culprits.flatMap(({ occurrences }) => occurrences.map(({ turn }) => turn)))
  return {
    kind: first.kind,
    path: first.path,
    scope: culprits.every(({ scope }) => scope === first.scope) ? first.scope : 'both',
    culprits,
    turns: turns.size,
    tokensLost: culprits.reduce((sum, { tokensLost }) => sum + tokensLost, 0),
    cost: costs.length === 0 ? null : costs.reduce((sum, cost) => sum + cost, 0),
    savesAlone: culprits.length === 1 ? first.savesAlone : plannedFirst(culprits, counterfactual),
    fix: first.fix,
  }
}

/** What the plan saves by its first steps, where these fix all of `culprits` and nothing else. */
function plannedFirst(
  culprits: readonly AuditCulprit[],
  { steps }: AuditReport['counterfactual'],
): AuditCulprit['savesAlone'] {
  const left = new Set(culprits.map(({ id }) => id))
  let [tokens, cost]: [number, number | null] = [0, 0]
  for (const { remedy, saves } of steps) {
    if (remedy.type !== 'culprits' || !remedy.ids.every((id) => left.delete(id))) return null
    tokens += saves.tokens
    cost = cost === null || saves.cost === null ? null : cost + saves.cost
    if (left.size === 0) return { tokens, cost }
  }
  return null
}
