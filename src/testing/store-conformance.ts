/**
 * What every event store must do, as cases that any test runner can run.
 *
 * A case opens stores only by name, and each has a name of its own, so cases never see each other's data. All that a case
 * opened is closed when it ends, whether it passed or not.
 */
import assert from 'node:assert/strict'
import { IndelibleError } from '../base/error.ts'
import type { EventStore, StoredEvent, StoredSession } from '../session/store.ts'

/** One promise of the event store. */
export interface ConformanceCase {
  /** A sentence about the store. */
  readonly name: string
  /** Why the store at hand need not keep this promise. Absent for a case that must be run. */
  readonly skip?: string
  /** Rejects with an assertion error where the promise is broken. */
  readonly run: () => Promise<void>
}

/**
 * The cases for the stores that `open` makes. A name that it has not been given before must lead to an empty store. With
 * `persistent` false, because data lives and dies with its store, the cases that open a name twice are listed as skipped.
 *
 * @example
 * ```ts no-run
 * import { join } from 'node:path'
 * import { sqliteStore } from 'indelible/sqlite'
 * import { storeConformance } from 'indelible/testing'
 * import { it } from 'vitest'
 *
 * const cases = storeConformance((name) => sqliteStore(join('temporary', `${name}.db`)), { persistent: true })
 * for (const { name, skip, run } of cases) it(name, { skip: skip !== undefined }, run)
 * ```
 */
export function storeConformance(
  open: (name: string) => EventStore | Promise<EventStore>,
  options: { readonly persistent: boolean },
): readonly ConformanceCase[] {
  return promises.map((promise, index) => ({
    name: promise.name,
    ...(promise.shared && !options.persistent ? { skip: 'The data of this store lives in one object.' } : {}),
    run: async () => {
      const opened: EventStore[] = []
      const connect = async (): Promise<EventStore> => {
        const store = await open(`conformance-${index + 1}`)
        opened.push(store)
        return store
      }
      try {
        await promise.check(connect)
      } finally {
        await Promise.all(opened.map((store) => store.close()))
      }
    },
  }))
}

interface StorePromise {
  readonly name: string
  /** Whether the case connects twice to the same data. */
  readonly shared?: true
  readonly check: (connect: () => Promise<EventStore>) => Promise<void>
}

