/**
 * The tables of a SQL store, as the numbered list of migrations that lead to them. The names carry a prefix, so that
 * they can stand in a database that holds other things too.
 *
 * A migration that has been released is never edited: a change to the schema is a new one at the end of the list.
 */
import { sql, type CompiledQuery, type Kysely } from 'kysely'

/** The tables as of the newest migration. */
export interface Schema {
  indelible_events: EventTable
  indelible_migrations: MigrationTable
}

/** One row per event. */
export interface EventTable {
  session: string
  revision: number
  type: string
  v: number
  id: string | null
  at: string
  body: string
  checksum: string
}

/** One row per migration that was applied. */
export interface MigrationTable {
  /** From 1. */
  number: number
  /** ISO 8601. */
  applied_at: string
}

/** The statements of one migration, run in order and all or nothing. */
export type Migration = (builder: Kysely<Schema>) => readonly CompiledQuery[]

/** Migration `n` stands at index `n - 1`. */
export const migrations: readonly Migration[] = [
  ({ schema }) => [
    // With a rowid of its own: a table clustered by its key moves bodies about and makes long sessions three times slower.
    schema
      .createTable('indelible_events')
      .addColumn('session', 'text', (column) => column.notNull())
      .addColumn('revision', 'integer', (column) => column.notNull())
      .addColumn('type', 'text', (column) => column.notNull())
      .addColumn('v', 'integer', (column) => column.notNull())
      .addColumn('id', 'text')
      .addColumn('at', 'text', (column) => column.notNull())
      .addColumn('body', 'text', (column) => column.notNull())
      .addColumn('checksum', 'text', (column) => column.notNull())
      .addPrimaryKeyConstraint('indelible_events_key', ['session', 'revision'])
      .compile(),
    schema
      .createIndex('indelible_events_id')
      .unique()
      .on('indelible_events')
      .columns(['session', 'type', 'id'])
      .where('id', 'is not', null)
      .compile(),
    schema
      .createIndex('indelible_events_epoch')
      .on('indelible_events')
      .columns(['session', 'revision'])
      .where(sql.ref('type'), '=', sql.lit('epoch'))
      .compile(),
  ],
]
