import { beforeEach, describe, expect, it } from 'vitest'
import { defineSource } from '../../context/index.ts'
import {
  createSessions,
  type EventStore,
  type PlainMessage,
  type Sessions,
  type StoredEvent,
} from '../../session/index.ts'
import { memoryStore } from '../../store/memory.ts'
import { printSession, printSessions, printVerification } from './print.ts'
import { readSession } from './read-session.ts'
import { verifySession } from './verify-session.ts'

let branch: string
let store: EventStore
let sessions: Sessions<PlainMessage>
let time: number

const user = (content: string): PlainMessage => ({ role: 'user', content })
const assistant = (content: string): PlainMessage => ({ role: 'assistant', content })

beforeEach(() => {
  branch = 'main'
  store = memoryStore()
  time = Date.parse('2026-12-01T12:00:00Z')
  sessions = createSessions({
    store,
    instructions: 'You review code.',
    clock: () => new Date((time += 1000)),
    context: defineSource({
      key: 'demo/branch',
      codec: { encode: (value: string) => value, decode: String },
      load: () => branch,
      baseline: (current) => `The branch is ${current}.`,
      update: (_, current) => `The branch is now ${current}.`,
    }),
  })
})

/** A session with two epochs and an update in the first. */
async function converse(): Promise<void> {
  const session = sessions.open('s')
  await session.submit(user('one'), { id: 'first' })
  await (await session.turn()).answer([assistant('1')])
  branch = 'fix'
  await session.submit(user('two'), { id: 'second' })
  await (await session.turn()).answer([assistant('2')])
  await session.compact({ summary: [user('so far')], through: 3 })
  await session.submit(user('three'), { id: 'third' })
  await (await session.turn()).answer([assistant('3'), assistant('and more')])
}

/** The same events with one of them changed or left out. */
function damaged(change: (event: StoredEvent) => StoredEvent | null): EventStore {
  return {
    ...store,
    list: () => store.list(),
    close: () => store.close(),
    delete: (session) => store.delete(session),
    append: (session, expected, events) => store.append(session, expected, events),
    find: (session, type, id) => store.find(session, type, id),
    epochStart: (session) => store.epochStart(session),
    read: async (session, after, limit) =>
      (await store.read(session, after, limit)).flatMap((event) => change(event) ?? []),
  }
}

describe('readSession', () => {
  it('tells epochs, updates and events', async () => {
    await converse()
    expect(await readSession(store, 's')).toEqual({
      id: 's',
      epochs: [
        { epoch: 1, revision: 2, cause: 'initial', instructionsSize: 16, baselineSize: 19, updates: 1 },
        { epoch: 2, revision: 9, cause: 'compaction', instructionsSize: 16, baselineSize: 18, updates: 0 },
      ],
      updates: [
        {
          revision: 5,
          epoch: 1,
          changes: [{ key: 'demo/branch', kind: 'changed' }],
          text: 'The branch is now fix.',
        },
      ],
      events: [
        ['input', 'id "first"'],
        ['epoch', 'epoch 1 (initial), promotes 1'],
        ['answer', 'answers the turn at 2, 1 message'],
        ['input', 'id "second"'],
        ['boundary', 'promotes 4, tells demo/branch'],
        ['answer', 'answers the turn at 5, 1 message'],
        ['compaction', 'replaces revisions up to 3'],
        ['input', 'id "third"'],
        ['epoch', 'epoch 2 (compaction), promotes 8'],
        ['answer', 'answers the turn at 9, 2 messages'],
      ].map(([type, summary], index) => ({
        revision: index + 1,
        type,
        summary,
        at: new Date(Date.parse('2026-12-01T12:00:00Z') + 1000 * (index + 1)).toISOString(),
        readable: true,
      })),
    })
  })

  it('shows what is around an event that cannot be read', async () => {
    await converse()
    const { events, epochs } = await readSession(
      damaged((event) => (event.revision === 5 ? { ...event, body: '{"upd' } : event)),
      's',
    )
    expect(events.filter(({ readable }) => !readable).map(({ revision }) => revision)).toEqual([5])
    expect(events).toHaveLength(10)
    expect(epochs).toHaveLength(2)
  })

  it('is empty for a session that nobody knows', async () => {
    expect(await readSession(store, 'none')).toEqual({ id: 'none', epochs: [], updates: [], events: [] })
  })
})