const promises: readonly StorePromise[] = [
  {
    name: 'appends the first events of a session and reads them back',
    check: async (connect) => {
      const store = await connect()
      const events = [event(1, { type: 'epoch' }), event(2, { type: 'input', id: 'one' }), event(3, { v: 7 })]
      assert.equal(await store.append('session', 0, events), true)
      await assertLog(store, 'session', events)
    },
  },
  {
    name: 'has no events for a session that it does not know',
    check: async (connect) => {
      const store = await connect()
      assert.deepEqual(await store.read('unknown', 0), [])
      assert.deepEqual(await store.read('unknown', 5, 10), [])
      assert.equal(await store.epochStart('unknown'), undefined)
      assert.equal(await store.find('unknown', 'input', 'one'), undefined)
      assert.deepEqual(await listed(store), [])
    },
  },
  {
    name: 'refuses an append that expects another newest revision, and writes nothing',
    check: async (connect) => {
      const store = await connect()
      assert.equal(await store.append('session', 1, [event(2)]), false)
      assert.deepEqual(await listed(store), [])
      const log = [event(1), event(2)]
      assert.equal(await store.append('session', 0, log), true)
      for (const expected of [0, 1, 3, 1_000]) {
        assert.equal(await store.append('session', expected, [event(expected + 1)]), false)
        assert.equal(await store.append('session', expected, [event(expected + 1), event(expected + 2)]), false)
      }
      await assertLog(store, 'session', log)
      assert.equal(await store.append('session', 2, [event(3)]), true)
    },
  },
  {
    name: 'refuses an id that the session has for that type, and writes none of the events',
    check: async (connect) => {
      const store = await connect()
      const log = [event(1, { type: 'input', id: 'one' })]
      assert.equal(await store.append('session', 0, log), true)
      const taken = event(3, { type: 'input', id: 'one', body: '"other"' })
      assert.equal(await store.append('session', 1, [{ ...taken, revision: 2 }]), false)
      assert.equal(await store.append('session', 1, [event(2), taken, event(4)]), false)
      await assertLog(store, 'session', log)
      assert.equal(await store.append('session', 1, [event(2)]), true)
    },
  },
  {
    name: 'refuses events of one append that share a type and an id',
    check: async (connect) => {
      const store = await connect()
      const twice = [event(1, { type: 'input', id: 'one' }), event(2), event(3, { type: 'input', id: 'one' })]
      assert.equal(await store.append('session', 0, twice), false)
      await assertLog(store, 'session', [])
      assert.equal(await store.find('session', 'input', 'one'), undefined)
      assert.equal(await store.append('session', 0, [event(1, { type: 'input', id: 'one' })]), true)
    },
  },
  {
    name: 'takes the same id for another type, for another session, and null any number of times',
    check: async (connect) => {
      const store = await connect()
      const events = [
        event(1, { type: 'input', id: 'same' }),
        event(2, { type: 'append', id: 'same' }),
        event(3, { type: 'answer', id: 'same' }),
        event(4, { type: 'boundary' }),
        event(5, { type: 'boundary' }),
      ]
      assert.equal(await store.append('one', 0, events), true)
      assert.equal(await store.append('other', 0, events), true)
      await assertLog(store, 'one', events)
    },
  },
  {
    name: 'reads what follows a revision, oldest first, and no more than the limit',
    check: async (connect) => {
      const store = await connect()
      const log = Array.from({ length: 25 }, (_, index) => event(index + 1))
      await appendOneByOne(store, 'session', log)
      for (const after of [0, 1, 24, 25, 1_000]) {
        assert.deepEqual(plain(await store.read('session', after)), log.slice(after))
        for (const limit of [1, 7, 25, 1_000]) {
          assert.deepEqual(plain(await store.read('session', after, limit)), log.slice(after, after + limit))
        }
      }
      const paged: StoredEvent[] = []
      for (let page = await store.read('session', 0, 10); page.length > 0;) {
        paged.push(...plain(page))
        page = await store.read('session', paged.length, 10)
      }
      assert.deepEqual(paged, log)
    },
  },
  {
    name: 'finds the newest epoch of the session',
    check: async (connect) => {
      const store = await connect()
      const log = [event(1, { type: 'input', id: 'epoch' }), event(2, { type: 'epoch' }), event(3, { type: 'epochs' })]
      assert.equal(await store.append('session', 0, log.slice(0, 1)), true)
      assert.equal(await store.epochStart('session'), undefined)
      assert.equal(await store.append('session', 1, log.slice(1)), true)
      assert.equal(await store.append('other', 0, [event(1), event(2), event(3), event(4, { type: 'epoch' })]), true)
      assert.deepEqual({ ...(await store.epochStart('session')) }, log[1])
      const later = [event(4, { type: 'epoch' }), event(5, { type: 'epoch' }), event(6)]
      assert.equal(await store.append('session', 3, later), true)
      assert.deepEqual({ ...(await store.epochStart('session')) }, later[1])
    },
  },
  {
    name: 'finds events by type and id',
    check: async (connect) => {
      const store = await connect()
      const log = (['input', 'append', 'answer'] as const).map((type, index) => event(index + 1, { type, id: type }))
      assert.equal(await store.append('session', 0, log), true)
      for (const type of ['input', 'append', 'answer'] as const) {
        assert.deepEqual(
          { ...(await store.find('session', type, type)) },
          log.find((stored) => stored.type === type),
        )
        assert.equal(await store.find('session', type, 'unknown'), undefined)
        assert.equal(await store.find('other', type, type), undefined)
      }
      assert.equal(await store.find('session', 'input', 'answer'), undefined)
    },
  },
  {
    name: 'keeps sessions apart whose ids are alike',
    check: async (connect) => {
      const store = await connect()
      for (const [index, id] of oddIds.entries()) {
        const log = [
          event(1, { type: 'epoch', body: `${index}` }),
          event(2, { type: 'input', id: 'one', body: `${index}` }),
        ]
        assert.equal(await store.append(id, 0, log), true, `append to ${JSON.stringify(id)}`)
      }
      for (const [index, id] of oddIds.entries()) {
        const bodies = [...(await store.read(id, 0)), await store.epochStart(id), await store.find(id, 'input', 'one')]
        assert.deepEqual(
          bodies.map((stored) => stored?.body),
          Array.from({ length: 4 }, () => `${index}`),
          `events of ${JSON.stringify(id)}`,
        )
      }
      assert.deepEqual(
        (await listed(store)).map(({ id }) => id),
        oddIds.toSorted(byUtf8),
      )
    },
  },
  {
    name: 'keeps events apart whose ids are alike',
    check: async (connect) => {
      const store = await connect()
      const log = oddIds.map((id, index) => event(index + 1, { type: 'answer', id }))
      assert.equal(await store.append('session', 0, log), true)
      for (const stored of log) {
        assert.deepEqual({ ...(await store.find('session', 'answer', stored.id!)) }, stored)
      }
    },
  },
  {
    name: 'lists every session with its newest revision and the times of its first and newest event',
    check: async (connect) => {
      const store = await connect()
      await appendOneByOne(store, 'b', [event(1), event(2), event(3)])
      await appendOneByOne(store, 'a', [event(1)])
      assert.deepEqual(await listed(store), [
        { id: 'a', revision: 1, createdAt: event(1).at, updatedAt: event(1).at },
        { id: 'b', revision: 3, createdAt: event(1).at, updatedAt: event(3).at },
      ])
    },
  },
  {
    name: 'lists each session once and in order while others are written and deleted',
    check: async (connect) => {
      const store = await connect()
      const ids = Array.from({ length: 250 }, (_, index) => `session ${String(index).padStart(3, '0')}`)
      for (const id of ids) assert.equal(await store.append(id, 0, [event(1)]), true)
      const seen: string[] = []
      for await (const { id } of store.list()) {
        seen.push(id)
        const index = seen.length
        if (index % 10 !== 0) continue
        await store.append(id, 1, [event(2)])
        await store.append(`${id} is followed`, 0, [event(1)])
        await store.append(`a ${id}`, 0, [event(1)])
        await store.delete(ids[250 - index / 10]!)
      }
      assert.deepEqual(seen, [...new Set(seen)].sort(byUtf8))
      const stayed = ids.slice(0, 225)
      assert.deepEqual(
        seen.filter((id) => stayed.includes(id)),
        stayed,
      )
    },
  },
  {
    name: 'deletes a session with all that it holds, and no other',
    check: async (connect) => {
      const store = await connect()
      const log = [event(1, { type: 'epoch' }), event(2, { type: 'input', id: 'one' })]
      const kept = ['session 1', 'sessio', 'SESSION', 'session%', 'other']
      for (const id of ['session', ...kept]) assert.equal(await store.append(id, 0, log), true)
      await store.delete('session')
      await store.delete('unknown')
      await assertLog(store, 'session', [])
      assert.equal(await store.epochStart('session'), undefined)
      assert.equal(await store.find('session', 'input', 'one'), undefined)
      assert.deepEqual(
        (await listed(store)).map(({ id }) => id),
        kept.toSorted(byUtf8),
      )
      for (const id of kept) await assertLog(store, id, log)
      assert.equal(await store.append('session', 2, [event(3)]), false)
      assert.equal(await store.append('session', 0, log), true)
    },
  },
  {
    name: 'leaves no rest of a session that is deleted while others write to it over two connections',
    shared: true,
    check: async (connect) => {
      const stores = [await connect(), await connect()]
      for (let round = 0; round < 12; round++) {
        const session = `session ${round}`
        const log = { newest: 0 }
        const write = async (store: EventStore): Promise<void> => {
          for (let tries = 0; tries < 12; tries++) {
            const expected = log.newest
            if (await store.append(session, expected, [event(expected + 1)]))
              log.newest = Math.max(log.newest, expected + 1)
          }
        }
        const remove = async (): Promise<void> => {
          while (log.newest < 1 + round) await stores[0]!.read(session, 0)
          await stores[0]!.delete(session)
        }
        await Promise.all([...stores, ...stores].map(write).concat(remove()))
        // Of the log that was deleted nothing is there, though an append may have begun a new one.
        const rows = await stores[1]!.read(session, 0)
        assert.deepEqual(
          rows.map(({ revision }) => revision),
          rows.map((_, index) => index + 1),
        )
      }
    },
  },
  {
    name: 'gives bodies back with the same code units',
    check: async (connect) => {
      const store = await connect()
      const texts = [
        '',
        'null',
        ' \t\r\n\n\r ',
        'line\r\nline\rline\nline\u0085line\u2028line\u2029',
        '\u0000 before and after \u0000',
        '\ud800 alone, \udc00 alone, \udc00\ud800 swapped',
        '😀 astral 𝒳, \u{10ffff}',
        'e\u0301 is not \u00e9, \ufb00 is not ff',
        '\ufeff at the start, \uffff, \ufffe, \ufffd',
        '\u0001\u001f\u007f\u009f',
        `'quoted' "twice" \`and\` \\ \\u0041 %s ? $1 :name @x {} [] -- /* */ ;`,
        '123',
        '1e400',
      ]
      const log = texts.map((text, index) =>
        event(index + 1, { type: 'append', id: `${index}`, body: JSON.stringify({ text, [text]: text }) }),
      )
      assert.equal(await store.append('at once', 0, log), true)
      await appendOneByOne(store, 'one by one', log)
      for (const session of ['at once', 'one by one']) await assertLog(store, session, log)
      for (const [index, text] of texts.entries()) {
        const found = await store.find('at once', 'append', `${index}`)
        assert.deepEqual(JSON.parse(found!.body), { text, [text]: text })
      }
    },
  },
  {
    name: 'keeps numbers, dates and nothing in the text that it was given',
    check: async (connect) => {
      const store = await connect()
      const log = [
        event(1, { type: '1', id: '1.0', at: '2026-01-01T00:00:00Z', body: '1.0', checksum: '0' }),
        event(2, { type: 'null', id: 'null', at: '12', body: 'null', checksum: '1e3' }),
        event(3, { type: 'true', id: null, at: '', body: '', checksum: '' }),
      ]
      assert.equal(await store.append('1', 0, log), true)
      await assertLog(store, '1', log)
    },
  },
  {
    name: 'holds a body of 20 MB',
    check: async (connect) => {
      const store = await connect()
      const large = event(1, { type: 'epoch', body: JSON.stringify('0123456789abcdé\n'.repeat(1_250_000)) })
      assert.equal(await store.append('session', 0, [large]), true)
      const read = await store.epochStart('session')
      assert.equal(read?.body === large.body, true)
    },
  },
  {
    name: 'copies a log of 5,000 events in one append',
    check: async (connect) => {
      const store = await connect()
      const log = Array.from({ length: 5_000 }, (_, index) =>
        event(index + 1, { type: 'append', id: `${index}`, body: JSON.stringify('a word '.repeat(100) + index) }),
      )
      assert.equal(await store.append('parent', 0, log), true)
      assert.equal(await store.append('child', 0, await store.read('parent', 0)), true)
      await store.delete('parent')
      await assertLog(store, 'child', log)
    },
  },
  {
    name: 'keeps what was appended, whatever becomes of the objects',
    check: async (connect) => {
      const store = await connect()
      const first = { ...event(1, { type: 'input', id: 'one' }) }
      const events = [first]
      const appended = store.append('session', 0, events)
      first.body = '"changed"'
      events.push(event(2))
      assert.equal(await appended, true)
      await assertLog(store, 'session', [event(1, { type: 'input', id: 'one' })])
    },
  },
  {
    name: 'lets exactly one of many concurrent appends win each revision',
    check: (connect) => race([connect]),
  },
  {
    name: 'lets exactly one of many concurrent appends over two connections win each revision',
    shared: true,
    check: (connect) => race([connect, connect]),
  },
  {
    name: 'shows what one connection wrote to another at once',
    shared: true,
    check: async (connect) => {
      const [one, other] = [await connect(), await connect()]
      for (let revision = 0; revision < 50; revision += 2) {
        assert.equal(await one.append('session', revision, [event(revision + 1, { type: 'epoch' })]), true)
        assert.deepEqual({ ...(await other.epochStart('session')) }, event(revision + 1, { type: 'epoch' }))
        assert.equal(await other.append('session', revision, [event(revision + 1)]), false)
        assert.equal(await other.append('session', revision + 1, [event(revision + 2)]), true)
        assert.deepEqual(plain(await one.read('session', revision + 1)), [event(revision + 2)])
      }
      await one.delete('session')
      assert.deepEqual(await other.read('session', 0), [])
    },
  },
  {
    name: 'still has everything when it is opened again',
    shared: true,
    check: async (connect) => {
      const first = await connect()
      const log = [event(1, { type: 'epoch' }), event(2, { type: 'input', id: 'one' }), event(3)]
      assert.equal(await first.append('session', 0, log), true)
      await first.close()
      const second = await connect()
      await assertLog(second, 'session', log)
      assert.deepEqual({ ...(await second.epochStart('session')) }, log[0])
      assert.deepEqual({ ...(await second.find('session', 'input', 'one')) }, log[1])
      assert.equal(await second.append('session', 2, [event(3)]), false)
      assert.equal(await second.append('session', 3, [event(4, { type: 'input', id: 'one' })]), false)
      assert.equal(await second.append('session', 3, [event(4)]), true)
    },
  },
  {
    name: 'closes twice, and rejects every call after that with StoreUnusableError',
    check: async (connect) => {
      const store = await connect()
      assert.equal(await store.append('session', 0, [event(1)]), true)
      await store.close()
      await store.close()
      const calls: readonly (() => Promise<unknown>)[] = [
        () => store.append('session', 1, [event(2)]),
        () => store.append('session', 1, [event(2), event(3)]),
        () => store.read('session', 0),
        () => store.read('session', 0, 1),
        () => store.epochStart('session'),
        () => store.find('session', 'input', 'one'),
        () => listed(store),
        () => store.delete('session'),
      ]
      for (const call of calls) {
        await assert.rejects(call, (error) => IndelibleError.isInstance(error, 'store_unusable'))
      }
    },
  },
]

