/**
 * Finding the row for a request: first which model, sold by whom, then as of which day.
 *
 * Ids are compared whole. An id that is in the table as it was sent comes before one that only means the same model,
 * and the platform that was asked for before the vendor itself. The odd case is a model that only resellers have in the
 * table: one alone is taken, several are ambiguous.
 */
import { parseModelId, type ModelId } from './model-id.ts'
import type { Moment } from './moment.ts'
import type { PriceRow, PriceTable } from './price-table.ts'
import type { Assumption, UnknownPriceReason } from './result.ts'
import { isVendor, sellerName, sellsAtList } from './vendors.ts'

/** Whose price is wanted. */
export interface RowQuery {
  readonly model: string
  readonly provider?: string | undefined
  readonly platform?: string | undefined
}

/** The row, with the platform that the request went to, or why there is none. */
export type FoundRow =
  | { readonly row: PriceRow; readonly platform: string; readonly id: ModelId; readonly assumed: readonly Assumption[] }
  | { readonly reason: UnknownPriceReason; readonly message: string }

/** The ids of a row, each as the key that it is compared by. */
export function rowKeys({ model, aliases = [] }: PriceRow): readonly string[] {
  return [model, ...aliases].map((id) => parseModelId(id).key)
}

// Loaded tables have thousands of rows, and taking an id apart is not free: once per table, not once per request.
const indexes = new WeakMap<PriceTable, ReadonlyMap<string, readonly PriceRow[]>>()

function indexOf(table: PriceTable): ReadonlyMap<string, readonly PriceRow[]> {
  const known = indexes.get(table)
  if (known !== undefined) return known
  const index = new Map<string, PriceRow[]>()
  for (const row of table.rows) {
    for (const key of new Set(rowKeys(row))) {
      const rows = index.get(key)
      if (rows === undefined) index.set(key, [row])
      else rows.push(row)
    }
  }
  indexes.set(table, index)
  return index
}

/** Looks the row up; without a moment, the newest. */
export function findRow(table: PriceTable, query: RowQuery, moment: Moment | undefined): FoundRow {
  const id = parseModelId(query.model)
  const named = query.provider === undefined ? undefined : sellerName(query.provider)
  const vendor = named !== undefined && isVendor(named) ? named : undefined
  const asked = query.platform === undefined ? undefined : sellerName(query.platform)
  const platform = asked ?? (vendor === undefined ? named : undefined) ?? id.platform ?? vendor
  const all = indexOf(table).get(id.key) ?? []
  const rows = all.filter((row) => vendor === undefined || row.provider === vendor || row.platform === vendor)
  if (rows.length === 0) {
    return {
      reason: 'model',
      message: `No price is known for ${query.model}. Pass a table that has it: { table: combineTables(ownPrices, fromLiteLlm(json)) }, or one of your own.`,
    }
  }
  const sold = bySeller(rows, platform)
  if (sold === undefined) {
    const sellers = [...new Set(rows.map((row) => row.platform))].join(', ')
    return { reason: 'ambiguous', message: `${query.model} has prices of ${sellers}. Say which platform.` }
  }
  const exact = query.model.trim().toLowerCase()
  const { model } =
    sold.find((row) => row.model.toLowerCase() === exact) ??
    sold.find((row) => row.aliases?.some((alias) => alias.toLowerCase() === exact) === true) ??
    sold.toSorted((one, other) => one.model.length - other.model.length)[0]!
  const series = sold.filter((row) => row.model === model)
  const row = asOf(series, moment)
  if (row === undefined) {
    const [first] = series.map(({ from = '' }) => from).sort()
    return { reason: 'date', message: `The first price of ${query.model} is from ${first}, after ${moment?.day}.` }
  }
  const assumed: Assumption[] = []
  const served = platform ?? row.platform
  if (served !== row.platform && !(row.platform === row.provider && sellsAtList(row.provider, served))) {
    assumed.push({ about: 'platform', message: `No price of ${served} is known; that of ${row.platform} is used.` })
  } else if (platform === undefined && row.platform !== row.provider) {
    assumed.push({ about: 'platform', message: `Only the price of ${row.platform} is known.` })
  }
  return { row, platform: served, id, assumed }
}

function bySeller(rows: readonly PriceRow[], platform: string | undefined): readonly PriceRow[] | undefined {
  const asked = rows.filter((row) => row.platform === platform)
  if (asked.length > 0) return asked
  const vendors = rows.filter((row) => row.platform === row.provider)
  if (vendors.length > 0) return vendors
  return new Set(rows.map((row) => row.platform)).size === 1 ? rows : undefined
}

function asOf(rows: readonly PriceRow[], moment: Moment | undefined): PriceRow | undefined {
  const begun = rows.filter(({ from }) => moment === undefined || from === undefined || from <= moment.day)
  // The last row wins among those of one day.
  return begun.reduce<PriceRow | undefined>(
    (newest, row) => (newest === undefined || (row.from ?? '') >= (newest.from ?? '') ? row : newest),
    undefined,
  )
}
