import { once } from 'node:events'
import { Client } from 'pg'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { postgresBinaries, PostgresCluster } from './postgres-cluster.ts'

const skipped = postgresBinaries === undefined ? " (PostgreSQL's server binaries are not installed)" : ''

describe.skipIf(postgresBinaries === undefined)(`a cluster of our own${skipped}`, () => {
  let cluster: PostgresCluster
  beforeAll(async () => {
    cluster = await PostgresCluster.start()
  })
  afterAll(() => cluster.remove())

  async function query(sql: string): Promise<unknown[][]> {
    const client = new Client({ connectionString: cluster.connectionString('asks') })
    await client.connect()
    try {
      return (await client.query<unknown[]>({ text: sql, rowMode: 'array' })).rows
    } finally {
      await client.end()
    }
  }

  it('is durable, and knows its clients by name', async () => {
    expect(await query('show fsync')).toEqual([['on']])
    expect(await query('show synchronous_commit')).toEqual([['on']])
    expect(await query('select current_setting($$application_name$$)')).toEqual([['asks']])
  })

  it.each(['first', 'whole'] as const)('starts again with what was committed after a kill (%s)', async (what) => {
    await query(`create table kept_${what} (value int)`)
    await query(`insert into kept_${what} values (1)`)
    await cluster.kill(what)
    await expect(query('select 1')).rejects.toThrow('ECONNREFUSED')
    await cluster.restart()
    expect(await query(`select value from kept_${what}`)).toEqual([[1]])
  })

  it('recovers by itself from the death of one of its processes', async () => {
    const client = new Client({ connectionString: cluster.connectionString() })
    await client.connect()
    const lost = once(client, 'error').catch((error: unknown) => [error])
    expect(cluster.killBackend((pids) => pids[0]!)).toBe(true)
    await lost
    await cluster.ready()
    expect(await query('select 1')).toEqual([[1]])
    expect(await cluster.log).toContain('terminated by signal 9')
  })
})