/** Ids that a careless store takes for each other, for a pattern, for a number or for something of its own. */
const oddIds: readonly string[] = [
  'a|A|a | a|ab|aa|\u00e1|a\u0301|a%|a_|a\u200b|%|_|*|?|$1|:a|@a|\'|"|\\|`|;|-|--|../a|a/b|{}|[0]|<a>|&'.split('|'),
  '0|00|1|1.0|01|1e0|0x1|null|undefined|true|NaN|__proto__|constructor|toString|hasOwnProperty|length'.split('|'),
  // Alike when compared without case, or after normalisation.
  'ss|SS|\u00df|ff|\ufb00|I|i|\u0130|\u0131|K|\u212a|\u00c5|\u212b|\u00a0|\u200b|\u2028|\ufeff|\ufeffa'.split('|'),
  // Where the order of UTF-16 code units is not that of UTF-8 bytes.
  '\ue000|\uff5e|\u{10000}|\u{1f600}|\u{10ffff}|\u05d0|\u05d0a'.split('|'),
  // As long as an id may be, in one, two and four bytes a unit.
  ['x'.repeat(511), 'x'.repeat(512), `${'x'.repeat(511)}y`],
  ['\u05d0'.repeat(512), `${'\u{1f600}'.repeat(255)}\u{1f601}`, '\u{1f600}'.repeat(256)],
].flat()

