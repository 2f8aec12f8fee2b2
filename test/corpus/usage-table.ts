/**
 * `usage.csv` of a corpus: one row per call, with the call before it in the same stream and the usage that was reported,
 * as somebody else read it. An empty cell is a field that the provider did not report.
 */

/** One row. */
export interface UsageRow {
  readonly call: number
  /** The call before it in its stream; undefined for the first. */
  readonly previous: number | undefined
  /** Where it first differs from that, in the table's own language; empty for the first. */
  readonly divergesAt: string
  readonly total: number | undefined
  readonly read: number | undefined
  readonly write: number | undefined
  readonly output: number | undefined
}

/** Rows by file, as `folder/name`. */
export type UsageTable = ReadonlyMap<string, readonly UsageRow[]>

/** Reads the table. Throws when a column is missing. */
export function readUsageTable(text: string): UsageTable {
  const [header = [], ...rows] = parseCsv(text)
  const column = (name: string): number => {
    const at = header.indexOf(name)
    if (at < 0) throw new Error(`usage.csv has no column ${name}`)
    return at
  }
  const [source, file, diverges] = [column('source'), column('file'), column('diverges_at')]
  const numbers = ['call', 'prev', 'input_total', 'cache_read', 'cache_write', 'output'].map(column)
  const table = new Map<string, UsageRow[]>()
  for (const row of rows) {
    const [call = 0, previous, total, read, write, output] = numbers.map((at) => count(row[at]))
    const name = `${row[source] ?? ''}/${row[file] ?? ''}`
    const divergesAt = row[diverges] ?? ''
    table.set(name, [...(table.get(name) ?? []), { call, previous, divergesAt, total, read, write, output }])
  }
  return table
}

function count(cell: string | undefined): number | undefined {
  return cell === undefined || cell === '' ? undefined : Number(cell)
}

/** RFC 4180: quotes around cells with commas, quotes or line ends, doubled inside. */
function parseCsv(text: string): string[][] {
  const rows: string[][] = []
  let row: string[] = []
  for (const [, quoted, plain, end] of text.matchAll(/(?:"((?:[^"]|"")*)"|([^",\r\n]*))(,|\r?\n|$)/g)) {
    row.push(quoted?.replaceAll('""', '"') ?? plain ?? '')
    if (end === ',') continue
    if (row.length > 1) rows.push(row)
    row = []
  }
  return rows
}
