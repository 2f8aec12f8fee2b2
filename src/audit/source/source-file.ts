/**
 * A report as code to paste: for each culprit, and for each step of the plan that is no culprit, the change as a few lines of
 * TypeScript, then one context of them and what sends a request of it.
 *
 * Texts out of the log are string literals and nothing else; names, comments and statements follow from kinds and numbers
 * alone. A masked text is shown as the report shows it, by its shape and length.
 */
import type { AuditReport } from '../report/types.ts'
import { comment, importsOf } from './layout.ts'
import { partsOf } from './parts.ts'
import { recipeForRemedy } from './request-recipes.ts'
import { helpers } from './source-recipes.ts'
import { targetOf } from './target.ts'
import type { Api, Part, SourceFile } from './types.ts'
import { wiringOf } from './wiring.ts'

/** The code for a report. One without culprits and steps gives a module that holds a comment. */
export function sourceFor(report: Pick<AuditReport, 'culprits' | 'counterfactual' | 'streams'>): SourceFile {
  const target = targetOf(report)
  const parts = partsOf(report, target.api)
  if (parts.length === 0) {
    return {
      code: `${comment('The audit found nothing that breaks the cache: there is nothing to change.')}\nexport {}\n`,
      snippets: [],
    }
  }
  const wiring = wiringOf(parts, target)
  return {
    code: moduleOf([head, plan(report, parts, target.api)].join('\n'), parts, [wiring.imports], [wiring.code]),
    snippets: parts.map((part) => ({
      name: part.name,
      culprits: part.culprits.map(({ id }) => id),
      code: moduleOf(null, [part], [], []),
    })),
  }
}

const head = [
  comment(
    'What the audit found, and what to put in its place. Constants that end in Found say where each value stood and how it changed first: look there, and take it out.',
  ),
  comment(
    'A text that is masked has its shape and its length; --include-text shows it. A loader that throws is for you to write.',
  ),
].join('\n')

/** The steps of the plan by the names of their parts. */
function plan({ counterfactual }: Pick<AuditReport, 'counterfactual'>, parts: readonly Part[], api: Api): string {
  const steps = counterfactual.steps.map(({ remedy }) =>
    remedy.type === 'culprits'
      ? parts.filter(({ culprits }) => culprits.some(({ id }) => remedy.ids.includes(id))).map(({ name }) => name)
      : parts.filter(({ recipe }) => recipe === recipeForRemedy(remedy, api).name).map(({ name }) => name),
  )
  const names = [...new Set(steps.map((step) => step.join(' with ')).filter((step) => step !== ''))]
  return comment(names.length === 0 ? 'The plan has no step.' : `The plan, best first: ${names.join(', ')}.`)
}

function moduleOf(
  top: string | null,
  parts: readonly Part[],
  imports: readonly Part['imports'][],
  rest: readonly string[],
): string {
  const shared = [...new Set(parts.flatMap(({ helper }) => helper ?? []))].map((name) => helpers[name])
  const statements = importsOf([...parts, ...shared].map((part) => part.imports).concat(imports))
  return `${[
    ...(top === null ? [] : [top]),
    ...(statements === '' ? [] : [statements]),
    ...shared.map(({ code }) => code),
    ...parts.map(({ code }) => code),
    ...rest,
  ].join('\n\n')}\n`
}
