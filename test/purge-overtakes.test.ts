/** What reads a log page by page while a purge takes the start of it away: no false alarm about lost rows. */
import { beforeEach, expect, it } from 'vitest'
import { createSessions, type PlainMessage, type Session } from '../src/index.ts'
import { replayTurns } from '../src/session/replay.ts'
import { sqliteStore, type SqlEventStore } from '../src/store/sqlite/index.ts'
import { collect, exchange, startAgent, user, World } from './support/session.ts'

let store: SqlEventStore
/** Of a session of which the first page is purged as soon as it was read. */
let session: Session<PlainMessage>

beforeEach(async () => {
  store = sqliteStore(':memory:')
  const { session: writer } = startAgent({ store })
  // More events than one page holds.
  for (let index = 0; index < 180; index++) await exchange(writer, `ask ${index}`)
  const through = (await store.read('one', 0)).at(-1)!.revision
  await writer.compact({ summary: [user('all of it')], through })
  await exchange(writer, 'and now')

  let isPurged = false
  const overtaken = new Proxy(store, {
    get: (target, key: keyof SqlEventStore) =>
      key === 'read'
        ? async (...args: Parameters<SqlEventStore['read']>) => {
            const page = await target.read(...args)
            if (args[2] !== undefined && !isPurged) {
              isPurged = true
              await target.purge({ before: new Date('2999-01-01T00:00:00.000Z') })
            }
            return page
          }
        : target[key].bind(target),
  })
  session = createSessions({ store: overtaken, context: new World().context() }).open('one')
})

it('is verified as what a purge leaves', async () => {
  expect(await session.verify()).toEqual({ ok: true, problems: [] })
})

it('says that it was purged, and can be read again', async () => {
  await expect(collect(session.events())).rejects.toMatchObject({ code: 'session_deleted' })
  expect((await collect(session.events())).map(({ type }) => type)).toContain('compaction')
})

it('is replayed, and forked, once it is tried again', async () => {
  await expect(collect(replayTurns(session))).rejects.toThrow('was purged')
  expect(await collect(replayTurns(session))).not.toEqual([])
  const child = await session.fork('child')
  expect(await child.verify()).toEqual({ ok: true, problems: [] })
})
