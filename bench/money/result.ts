/** The result of the bench: one row for each way, as it is kept in `result.json`, and what has to hold of it. */
import { readFileSync } from 'node:fs'
import type { Row } from './account.ts'

export interface Result {
  /** Of the run, `YYYY-MM-DD`. */
  readonly date: string
  readonly model: string
  readonly versions: Readonly<Record<string, string>>
  readonly rows: readonly Row[]
}

/** The most that Indelible may cost, as a share of the floor. */
export const LIMIT = 1.05

/** The result that is checked in. */
export function keptResult(): Result {
  return JSON.parse(readFileSync(new URL('result.json', import.meta.url), 'utf8')) as Result
}

/** What the rows are held against, in dollars. */
export interface Yardsticks {
  readonly noCaching: number
  /** The cheapest of the rivals, whatever it tells. */
  readonly bestRival: Row
  /** The cheapest of those that tell every change. */
  readonly bestTelling: Row
  /**
   * The floor of the conversation: what the audit finds for the requests of a user who does not cache. What changes is told for
   * nothing in it.
   */
  readonly floor: number
}

export function yardsticks(rows: readonly Row[]): Yardsticks {
  const rivals = rows.filter(({ kind }) => kind === 'rival').toSorted((a, b) => a.dollars - b.dollars)
  const base = rows.find(({ kind }) => kind === 'base')
  const [bestRival] = rivals
  const bestTelling = rivals.find(({ told, changes }) => told === changes)
  if (base === undefined || bestRival === undefined || bestTelling === undefined) throw new Error('Rows are missing')
  return { noCaching: base.dollars, bestRival, bestTelling, floor: base.floor }
}

/** Why a result is not what Indelible promises; empty where it is. */
export function broken(rows: readonly Row[]): readonly string[] {
  const { floor } = yardsticks(rows)
  return rows
    .filter(({ kind }) => kind === 'indelible')
    .flatMap(({ way, dollars, told, changes }) => [
      ...(dollars > LIMIT * floor
        ? [`${way} costs ${(dollars / floor).toFixed(3)} of the floor, more than ${LIMIT}`]
        : []),
      ...(told === changes ? [] : [`${way} told ${told} of ${changes} changes`]),
    ])
}
