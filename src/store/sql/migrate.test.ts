import type { CompiledQuery } from 'kysely'
import { describe, expect, it } from 'vitest'
import { StoreUnusableError } from '../../session/errors.ts'
import { dialect } from '../sqlite/dialect.ts'
import { openDatabase } from '../sqlite/open.ts'
import { migrate } from './migrate.ts'
import { migrations } from './migrations.ts'

describe('migrate', () => {
  it('makes the tables that released stores have', () => {
    // Fixed for ever: files with these tables are out there. A change to the schema adds a migration, and lines below.
    expect(statements(0)).toEqual([
      'create table if not exists "indelible_migrations" ("number" integer primary key, "applied_at" text not null)',
      'select coalesce(max("number"), 0) as "number" from "indelible_migrations"',
      'create table "indelible_events" ("session" text not null, "revision" integer not null, "type" text not null, ' +
        '"v" integer not null, "id" text, "at" text not null, "body" text not null, "checksum" text not null, ' +
        'constraint "indelible_events_key" primary key ("session", "revision"))',
      'create unique index "indelible_events_id" on "indelible_events" ("session", "type", "id") where "id" is not null',
      'create index "indelible_events_epoch" on "indelible_events" ("session", "revision") where "type" = \'epoch\'',
      'insert into "indelible_migrations" ("number", "applied_at") values (?, ?)',
    ])
  })

  it('changes nothing in a database that has them all', () => {
    expect(statements(migrations.length).slice(2)).toEqual([])
  })

  it('refuses a database with a migration that it does not know', () => {
    expect(() => statements(migrations.length + 1)).toThrow(StoreUnusableError)
    expect(() => statements(migrations.length + 1)).toThrow(
      `the database was written by a newer release of Indelible: its schema has number ${migrations.length + 1}`,
    )
  })

  it('notes what it applied and when', () => {
    const database = openDatabase(':memory:', 'full')
    const rows = database.prepare('select number, applied_at from indelible_migrations order by number').all()
    expect(rows).toMatchObject(migrations.map((_, index) => ({ number: index + 1 })))
    for (const { applied_at: at } of rows) expect(new Date(at as string).toISOString()).toBe(at)
    database.close()
  })
})

/** What is run on a database that has the first `applied` migrations. */
function statements(applied: number): string[] {
  const steps = migrate(dialect, 'the database', '2026-01-01T00:00:00.000Z')
  const run: CompiledQuery[] = []
  for (let step = steps.next(); step.done !== true; step = steps.next([[applied]])) run.push(step.value)
  return run.map(({ sql }) => sql)
}
