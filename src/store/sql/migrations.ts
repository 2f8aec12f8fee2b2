/**
 * The numbered list of migrations that lead to the tables of a SQL store.
 *
 * A migration that has been released is never edited: a change to the schema is a new one at the end of the list.
 */
import { sql, type CompiledQuery } from 'kysely'
import type { SqlDialect } from './dialect.ts'

/** The statements of one migration, run in order and all or nothing. */
export type Migration = (dialect: SqlDialect) => readonly CompiledQuery[]

/** Migration `n` stands at index `n - 1`. */
export const migrations: readonly Migration[] = [
  ({ builder: { schema }, keyText, idKey }) => [
    // With a rowid of its own: a table clustered by its key moves bodies about and makes long sessions three times slower.
    schema
      .createTable('indelible_events')
      .addColumn('session', keyText, (column) => column.notNull())
      .addColumn('revision', 'integer', (column) => column.notNull())
      .addColumn('type', keyText, (column) => column.notNull())
      .addColumn('v', 'integer', (column) => column.notNull())
      .addColumn('id', keyText)
      .addColumn('at', 'text', (column) => column.notNull())
      .addColumn('body', 'text', (column) => column.notNull())
      .addColumn('checksum', 'text', (column) => column.notNull())
      .addPrimaryKeyConstraint('indelible_events_key', ['session', 'revision'])
      .compile(),
    schema
      .createIndex('indelible_events_id')
      .unique()
      .on('indelible_events')
      .columns([
        sql.ref('session'),
        sql.ref('type'),
        idKey === undefined ? sql.ref('id') : sql`(${idKey(sql.ref('id'))})`,
      ])
      .where(sql.ref('id'), 'is not', null)
      .compile(),
    schema
      .createIndex('indelible_events_epoch')
      .on('indelible_events')
      .columns(['session', 'revision'])
      .where(sql.ref('type'), '=', sql.lit('epoch'))
      .compile(),
  ],
]
