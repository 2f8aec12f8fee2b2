/**
 * What a database owes its callers, and whether it pays.
 *
 * The ledger keeps, of one database, the rows that were seen at the last check and the operations of its hosts since. A
 * log is right when all rows seen before stand unchanged, each operation that was done is in it exactly once with what its
 * caller was told, and nothing else is there but, at most, one event for each operation of which nobody knows.
 * What a log says in itself is for `verify()`; what it should say only the ledger knows.
 */
import { couldWrite, problemOf, rowsOf, type Rows } from './evidence.ts'
import { checkFork, checkPromotions, checkRequests, forkedRows } from './log-checks.ts'
import { doneIn, uncertainIn } from './operations.ts'
import type { Done, Operation, Report } from './operations.ts'

/** The rows of each session. */
export type Logs = ReadonlyMap<string, Rows>

/** What happened since the last check, and what is there now. */
interface Round {
  readonly done: readonly Done[]
  /** May have happened or not. */
  readonly uncertain: readonly Operation[]
  /** Whether operations ran at the same time. */
  readonly together: boolean
  readonly logs: Logs
}

export class Ledger {
  #seen: Logs = new Map()
  readonly #deleted = new Set<string>()

  /** The sessions that were there at the last check, with their newest revisions. */
  get sessions(): [id: string, revision: number][] {
    return [...this.#seen].map(([id, rows]) => [id, rows.length])
  }

  /**
   * What is wrong with `logs` after hosts have reported `strands`, each of them one operation after the other; the next
   * check builds on them.
   */
  check(strands: readonly (readonly Report[])[], logs: Logs): string[] {
    const together = strands.length > 1
    const round: Round = { done: strands.flatMap(doneIn), uncertain: strands.flatMap(uncertainIn), together, logs }
    for (const [operation] of round.done) if (operation.type === 'delete') this.#deleted.add(operation.session)
    const sessions = new Set([
      ...this.#seen.keys(),
      ...this.#deleted,
      ...logs.keys(),
      ...round.done.flatMap(sessionsOf),
    ])
    const problems = [...sessions].flatMap((session) =>
      this.#checkSession(session, round).map((problem) => `${session}: ${problem}`),
    )
    this.#seen = logs
    return [
      ...strands.flat().flatMap((report) => ('failed' in report ? [`a worker failed: ${report.failed}`] : [])),
      ...problems,
    ]
  }

  #checkSession(session: string, round: Round): string[] {
    const rows = round.logs.get(session)
    if (rows !== undefined) {
      return this.#deleted.has(session) ? ['is there, though it was deleted'] : this.#checkRows(session, rows, round)
    }
    for (const operation of round.uncertain) {
      if (operation.type === 'delete' && operation.session === session) this.#deleted.add(session)
    }
    if (this.#deleted.has(session)) return []
    return this.#seen.has(session) || round.done.some((done) => mustBeThere(session, done)) ? ['is gone'] : []
  }

  #checkRows(session: string, rows: Rows, { done, uncertain, together, logs }: Round): string[] {
    const seen = this.#seen.get(session) ?? []
    const gap = rows.findIndex((row, index) => row.revision !== index + 1)
    if (gap !== -1) return [`event ${gap + 1} is missing`]
    const problems = seen
      .filter((row, index) => rows[index] !== row && JSON.stringify(rows[index]) !== JSON.stringify(row))
      .map((row) => `event ${row.revision} is not what it was`)
    const accounted = new Set(seen.map((row) => row.revision))
    const account = (written: Rows): void => {
      for (const row of written) accounted.add(row.revision)
    }

    const own = done.filter(([operation]) => 'session' in operation && operation.session === session)
    for (const operation of own) {
      const problem = problemOf(operation, rows)
      if (problem !== null) problems.push(problem)
      account(rowsOf(operation, rows))
    }
    for (const operation of [...done.map(([operation]) => operation), ...uncertain]) {
      if (operation.type !== 'fork' || operation.child !== session) continue
      problems.push(...checkFork(rows, logs.get(operation.session)))
      account(forkedRows(rows))
    }
    problems.push(...checkPromotions(rows))
    const claims = own.flatMap(([, { turn }]) => turn ?? [])
    if (claims.length > 0) problems.push(...checkRequests(session, rows, claims))

    let left = rows.filter((row) => !accounted.has(row.revision))
    for (const operation of uncertain) {
      if (!('session' in operation) || operation.session !== session) continue
      const written = left.find((row) => couldWrite(operation, row))
      left = left.filter((row) => row !== written)
    }
    if (together) left = left.filter(withoutDecidedAgain(own))
    return [...problems, ...left.map((row) => `event ${row.revision}, of type ${row.type}, comes from nowhere`)]
  }
}

function sessionsOf([operation]: Done): string[] {
  if (operation.type === 'fork') return [operation.session, operation.child]
  return 'session' in operation ? [operation.session] : []
}

/** True when the operation has left something in the session. */
function mustBeThere(session: string, [operation, { revision, turn }]: Done): boolean {
  if (operation.type === 'fork') return operation.child === session
  return 'session' in operation && operation.session === session && (revision ?? turn) !== undefined
}

/**
 * Filters out boundaries of turns that decided again. Where a store answers an append late, another operation of the same
 * object may have taken the conversation further: the boundary stands, and the turn returns one behind it. Each turn that was
 * given explains one such boundary at most.
 */
function withoutDecidedAgain(own: readonly Done[]): (row: Rows[number]) => boolean {
  const turns = own.flatMap(([operation, { turn }]) =>
    operation.type === 'turn' && turn !== undefined ? [{ operation, revision: turn.revision }] : [],
  )
  return (row) => {
    const index = turns.findIndex(({ operation, revision }) => revision > row.revision && couldWrite(operation, row))
    if (index !== -1) turns.splice(index, 1)
    return index === -1
  }
}
