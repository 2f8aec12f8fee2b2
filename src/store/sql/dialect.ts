/** What the SQL of one database has of its own. Everything else is spelled by Kysely, the same for all. */
import type { Expression, Kysely, RawBuilder } from 'kysely'
import type { StoredEvent } from '../../session/store.ts'
import type { Statement } from './engine.ts'
import type { Schema } from './tables.ts'

/** A database's own SQL. */
export interface SqlDialect {
  /** Spells queries; it knows the schema. */
  readonly builder: Kysely<Schema>
  /** The schema that the tables stand in, where a database has several. */
  readonly schema?: string
  /** The type of a text that is compared and ordered by its UTF-8 bytes. */
  readonly keyText: 'text' | RawBuilder<unknown>
  /** What stands for an event's id in its index, where an index cannot hold an id of any length. */
  readonly idKey?: (id: Expression<unknown>) => RawBuilder<unknown>
  /**
   * Whether statements of several connections run at once, each on the rows as they were when it began. An append then holds
   * the newest row against a delete while it writes behind it.
   */
  readonly isConcurrent?: boolean
  /** Several events as one guarded statement, where that is faster than one statement each in a transaction. */
  readonly appendAll?: (session: string, expected: number, events: readonly StoredEvent[]) => Statement
}