/** 1,000 appends of which 10 can win, spread over the connections. */
async function race(connections: readonly (() => Promise<EventStore>)[]): Promise<void> {
  const stores: EventStore[] = []
  for (const connect of connections) stores.push(await connect())
  const winners: StoredEvent[] = []
  for (let revision = 1; revision <= 10; revision++) {
    const events = Array.from({ length: 100 }, (_, index) => event(revision, { body: `${index}` }))
    const won = await Promise.all(
      events.map((contender, index) => stores[index % stores.length]!.append('session', revision - 1, [contender])),
    )
    winners.push(...events.filter((_, index) => won[index]))
    assert.equal(winners.length, revision, `winners up to revision ${revision}`)
  }
  for (const store of stores) await assertLog(store, 'session', winners)
}

/** An event whose parts tell its revision, so that one that strayed shows. */
function event(revision: number, parts: Partial<StoredEvent> = {}): StoredEvent {
  return {
    revision,
    type: 'boundary',
    v: 1,
    id: null,
    at: new Date(Date.UTC(2026, 0, 1) + revision * 1_000).toISOString(),
    body: JSON.stringify({ revision }),
    checksum: `checksum of ${revision}`,
    ...parts,
  }
}

async function appendOneByOne(store: EventStore, session: string, log: readonly StoredEvent[]): Promise<void> {
  for (const [index, stored] of log.entries()) assert.equal(await store.append(session, index, [stored]), true)
}

async function assertLog(store: EventStore, session: string, log: readonly StoredEvent[]): Promise<void> {
  assert.deepEqual(plain(await store.read(session, 0)), log)
}

async function listed(store: EventStore): Promise<StoredSession[]> {
  const sessions: StoredSession[] = []
  for await (const session of store.list()) sessions.push({ ...session })
  return sessions
}

/** The prototype of rows is a store's own business. */
function plain(events: readonly StoredEvent[]): StoredEvent[] {
  return events.map((stored) => ({ ...stored }))
}

function byUtf8(a: string, b: string): number {
  return Buffer.compare(Buffer.from(a), Buffer.from(b))
}
