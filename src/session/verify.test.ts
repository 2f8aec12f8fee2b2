import { describe, expect, it } from 'vitest'
import {
  absent,
  assistant,
  calling,
  exchange,
  result,
  startAgent,
  storeOf,
  user,
  World,
  type Agent,
} from '../../test/support/session.ts'
import { digest } from '../base/digest.ts'
import { SessionModeError } from './errors.ts'
import { checksum } from './event.ts'
import type { PlainMessage } from './plain-format.ts'
import { createSessions } from './sessions.ts'
import type { StoredEvent } from './store.ts'
import type { Format, Verification } from './types.ts'

/** A log with an event of each type: revisions 1 to 17. */
async function longLog(): Promise<readonly StoredEvent[]> {
  const agent = startAgent()
  const { session, world, store } = agent
  await exchange(session, 'one') // 1 input, 2 epoch, 3 answer
  world.set('app/branch', 'dev')
  world.set('app/date', absent)
  await exchange(session, 'two', calling('c1')) // 4 input, 5 boundary with an update, 6 answer
  await session.append([result('c1')]) // 7 append
  await (await session.turn()).answer([assistant('done')]) // 8 answer
  await session.compact({ summary: [user('so far')], through: 3 }) // 9 compaction
  await session.refused({ model: 'm', feature: 'native-updates' }) // 10 refusal
  await session.move() // 11 move
  await exchange(session, 'three') // 12 input, 13 epoch, 14 answer
  await exchange(session, 'four') // 15 input, 16 boundary, 17 answer
  await session.submit(user('five')) // 18 input
  expect(await session.verify()).toEqual({ ok: true, problems: [] })
  return store.read('one', 0)
}

/** What a process that starts now says of these rows. */
function verdictOn(rows: readonly StoredEvent[], format?: Format<PlainMessage>): Promise<Verification> {
  const context = new World({ 'app/branch': 'main' }).context()
  return createSessions({ store: storeOf('one', rows), context, ...(format && { format }) })
    .open('one')
    .verify()
}

/** The rows with one of them changed. `sealed` gives it a checksum that fits, as somebody who knows how would. */
function changed(
  rows: readonly StoredEvent[],
  revision: number,
  change: (row: StoredEvent) => Partial<StoredEvent>,
  sealed = false,
): readonly StoredEvent[] {
  return rows.map((row) => {
    if (row.revision !== revision) return row
    const next = { ...row, ...change(row) }
    return sealed ? { ...next, checksum: checksum('one', next) } : next
  })
}

function replaced(from: string | RegExp, to: string): (row: StoredEvent) => Partial<StoredEvent> {
  return ({ body }) => {
    const next = body.replace(from, to)
    expect(next).not.toBe(body)
    return { body: next }
  }
}

