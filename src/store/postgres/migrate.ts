/**
 * Brings a schema to the newest tables. Under an advisory lock, so that of ten processes that start at once one migrates and
 * the others find it done; one that belongs to the transaction, so that it works through a pooler and dies with its holder.
 */
import { digest } from '../../base/digest.ts'
import { StoreUnusableError } from '../../session/errors.ts'
import type { SqlValue } from '../sql/engine.ts'
import { migrate, refuseNewer } from '../sql/migrate.ts'
import { migrations } from '../sql/migrations.ts'
import { createDialect } from './dialect.ts'
import type { PostgresClient } from './pool.ts'

/** "inde": whose locks these are. */
const LOCK_CLASS = 0x696e6465

/** Everything as the text that comes over the wire. */
const types = { getTypeParser: () => String }

type Run = (sql: string, values?: readonly unknown[]) => Promise<SqlValue[][]>

/** Throws `StoreUnusableError` for a database of another encoding or of a newer release; `database` names it in messages. */
export async function migrateSchema(client: PostgresClient, schema: string, database: string): Promise<void> {
  const run: Run = async (text, values = []) => {
    const { rows } = await client.query({ text, values: [...values], rowMode: 'array', types })
    return rows as SqlValue[][]
  }
  const applied = await appliedIn(run, schema)
  refuseNewer(applied, database)
  if (applied === migrations.length) return
  await checkEncoding(run, database)
  await run('begin isolation level read committed')
  try {
    // A process that is stopped here for good must not keep all others out.
    await run("set local idle_in_transaction_session_timeout = '60s'")
    await run('select pg_advisory_xact_lock($1, $2)', [LOCK_CLASS, lockOf(schema)])
    const [[exists] = []] = await run('select 1 from pg_namespace where nspname = $1', [schema])
    // Not `if not exists`, which asks for the permission to make one even where there is one.
    if (exists === undefined) await run(`create schema ${quoteName(schema)}`)
    const steps = migrate(createDialect(schema), database, new Date().toISOString())
    for (let step = steps.next(); step.done !== true;) {
      const rows = await run(step.value.sql, step.value.parameters)
      step = steps.next(rows.map((row) => row.map(Number)))
    }
    await run('commit')
  } catch (error) {
    await run('rollback').catch(() => {})
    throw error
  }
}

/** The number of the newest migration that was applied; 0 where there are no tables. */
async function appliedIn(run: Run, schema: string): Promise<number> {
  const table = `${quoteName(schema)}.indelible_migrations`
  const [[exists] = []] = await run('select to_regclass($1) is not null', [table])
  if (exists !== 't') return 0
  const [[number] = []] = await run(`select coalesce(max("number"), 0) from ${table}`)
  return Number(number)
}

async function checkEncoding(run: Run, database: string): Promise<void> {
  const [[encoding] = []] = await run('show server_encoding')
  if (encoding === 'UTF8') return
  throw new StoreUnusableError(
    `${database} cannot hold every text: its encoding is ${encoding}. Use a database with the encoding UTF8.`,
  )
}

/** A lock for each schema: a signed integer of four bytes. */
function lockOf(schema: string): number {
  return Number.parseInt(digest(schema).slice(0, 8), 16) | 0
}

function quoteName(name: string): string {
  return `"${name.replaceAll('"', '""')}"`
}
