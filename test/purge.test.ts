/** Retention: what a purge takes out of a log, and all that must not notice. */
import fc from 'fast-check'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import {
  createSessions,
  type IndelibleErrorCode,
  type PlainMessage,
  type Session,
  type SessionEvent,
  type Turn,
} from '../src/index.ts'
import { replayTurns } from '../src/session/replay.ts'
import { postgresStore } from '../src/store/postgres/index.ts'
import { sqliteStore, type SqlEventStore } from '../src/store/sqlite/index.ts'
import { startPostgres, type TestPostgres } from './support/postgres.ts'
import { assistant, collect, exchange, startAgent, tickingClock, user, World } from './support/session.ts'

let postgres: TestPostgres
beforeAll(async () => {
  postgres = await startPostgres()
})
afterAll(() => postgres.close())

const FAR = new Date('2999-01-01T00:00:00.000Z')

describe.each([
  ['SQLite', { runs: 60, open: (): SqlEventStore => sqliteStore(':memory:') }],
  [
    'PostgreSQL',
    { runs: 8, open: (): SqlEventStore => postgresStore({ pool: postgres.pool, schema: postgres.newSchema() }) },
  ],
] as const)('a purge on %s', (_, { runs, open }) => {
  it('removes the epochs that had ended, and leaves the turn as it was, to the byte', async () => {
    const store = open()
    const { session, restarted } = startAgent({ store })
    await exchange(session, 'one')
    await exchange(session, 'two')
    const kept = await compactAll(session, 'what one and two were about')
    const before = await shown(await session.turn())

    expect(await store.purge({ before: FAR })).toEqual({ sessions: 1, events: 6 })

    const events = await collect(session.events())
    expect(events[0]?.revision).toBe(kept)
    expect(JSON.stringify(events)).not.toContain('answer to one')
    expect(await shown(await session.turn())).toEqual(before)
    const again = restarted().session
    expect(await shown(await again.turn())).toEqual(before)
    for (const one of [session, again]) expect(await one.verify()).toEqual({ ok: true, problems: [] })
    expect(await store.purge({ before: FAR })).toEqual({ sessions: 0, events: 0 })
    await store.close()
  })

  it('leaves an epoch that is not over, and what began too late', async () => {
    const store = open()
    const clock = tickingClock()
    const { session } = startAgent({ store, clock })
    await exchange(session, 'one')
    const secondBegins = clock()
    await compactAll(session, 'one')
    expect(await store.purge({ before: secondBegins })).toEqual({ sessions: 0, events: 0 })
    expect(await collect(session.events())).toHaveLength(7)
    await store.close()
  })

  it('still knows the inputs and appends that it took away by their ids', async () => {
    const store = open()
    const { session, restarted } = startAgent({ store })
    const receipt = await session.submit(user('one'), { id: 'given' })
    await (await session.turn()).answer([assistant('first')])
    const appended = await session.append([user('noted')], { id: 'note' })
    await compactAll(session, 'all of it')
    await store.purge({ before: FAR })

    for (const one of [session, restarted().session]) {
      expect(await one.submit(user('one'), { id: 'given' })).toEqual(receipt)
      expect(await one.append([user('noted')], { id: 'note' })).toEqual(appended)
      await expect(one.submit(user('another'), { id: 'given' })).rejects.toMatchObject({ code: 'input_conflict' })
      expect(await one.verify()).toEqual({ ok: true, problems: [] })
    }
    expect(JSON.stringify(await store.read('one', 0))).not.toMatch(/noted|"one"/)
    await store.close()
  })

  it('tells a process that had read no further that what it holds is gone', async () => {
    const store = open()
    const { session, restarted } = startAgent({ store })
    await exchange(session, 'one')
    const peer = restarted().session
    await compactAll(peer, 'one')
    await store.purge({ before: FAR })
    await expect(session.turn()).rejects.toMatchObject({ code: 'session_deleted' satisfies IndelibleErrorCode })
    await expect(session.turn()).rejects.toThrow(/went on elsewhere.*was purged/)
    expect((await restarted().session.turn()).entries).not.toEqual([])
    await store.close()
  })

  it('lets a fork begin behind what it took away, and refuses one within', async () => {
    const store = open()
    const { session, sessions } = startAgent({ store })
    await exchange(session, 'one')
    await compactAll(session, 'one')
    const turn = await exchange(session, 'three')
    await store.purge({ before: FAR })

    await expect(session.fork('early', { at: 2 })).rejects.toThrow('what stood there was purged')
    const child = await session.fork('child')
    await child.submit(user('four'))
    const next = await child.turn()
    expect(next.entries.slice(0, turn.entries.length)).toEqual(turn.entries)
    expect(await child.verify()).toEqual({ ok: true, problems: [] })
    expect(await sessions.open('child').verify()).toEqual({ ok: true, problems: [] })
    await store.close()
  })

  it('reports a row that no purge has taken', async () => {
    const store = open()
    const { session } = startAgent({ store })
    await exchange(session, 'one')
    await compactAll(session, 'one')
    const torn = new Proxy(store, {
      get: (target, key: keyof SqlEventStore) =>
        key === 'read'
          ? async (...args: Parameters<SqlEventStore['read']>) =>
              (await target.read(...args)).filter(({ revision }) => revision > 2)
          : target[key].bind(target),
    })
    const reader = createSessions({ store: torn, context: new World().context() })
    expect((await reader.open('one').verify()).problems[0]).toMatchObject({ revision: 1, law: 'integrity' })
    await store.close()
  })

  it('leaves a fork of what is left, and a fork of that, the ids that its parent knows', async () => {
    const store = open()
    const { session, sessions } = startAgent({ store })
    const receipts = []
    for (const id of ['a', 'b']) {
      receipts.push(await session.submit(user(`ask ${id}`), { id }))
      await (await session.turn()).answer([assistant('yes')])
    }
    await compactAll(session, 'both')
    await store.purge({ before: FAR })
    const child = await session.fork('child')
    const grandchild = await child.fork('grandchild')
    for (const one of [child, grandchild]) expect(await one.verify()).toEqual({ ok: true, problems: [] })
    await store.purge({ before: FAR })
    for (const one of [child, grandchild, sessions.open('child'), sessions.open('grandchild')]) {
      expect(await one.submit(user('ask a'), { id: 'a' })).toEqual(receipts[0])
      expect(await one.submit(user('ask b'), { id: 'b' })).toEqual(receipts[1])
      await expect(one.submit(user('other'), { id: 'b' })).rejects.toMatchObject({ code: 'input_conflict' })
      expect(await one.verify()).toEqual({ ok: true, problems: [] })
      await expectReplays(one)
    }
    await store.close()
  })

  it('leaves a log that can be replayed where it begins with an answer', async () => {
    const store = open()
    const { session } = startAgent({ store })
    const asked = await exchange(session, 'one')
    await session.compact({ summary: [user('what was asked')], through: asked.revision })
    await exchange(session, 'two')
    await store.purge({ before: FAR })
    expect((await collect(session.events()))[0]?.type).toBe('answer')
    await expectReplays(session)
    expect(await collect(replayTurns(session))).toHaveLength(1)
    await store.close()
  })

  it('changes nothing that any conversation shows, whenever it comes', async () => {
    const step = fc.constantFrom('exchange', 'change', 'compact', 'move', 'submit', 'purge')
    await fc.assert(
      fc.asyncProperty(fc.array(step, { maxLength: 24 }), fc.nat(40), async (steps, age) => {
        const store = open()
        const clock = tickingClock()
        const agent = startAgent({ store, clock })
        const { session, world } = agent
        for (const [index, kind] of steps.entries()) {
          if (kind === 'exchange') await exchange(session, `ask ${index}`)
          if (kind === 'change') world.set('app/branch', `branch-${index}`)
          if (kind === 'compact') await compactWhereLegal(session, `summary ${index}`)
          if (kind === 'move') await session.move()
          if (kind === 'submit') await session.submit(user(`more ${index}`), { id: `id ${index}` })
          if (kind !== 'purge') continue
          const before = await shown(await session.turn())
          await store.purge({ before: new Date(clock().getTime() - age * 1_000) })
          for (const one of [session, agent.restarted().session]) {
            expect(await shown(await one.turn())).toEqual(before)
            expect(await one.verify()).toEqual({ ok: true, problems: [] })
          }
          await expectReplays(session)
        }
        for (const [index, kind] of steps.entries()) {
          if (kind !== 'submit') continue
          const id = `id ${index}`
          expect(await session.submit(user(`more ${index}`), { id })).toMatchObject({ id })
          await expect(session.submit(user('other'), { id })).rejects.toMatchObject({ code: 'input_conflict' })
        }
        await store.close()
      }),
      { numRuns: Number(process.env['LAWS_RUNS'] ?? runs) },
    )
  })

  it.each([undefined, new Date(Number.NaN), '2026-01-01'])('refuses %s for a date', async (before) => {
    const store = open()
    await expect(store.purge({ before: before as Date })).rejects.toMatchObject({ code: 'option_invalid' })
    await store.close()
  })
})

