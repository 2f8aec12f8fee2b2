/** Several price tables as one. */
import { rowKeys } from './find-row.ts'
import type { PriceRow, PriceTable } from './price-table.ts'

/**
 * The rows of all tables; where a later one has a model on a platform, all rows of earlier ones for that model there are
 * left out, dated ones too.
 */
export function combineTables(...tables: readonly PriceTable[]): PriceTable {
  const rows: PriceRow[] = []
  const taken = new Set<string>()
  for (const table of tables.toReversed()) {
    const kept = table.rows.filter((row) => !names(row).some((name) => taken.has(name)))
    for (const name of kept.flatMap(names)) taken.add(name)
    rows.unshift(...kept)
  }
  return { rows, skipped: tables.flatMap(({ skipped = [] }) => skipped) }
}

function names(row: PriceRow): string[] {
  return rowKeys(row).map((key) => `${row.platform} ${key}`)
}
