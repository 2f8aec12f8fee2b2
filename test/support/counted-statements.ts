/**
 * The statements that a store really sends, counted where they leave this process: what a wrapper around the store counts
 * is what the session asked for, and a store may make more of that.
 */
import { DatabaseSync, StatementSync } from 'node:sqlite'
import pg from 'pg'

/** Counts until it is disposed. */
export interface StatementCount extends Disposable {
  /** What went out since this was last asked: `read`, `write`, or the first word of what is neither, in order. */
  take(): string[]
}

/** `select` reads, `insert` and `delete` write; the rest, `begin` and `commit` among it, keeps its name. */
function kindOf(sql: string): string {
  const word = /^\W*(\w+)/.exec(sql)?.[1]?.toLowerCase() ?? sql
  if (word === 'select' || word === 'with') return 'read'
  return word === 'insert' || word === 'delete' || word === 'update' ? 'write' : word
}

/** Of every PostgreSQL connection in this process that `pg` holds. */
export function countPostgres(): StatementCount {
  const sent: string[] = []
  const { query } = pg.Client.prototype
  pg.Client.prototype.query = function (this: pg.Client, ...given: unknown[]) {
    const [config] = given as [string | { readonly text: string }]
    sent.push(kindOf(typeof config === 'string' ? config : config.text))
    return Reflect.apply(query, this, given) as unknown
  } as typeof query
  return {
    take: () => sent.splice(0),
    [Symbol.dispose]() {
      pg.Client.prototype.query = query
    },
  }
}

/** Of every SQLite connection in this process. */
export function countSqlite(): StatementCount {
  const sent: string[] = []
  const { exec } = DatabaseSync.prototype
  const { all, get, run, iterate } = StatementSync.prototype
  DatabaseSync.prototype.exec = function (sql) {
    sent.push(...sql.split(';').map(kindOf))
    return exec.call(this, sql)
  }
  const counting = <F extends (this: StatementSync, ...values: never[]) => unknown>(original: F): F =>
    function (this: StatementSync, ...values: never[]) {
      sent.push(kindOf(this.sourceSQL))
      return original.apply(this, values)
    } as F
  Object.assign(StatementSync.prototype, {
    all: counting(all),
    get: counting(get),
    run: counting(run),
    iterate: counting(iterate),
  })
  return {
    take: () => sent.splice(0),
    [Symbol.dispose]() {
      DatabaseSync.prototype.exec = exec
      Object.assign(StatementSync.prototype, { all, get, run, iterate })
    },
  }
}
