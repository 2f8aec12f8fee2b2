/** What to change first: the steps from what was sent towards the floor. */
import type { AuditReport } from '../report/types.ts'
import type { Item } from '../words/items.ts'
import { planTitle, savesOf, stagesOf, wordsOf } from '../words/plan.ts'
import type { Unit } from '../words/unit.ts'
import { element, type Markup } from './markup.ts'

/** Steps that are shown, and items that one of them names. */
const STEPS = 60
const NAMED = 12

/** The section, or nothing where there is no step. */
export function planSection({ counterfactual }: AuditReport, items: readonly Item[], unit: Unit): Markup | null {
  const stages = stagesOf(counterfactual.steps, items).slice(0, STEPS)
  if (stages.length === 0) return null
  return element(
    'section',
    { 'aria-labelledby': 'plan' },
    element('h2', { id: 'plan' }, planTitle(counterfactual, unit)),
    element(
      'ol',
      { class: 'plan' },
      ...stages.map((stage, index) =>
        element(
          'li',
          {},
          element('span', {}, wordsOf(stage, index, items, stage.items.slice(0, NAMED), unit)),
          ' ',
          element('strong', {}, savesOf(stage, index, unit)),
        ),
      ),
    ),
    ...counterfactual.caveats.map((caveat) => element('p', { class: 'quiet' }, caveat)),
  )
}
