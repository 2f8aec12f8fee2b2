/** Laying out text for a terminal of 80 columns. Widths are counted in code points. */
import { printable, printableLine } from './printable.ts'

/** The columns that there are. */
export const WIDTH = 80

/** `text` on one line of at most `width` columns; an ellipsis ends what is cut. */
export function clip(text: string, width: number): string {
  const points = Array.from(printableLine(text))
  return points.length <= width ? points.join('') : `${points.slice(0, width - 1).join('')}…`
}

/** The first `limit` lines of `text`, each clipped to `width`, and how many are left out. */
export function clipLines(text: string, width: number, limit: number): string[] {
  const lines = printable(text)
    .split('\n')
    .filter((line) => line.trim() !== '')
  const shown = lines.slice(0, lines.length > limit ? limit - 1 : limit).map((line) => clip(line, width))
  const left = lines.length - shown.length
  return left === 0 ? shown : [...shown, `… and ${left} more lines`]
}

/** `text` in lines of at most `width` columns, broken between words; a word that is longer has a line of its own, clipped. */
export function wrap(text: string, width: number): string[] {
  const lines: string[] = []
  for (const word of printableLine(text).split(' ')) {
    const line = lines.at(-1)
    if (line !== undefined && lengthOf(line) + 1 + lengthOf(word) <= width) lines[lines.length - 1] = `${line} ${word}`
    else lines.push(clip(word, width))
  }
  return lines
}

export { formatNumber } from '../audit/words/amounts.ts'

/** A column of a table: its title, and where its cells stand. Numbers stand right. */
export interface Column {
  readonly title: string
  readonly align?: 'left' | 'right'
}

/** The lines of a table, its titles first. Columns are as wide as what they hold, except for the last, which ends at `width`. */
export function table(columns: readonly Column[], rows: readonly (readonly string[])[], width: number): string[] {
  const cells = [columns.map(({ title }) => title), ...rows].map((row) => row.map(printableLine))
  const widths = columns.map((_, index) => Math.max(...cells.map((row) => lengthOf(row[index] ?? ''))))
  return cells.map((row) => {
    const line = row.map((cell, index) => {
      const space = ' '.repeat(Math.max(0, (widths[index] ?? 0) - lengthOf(cell)))
      return columns[index]?.align === 'right' ? space + cell : cell + space
    })
    return clip(line.join('  ').trimEnd(), width)
  })
}

function lengthOf(text: string): number {
  return Array.from(text).length
}
