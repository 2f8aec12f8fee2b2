import { describe, expect, it } from 'vitest'
import {
  assistant,
  collect,
  eventTypes,
  exchange,
  outline,
  startAgent,
  storeOf,
  user,
} from '../../test/support/session.ts'
import { expectLaws } from '../../test/support/session-laws.ts'
import { SessionDeletedError, SessionModeError, StoreUnusableError } from './errors.ts'

const refusal = { model: 'm', feature: 'native-updates' } as const

describe('sessions', () => {
  it('read and write nothing until a session is used', () => {
    const { sessions, store } = startAgent()
    sessions.open('one')
    sessions.attach('two')
    expect(store.calls).toEqual([])
  })

  it('are listed with their newest revision and the times of their first and newest event', async () => {
    const { session, sessions } = startAgent()
    expect(await collect(sessions.list())).toEqual([])
    await exchange(session, 'one')
    await sessions.attach('attached').turn({ history: [user('one')] })
    const events = await collect(session.events())
    expect(await collect(sessions.list())).toEqual([
      { id: 'attached', revision: 1, createdAt: expect.any(String), updatedAt: expect.any(String) },
      { id: 'one', revision: 3, createdAt: events[0]!.at, updatedAt: events[2]!.at },
    ])
  })

  it('are one conversation each', async () => {
    const { session, sessions, world } = startAgent()
    await exchange(session, 'one')
    world.set('app/branch', 'dev')
    const other = await exchange(sessions.open('two'), 'other')
    expect(outline(other.entries)).toEqual(['u:other'])
    expect(other.baseline).toContain('dev')
    await expectLaws(session)
    await expectLaws(sessions.open('two'))
  })

  it('close their store', async () => {
    const { session, sessions } = startAgent()
    await sessions.close()
    await sessions.close()
    await expect(session.submit(user('one'))).rejects.toThrow(StoreUnusableError)
  })
})

describe('a session that Indelible keeps', () => {
  it('cannot be attached to from its first event on', async () => {
    const { session, sessions } = startAgent()
    await session.submit(user('one'))
    const attached = sessions.attach('one')
    for (const act of [
      () => attached.turn({ history: [] }),
      () => attached.move(),
      () => attached.refused(refusal),
      () => attached.fork('two'),
      () => attached.verify(),
      () => collect(attached.events()),
    ]) {
      await expect(act()).rejects.toThrow(SessionModeError)
      await expect(act()).rejects.toThrow(/started with open\(\)/)
    }
    expect(await eventTypes(session)).toEqual(['input'])
  })

  it('is one also when it was forked, or only told of a refusal', async () => {
    const { session, sessions } = startAgent()
    await session.fork('child')
    await sessions.open('refused').refused(refusal)
    for (const id of ['child', 'refused']) {
      await expect(sessions.attach(id).turn({ history: [] })).rejects.toThrow(SessionModeError)
    }
  })
})

describe('a session that the host keeps', () => {
  it('cannot be opened from its first event on', async () => {
    const { sessions } = startAgent()
    await sessions.attach('one').turn({ history: [user('one')] })
    const opened = sessions.open('one')
    for (const act of [
      () => opened.turn(),
      () => opened.submit(user('one')),
      () => opened.append([user('one')]),
      () => opened.compact({ summary: [user('so far')], through: 1 }),
      () => opened.move(),
      () => opened.refused(refusal),
      () => opened.fork('two'),
      () => opened.verify(),
      () => collect(opened.events()),
    ]) {
      await expect(act()).rejects.toMatchObject({ code: 'session_mode' })
      await expect(act()).rejects.toThrow(/started with attach\(\)/)
    }
  })

  it('is one from the first of two that begin it at the same time', async () => {
    const { session, sessions } = startAgent()
    const results = await Promise.allSettled([
      session.submit(user('one')),
      sessions.attach('one').turn({ history: [] }),
    ])
    expect(results.map(({ status }) => status).toSorted()).toEqual(['fulfilled', 'rejected'])
    const failure = results.find((result) => result.status === 'rejected')
    expect(failure?.reason).toBeInstanceOf(SessionModeError)
  })
})

