/** The changes that a report asks for, in its order: those of its culprits, then what else the plan has. */
import type { AuditCulprit, AuditReport } from '../report/types.ts'
import { elsewhere, elsewhereFor } from './elsewhere.ts'
import { foundIn } from './found.ts'
import { comment } from './layout.ts'
import { recipeFor } from './recipes.ts'
import { recipeForRemedy } from './request-recipes.ts'
import type { Api, JoinedRecipe, OtherRemedy, Part, SingleRecipe } from './types.ts'

/** A change, before it is written: of a recipe and of what it is for. */
type Change =
  | { readonly recipe: JoinedRecipe; readonly culprits: readonly AuditCulprit[]; readonly remedy: OtherRemedy | null }
  | { readonly recipe: SingleRecipe; readonly culprits: readonly [AuditCulprit]; readonly remedy: null }

/** Every culprit is in one part. The names of parts are of recipes and numbers alone, from 1. */
export function partsOf(report: Pick<AuditReport, 'culprits' | 'counterfactual'>, api: Api): readonly Part[] {
  const changes: Change[] = []
  const joined = new Map<JoinedRecipe['name'], AuditCulprit[]>()
  for (const culprit of report.culprits) {
    const recipe = recipeFor(culprit.kind, api)
    if (!recipe.joined) {
      changes.push({ recipe, culprits: [culprit], remedy: null })
      continue
    }
    const known = joined.get(recipe.name)
    if (known !== undefined) {
      known.push(culprit)
      continue
    }
    const culprits = [culprit]
    joined.set(recipe.name, culprits)
    changes.push({ recipe, culprits, remedy: null })
  }
  for (const { remedy } of report.counterfactual.steps) {
    if (remedy.type === 'culprits') continue
    const recipe = recipeForRemedy(remedy, api)
    // Breakpoints are one change, whether a culprit or the plan asks for them; and so is a remedy in several steps.
    if (!changes.some((change) => change.recipe.name === recipe.name)) changes.push({ recipe, culprits: [], remedy })
  }
  return changes.map((change, index) => partOf(change, index + 1))
}

function partOf(change: Change, number: number): Part {
  const { recipe, culprits, remedy } = change
  const name = `${recipe.name}${number}`
  const kinds = [...new Set(culprits.map(({ kind }) => kind))]
  const title = kinds.length === 0 && remedy !== null ? remedy.type : kinds.join(', ')
  const advice = remedy === null ? kinds.map((kind) => elsewhere[kind]) : [elsewhereFor[remedy.type]]
  return {
    name,
    culprits,
    recipe: recipe.name,
    gives: recipe.gives,
    imports: recipe.imports,
    helper: recipe.joined ? null : recipe.helper,
    code: [
      comment(`${number}. ${title}`),
      // One below the other: kinds that share a change have advice of their own.
      ...advice.map((sentence) => comment(`Without Indelible: ${sentence}`)),
      ...(culprits.length === 0 ? [] : [foundIn(name, culprits)]),
      change.recipe.joined ? change.recipe.write(name) : change.recipe.write(name, change.culprits[0]),
    ].join('\n'),
  }
}
