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
import { expectLaws, expectLegal } from '../../test/support/session-laws.ts'
import { MAX_DEPTH } from '../base/json.ts'
import { IdInvalidError, InputConflictError, MessageInvalidError } from './errors.ts'
import type { PlainMessage } from './plain-format.ts'

describe('submitting an input', () => {
  it('accepts it durably, outside of the conversation until a boundary promotes it', async () => {
    const agent = startAgent()
    const receipt = await agent.session.submit(user('one'), { id: 'first' })
    expect(receipt).toEqual({ id: 'first', revision: 1 })
    const { session } = agent.restarted()
    expect(outline((await session.turn()).entries)).toEqual(['u:one'])
    await expectLaws(session)
  })

  it('makes an id where none is given', async () => {
    const { session } = startAgent()
    const [one, two] = [await session.submit(user('same')), await session.submit(user('same'))]
    expect(one.id).not.toBe(two.id)
    expect(outline((await session.turn()).entries)).toEqual(['u:same', 'u:same'])
  })

  it('gives the same receipt for the same id and content, also after it was promoted and by another process', async () => {
    const agent = startAgent()
    const { session } = agent
    const receipt = await session.submit(user('one'), { id: 'first' })
    expect(await session.submit(user('one'), { id: 'first' })).toEqual(receipt)
    const turn = await session.turn()
    expect(await session.submit(user('one'), { id: 'first' })).toEqual(receipt)
    await turn.answer([assistant('yes')])
    expect(await agent.restarted().session.submit(user('one'), { id: 'first' })).toEqual(receipt)
    expect(await eventTypes(session)).toEqual(['input', 'epoch', 'answer'])
  })

  it('does not care for the key order of the same content', async () => {
    const { session } = startAgent()
    const receipt = await session.submit({ role: 'user', content: 'one' }, { id: 'first' })
    expect(await session.submit({ content: 'one', role: 'user' }, { id: 'first' })).toEqual(receipt)
  })

  it('refuses the same id with other content, and records nothing', async () => {
    const { session } = startAgent()
    await session.submit(user('one'), { id: 'first' })
    const again = session.submit(user('two'), { id: 'first' })
    await expect(again).rejects.toThrow(InputConflictError)
    await expect(again).rejects.toMatchObject({ code: 'input_conflict', id: 'first', kind: 'input' })
    expect(await eventTypes(session)).toEqual(['input'])
  })

  it('lets an input, an append and an answer have the same id', async () => {
    const { session } = startAgent()
    await session.submit(user('one'), { id: 'same' })
    await (await session.turn()).answer([calling('c1')], { id: 'same' })
    await session.append([result('c1')], { id: 'same' })
    expectLegal(await session.turn())
    await expectLaws(session)
  })

  it('promotes in the order of submission, whatever the clock says', async () => {
    let year = 2030
    const { session } = startAgent({ clock: () => new Date(Date.UTC(year--, 0)) })
    for (const text of ['one', 'two', 'three']) await session.submit(user(text))
    expect(outline((await session.turn()).entries)).toEqual(['u:one', 'u:two', 'u:three'])
    await expectLaws(session)
  })

  it('keeps the message as it is at that moment, key order and all', async () => {
    const agent = startAgent()
    const parts = [{ type: 'text', text: 'one' }]
    const message: PlainMessage = { content: parts, role: 'user' }
    await agent.session.submit(message)
    parts[0]!.text = 'edited'
    for (const { session } of [agent, agent.restarted()]) {
      const [entry] = (await session.turn()).entries
      expect(JSON.stringify(entry?.type === 'message' && entry.message)).toBe(
        '{"content":[{"type":"text","text":"one"}],"role":"user"}',
      )
    }
  })

  it.each([
    ['an answer', assistant('yes')],
    ['a tool result', result('c1')],
    ['a message without a role', { content: 'one' }],
    ['what is not JSON', { role: 'user', content: new Date(0) }],
    ['a text in place of a message', 'one'],
    ['nothing', undefined],
  ])('refuses %s', async (_, message) => {
    const { session, store } = startAgent()
    await expect(session.submit(message as PlainMessage)).rejects.toThrow(MessageInvalidError)
    expect(store.calls).toEqual([])
  })

  it('takes a message as deep as JSON values may be, and verifies it', async () => {
    const { session } = startAgent()
    let content: unknown = 'deep'
    for (let level = 1; level < MAX_DEPTH; level++) content = [content]
    const receipt = await session.submit({ role: 'user', content }, { id: 'deep' })
    expect(await session.submit({ role: 'user', content }, { id: 'deep' })).toEqual(receipt)
    await exchange(session, 'two')
    expect(await session.verify()).toEqual({ ok: true, problems: [] })
  })

  it.each(['', 'x'.repeat(513), 'a\nb', '\ud800'])('refuses the id %j', async (id) => {
    const { session } = startAgent()
    await expect(session.submit(user('one'), { id })).rejects.toThrow(IdInvalidError)
    expect(await eventTypes(session)).toEqual([])
  })
})

describe('an input that comes at a bad time', () => {
  it('while the answer streams does not supersede the turn, and waits for the next boundary', async () => {
    const { session } = startAgent()
    await session.submit(user('one'))
    const turn = await session.turn()
    await session.submit(user('meanwhile'))
    await turn.answer([assistant('answer to one')])
    const next = await session.turn()
    expect(outline(next.entries)).toEqual(['u:one', 'a:answer to one', 'u:meanwhile'])
    expectLegal(next)
    await expectLaws(session)
  })

  it('while a tool runs waits in the inbox until the results are in', async () => {
    const { session } = startAgent()
    await exchange(session, 'one', calling('c1'))
    await session.submit(user('meanwhile'))
    await expect(session.turn()).rejects.toMatchObject({ code: 'tool_results_pending' })
    await session.append([result('c1')])
    const next = await session.turn()
    expect(outline(next.entries)).toEqual(['u:one', 'a:calls c1', 't:did c1', 'u:meanwhile'])
    expectLegal(next)
    await expectLaws(session)
  })

  it('after a request was aborted joins the one that was not answered, updates between them as they came', async () => {
    const { session, world } = startAgent()
    await exchange(session, 'zero')
    world.set('app/branch', 'dev')
    await session.submit(user('one'))
    const aborted = await session.turn()
    world.set('app/branch', 'fix')
    await session.submit(user('two'))
    const turn = await session.turn()
    expect(outline(turn.entries).slice(2)).toEqual(['u:one', 'U:app/branch=dev', 'u:two', 'U:app/branch=fix'])
    expect(turn.entries.slice(0, aborted.entries.length)).toEqual(aborted.entries)
    expectLegal(turn)

    await expect(aborted.answer([assistant('too late')])).rejects.toMatchObject({
      code: 'turn_superseded',
      expected: aborted.revision,
      actual: turn.revision,
    })
    await turn.answer([assistant('to both')])
    await exchange(session, 'three')
    expect((await collect(session.events())).filter((event) => event.type === 'answer')).toHaveLength(3)
    await expectLaws(session)
  })
})
