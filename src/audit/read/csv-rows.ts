/**
 * Tables as text (RFC 4180), row by row: quotes around cells with commas, quotes or line ends, doubled inside. A row whose
 * quote never closes takes the rest of the file along, so it is given up beyond a limit.
 */
import { setOwn } from '../../base/json.ts'
import { withBlank } from './blank-lines.ts'
import type { Line, Unread } from './types.ts'

/** A row by the names of its columns, and the line that it begins at. */
export interface CsvRow {
  readonly record: Readonly<Record<string, string>>
  readonly line: number
}

/** Characters of one row. */
const MAX_ROW_CHARACTERS = 67_108_864

/** The rows below the header. */
export async function* csvRows(
  lines: AsyncIterable<Line>,
  report: (problem: Omit<Unread, 'file'>) => void,
): AsyncGenerator<CsvRow> {
  let header: readonly string[] | undefined
  for await (const { text, line } of logicalRows(lines, report)) {
    const cells = csvCells(text)
    if (header === undefined) {
      header = cells
      continue
    }
    const record: Record<string, string> = {}
    for (const [index, name] of header.entries()) setOwn(record, name, cells[index] ?? '')
    yield { record, line }
  }
}

/** The cells of one row, without their quotes. */
export function csvCells(row: string): readonly string[] {
  const cells: string[] = []
  for (let at = 0; at <= row.length;) {
    let cell = ''
    if (row[at] === '"') {
      const close = closingQuote(row, at + 1)
      cell = row.slice(at + 1, close).replaceAll('""', '"')
      at = close + 1
    }
    const comma = row.indexOf(',', at)
    const end = comma === -1 ? row.length : comma
    cells.push(cell + row.slice(at, end))
    at = end + 1
  }
  return cells
}

/** The quote that is not one of two; the end of the row where there is none. */
function closingQuote(row: string, from: number): number {
  let at = row.indexOf('"', from)
  while (at !== -1 && row[at + 1] === '"') at = row.indexOf('"', at + 2)
  return at === -1 ? row.length : at
}

/** Rows with the line ends inside of quotes. */
async function* logicalRows(
  lines: AsyncIterable<Line>,
  report: (problem: Omit<Unread, 'file'>) => void,
): AsyncGenerator<Line> {
  let pieces: string[] = []
  let [begun, size, isOpen] = [0, 0, false]
  for await (const { text, line } of withBlank(lines)) {
    if (pieces.length === 0) begun = line
    pieces.push(text)
    size += text.length
    if (quotesIn(text) % 2 === 1) isOpen = !isOpen
    if (isOpen && size <= MAX_ROW_CHARACTERS) continue
    if (isOpen) report({ line: begun, kind: 'too-large', message: 'A quote that opens here does not close.' })
    else if (size > 0) yield { text: pieces.join('\n'), line: begun }
    pieces = []
    size = 0
    isOpen = false
  }
  if (pieces.length > 0) report({ line: begun, kind: 'broken', message: 'The file ends inside of this row.' })
}

function quotesIn(text: string): number {
  let found = 0
  for (let at = text.indexOf('"'); at !== -1; at = text.indexOf('"', at + 1)) found++
  return found
}
