/** PostgreSQL's own SQL. Kysely only spells here and never runs a query: the engine does. */
import {
  DummyDriver,
  Kysely,
  PostgresAdapter,
  PostgresIntrospector,
  PostgresQueryCompiler,
  sql,
  type Expression,
  type RawBuilder,
} from 'kysely'
import type { StoredEvent } from '../../session/store.ts'
import type { SqlDialect } from '../sql/dialect.ts'
import { newestRevision, parts } from '../sql/queries.ts'
import type { Schema } from '../sql/tables.ts'

/** For tables in that schema. */
export function createDialect(schema: string): SqlDialect {
  const builder = new Kysely<Schema>({
    dialect: {
      createAdapter: () => new PostgresAdapter(),
      createDriver: () => new DummyDriver(),
      createIntrospector: (database) => new PostgresIntrospector(database),
      createQueryCompiler: () => new PostgresQueryCompiler(),
    },
  }).withSchema(schema)
  const dialect: SqlDialect = {
    builder,
    schema,
    // Whatever the database's own collation says of case, accents and order.
    keyText: sql`text collate "C"`,
    idKey,
    isConcurrent: true,
  }
  const newest = newestRevision(dialect, sql.val('session again'))
  const appendAll = spellAppendAll(sql.id(schema, 'indelible_events'), newest).compile(builder).sql
  return {
    ...dialect,
    appendAll: (session, expected, events) => ({
      sql: appendAll,
      values: [session, ...parts.map((part) => arrayOf(events, part)), session, expected],
    }),
  }
}

/**
 * A digest, because an entry of an index holds at most 2,704 bytes, and a session's id and an event's can come to more. Spelled
 * with functions that PostgreSQL lets into an index: encoding as UTF-8 is not one, unescaping is.
 */
function idKey(id: Expression<unknown>): RawBuilder<unknown> {
  return sql`sha256(decode(replace(cast(${id} as text), '\\', '\\\\'), 'escape'))`
}

/** One array per column: one statement of one shape for any number of events, and no transaction held open meanwhile. */
function spellAppendAll(table: RawBuilder<unknown>, newest: RawBuilder<number>): RawBuilder<unknown> {
  const columns = sql.join(parts.map((part) => sql.ref(part)))
  const types = { revision: 'integer', v: 'integer' } as Partial<Record<(typeof parts)[number], string>>
  const arrays = sql.join(parts.map((part) => sql`cast(${part} as ${sql.raw(types[part] ?? 'text')}[])`))
  return sql`
    insert into ${table} (session, ${columns})
    select cast(${'session'} as text), ${columns}
    from unnest(${arrays}) as event(${columns})
    where ${newest} = ${'expected'}
  `
}

/** An array as PostgreSQL writes one (https://www.postgresql.org/docs/current/arrays.html#ARRAYS-IO). */
function arrayOf(events: readonly StoredEvent[], part: (typeof parts)[number]): string {
  return `{${events.map((event) => elementOf(event[part])).join(',')}}`
}

function elementOf(value: string | number | null): string {
  if (typeof value !== 'string') return value === null ? 'null' : String(value)
  return `"${value.replaceAll('\\', '\\\\').replaceAll('"', '\\"')}"`
}
