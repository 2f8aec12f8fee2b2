/** What docs/postgres.md tells people to do to their database. */
import { readFileSync } from 'node:fs'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { postgresStore } from '../src/store/postgres/index.ts'
import { startPostgres, type TestPostgres } from './support/postgres.ts'
import { exchange, startAgent } from './support/session.ts'

let postgres: TestPostgres
beforeAll(async () => {
  postgres = await startPostgres()
})
afterAll(() => postgres.close())

const guide = readFileSync(new URL('../docs/postgres.md', import.meta.url), 'utf8')

describe('the partitions of docs/postgres.md', () => {
  it('hold what was there, and a store goes on in them', async () => {
    const schema = postgres.newSchema()
    const store = postgresStore({ pool: postgres.pool, schema })
    const { session, restarted } = startAgent({ store })
    const before = await exchange(session, 'one')

    const statements = /```sql\n(begin;[^`]+)```/.exec(guide)![1]!
    await postgres.pool.query(statements.replaceAll('indelible.', `${schema}.`))

    const turn = await exchange(restarted().session, 'two')
    expect(turn.entries.slice(0, before.entries.length)).toEqual(before.entries)
    expect(await session.verify()).toEqual({ ok: true, problems: [] })
    const ids = Array.from({ length: 12 }, (_, index) => `session ${index}`)
    for (const id of ids) await exchange(restarted().sessions.open(id), 'hello')
    const parts = await postgres.run(
      `select count(*) from ${schema}.indelible_events group by tableoid::regclass order by 1`,
    )
    expect(parts.length).toBeGreaterThan(1)
    // The guard against two writers holds in partitions, too.
    const [newest] = (await store.read('one', 0)).slice(-1)
    expect(
      await store.append('one', newest!.revision, [{ ...newest!, revision: newest!.revision + 1, id: 'new' }]),
    ).toBe(true)
    expect(
      await store.append('one', newest!.revision, [{ ...newest!, revision: newest!.revision + 1, id: null }]),
    ).toBe(false)
  })
})
