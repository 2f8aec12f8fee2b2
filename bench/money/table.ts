/** The result as the table that the READMEs have. */
import type { Row } from './account.ts'
import { yardsticks, type Result } from './result.ts'

const BEGIN = '<!-- npm run bench:money -- --write -->'
const END = '<!-- end of the table -->'

/** Markdown: the table and the lines behind it. */
export function formatResult({ date, model, versions, rows }: Result): string {
  const { noCaching, bestRival, bestTelling, floor } = yardsticks(rows)
  const columns = ['read', 'written', 'uncached', 'dollars', '/ no caching', '/ best rival', '/ floor', 'changes told']
  const line = (cells: readonly string[]): string => `| ${cells.join(' | ')} |`
  const toCells = ({ way, read, written, uncached, dollars, told, changes }: Row): string[] => [
    way,
    ...[read, written, uncached].map((tokens) => tokens.toLocaleString('en-US')),
    `$${dollars.toFixed(3)}`,
    ...[noCaching, bestRival.dollars, floor].map((of) => (dollars / of).toFixed(3)),
    `${told} of ${changes}`,
  ]
  const named = Object.entries(versions).map(([name, version]) => `${name} ${version}`)
  return [
    line(['way', ...columns]),
    line(['---', ...columns.map(() => '---:')]),
    ...rows.map((row) => line(toCells(row))),
    '',
    `The best rival is "${bestRival.way}" at $${bestRival.dollars.toFixed(3)}. Of those that tell every change it is`,
    `"${bestTelling.way}" at $${bestTelling.dollars.toFixed(3)}. The floor is $${floor.toFixed(3)}. Played on ${date}, for ${model} at list prices, with`,
    `${named.join(', ')}.`,
  ].join('\n')
}

/** A page with the table put where it belongs. Throws for a page that has no place for it. */
export function putTable(page: string, table: string): string {
  const [begin, end] = [page.indexOf(BEGIN), page.indexOf(END)]
  if (begin < 0 || end < begin) throw new Error(`The page has no ${BEGIN} and ${END} to put the table between`)
  return `${page.slice(0, begin + BEGIN.length)}\n\n${table}\n\n${page.slice(end)}`
}
