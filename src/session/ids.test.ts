import { describe, expect, it } from 'vitest'
import { collect, startAgent, user } from '../../test/support/session.ts'
import { memoryStore } from '../store/memory.ts'
import { IdInvalidError } from './errors.ts'
import { checkId } from './ids.ts'
import { createSessions } from './sessions.ts'

describe('an id', () => {
  it.each(['a', 'a b', 'x'.repeat(512), 'team/chat#1', 'ünïcödé', '😀', '__proto__', 'a'])('may be %j', (id) => {
    expect(checkId('An id', id)).toBe(id)
  })

  it.each([
    ['empty', ''],
    ['too long', 'x'.repeat(513)],
    ['with a line break', 'a\nb'],
    ['with NUL', 'a\u0000'],
    ['with DEL', 'a\u007f'],
    ['with a C1 control', 'a\u009b31m'],
    ['half a character', '\ud83d'],
    ['a number', 7],
    ['nothing', undefined],
  ])('may not be %s', (_, id) => {
    expect(() => checkId('A session id', id as string)).toThrow(IdInvalidError)
    expect(() => checkId('A session id', id as string)).toThrow(/^A session id must be a string of 1 to 512/)
    const { sessions } = startAgent()
    expect(() => sessions.open(id as string)).toThrow(expect.objectContaining({ code: 'id_invalid' }))
    expect(() => sessions.attach(id as string)).toThrow(IdInvalidError)
  })

  it('of a session is refused before anything is deleted under it', async () => {
    await expect(startAgent().sessions.delete('')).rejects.toThrow(IdInvalidError)
  })

  it('that nobody gave is made at random, and so is the nonce', async () => {
    const sessions = createSessions<{ role: string; content: string }>({
      store: memoryStore(),
      context: startAgent().world.context(),
    })
    const nonces = new Set<string>()
    const ids = new Set<string>()
    for (const name of ['one', 'two', '__proto__']) {
      const session = sessions.open(name)
      ids.add((await session.submit(user('one') as never)).id)
      nonces.add((await session.turn()).nonce)
    }
    expect([ids.size, nonces.size]).toEqual([3, 3])
    for (const made of [...ids, ...nonces]) expect(made).toMatch(/^[\w-]{8,}$/)
    expect((await collect(sessions.list())).map(({ id }) => id)).toEqual(['__proto__', 'one', 'two'])
  })

  it.each(['', '"><x>', 'a b', 7])(
    'that createId makes as %j is refused, for it would go into tags as it is',
    async (id) => {
      const { sessions } = startAgent({ createId: () => id as string })
      await expect(sessions.open('one').submit(user('one'))).rejects.toThrow(IdInvalidError)
    },
  )
})
