/** What a worker is told that is going to be killed. */
import type { Operation } from '../support/ledger/operations.ts'

export interface Assignment {
  /** The database file. */
  readonly path: string
  /** Begins the ids that this worker makes, so that they differ from those of all others on the same database. */
  readonly name: string
  readonly seed: number
  /** The sessions of the database, with their newest revisions. */
  readonly sessions: readonly (readonly [id: string, revision: number])[]
  /** The operation that the last kill interrupted: a caller would try it again. */
  readonly retry: Operation | null
}
