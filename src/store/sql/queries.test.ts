import { describe, expect, it } from 'vitest'
import { dialect } from '../sqlite/dialect.ts'
import { openDatabase } from '../sqlite/open.ts'
import { prepareQueries } from './queries.ts'

const queries = prepareQueries(dialect)

describe('the queries of a SQL store', () => {
  it('fills values in by name', () => {
    const event = { revision: 4, type: 'type', v: 1, id: null, at: 'at', body: 'body', checksum: 'checksum' }
    const { sql, values } = queries.append({ ...event, session: 'session', expected: 3 })
    expect(sql.match(/\?/g)).toHaveLength(values.length)
    expect(values).toEqual(['session', 4, 'type', 1, null, 'at', 'body', 'checksum', 'session', 3])
    expect(queries.find({ id: 'id', type: 'type', session: 'session' }).values).toEqual(['session', 'type', 'id'])
  })

  it('are spelled once', () => {
    const first = queries.read({ session: 'one', after: 1 })
    expect(queries.read({ session: 'other', after: 2 }).sql).toBe(first.sql)
  })

  it.each(Object.keys(queries) as (keyof typeof queries)[])('%s visits no event that it does not need', (name) => {
    const database = openDatabase(':memory:', 'full')
    const plan = database.prepare(`explain query plan ${queries[name]({} as never).sql}`).all()
    const steps = plan.map(({ detail }) => String(detail)).filter((detail) => detail.includes('indelible_events'))
    expect(steps).not.toEqual([])
    for (const step of steps) expect(step).toMatch(/^SEARCH indelible_events USING (COVERING )?INDEX/)
    database.close()
  })
})
