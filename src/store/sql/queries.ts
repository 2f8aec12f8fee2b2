/** Every query of the SQL store, built and spelled once per store. */
import { sql, type Expression, type RawBuilder } from 'kysely'
import { keptTypes } from '../../session/retention.ts'
import type { StoredEvent, StoredSession } from '../../session/store.ts'
import type { SqlDialect } from './dialect.ts'
import type { SqlValue, Statement } from './engine.ts'
import { prepare } from './prepare.ts'

/** The parts of an event, in the order in which a row holds them. */
export const parts = ['revision', 'type', 'v', 'id', 'at', 'body', 'checksum'] as const

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
  epochBefore: { readonly session: string; readonly before: string }
  countRemovable: { readonly session: string; readonly before: number }
  recorded: { readonly session: string; readonly before: number }
  empty: Readonly<Record<'session' | 'body' | 'checksum' | 'found', string>> & { readonly revision: number }
  removePast: Readonly<Record<'session' | 'found', string>> & Readonly<Record<'before' | 'epoch', number>>
}

/** The queries, each as the function that fills it in. */
export type Queries = { readonly [Name in keyof QueryValues]: (values: QueryValues[Name]) => Statement }

/** Spells the queries for the database at hand. */
export function prepareQueries(dialect: SqlDialect): Queries {
  const { builder, schema, idKey = (id) => sql`${id}` } = dialect
  const table = schema === undefined ? sql.id('indelible_events') : sql.id(schema, 'indelible_events')
  const events = builder.selectFrom('indelible_events')
  const eventRows = events.select(parts)
  const kept = keptTypes.map((type) => sql.lit(type))
  return {
    // Inserts nothing unless `expected` is the newest revision.
    append: prepare<QueryValues['append']>((value) =>
      builder
        .insertInto('indelible_events')
        .columns(['session', ...parts])
        .expression(
          builder
            .selectNoFrom([
              value('session').as('session'),
              ...parts.map((part) => (isNumber(part) ? toInteger(value(part)) : value(part)).as(part)),
            ])
            .where(newestRevision(dialect, value('session')), '=', value('expected')),
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
      eventRows
        .where('session', '=', value('session'))
        .where('type', '=', value('type'))
        .where(idKey(sql.ref('id')), '=', idKey(value('id'))),
    ),
    // The first `limit` sessions whose ids follow `after`. Steps from id to id along the index, where grouping would visit
    // every event of every session.
    listPage: prepare<QueryValues['listPage']>((value) => ({
      compile: () =>
        sql`
          with recursive page(session, position) as (
            select min(session), 1 from ${table} where session > ${value('after')}
            union all
            select (select min(session) from ${table} where session > page.session), position + 1
            from page where session is not null and position < ${value('limit')}
          )
          select
            session,
            (select max(revision) from ${table} where session = page.session),
            (select at from ${table} where session = page.session order by revision limit 1),
            (select at from ${table} where session = page.session order by revision desc limit 1)
          from page where session is not null order by session
        `.compile(builder),
    })),
    delete: prepare<QueryValues['delete']>((value) =>
      builder.deleteFrom('indelible_events').where('session', '=', value('session')),
    ),
    // Times are of one form, so that their order is that of their texts.
    epochBefore: prepare<QueryValues['epochBefore']>((value) =>
      eventRows
        .where('session', '=', value('session'))
        .where('type', '=', sql.lit('epoch'))
        .where('at', '<', value('before'))
        .orderBy('revision', 'desc')
        .limit(sql.lit(1)),
    ),
    countRemovable: prepare<QueryValues['countRemovable']>((value) =>
      events
        .select((the) => sql<number>`cast(${the.fn.countAll()} as integer)`.as('count'))
        .where('session', '=', value('session'))
        .where('revision', '<', value('before'))
        .where('type', 'not in', kept),
    ),
    recorded: prepare<QueryValues['recorded']>((value) =>
      eventRows
        .where('session', '=', value('session'))
        .where('revision', '<', value('before'))
        .where('type', 'in', kept),
    ),
    // These two only in the log that was read: `found` is the checksum that a row had then. A session can be deleted and begun
    // anew meanwhile.
    empty: prepare<QueryValues['empty']>((value) =>
      builder
        .updateTable('indelible_events')
        .set({ body: value('body'), checksum: value('checksum') })
        .where('session', '=', value('session'))
        .where('revision', '=', value('revision'))
        .where('checksum', '=', value('found')),
    ),
    removePast: prepare<QueryValues['removePast']>((value) =>
      builder
        .deleteFrom('indelible_events')
        .where('session', '=', value('session'))
        .where('revision', '<', value('before'))
        .where('type', 'not in', kept)
        .where((the) =>
          the.exists(
            events
              .select('revision')
              .where('session', '=', value('session'))
              .where('revision', '=', value('epoch'))
              .where('checksum', '=', value('found')),
          ),
        ),
    ),
  }
}

/**
 * The revision of a session's newest event, 0 for none. Where others write at the same time, that row is locked until the
 * statement has written: a delete of it waits, and then finds what was written behind it; one that was faster leaves 0.
 */
export function newestRevision({ builder, isConcurrent }: SqlDialect, session: Expression<string>): RawBuilder<number> {
  const newest = builder
    .selectFrom('indelible_events')
    .select('revision')
    .where('session', '=', session)
    .orderBy('revision', 'desc')
    .limit(sql.lit(1))
  return sql`coalesce(${isConcurrent === true ? newest.forKeyShare() : newest}, 0)`
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

function isNumber(part: (typeof parts)[number]): boolean {
  return part === 'revision' || part === 'v'
}

/** PostgreSQL takes a bare placeholder of a select list for text. */
function toInteger(value: Expression<unknown>): RawBuilder<number> {
  return sql`cast(${value} as integer)`
}
