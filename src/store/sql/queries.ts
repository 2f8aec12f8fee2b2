/** Every query of the SQL store, built and spelled once per store. */
import { sql, type Kysely } from 'kysely'
import type { StoredEvent, StoredSession } from '../../session/store.ts'
import type { SqlValue, Statement } from './engine.ts'
import { prepare } from './prepare.ts'
import type { Schema } from './schema.ts'

/** The parts of an event, in the order in which a row holds them. */
const parts = ['revision', 'type', 'v', 'id', 'at', 'body', 'checksum'] as const

/** What fills in each query. */
interface QueryValues {
  append: Readonly<Record<'session' | 'type' | 'at' | 'body' | 'checksum', string>> &
    Readonly<Record<'expected' | 'revision' | 'v', number>> & { readonly id: string | null }
  read: { readonly session: string; readonly after: number }
  readPage: { readonly session: string; readonly after: number; readonly limit: number }
  epochStart: { readonly session: string }
  find: { readonly session: string; readonly type: string; readonly id: string }
  listPage: { readonly after: string; readonly limit: number }
  delete: { readonly session: string }
}

/** The queries, each as the function that fills it in. */
export type Queries = { readonly [Name in keyof QueryValues]: (values: QueryValues[Name]) => Statement }

/** Spells the queries with a builder for the database at hand. */
export function prepareQueries(builder: Kysely<Schema>): Queries {
  const events = builder.selectFrom('indelible_events')
  const eventRows = events.select(parts)
  return {
    // Inserts nothing unless `expected` is the newest revision.
    append: prepare<QueryValues['append']>((value) =>
      builder
        .insertInto('indelible_events')
        .columns(['session', ...parts])
        .expression(
          builder
            .selectNoFrom([value('session').as('session'), ...parts.map((part) => value(part).as(part))])
            .where(
              events
                .select((the) => the.fn.coalesce(the.fn.max('revision'), the.lit(0)).as('newest'))
                .where('session', '=', value('session')),
              '=',
              value('expected'),
            ),
        ),
    ),
    read: prepare<QueryValues['read']>((value) =>
      eventRows.where('session', '=', value('session')).where('revision', '>', value('after')).orderBy('revision'),
    ),
    // Apart from `read`, because SQLite plans a query anew when its limit is bound: ten times the cost of a quiet read.
    readPage: prepare<QueryValues['readPage']>((value) =>
      eventRows
        .where('session', '=', value('session'))
        .where('revision', '>', value('after'))
        .orderBy('revision')
        .limit(value('limit')),
    ),
    // The type is spelled out, because a partial index serves only a query that is seen to stay inside it.
    epochStart: prepare<QueryValues['epochStart']>((value) =>
      eventRows
        .where('session', '=', value('session'))
        .where('type', '=', sql.lit('epoch'))
        .orderBy('revision', 'desc')
        .limit(sql.lit(1)),
    ),
    find: prepare<QueryValues['find']>((value) =>
      eventRows.where('session', '=', value('session')).where('type', '=', value('type')).where('id', '=', value('id')),
    ),
    // The first `limit` sessions whose ids follow `after`. Steps from id to id along the index, where grouping would visit
    // every event of every session.
    listPage: prepare<QueryValues['listPage']>((value) => ({
      compile: () =>
        sql`
          with recursive page(session, position) as (
            select min(session), 1 from indelible_events where session > ${value('after')}
            union all
            select (select min(session) from indelible_events where session > page.session), position + 1
            from page where session is not null and position < ${value('limit')}
          )
          select
            session,
            (select max(revision) from indelible_events where session = page.session),
            (select at from indelible_events where session = page.session order by revision limit 1),
            (select at from indelible_events where session = page.session order by revision desc limit 1)
          from page where session is not null order by session
        `.compile(builder),
    })),
    delete: prepare<QueryValues['delete']>((value) =>
      builder.deleteFrom('indelible_events').where('session', '=', value('session')),
    ),
  }
}

/** Reads a row of `read`, `readPage`, `epochStart` or `find`. */
export function toEvent(row: readonly SqlValue[]): StoredEvent {
  const [revision, type, v, id, at, body, checksum] = row as EventRow
  return { revision, type, v, id, at, body, checksum }
}

/** Reads a row of `listPage`. */
export function toSession(row: readonly SqlValue[]): StoredSession {
  const [id, revision, createdAt, updatedAt] = row as SessionRow
  return { id, revision, createdAt, updatedAt }
}

type EventRow = readonly [number, string, number, string | null, string, string, string]
type SessionRow = readonly [string, number, string, string]