/** Compacts all that was said, begins the next epoch with an exchange, and returns the first revision in view. */
async function compactAll(session: Session<PlainMessage>, summary: string): Promise<number> {
  const revision = await compactWhereLegal(session, summary)
  await exchange(session, 'and now')
  return revision
}

/** Returns the revision of the compaction. */
async function compactWhereLegal(session: Session<PlainMessage>, summary: string): Promise<number> {
  const events: SessionEvent<PlainMessage>[] = await collect(session.events())
  const head = events.at(-1)?.revision ?? 0
  if (!events.some(({ type }) => type === 'epoch')) return 0
  await session.compact({ summary: [user(summary)], through: head })
  return head + 1
}

/** All of a turn that a request is made of. */
async function shown({ system, entries, nonce, tools, epoch }: Turn<PlainMessage>): Promise<unknown> {
  return JSON.parse(JSON.stringify({ system, entries, nonce, tools, epoch }))
}

/** The turns of the log that is left can be rebuilt, the newest as it is now. */
async function expectReplays(session: Session<PlainMessage>): Promise<void> {
  const now = await session.turn()
  const turns = await collect(replayTurns(session))
  expect(turns.every(({ view }) => view !== null)).toBe(true)
  const last = turns.at(-1)
  if (last?.revision === now.revision) expect(last.view!.entries).toEqual(now.entries)
}
