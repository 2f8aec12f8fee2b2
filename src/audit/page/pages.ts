/**
 * Long lists in pages: the first is written out, and the page's own script builds the others from data. So what the
 * browser lays out is bounded, and the start of each list is there without any script.
 */
import { formatNumber } from '../words/amounts.ts'
import { element, type Markup } from './markup.ts'

/** What lists leave to the script: items by the id of the list. */
export type Rest = Map<string, readonly Markup[]>

/** A list. */
export interface List {
  /** What its items are, in the plural: `Turns`. */
  readonly noun: string
  readonly items: readonly Markup[]
  /** Items of a page. */
  readonly size: number
  /** Class of the element that holds them. */
  readonly name: string
  /** Tag of that element; a list unless said. */
  readonly tag?: 'ol' | 'div'
}

/** The list with its first items, and the controls that lead to the others. What it leaves out is added to `rest`. */
export function paged({ noun, items, size, name, tag = 'ol' }: List, rest: Rest): Markup {
  const list = element(tag, { class: `items ${name}` }, ...items.slice(0, size))
  if (items.length <= size) return list
  const id = `rest-${rest.size}`
  rest.set(id, items.slice(size))
  const count = formatNumber(items.length)
  return element(
    'div',
    { class: 'pages', 'data-rest': id, 'data-size': size, 'data-total': items.length, 'data-noun': noun },
    list,
    element('p', { class: 'unscripted' }, `${noun} 1 to ${size} of ${count}. The others need the script of this page.`),
    element(
      'div',
      { class: 'pager', role: 'group', 'aria-label': `Pages: ${noun.toLowerCase()}` },
      element('button', { type: 'button', 'data-step': -1, 'aria-disabled': 'true' }, 'Previous'),
      element('button', { type: 'button', 'data-step': 1 }, 'Next'),
      element('span', { class: 'shown', role: 'status' }, `${noun} 1 to ${size} of ${count}`),
      element(
        'label',
        {},
        'Go to ',
        element('input', { type: 'number', min: 1, max: items.length, inputmode: 'numeric' }),
      ),
    ),
  )
}
