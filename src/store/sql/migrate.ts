/**
 * Brings a database to the newest schema. It is written as a generator that yields statements and is given their rows,
 * because the lock and the transaction around it are the engine's: SQLite must run all of it in one synchronous stretch,
 * a server can take its time.
 */
import type { CompiledQuery } from 'kysely'
import { StoreUnusableError } from '../../session/errors.ts'
import type { SqlDialect } from './dialect.ts'
import type { SqlValue } from './engine.ts'
import { migrations } from './migrations.ts'

/** Statements to run in order, each answered with its rows. Throws `StoreUnusableError` at a schema newer than ours. */
export type Migrating = Generator<CompiledQuery, void, readonly (readonly SqlValue[])[]>

/** Applies every migration that `database` (its name, for messages) still lacks; `at` is the time, ISO 8601. */
export function* migrate(dialect: SqlDialect, database: string, at: string): Migrating {
  const { builder } = dialect
  yield builder.schema
    .createTable('indelible_migrations')
    .ifNotExists()
    .addColumn('number', 'integer', (column) => column.primaryKey())
    .addColumn('applied_at', 'text', (column) => column.notNull())
    .compile()
  const rows = yield builder
    .selectFrom('indelible_migrations')
    .select((the) => the.fn.coalesce(the.fn.max('number'), the.lit(0)).as('number'))
    .compile()
  const applied = rows[0]?.[0] as number
  refuseNewer(applied, database)
  for (const [index, migration] of migrations.entries()) {
    if (index < applied) continue
    yield* migration(dialect)
    yield builder
      .insertInto('indelible_migrations')
      .values({ number: index + 1, applied_at: at })
      .compile()
  }
}

/** Throws `StoreUnusableError` when `applied`, the number of a database's schema, is one that this release does not know. */
export function refuseNewer(applied: number, database: string): void {
  if (applied <= migrations.length) return
  throw new StoreUnusableError(
    `${database} was written by a newer release of Indelible: its schema has number ${applied}, this release knows ` +
      `${migrations.length}. Update Indelible; nothing was changed.`,
  )
}
