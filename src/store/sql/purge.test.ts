/** A purge that is overtaken: what it read of a session is no longer what is there when it writes. */
import { expect, it } from 'vitest'
import { exchange, startAgent, user, World } from '../../../test/support/session.ts'
import { createSessions } from '../../session/index.ts'
import { dialect } from '../sqlite/dialect.ts'
import { SqliteEngine } from '../sqlite/engine.ts'
import { openDatabase } from '../sqlite/open.ts'
import type { SqlEngine, Statement } from './engine.ts'
import { SqlStore } from './store.ts'

const FAR = new Date('2999-01-01T00:00:00.000Z')

it('takes nothing of a session that was deleted and begun anew meanwhile', async () => {
  const { store, before } = openOvertaken()
  const { sessions } = startAgent({ store })
  for (const id of ['one', 'other']) {
    await exchange(sessions.open(id), id)
    await sessions.open(id).compact({ summary: [user('so far')], through: 3 })
    await exchange(sessions.open(id), 'and now')
  }
  let anew: unknown
  before(async () => {
    await store.delete('one')
    const again = startAgent({ store }).sessions.open('one')
    for (const said of ['quite', 'another', 'conversation']) await exchange(again, said)
    anew = await store.read('one', 0)
  })

  expect(await store.purge({ before: FAR })).toMatchObject({ sessions: 1 })

  expect(await store.read('one', 0)).toEqual(anew)
  const reader = createSessions({ store, context: new World().context() })
  expect(await reader.open('one').verify()).toEqual({ ok: true, problems: [] })
  await store.close()
})

it('still removes all that it was asked to where another purge has removed a part of it', async () => {
  const { store, before } = openOvertaken()
  const { session } = startAgent({ store })
  const began: string[] = []
  for (const said of ['one', 'two', 'three']) {
    await exchange(session, said)
    const head = (await store.read('one', 0)).at(-1)!
    began.push(head.at)
    await session.compact({ summary: [user(`up to ${said}`)], through: head.revision })
  }
  await exchange(session, 'four')
  before(async () => {
    expect(await store.purge({ before: new Date(began[1]!) })).toMatchObject({ sessions: 1 })
  })

  expect(await store.purge({ before: FAR })).toMatchObject({ sessions: 1 })

  const bodies = JSON.stringify(await store.read('one', 0))
  expect(bodies).not.toMatch(/answer to (one|two|three)/)
  expect(await session.verify()).toEqual({ ok: true, problems: [] })
  await store.close()
})

it('takes the last time that there is for the end of all times', async () => {
  const { store } = openOvertaken()
  const { session } = startAgent({ store })
  await exchange(session, 'one')
  await session.compact({ summary: [user('one')], through: 3 })
  await exchange(session, 'two')
  expect(await store.purge({ before: new Date(8.64e15) })).toEqual({ sessions: 1, events: 3 })
  await store.close()
})

/** A store, and what it does once between what a purge reads and what it writes. */
function openOvertaken(): { store: SqlStore; before: (action: () => Promise<void>) => void } {
  const engine = new SqliteEngine(openDatabase(':memory:', 'normal'), ':memory:', 100)
  let pending: (() => Promise<void>) | undefined
  const overtaken: SqlEngine = {
    select: (statement) => engine.select(statement),
    close: () => engine.close(),
    async write(statements: readonly Statement[]) {
      const action = pending
      pending = undefined
      await action?.()
      return engine.write(statements)
    },
  }
  return { store: new SqlStore(overtaken, dialect), before: (action) => (pending = action) }
}
