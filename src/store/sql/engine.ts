/**
 * What the SQL store needs of a database: three methods.
 *
 * Statements come in and rows go out as plain values, so that a driver is whatever can run SQL. An engine keeps no
 * transaction open while other code of this process runs: two connections of one process that did would wait for each
 * other with nobody left to let go.
 */
import { StoreUnusableError } from '../../session/errors.ts'

/** A value as it is bound to a statement, or comes back in a row. */
export type SqlValue = string | number | null

/** SQL with the values of its placeholders, in order. */
export interface Statement {
  readonly sql: string
  readonly values: readonly SqlValue[]
}

/** One connection, or a pool. Rejects with `StoreUnusableError` when the database cannot do what it was asked. */
export interface SqlEngine {
  /** The rows of a query, each with its columns in the order of the select list. */
  select(statement: Statement): Promise<readonly (readonly SqlValue[])[]>
  /**
   * Runs statements in order and all or nothing, durable when it resolves. Resolves to false, and has written nothing,
   * as soon as one of them changes no row or meets a key that is taken. Rejects with `OutcomeUnknownError` when nobody can
   * say whether they were written.
   */
  write(statements: readonly Statement[]): Promise<boolean>
  /** Releases the connection; every later call rejects. Closing twice is fine. */
  close(): Promise<void>
}

/** The connection to a server was lost while it wrote: all of it was written, or none. Never leaves a store. */
export class OutcomeUnknownError extends Error {
  readonly #database: string

  /** `database` names it in messages. */
  constructor(database: string, options: { cause: unknown }) {
    super(`The connection to ${database} was lost while it wrote.`, options)
    this.name = 'OutcomeUnknownError'
    this.#database = database
  }

  /** What a caller is told who cannot find out. */
  toStoreError(): StoreUnusableError {
    return new StoreUnusableError(
      `The connection to ${this.#database} was lost again and again while it wrote. Nothing is half-written; do the ` +
        'same again under the same id once the server stays up.',
      { cause: this.cause },
    )
  }
}
