/** SQLite's own SQL. Kysely only spells here and never runs a query: the engine does. */
import { DummyDriver, Kysely, SqliteAdapter, SqliteIntrospector, SqliteQueryCompiler } from 'kysely'
import type { SqlDialect } from '../sql/dialect.ts'
import type { Schema } from '../sql/tables.ts'

/** SQLite compares text by its bytes unless it is told otherwise. */
export const dialect: SqlDialect = {
  builder: new Kysely<Schema>({
    dialect: {
      createAdapter: () => new SqliteAdapter(),
      createDriver: () => new DummyDriver(),
      createIntrospector: (database) => new SqliteIntrospector(database),
      createQueryCompiler: () => new SqliteQueryCompiler(),
    },
  }),
  keyText: 'text',
}
