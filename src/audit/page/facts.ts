/** Facts as a list of names and values. */
import { element, type Child, type Markup } from './markup.ts'

/** A name, and what is to be said of it; null, or nothing, where nothing is known. */
export type Fact = readonly [name: string, ...values: readonly Child[]]

/** Facts that a glance at a turn is for. */
const GLANCE: ReadonlySet<string> = new Set([
  'verdict',
  'because',
  'first difference',
  'before',
  'now',
  'differs in',
  'tokens',
  'lost',
  'cost',
  'prefill',
])
/** Facts whose values are long, so that they have the whole width. */
const WIDE: ReadonlySet<string> = new Set([
  'verdict',
  'because',
  'first difference',
  'before',
  'now',
  'differs in',
  'differs on',
  'lost on',
  'values',
  'missing',
])

/** The list; facts of which nothing is known are left out. */
export function factList(facts: readonly Fact[]): Markup {
  const known = facts.filter(([, ...values]) => values.some((value) => value !== null && value !== ''))
  return element(
    'dl',
    { class: 'facts' },
    ...known.map(([name, ...values]) => {
      const classes = [...(WIDE.has(name) ? ['wide'] : []), ...(GLANCE.has(name) ? [] : ['more'])]
      return element('div', { class: classes.join(' ') }, element('dt', {}, name), element('dd', {}, ...values))
    }),
  )
}
