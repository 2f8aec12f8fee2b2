/** What the table and the audit say of one call: where it parts from the call before it, and which call that is. */
import { Comparisons } from '../../src/audit/verdicts/comparisons.ts'
import { rowOf, turnOfRow, type Turn } from './replay.ts'
import { tablePath } from './table-path.ts'
import type { UsageRow } from './usage-table.ts'

/** One question and both answers, in the words of the table. */
export interface Comparison {
  readonly table: string
  readonly ours: string
  readonly turn: Turn
  /** The call before it by the table; undefined for the first of a stream. */
  readonly earlier: Turn | undefined
}

/** Where each call first differs from the one before it in the table, whichever the audit goes on from. */
export function compareDivergences(turns: readonly Turn[], rows: readonly UsageRow[]): Comparison[] {
  return turns.flatMap((turn) => {
    const row = rowOf(rows, turn.call)
    if (row?.previous === undefined) return []
    const earlier = turnOfRow(turns, row.previous)
    return [{ table: row.divergesAt, ours: divergenceOf(turn, earlier), turn, earlier }]
  })
}

function divergenceOf(turn: Turn, earlier: Turn | undefined): string {
  if (earlier === undefined) return 'not compared'
  const [later, before] = [turn.call.linked.turn, earlier.call.linked.turn]
  const compared = new Comparisons().of(later, before, later.places, before.places)
  return compared === null ? 'not compared' : tablePath(compared.divergence, later, before)
}

/** Which call each goes on from. */
export function compareParents(turns: readonly Turn[], rows: readonly UsageRow[]): Comparison[] {
  return turns.flatMap((turn) => {
    const row = rowOf(rows, turn.call)
    if (row === undefined) return []
    const earlier = turnOfRow(turns, row.previous)
    return [{ table: callName(row.previous), ours: parentName(turn, turns), turn, earlier }]
  })
}

function parentName({ call: { linked } }: Turn, turns: readonly Turn[]): string {
  if (linked.parent === null) return 'none'
  const parent = turns.find(({ call }) => call.linked.turn === linked.parent)
  return parent?.call.row === undefined ? 'a call without a row' : callName(parent.call.row)
}

function callName(row: number | undefined): string {
  return row === undefined ? 'none' : `call ${row}`
}
