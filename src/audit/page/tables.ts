/** Tables that fall into one entry below the other where there is no room for columns. */
import { formatNumber } from '../words/amounts.ts'
import { element, type Child, type Markup } from './markup.ts'

/** Rows of a table; what is in a log can be in any number. */
const ROWS = 60

/** A table; each row has a cell for each of `columns`, of which those that begin with `#` are numbers. */
export function table(caption: string, columns: readonly string[], rows: readonly (readonly Child[])[]): Markup {
  const titles = columns.map((column) => column.replace('#', ''))
  const nameOf = (column: number): string | undefined => (columns[column]?.startsWith('#') ? 'amount' : undefined)
  const left = rows.length - ROWS
  return element(
    'table',
    {},
    element('caption', {}, left > 0 ? `${caption}; ${formatNumber(left)} more are in the JSON` : caption),
    element(
      'thead',
      {},
      element(
        'tr',
        {},
        ...titles.map((title, column) => element('th', { scope: 'col', class: nameOf(column) }, title)),
      ),
    ),
    element(
      'tbody',
      {},
      ...rows
        .slice(0, ROWS)
        .map((row) =>
          element(
            'tr',
            {},
            ...row.map((cell, column) => element('td', { class: nameOf(column), 'data-title': titles[column] }, cell)),
          ),
        ),
    ),
  )
}
