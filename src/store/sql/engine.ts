/**
 * What the SQL store needs of a database: three methods.
 *
 * Statements come in and rows go out as plain values, so that a driver is whatever can run SQL. An engine keeps no
 * transaction open while other code of this process runs: two connections of one process that did would wait for each
 * other with nobody left to let go.
 */
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
   * as soon as one of them changes no row or meets a key that is taken.
   */
  write(statements: readonly Statement[]): Promise<boolean>
  /** Releases the connection; every later call rejects. Closing twice is fine. */
  close(): Promise<void>
}