describe('a deleted session', () => {
  it('is gone, and its id begins a new conversation', async () => {
    const { session, sessions } = startAgent()
    await exchange(session, 'one')
    await sessions.delete('one')
    expect(await collect(sessions.list())).toEqual([])
    const anew = await exchange(sessions.open('one'), 'anew')
    expect([anew.epoch, outline(anew.entries)]).toEqual([1, ['u:anew']])
  })

  it('is noticed by an object that still holds it, as soon as that wants to write', async () => {
    const agent = startAgent()
    const { session, sessions, world } = agent
    await session.submit(user('one'))
    const turn = await session.turn()
    await sessions.delete('one')
    for (const act of [
      () => turn.answer([assistant('yes')]),
      () => session.submit(user('two')),
      () => session.append([user('two')]),
      () => session.move(),
      () => session.refused(refusal),
      () => session.compact({ summary: [user('so far')], through: 2 }),
      () => {
        world.set('app/branch', 'dev')
        return session.turn()
      },
    ]) {
      await expect(act()).rejects.toThrow(SessionDeletedError)
      await expect(act()).rejects.toMatchObject({ code: 'session_deleted' })
    }
    expect(await collect(sessions.list())).toEqual([])
  })

  it('is noticed also where a new conversation has begun under its id', async () => {
    const { session, sessions } = startAgent()
    await exchange(session, 'one')
    await exchange(session, 'two')
    await sessions.delete('one')
    await sessions.open('one').submit(user('anew'))
    await expect(session.submit(user('three'))).rejects.toThrow(SessionDeletedError)
    expect(await eventTypes(sessions.open('one'))).toEqual(['input'])
  })

  it('never goes on in the conversation that took its place, however long that has become', async () => {
    const { session, sessions } = startAgent()
    await exchange(session, 'old')
    const turn = await session.turn()
    await sessions.delete('one')
    const successor = sessions.open('one')
    for (const text of ['new', 'newer', 'newest']) await exchange(successor, text)
    const before = await eventTypes(successor)
    for (const act of [
      () => session.turn(),
      () => session.submit(user('late')),
      () => session.append([user('late')]),
      () => turn.answer([assistant('late')]),
    ]) {
      await expect(act()).rejects.toThrow(SessionDeletedError)
    }
    expect(await eventTypes(successor)).toEqual(before)
    await expectLaws(successor)
  })

  it('may be deleted again, or never have been', async () => {
    const { sessions } = startAgent()
    await sessions.delete('one')
    await sessions.delete('one')
    expect(await collect(sessions.list())).toEqual([])
  })
})

describe('a store that refuses every append although nobody else writes', () => {
  it('ends in an error, not in a loop', async () => {
    const { session, store } = startAgent()
    await exchange(session, 'one')
    const broken = startAgent({ store: storeOf('one', await store.read('one', 0)) })
    await expect(broken.session.submit(user('two'), { id: 'two' })).rejects.toThrow(StoreUnusableError)
    broken.world.set('app/branch', 'dev')
    await expect(broken.session.move()).rejects.toThrow(/storeConformance/)
    await session.submit(user('two'))
    const waiting = startAgent({ store: storeOf('one', await store.read('one', 0)) })
    await expect(waiting.session.turn()).rejects.toThrow(StoreUnusableError)
    await expect(waiting.sessions.attach('two').turn({ history: [] })).rejects.toThrow(StoreUnusableError)
  })

  it('is not suspected because the same input was submitted again and again', async () => {
    const { session } = startAgent()
    const receipt = await session.submit(user('one'), { id: 'first' })
    const again = (): Promise<unknown> => session.submit(user('one'), { id: 'first' })
    for (let index = 0; index < 250; index++) expect(await again()).toEqual(receipt)
    expect(await Promise.all(Array.from({ length: 250 }, again))).toEqual(Array(250).fill(receipt))
    await exchange(session, 'two')
  })
})
