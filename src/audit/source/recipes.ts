/** Which change each kind of culprit takes. */
import type { CulpritKind } from '../changes/types.ts'
import { answers, imageReplaced, prunedResult } from './history-recipes.ts'
import { besidePrompt, breakpoints, headerBlock, newestMessage, parameter } from './request-recipes.ts'
import { clock, date, git, movedBlock, path, rulesText, unknown } from './source-recipes.ts'
import { schemaKeyOrder, toolAdded, toolEdited, toolRemoved, toolReordered } from './tool-recipes.ts'
import type { Api, Recipe } from './types.ts'

/** The recipe of a kind. Kinds of which one change takes care have the same one. */
export function recipeFor(kind: CulpritKind, api: Api): Recipe {
  if (kind === 'breakpoint-wasted') return breakpoints(api)
  return kind === 'tool-added' ? toolAdded(api) : recipes[kind]
}

const recipes: Readonly<Record<Exclude<CulpritKind, 'breakpoint-wasted' | 'tool-added'>, Recipe>> = {
  clock,
  date,
  git,
  path,
  id: besidePrompt,
  counter: newestMessage,
  'remaining-tokens': newestMessage,
  'rules-text': rulesText,
  'tool-reordered': toolReordered,
  'tool-removed': toolRemoved,
  'tool-edited': toolEdited,
  'schema-key-order': schemaKeyOrder,
  'tool-call-ids': answers,
  'argument-order': answers,
  'thinking-dropped': answers,
  'moved-block': movedBlock,
  'pruned-result': prunedResult,
  'image-replaced': imageReplaced,
  'header-block': headerBlock,
  parameter,
  unknown,
}
