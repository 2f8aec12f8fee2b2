/**
 * What a database owes its callers, and whether it pays.
 *
 * The ledger keeps, of one database, the rows that were seen after the last kill and the operations of the worker since. A
 * log is right when all rows seen before stand unchanged, each operation that was done is in it exactly once with what its
 * caller was told, and nothing else is there but, at most, the one event of the operation that the kill interrupted.
 * What a log says in itself is for `verify()`; what it should say only the ledger knows.
 */
import { couldWrite, problemOf, rowsOf, type Rows } from './evidence.ts'
import { checkFork, checkPromotions, checkRequests, forkedRows } from './log-checks.ts'
import { doneIn, interruptedIn } from './protocol.ts'
import type { Done, Operation, Report } from './protocol.ts'

/** The rows of each session. */
export type Logs = ReadonlyMap<string, Rows>

/** What happened since the last check, and what is there now. */
interface Round {
  readonly done: readonly Done[]
  readonly interrupted: Operation | null
  readonly logs: Logs
}

export class Ledger {
  #seen: Logs = new Map()
  readonly #deleted = new Set<string>()

  /** The sessions that were there at the last check, with their newest revisions. */
  get sessions(): [id: string, revision: number][] {
    return [...this.#seen].map(([id, rows]) => [id, rows.length])
  }

  /** What is wrong with `logs` after a worker has made `reports`; the next check builds on them. */
  check(reports: readonly Report[], logs: Logs): string[] {
    const round: Round = { done: doneIn(reports), interrupted: interruptedIn(reports), logs }
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
      ...reports.flatMap((report) => ('failed' in report ? [`a worker failed: ${report.failed}`] : [])),
      ...problems,
    ]
  }

  #checkSession(session: string, round: Round): string[] {
    const rows = round.logs.get(session)
    if (rows !== undefined) {
      return this.#deleted.has(session) ? ['is there, though it was deleted'] : this.#checkRows(session, rows, round)
    }
    const { interrupted } = round
    if (interrupted?.type === 'delete' && interrupted.session === session) this.#deleted.add(session)
    if (this.#deleted.has(session)) return []
    return this.#seen.has(session) || round.done.some((done) => mustBeThere(session, done)) ? ['is gone'] : []
  }

  #checkRows(session: string, rows: Rows, { done, interrupted, logs }: Round): string[] {
    const gap = rows.findIndex((row, index) => row.revision !== index + 1)
    if (gap !== -1) return [`event ${gap + 1} is missing`]
    const seen = this.#seen.get(session) ?? []
    const problems = seen
      .filter((row, index) => JSON.stringify(rows[index]) !== JSON.stringify(row))
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
    const begun = [...done.map(([operation]) => operation), ...(interrupted === null ? [] : [interrupted])]
    for (const operation of begun) {
      if (operation.type !== 'fork' || operation.child !== session) continue
      problems.push(...checkFork(rows, logs.get(operation.session)))
      account(forkedRows(rows))
    }
    problems.push(...checkPromotions(rows))
    const claims = own.flatMap(([, { turn }]) => turn ?? [])
    if (claims.length > 0) problems.push(...checkRequests(session, rows, claims))

    const left = rows.filter((row) => !accounted.has(row.revision))
    const isInterrupted = interrupted !== null && 'session' in interrupted && interrupted.session === session
    if (isInterrupted && left[0] !== undefined && couldWrite(interrupted, left[0])) left.shift()
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
