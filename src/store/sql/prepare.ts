/**
 * Queries that are built and spelled once, and then only filled in: building one takes longer than SQLite takes to answer
 * it.
 */
import { sql, type Compilable, type RawBuilder } from 'kysely'
import type { SqlValue, Statement } from './engine.ts'

/** Stands in a query for the value of that name. */
export type Placeholder<V> = <K extends keyof V>(name: K) => RawBuilder<V[K]>

/** Compiles the query that `build` makes, and returns what fills it in. */
export function prepare<V extends { readonly [name: string]: SqlValue }>(
  build: (placeholder: Placeholder<V>) => Compilable,
): (values: V) => Statement {
  // The compiler hands bound values back in the order of their placeholders, so binding the names tells us that order.
  const compiled = build((name) => sql`${sql.val(name)}`).compile()
  const names = compiled.parameters as readonly (keyof V)[]
  return (values) => ({ sql: compiled.sql, values: names.map((name) => values[name]!) })
}