describe('verify', () => {
  it('finds nothing wrong with a log that is as it was written, and writes nothing', async () => {
    const agent: Agent = startAgent()
    await exchange(agent.session, 'one')
    agent.store.calls.length = 0
    expect(await agent.session.verify()).toEqual({ ok: true, problems: [] })
    expect(await agent.restarted().session.verify()).toEqual({ ok: true, problems: [] })
    expect(agent.store.calls).not.toContain('append')
    expect(await verdictOn(await longLog())).toEqual({ ok: true, problems: [] })
  })

  it('finds nothing wrong with a session that does not exist', async () => {
    expect(await startAgent().session.verify()).toEqual({ ok: true, problems: [] })
  })

  it('finds a changed byte in any row, and says in which', async () => {
    const rows = await longLog()
    for (const { revision } of rows) {
      for (const place of [0.2, 0.5, 0.9]) {
        const flipped = changed(rows, revision, ({ body }) => {
          const index = Math.floor(body.length * place)
          return { body: body.slice(0, index) + (body[index] === 'x' ? 'y' : 'x') + body.slice(index + 1) }
        })
        const { ok, problems } = await verdictOn(flipped)
        expect(ok).toBe(false)
        expect(problems[0], `row ${revision}`).toMatchObject({ revision, law: 'integrity' })
      }
    }
  })

  it.each<[string, Partial<StoredEvent>]>([
    ['type', { type: 'append' }],
    ['version', { v: 2 }],
    ['id', { id: 'other' }],
    ['time', { at: '2026-01-01T00:00:00.001Z' }],
    ['checksum', { checksum: digest('other') }],
  ])('finds a changed %s', async (_, change) => {
    const { problems } = await verdictOn(changed(await longLog(), 3, () => change))
    expect(problems[0]).toMatchObject({ revision: 3, law: 'integrity' })
  })

  it('finds a missing row anywhere but at the end, and says where', async () => {
    const rows = await longLog()
    for (const { revision } of rows.slice(0, -1)) {
      const { ok, problems } = await verdictOn(rows.filter((row) => row.revision !== revision))
      expect(ok).toBe(false)
      expect(problems).toEqual([
        { revision, law: 'integrity', message: `the row is missing; the next one is ${revision + 1}` },
      ])
    }
  })

  it('finds that the newest rows are missing where this process had read them', async () => {
    const agent = startAgent()
    await exchange(agent.session, 'one')
    await agent.sessions.delete('one')
    expect(await agent.session.verify()).toEqual({
      ok: false,
      problems: [{ revision: 1, law: 'integrity', message: 'the row is missing; this process has read up to 3' }],
    })
  })

  it('finds rows that changed places', async () => {
    const rows = await longLog()
    const [one, two] = [rows[11]!, rows[14]!]
    const swapped = rows.map((row) => {
      if (row === one) return { ...two, revision: one.revision }
      return row === two ? { ...one, revision: two.revision } : row
    })
    const { problems } = await verdictOn(swapped)
    expect(problems.map(({ revision, law }) => [revision, law])).toEqual([
      [one.revision, 'integrity'],
      [two.revision, 'integrity'],
    ])
  })

  it('finds a row of another session', async () => {
    const agent = startAgent()
    const two = agent.sessions.open('two')
    await exchange(agent.session, 'one')
    await exchange(two, 'two')
    const [row] = await agent.store.read('two', 0)
    const rows = changed(await agent.store.read('one', 0), 1, () => row!)
    expect((await verdictOn(rows)).problems[0]).toMatchObject({ revision: 1, law: 'integrity' })
  })

  it.each<[string, number, (row: StoredEvent) => Partial<StoredEvent>, string, RegExp]>([
    [
      'an update that tells of other sources than the snapshot',
      5,
      replaced(/"gone":\[.*?\]/, '"gone":[]'),
      'belief',
      /other keys/,
    ],
    [
      'an update whose parts tell of other sources',
      5,
      replaced('"keys":["app/branch","app/date"]', '"keys":["app/branch"]'),
      'belief',
      /parts of the update/,
    ],
    [
      'an update without the removal text that was stored',
      5,
      replaced(/app\/date is gone/g, 'app/date is there'),
      'belief',
      /app\/date is gone, but the update lacks the text/,
    ],
    [
      'an update whose text is not that of its parts',
      5,
      replaced('"text":"app/branch=dev', '"text":"app/branch=fix'),
      'belief',
      /text/,
    ],
    [
      'an input that is promoted twice',
      16,
      replaced('"promoted":[15]', '"promoted":[12,15]'),
      'once',
      /revision 12 is promoted/,
    ],
    [
      'an input that is promoted out of turn',
      16,
      replaced('"promoted":[15]', '"promoted":[18]'),
      'once',
      /revision 18/,
    ],
    ['an input that is left behind', 16, replaced('"promoted":[15]', '"promoted":[]'), 'atomic', /left 1 inputs/],
    ['an answer to another turn', 14, replaced('"turn":13', '"turn":5'), 'once', /an answer to the turn at 5/],
    ['an epoch out of order', 13, replaced('"epoch":2', '"epoch":3'), 'integrity', /epoch 3 follows epoch 1/],
    ['a boundary of another epoch', 16, replaced('"epoch":2', '"epoch":1'), 'integrity', /epoch 1 in epoch 2/],
    [
      'a view whose summary is not there',
      13,
      replaced('"summary":9', '"summary":8'),
      'replayable',
      /summary of revision 8/,
    ],
    ['a view that begins too late', 13, replaced('"from":4', '"from":6'), 'replayable', /opening the session/],
    ['an event without its shape', 16, () => ({ body: '{}' }), 'integrity', /cannot be replayed/],
    ['an update without its shape', 5, replaced('"parts"', '"pieces"'), 'integrity', /cannot be replayed/],
  ])('finds %s, though its checksum fits', async (_, revision, change, law, message) => {
    const { ok, problems } = await verdictOn(changed(await longLog(), revision, change, true))
    expect(ok).toBe(false)
    expect(problems.map((problem) => problem.law)).toContain(law)
    expect(problems.find((problem) => problem.law === law)?.message).toMatch(message)
  })

  it.each<[string, number, (row: StoredEvent) => Partial<StoredEvent>, RegExp]>([
    [
      'frozen out of order',
      2,
      replaced(/"tools":\[(.*?),(.*?)\],/, '"tools":[$2,$1],'),
      /"read" is frozen out of order/,
    ],
    [
      'frozen twice',
      2,
      replaced(/"tools":\[(.*?),(.*?)\],/, '"tools":[$1,$1],'),
      /"read" is frozen out of order, or twice/,
    ],
    [
      'removed and never told',
      5,
      replaced('"removed":["write"]', '"removed":["rite"]'),
      /the tool rite what does not follow/,
    ],
    [
      'restored and never removed',
      5,
      replaced('"restored":[]', '"restored":["read"]'),
      /the tool read what does not follow/,
    ],
    [
      'added and told before',
      5,
      replaced('"added":[{"name":"ask"}]', '"added":[{"name":"read"}]'),
      /the tool read what/,
    ],
    ['changed without being among the changes', 5, replaced(/,"changes":\[.*?\]/, ',"changes":[]'), /do not agree/],
    ['changed without what was changed', 5, replaced(/,"tools":\{.*?\]\}/, ''), /do not agree/],
    ['removed without a word', 5, replaced(/"parts":\[.*?\}\]/, '"parts":[]'), /parts of the update/],
    ["removed in a user's voice", 5, replaced('"authority":"system"', '"authority":"user"'), /authority of a user/],
    ['removed twice', 5, replaced('"removed":["write"]', '"removed":["write","write"]'), /a tool twice/],
    [
      'removed under another name',
      5,
      (row) => ({ body: row.body.replaceAll('\\"write\\"', '\\"wrote\\"') }),
      /does not speak of/,
    ],
    ['added as a whole', 5, replaced('"kind":"changed"', '"kind":"added"'), /neither come nor go/],
    ['changed where there are none', 2, replaced(/"tools":\[.*?\],/, '"tools":null,'), /the session has none/],
    ['frozen without a name', 2, replaced('"name":"read"', '"game":"read"'), /no name/],
  ])('finds tools that were %s', async (_, revision, change, message) => {
    let tools = [{ name: 'read' }, { name: 'write' }]
    const agent = startAgent({ tools: () => tools, onToolAdded: 'append' })
    await exchange(agent.session, 'one') // 1 input, 2 epoch, 3 answer
    tools = [{ name: 'read' }, { name: 'ask' }]
    await exchange(agent.session, 'two') // 4 input, 5 boundary with an update, 6 answer
    const rows = await agent.store.read('one', 0)
    expect(await verdictOn(rows)).toEqual({ ok: true, problems: [] })
    const { ok, problems } = await verdictOn(changed(rows, revision, change, true))
    expect(ok).toBe(false)
    expect(problems.map((problem) => problem.message).join('\n')).toMatch(message)
  })

  it('finds an id that was used twice', async () => {
    const rows = changed(await longLog(), 15, (row) => row, true)
    const twice = changed(rows, 15, () => ({ id: rows[11]!.id }), true)
    expect((await verdictOn(twice)).problems).toMatchObject([{ revision: 15, law: 'once' }])
  })

  it('goes on after an unknown event, checking row by row', async () => {
    const rows = await longLog()
    const unknown = changed(rows, 3, () => ({ type: 'telepathy' }), true)
    const both = changed(unknown, 12, () => ({ body: '{"message":{"role":"user","content":"other"}}' }))
    const { problems } = await verdictOn(both)
    expect(problems.map(({ revision, law }) => [revision, law])).toEqual([
      [3, 'integrity'],
      [12, 'integrity'],
    ])
  })

  it('verifies messages that are not JSON', async () => {
    interface Bytes {
      readonly role: 'user' | 'assistant'
      readonly content: Uint8Array
    }
    const format: Format<Bytes> = {
      id: 'bytes',
      kind: ({ role }) => role,
      openCalls: () => [],
      identity: ({ role, content }) => ({ role, content: [...content] }),
      encode: ({ role, content }) => ({ role, content: [...content] }),
      decode: (json) => {
        const { role, content } = json as { role: Bytes['role']; content: number[] }
        return { role, content: Uint8Array.from(content) }
      },
    }
    const { store, world } = startAgent()
    const sessions = createSessions<Bytes>({ store, format, context: world.context() })
    const session = sessions.open('bytes')
    await session.submit({ role: 'user', content: Uint8Array.of(1, 2) })
    const turn = await session.turn()
    expect(turn.entries).toMatchObject([{ message: { content: Uint8Array.of(1, 2) } }])
    await turn.answer([{ role: 'assistant', content: Uint8Array.of(3) }])
    await session.compact({ summary: [{ role: 'user', content: Uint8Array.of(4) }], through: 3 })
    await session.submit({ role: 'user', content: Uint8Array.of(5) })
    expect(await session.verify()).toEqual({ ok: true, problems: [] })
    expect(await sessions.open('bytes').verify()).toEqual({ ok: true, problems: [] })
  })

  it('finds a boundary that changes what was answered in a history that the host keeps', async () => {
    const { sessions, store } = startAgent()
    const attached = sessions.attach('one')
    await attached.turn({ history: [user('one')] })
    await attached.turn({ history: [user('one'), assistant('yes'), user('two')] })
    await attached.turn({ history: [user('one'), assistant('yes'), user('two'), assistant('sure'), user('three')] })
    const rows = await store.read('one', 0)
    const forged = changed(rows, 3, replaced('"keep":3', '"keep":2'), true)
    const context = new World({ 'app/branch': 'main' }).context()
    const { problems } = await createSessions({ store: storeOf('one', forged), context })
      .attach('one')
      .verify()
    expect(problems).toMatchObject([
      { revision: 3, law: 'prefix', message: 'entry 2 is not what the model has answered to' },
    ])
  })

  it('is refused for a session of the other kind', async () => {
    const { sessions, session } = startAgent()
    await session.submit(user('one'))
    await expect(sessions.attach('one').verify()).rejects.toThrow(SessionModeError)
  })
})
