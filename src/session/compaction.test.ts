import { describe, expect, it } from 'vitest'
import {
  assistant,
  beliefsOf,
  calling,
  collect,
  eventTypes,
  exchange,
  outline,
  replacing,
  result,
  startAgent,
  unavailable,
  user,
  World,
} from '../../test/support/session.ts'
import { expectLaws, expectLegal, expectReplayed } from '../../test/support/session-laws.ts'
import { CompactionInvalidError, MessageInvalidError } from './errors.ts'

const summary = [user('what happened so far')]

describe('a compaction', () => {
  it('starts an epoch at the next boundary: the summary, then what came after, and a baseline of today', async () => {
    const { session, world } = startAgent()
    const first = await exchange(session, 'one')
    world.set('app/branch', 'dev')
    const second = await exchange(session, 'two')
    await session.compact({ summary, through: first.revision })
    await session.submit(user('three'))
    const turn = await session.turn()

    expect([turn.epoch, turn.started, turn.update]).toEqual([2, 'compaction', null])
    expect(outline(turn.entries)).toEqual([
      'u:what happened so far',
      'a:answer to one',
      'u:two',
      'a:answer to two',
      'u:three',
    ])
    expect(turn.entries.map(({ revision, epoch }) => [revision, epoch])).toEqual([
      [first.revision, 1],
      [3, 1],
      [second.revision, 1],
      [6, 1],
      [turn.revision, 2],
    ])
    expect(turn.baseline).toBe('app/branch=dev\n\napp/date=Monday')
    expect(turn.nonce).toBe(first.nonce)
    expectLegal(turn)
    expectReplayed(turn, await expectLaws(session))
  })

  it('leaves what it replaced in the audit history, updates included', async () => {
    const { session, world } = startAgent()
    await exchange(session, 'one')
    world.set('app/branch', 'dev')
    await exchange(session, 'two')
    await session.compact({ summary, through: 6 })
    const turn = await session.turn()
    expect(outline(turn.entries)).toEqual(['u:what happened so far'])
    const events = await collect(session.events())
    expect(events.map((event) => event.type)).toEqual([
      'input',
      'epoch',
      'answer',
      'input',
      'boundary',
      'answer',
      'compaction',
      'epoch',
    ])
    expect(events[4]).toMatchObject({ update: { text: 'app/branch=dev' } })
    expect(await collect(session.events({ after: 6 }))).toEqual(events.slice(6))
  })

  it('keeps what comes in while it is made, and what is promoted with it', async () => {
    const { session } = startAgent()
    await exchange(session, 'one')
    await session.submit(user('while summing up'))
    await session.compact({ summary, through: 3 })
    await session.submit(user('and then'))
    const turn = await session.turn()
    expect(outline(turn.entries)).toEqual(['u:what happened so far', 'u:while summing up', 'u:and then'])
    expectLegal(turn)
    await expectLaws(session)
  })

  it('counts an input from its promotion, not from its submission', async () => {
    const { session } = startAgent()
    await exchange(session, 'one')
    const { revision } = await session.submit(user('waiting'))
    await session.compact({ summary, through: revision })
    expect(outline((await session.turn()).entries)).toEqual(['u:what happened so far', 'u:waiting'])
    await expectLaws(session)
  })

  it('waits until a tool loop has ended, and changes are still told meanwhile', async () => {
    const { session, world } = startAgent()
    const first = await exchange(session, 'one', calling('c1'))
    await session.append([result('c1')])
    await session.compact({ summary, through: first.revision })
    world.set('app/branch', 'dev')
    const inLoop = await session.turn()
    expect([inLoop.epoch, inLoop.update?.text]).toEqual([1, 'app/branch=dev'])
    expectLegal(inLoop)
    await inLoop.answer([calling('c2')])
    await session.append([result('c2')])
    await session.submit(user('meanwhile'))
    const still = await session.turn()
    expect(still.epoch).toBe(1)
    await still.answer([assistant('done')])
    await session.submit(user('two'))
    const turn = await session.turn()
    expect([turn.epoch, turn.started]).toEqual([2, 'compaction'])
    expect(outline(turn.entries)).toEqual([
      'u:what happened so far',
      'a:calls c1',
      't:did c1',
      'a:calls c2',
      't:did c2',
      'u:meanwhile',
      'a:done',
      'u:two',
    ])
    expectLegal(turn)
    await expectLaws(session)
  })

  it('stays pending when an epoch starts in a tool loop for another reason', async () => {
    const agent = startAgent()
    const { session } = agent
    const first = await exchange(session, 'one', calling('c1'))
    await session.append([result('c1')])
    await session.compact({ summary, through: first.revision })
    await session.move()
    const moved = await session.turn()
    expect([moved.epoch, moved.started, outline(moved.entries)[0]]).toEqual([2, 'moved', 'u:one'])
    await moved.answer([assistant('done')])
    const turn = await agent.restarted().session.turn()
    expect([turn.epoch, turn.started, outline(turn.entries)[0]]).toEqual([3, 'compaction', 'u:what happened so far'])
    await expectLaws(session)
  })

  it('stays pending also where nothing that is older is in view', async () => {
    const agent = startAgent()
    const { session } = agent
    const empty = await session.turn()
    await session.compact({ summary, through: empty.revision })
    await empty.answer([calling('c1')])
    await session.append([result('c1')])
    await session.move()
    const moved = await session.turn()
    expect([moved.epoch, outline(moved.entries)]).toEqual([2, ['a:calls c1', 't:did c1']])
    await moved.answer([assistant('done')])
    await expectLaws(session)
    const turn = await agent.restarted().session.turn()
    expect([turn.epoch, outline(turn.entries)[0]]).toEqual([3, 'u:what happened so far'])
  })

  it('waits while the new baseline cannot be rendered: the old view stands, and what can be told is told', async () => {
    const world = new World({ 'app/a': '1', 'app/b': '2' })
    const { session } = startAgent({ world, context: () => world.context() })
    const first = await exchange(session, 'one')
    world.undecodable.add('1')
    world.set('app/a', unavailable)
    world.set('app/b', '3')
    await session.compact({ summary, through: first.revision })
    await session.submit(user('two'))
    const waiting = await session.turn()
    expect([waiting.epoch, waiting.system, waiting.update?.text]).toEqual([1, first.system, 'app/b=3'])
    expect(waiting.stale).toMatchObject([{ key: 'app/a', reason: 'unavailable' }])
    expectLegal(waiting)
    await waiting.answer([assistant('noted')])
    world.set('app/a', '4')
    const turn = await session.turn()
    expect([turn.epoch, turn.started]).toEqual([2, 'compaction'])
    expect(beliefsOf(turn)).toEqual({ 'app/a': '4', 'app/b': '3' })
    await expectLaws(session)
  })

  it('renders a source that is unavailable from what was told of it', async () => {
    const { session, world } = startAgent()
    await exchange(session, 'one')
    world.set('app/branch', unavailable)
    await session.compact({ summary, through: 3 })
    const turn = await session.turn()
    expect([turn.epoch, turn.baseline]).toEqual([2, 'app/branch=main\n\napp/date=Monday'])
    expect(turn.stale).toMatchObject([{ key: 'app/branch', told: 'main' }])
    await expectLaws(session)
  })

  it('gives way to a later one', async () => {
    const { session } = startAgent()
    await exchange(session, 'one')
    await exchange(session, 'two')
    await session.compact({ summary: [user('first try')], through: 3 })
    await session.compact({ summary: [user('second try')], through: 5 })
    const turn = await session.turn()
    expect(outline(turn.entries)).toEqual(['u:second try', 'a:answer to two'])
    await expectLaws(session)
  })

  it('may follow another, and may reach no further than that one', async () => {
    const agent = startAgent()
    const { session } = agent
    await exchange(session, 'one')
    await session.compact({ summary: [user('first')], through: 3 })
    await exchange(session, 'two')
    await session.move()
    await exchange(session, 'three')
    await session.compact({ summary: [user('second')], through: 3 })
    await exchange(session, 'four')
    await expectLaws(session)
    const turn = await agent.restarted().session.turn()
    expect(turn.epoch).toBe(4)
    expect(outline(turn.entries)[0]).toBe('u:second')
    expectReplayed(turn, await expectLaws(session))
  })

  it('bounds what opening the session reads', async () => {
    const agent = startAgent()
    const { session } = agent
    for (let index = 0; index < 20; index++) await exchange(session, `old ${index}`)
    const { length } = await eventTypes(session)
    await session.compact({ summary, through: length })
    const turn = await exchange(session, 'new')
    const epoch = (await collect(session.events({ after: length }))).find((event) => event.type === 'epoch')
    expect(epoch?.view).toEqual({ from: length + 1, through: length, summary: length + 1 })

    const reads: number[] = []
    const store = replacing(agent.store, {
      read: (id, after, limit) => (reads.push(after), agent.store.read(id, after, limit)),
    })
    const opened = await agent.restarted({ store }).session.turn()
    expect(reads).toEqual([length])
    expect(opened.entries.slice(0, -1)).toEqual(turn.entries)
  })

  it('is durable: another process that takes the turn serves it', async () => {
    const agent = startAgent()
    await exchange(agent.session, 'one')
    await agent.session.compact({ summary, through: 3 })
    const turn = await agent.restarted().session.turn()
    expect([turn.epoch, outline(turn.entries)]).toEqual([2, ['u:what happened so far']])
  })

  it.each<[string, number, RegExp]>([
    ['what is not written yet', 7, /is not written/],
    ['no revision', 0, /is not written/],
    ['half a revision', 1.5, /is not written/],
    ['a call without its result', 6, /would part the tool calls c1/],
  ])('is refused through %s, and nothing is recorded', async (_, through, message) => {
    const { session } = startAgent()
    await exchange(session, 'one')
    await exchange(session, 'two', calling('c1'))
    const compaction = session.compact({ summary, through })
    await expect(compaction).rejects.toThrow(CompactionInvalidError)
    await expect(compaction).rejects.toThrow(message)
    expect(await eventTypes(session)).not.toContain('compaction')
  })

  it('is refused where it would part a call from a result that is in already', async () => {
    const { session } = startAgent()
    await exchange(session, 'one', calling('c1', 'c2'))
    const { revision } = await session.append([result('c1')])
    await session.append([result('c2')])
    await expect(session.compact({ summary, through: 3 })).rejects.toThrow(/c1, c2/)
    await expect(session.compact({ summary, through: revision })).rejects.toThrow(/c2/)
    await session.compact({ summary, through: 5 })
    await (await session.turn()).answer([assistant('done')])
    expectLegal({ entries: (await exchange(session, 'two')).entries })
    await expectLaws(session)
  })

  it('is refused before the last one, pending or not', async () => {
    const { session } = startAgent()
    await exchange(session, 'one')
    await exchange(session, 'two')
    await session.compact({ summary, through: 5 })
    await expect(session.compact({ summary, through: 3 })).rejects.toThrow(
      /precedes the last compaction, which reaches revision 5/,
    )
    await session.turn()
    await expect(session.compact({ summary, through: 3 })).rejects.toThrow(CompactionInvalidError)
  })

  it('is refused before the first turn', async () => {
    const { session } = startAgent()
    await session.submit(user('one'))
    await expect(session.compact({ summary, through: 1 })).rejects.toThrow(/has had no turn yet/)
  })

  it.each([
    ['empty', [], MessageInvalidError],
    ['no list of messages', 'all was well' as never, MessageInvalidError],
    ['left with an open tool call', [calling('c9')], CompactionInvalidError],
    ['holding a result without its call', [user('so far'), result('c9')], CompactionInvalidError],
  ])('is refused when its summary is %s', async (_, bad, error) => {
    const { session } = startAgent()
    await exchange(session, 'one')
    await expect(session.compact({ summary: bad, through: 3 })).rejects.toThrow(error)
    expect(await eventTypes(session)).not.toContain('compaction')
  })
})
