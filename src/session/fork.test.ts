import { describe, expect, it } from 'vitest'
import {
  assistant,
  calling,
  collect,
  eventTypes,
  exchange,
  outline,
  result,
  startAgent,
  user,
} from '../../test/support/session.ts'
import { expectLaws, expectLegal, stateAt } from '../../test/support/session-laws.ts'
import { IdInvalidError, SessionDeletedError, SessionExistsError, ToolResultsPendingError } from './errors.ts'

describe('a fork', () => {
  it('has the revisions, the nonce and the exact bytes of its parent, and no epoch of its own', async () => {
    const { session, store, world } = startAgent()
    await exchange(session, 'one')
    world.set('app/branch', 'dev')
    const second = await exchange(session, 'two')
    const child = await session.fork('child')
    const bodies = async (id: string): Promise<string[]> => (await store.read(id, 0)).map((row) => row.body)
    expect((await bodies('child')).slice(0, -1)).toEqual(await bodies('one'))
    const [parents, childs] = [await collect(session.events()), await collect(child.events())]
    expect(childs.slice(0, -1)).toEqual(parents)
    expect(childs.at(-1)).toMatchObject({
      type: 'fork',
      parent: 'one',
      through: 6,
      nonce: second.nonce,
      mode: 'session',
    })

    await child.submit(user('three'))
    const turn = await child.turn()
    expect([turn.session, turn.epoch, turn.started, turn.nonce]).toEqual(['child', 1, null, second.nonce])
    expect(turn.system).toBe(second.system)
    expect(turn.entries.slice(0, second.entries.length)).toEqual(second.entries)
    expectLegal(turn)
    await expectLaws(child)
    await expectLaws(session)
  })

  it('regenerates an answer: everything up to the one before is the same, byte for byte', async () => {
    const { session } = startAgent()
    await exchange(session, 'one')
    const asked = await exchange(session, 'two')
    const child = await session.fork('child', { at: asked.revision })
    await child.submit(user('two'))
    const turn = await child.turn()
    expect(JSON.stringify([turn.system, turn.entries.map((entry) => entry.type === 'message' && entry.message)])).toBe(
      JSON.stringify([asked.system, asked.entries.map((entry) => entry.type === 'message' && entry.message)]),
    )
    expectLegal(turn)
    await turn.answer([assistant('another answer')])
    await expectLaws(child)
    expect(outline((await session.turn()).entries).at(-1)).toBe('a:answer to two')
  })

  it('goes its own way: what parent and child do later is nothing to the other', async () => {
    const agent = startAgent()
    const { session, world } = agent
    await exchange(session, 'one')
    const child = await session.fork('child')
    world.set('app/branch', 'dev')
    await exchange(session, 'for the parent')
    world.set('app/branch', 'fix')
    await exchange(child, 'for the child')
    expect(outline((await session.turn()).entries)).toContain('U:app/branch=dev')
    expect(outline((await child.turn()).entries)).toEqual([
      'u:one',
      'a:answer to one',
      'u:for the child',
      'U:app/branch=fix',
      'a:answer to for the child',
    ])
    await expectLaws(session)
    await expectLaws(child)
  })

  it('takes no inbox along: inputs that its parent had not promoted are withheld', async () => {
    const { session } = startAgent()
    await exchange(session, 'one')
    await session.submit(user('two'))
    const turn = await session.turn()
    await session.submit(user('waiting'), { id: 'waiting' })
    await turn.answer([assistant('answer to two')])
    const child = await session.fork('child')
    expect(await eventTypes(child)).toEqual([
      'input',
      'epoch',
      'answer',
      'input',
      'boundary',
      'withheld',
      'answer',
      'fork',
    ])
    expect(outline((await child.turn()).entries)).toEqual(['u:one', 'a:answer to one', 'u:two', 'a:answer to two'])
    expect(JSON.stringify(await collect(child.events()))).not.toContain('waiting')
    const receipt = await child.submit(user('waiting'), { id: 'waiting' })
    expect(receipt.revision).toBe(9)
    await expectLaws(child)
    expect(outline((await session.turn()).entries).at(-1)).toBe('u:waiting')
  })

  it('ends at the last answer at or before the revision given', async () => {
    const { session } = startAgent()
    await exchange(session, 'one')
    await exchange(session, 'two')
    await session.submit(user('three'))
    await session.turn()
    const ends = []
    for (const at of [1, 2, 3, 4, 5, 6, 7, 8, undefined]) {
      const child = await session.fork(`child-${at}`, at === undefined ? {} : { at })
      ends.push((await collect(child.events())).at(-1))
      await expectLaws(child)
    }
    expect(ends.map((event) => event?.type === 'fork' && event.through)).toEqual([0, 0, 3, 3, 3, 6, 6, 6, 6])
  })

  it('of a time before the first answer starts anew, under the nonce of its parent', async () => {
    const { session } = startAgent()
    const { nonce } = await exchange(session, 'one')
    const child = await session.fork('child', { at: 2 })
    const turn = await exchange(child, 'another one')
    expect([turn.epoch, turn.started, turn.nonce]).toEqual([1, 'initial', nonce])
    await expectLaws(child)
  })

  it('knows compactions and summaries, in effect or pending', async () => {
    const agent = startAgent()
    const { session } = agent
    await exchange(session, 'one')
    await session.compact({ summary: [user('so far')], through: 3 })
    await exchange(session, 'two')
    const child = await session.fork('child')
    expect(outline((await child.turn()).entries)).toEqual(['u:so far', 'u:two', 'a:answer to two'])
    await expectLaws(child)

    await session.submit(user('three'))
    const turn = await session.turn()
    await session.compact({ summary: [user('pending')], through: turn.revision })
    await turn.answer([assistant('answer to three')])
    const grandchild = await session.fork('grandchild')
    const next = await agent.restarted().sessions.open('grandchild').turn()
    expect([next.started, outline(next.entries)]).toEqual(['compaction', ['u:pending', 'a:answer to three']])
    await expectLaws(grandchild)
  })

  it('inside a tool loop ends at the calls, so that their results can be given again', async () => {
    const { session } = startAgent()
    await exchange(session, 'one', calling('c1'))
    await session.append([result('c1')])
    await (await session.turn()).answer([assistant('done')])
    const child = await session.fork('child', { at: 4 })
    await expect(child.turn()).rejects.toThrow(ToolResultsPendingError)
    await child.append([result('c1', 'something else')])
    const turn = await child.turn()
    expect(outline(turn.entries)).toEqual(['u:one', 'a:calls c1', 't:something else'])
    expectLegal(turn)
    await expectLaws(child)
  })

  it('of an imported conversation keeps what was imported', async () => {
    const { session } = startAgent()
    await session.append([user('old'), assistant('reply')])
    const child = await session.fork('child')
    await child.submit(user('new'))
    expect(outline((await child.turn()).entries)).toEqual(['u:old', 'a:reply', 'u:new'])
    await expectLaws(child)
  })

  it('survives its parent', async () => {
    const agent = startAgent()
    await exchange(agent.session, 'one')
    await agent.session.fork('child')
    await agent.sessions.delete('one')
    const child = agent.restarted().sessions.open('child')
    await exchange(child, 'two')
    expect(outline((await child.turn()).entries)).toEqual(['u:one', 'a:answer to one', 'u:two', 'a:answer to two'])
    await expectLaws(child)
  })

  it('may be forked again, and reads the same for each', async () => {
    const { session } = startAgent()
    await exchange(session, 'one')
    const child = await session.fork('child')
    await exchange(child, 'two')
    const grandchild = await child.fork('grandchild')
    const [childs, own] = [await collect(child.events()), await collect(grandchild.events())]
    expect(stateAt(own, 99).entries).toEqual(stateAt(childs, 99).entries)
    await expectLaws(grandchild)
  })

  it('is not made over a session that exists, nor of one that was deleted, nor under an id that cannot be', async () => {
    const { session, sessions } = startAgent()
    await exchange(session, 'one')
    await expect(session.fork('one')).rejects.toThrow(SessionExistsError)
    await session.fork('child')
    await expect(session.fork('child')).rejects.toMatchObject({ code: 'session_exists' })
    await expect(session.fork('')).rejects.toThrow(IdInvalidError)
    await sessions.delete('one')
    await expect(session.fork('orphan')).rejects.toThrow(SessionDeletedError)
    expect((await collect(sessions.list())).map((summary) => summary.id)).toEqual(['child'])
  })

  it.each([Number.NaN, 1.5, '1', null])('at %j is refused', async (at) => {
    const { session } = startAgent()
    await exchange(session, 'one')
    await expect(session.fork('child', { at: at as number })).rejects.toMatchObject({ code: 'message_invalid' })
  })
})
