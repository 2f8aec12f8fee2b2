import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { needsServer, startPostgres, type TestPostgres } from '../../../test/support/postgres.ts'
import type { EventStore } from '../../session/store.ts'
import { storeConformance } from '../../testing/store-conformance.ts'
import { postgresStore } from './index.ts'

let postgres: TestPostgres
beforeAll(async () => {
  postgres = await startPostgres()
})
afterAll(() => postgres.close())

/** A schema for each name. */
const schemas = new Map<string, string>()
function schemaFor(name: string): string {
  if (!schemas.has(name)) schemas.set(name, postgres.newSchema())
  return schemas.get(name)!
}

/** A store with connections of its own, where there can be several. */
function open(name: string): EventStore {
  const { connectionString, pool, isServer } = postgres
  return postgresStore({ ...(isServer ? { connectionString } : { pool }), schema: schemaFor(name) })
}

const severalConnections = new Set([
  'lets exactly one of many concurrent appends over two connections win each revision',
  'shows what one connection wrote to another at once',
  'leaves no rest of a session that is deleted while others write to it over two connections',
])

describe('postgresStore', () => {
  const cases = storeConformance(open, { persistent: true })
  // PGlite takes a minute for a body of 20 MB where two cores do other things too.
  it.for(cases.map((found) => [found.name, found] as const))(
    '%s',
    { timeout: 240_000 },
    async ([name, found], test) => {
      test.skip(severalConnections.has(name) && needsServer !== undefined, needsServer)
      await expect(found.run()).resolves.toBeUndefined()
    },
  )
})