describe('verifySession', () => {
  it('finds no problem in a session as it was written', async () => {
    await converse()
    expect(await verifySession(store, 's')).toEqual({ ok: true, problems: [] })
  })

  it('replays a session whose history the host keeps', async () => {
    const session = sessions.attach('h')
    await session.turn({ history: [user('one')] })
    branch = 'fix'
    await session.turn({ history: [user('one'), assistant('1'), user('two')] })
    expect(await verifySession(store, 'h')).toEqual({ ok: true, problems: [] })
  })

  it.each([
    [
      'a changed byte',
      (event: StoredEvent) => (event.revision === 5 ? { ...event, body: event.body.replace('fix', 'fox') } : event),
    ],
    ['a missing row', (event: StoredEvent) => (event.revision === 5 ? null : event)],
    ['a row that is no JSON', (event: StoredEvent) => (event.revision === 5 ? { ...event, body: '{"upd' } : event)],
  ])('finds %s, and where it is', async (_case, change) => {
    await converse()
    const { ok, problems } = await verifySession(damaged(change), 's')
    expect(ok).toBe(false)
    expect(problems[0]).toMatchObject({ revision: 5, law: 'integrity' })
  })
})

describe('printSession', () => {
  it('lays out epochs, updates and events', async () => {
    await converse()
    expect(printSession(await readSession(store, 's'))).toBe(`Session s

Epochs
  epoch  revision  cause       instructions  baseline  updates
      1         2  initial               16        19        1
      2         9  compaction            16        18        0

Updates
  revision 5: changed demo/branch
    | The branch is now fix.

Events
  revision  type        time
         1  input       2026-12-01 12:00:01  id "first"
         2  epoch       2026-12-01 12:00:02  epoch 1 (initial), promotes 1
         3  answer      2026-12-01 12:00:03  answers the turn at 2, 1 message
         4  input       2026-12-01 12:00:04  id "second"
         5  boundary    2026-12-01 12:00:05  promotes 4, tells demo/branch
         6  answer      2026-12-01 12:00:06  answers the turn at 5, 1 message
         7  compaction  2026-12-01 12:00:07  replaces revisions up to 3
         8  input       2026-12-01 12:00:08  id "third"
         9  epoch       2026-12-01 12:00:09  epoch 2 (compaction), promotes 8
        10  answer      2026-12-01 12:00:10  answers the turn at 9, 2 messages
`)
  })

  it('lets nothing through that a terminal would act on, wherever it is stored', () => {
    const evil = 'x\u001b[2J\u0007\r\u009b\u202e\u200b'
    const text = [
      printSession({
        id: evil,
        epochs: [{ epoch: 1, revision: 1, cause: evil, instructionsSize: 0, baselineSize: 0, updates: 1 }],
        updates: [{ revision: 2, epoch: 1, changes: [{ key: evil, kind: 'changed' }], text: `${evil}\n${evil}` }],
        events: [{ revision: 1, type: evil, at: evil, summary: evil, readable: true }],
      }),
      printSessions(evil, [{ id: evil, revision: 1, createdAt: evil, updatedAt: evil }]),
      printVerification(evil, 1, { ok: false, problems: [{ revision: 1, law: 'belief', message: evil }] }),
      printVerification(evil, 1, { ok: true, problems: [] }),
    ].join('')
    // oxlint-disable-next-line no-control-regex
    expect(text).not.toMatch(/[\u0000-\u0009\u000b-\u001f\u007f-\u009f\u200b\u202e]/)
    expect(text).toContain('x')
  })

  it('says so where there is nothing to show', () => {
    expect(printSession({ id: 's', epochs: [], updates: [], events: [] })).toBe(
      'Session s\n\nEpochs: none\n\nUpdates: none\n\nEvents: none\n',
    )
  })
})

describe('printSessions', () => {
  it('lists them under the name of the file', () => {
    const summary = {
      id: 'a',
      revision: 1234,
      createdAt: '2026-12-01T12:00:00.000Z',
      updatedAt: '2026-12-02T12:00:00.000Z',
    }
    expect(printSessions('demo.sqlite', [summary])).toBe(`demo.sqlite holds 1 session.

session  events  first                last
a         1,234  2026-12-01 12:00:00  2026-12-02 12:00:00
`)
  })

  it('says so where there are none', () => {
    expect(printSessions('demo.sqlite', [])).toBe('demo.sqlite holds 0 sessions.\n')
  })
})

describe('printVerification', () => {
  it('names each problem with its place and law', () => {
    expect(
      printVerification('s', 9, { ok: false, problems: [{ revision: 5, law: 'belief', message: 'it differs' }] }),
    ).toBe('✗ session s: 1 problem\n  at revision 5, belief: it differs\n')
  })
})
