/**
 * What tests of sessions are made of: short messages, a world of values that sources read, a clock and ids that repeat,
 * a store that counts what is asked of it. Texts of the sources are `KEY=VALUE` and `KEY is gone`, one to a line, so that a
 * test can read them as a model would ({@link beliefsFrom}).
 */
import {
  absent,
  combine,
  createSessions,
  defineSource,
  memoryStore,
  unavailable,
  type Context,
  type EventStore,
  type Observed,
  type PlainMessage,
  type Session,
  type SessionEvent,
  type Sessions,
  type SessionsOptions,
  type SourceDefinition,
  type StoredEvent,
  type StoredSession,
  type Turn,
} from '../../src/index.ts'

export const user = (content: string): PlainMessage => ({ role: 'user', content })
export const assistant = (content: string): PlainMessage => ({ role: 'assistant', content })
/** An answer that calls tools. */
export const calling = (...ids: string[]): PlainMessage => ({
  role: 'assistant',
  content: `calls ${ids.join(' ')}`,
  tool_calls: ids.map((id) => ({ id })),
})
export const result = (id: string, content = `did ${id}`): PlainMessage => ({ role: 'tool', tool_call_id: id, content })

/** What a source of a {@link World} yields: a value, nothing, or a reason why it cannot be read. */
export type Condition = Observed<string> | Error

/** How a source of a {@link World} differs from the usual one; `removed: false` leaves it without a removal text. */
export interface SourceTraits extends Pick<SourceDefinition<string>, 'refresh' | 'required' | 'authority'> {
  readonly removed?: boolean
}

/** Values that change under a conversation, and sources that read them. */
export class World {
  /** Keys in the order in which they were read. */
  readonly reads: string[] = []
  /** Values that the codec of today cannot decode: those that an older release admitted. */
  readonly undecodable: Set<string> = new Set()
  readonly #conditions = new Map<string, Condition>()

  constructor(conditions: Readonly<Record<string, Condition>> = {}) {
    for (const [key, condition] of Object.entries(conditions)) this.set(key, condition)
  }

  set(key: string, condition: Condition): void {
    this.#conditions.set(key, condition)
  }

  get(key: string): Condition {
    return this.#conditions.get(key) ?? absent
  }

  /** Synchronous, unless `delay` says what to wait for before the value is read. */
  source(key: string, traits: SourceTraits = {}, delay?: () => Promise<void>): Context {
    const { removed = true, ...rest } = traits
    const read = (): Observed<string> => {
      this.reads.push(key)
      const condition = this.get(key)
      if (condition instanceof Error) throw condition
      return condition
    }
    return defineSource<string>({
      key,
      codec: {
        encode: (value) => value,
        decode: (json) => {
          if (this.undecodable.has(json as string)) throw new TypeError(`${String(json)} is of an older release`)
          return json as string
        },
      },
      load: delay === undefined ? read : () => delay().then(read),
      baseline: (current) => `${key}=${current}`,
      update: (_previous, current) => `${key}=${current}`,
      ...(removed && { removed: () => `${key} is gone` }),
      ...rest,
    })
  }

  /** The sources of all keys that have been set so far, in that order. */
  context(): Context {
    return combine(...[...this.#conditions.keys()].map((key) => this.source(key)))
  }
}

/** What a model believes that was told these texts, in this order. */
export function beliefsFrom(texts: readonly string[]): Record<string, string> {
  const beliefs = new Map<string, string>()
  for (const line of texts.flatMap((text) => text.split('\n'))) {
    const [, told, value, gone] = /^(\S+?\/\S+?)=(.*)$|^(\S+) is gone$/.exec(line) ?? []
    if (told !== undefined) beliefs.set(told, value!)
    if (gone !== undefined) beliefs.delete(gone)
  }
  return Object.fromEntries([...beliefs].toSorted(([a], [b]) => (a < b ? -1 : 1)))
}

/** What a model believes that was sent this turn. */
export function beliefsOf(turn: Pick<Turn<PlainMessage>, 'baseline' | 'entries'>): Record<string, string> {
  return beliefsFrom([turn.baseline, ...turn.entries.flatMap((entry) => (entry.type === 'update' ? [entry.text] : []))])
}

/** A minute later at each look, from a fixed time on. */
export function tickingClock(): () => Date {
  let minutes = 0
  return () => new Date(Date.UTC(2026, 0, 1, 0, minutes++))
}

/** `id-00000001`, `id-00000002`, ... */
export function countingIds(): () => string {
  let count = 0
  return () => `id-${String(++count).padStart(8, '0')}`
}

/** An event store that can be watched: the names of its methods in the order of the calls. */
export type WatchedStore = EventStore & { readonly calls: string[] }

export function watched(store: EventStore): WatchedStore {
  const calls: string[] = []
  const counted = replacing(store, {
    append: (...args) => (calls.push('append'), store.append(...args)),
    read: (...args) => (calls.push('read'), store.read(...args)),
    epochStart: (...args) => (calls.push('epochStart'), store.epochStart(...args)),
    find: (...args) => (calls.push('find'), store.find(...args)),
  })
  return { ...counted, calls }
}

/** The store with other methods in place of some of its own. */
export function replacing(store: EventStore, methods: Partial<EventStore>): EventStore {
  return {
    append: (...args) => store.append(...args),
    read: (...args) => store.read(...args),
    epochStart: (...args) => store.epochStart(...args),
    find: (...args) => store.find(...args),
    list: () => store.list(),
    delete: (...args) => store.delete(...args),
    close: () => store.close(),
    ...methods,
  }
}

/** A store over one session's rows as they are given, gaps and all: what is left of a log that somebody meddled with. */
export function storeOf(id: string, rows: readonly StoredEvent[]): EventStore {
  const of = (session: string): readonly StoredEvent[] => (session === id ? rows : [])
  return {
    append: () => Promise.resolve(false),
    read: (session, after, limit = Infinity) =>
      Promise.resolve(
        of(session)
          .filter((row) => row.revision > after)
          .slice(0, limit),
      ),
    epochStart: (session) => Promise.resolve(of(session).findLast((row) => row.type === 'epoch')),
    find: (session, type, wanted) => Promise.resolve(of(session).find((row) => row.type === type && row.id === wanted)),
    async *list(): AsyncGenerator<StoredSession> {},
    delete: () => Promise.resolve(),
    close: () => Promise.resolve(),
  }
}

/** One agent: a world with a branch and a date, a store, and sessions over them. */
export interface Agent {
  readonly world: World
  readonly store: WatchedStore
  readonly sessions: Sessions<PlainMessage>
  /** Of the id `'one'`. */
  readonly session: Session<PlainMessage>
  /** The same agent in another process: the same store and world, nothing else shared. */
  restarted(options?: Partial<SessionsOptions<PlainMessage>>): Agent
}

export function startAgent(options: Partial<SessionsOptions<PlainMessage>> & { world?: World } = {}): Agent {
  const { world = new World({ 'app/branch': 'main', 'app/date': 'Monday' }), ...rest } = options
  const store = watched(rest.store ?? memoryStore())
  const clock = rest.clock ?? tickingClock()
  const createId = rest.createId ?? countingIds()
  const settings = { context: world.context(), instructions: 'Be brief.', ...rest, store, clock, createId }
  const sessions = createSessions(settings)
  return {
    world,
    store,
    sessions,
    session: sessions.open('one'),
    restarted: (changed = {}) => startAgent({ ...settings, ...changed, world }),
  }
}

/** One exchange: an input, its turn, and the answer to it. */
export async function exchange(
  session: Session<PlainMessage>,
  input: string,
  answer: PlainMessage = assistant(`answer to ${input}`),
): Promise<Turn<PlainMessage>> {
  await session.submit(user(input))
  const turn = await session.turn()
  await turn.answer([answer])
  return turn
}

/** The entries in few words: `u:` user, `a:` assistant, `t:` tool result, `U:` update. */
export function outline(entries: Turn<PlainMessage>['entries']): string[] {
  return entries.map((entry) => {
    if (entry.type === 'update') return `U:${entry.text.replaceAll('\n\n', ' ')}`
    const { role, content } = entry.message
    return `${role[0]}:${String(content)}`
  })
}

export async function collect<T>(items: AsyncIterable<T>): Promise<T[]> {
  const collected: T[] = []
  for await (const item of items) collected.push(item)
  return collected
}

/** The types of a session's events, oldest first. */
export async function eventTypes(session: { events(): AsyncIterable<SessionEvent<PlainMessage>> }): Promise<string[]> {
  return (await collect(session.events())).map((event) => event.type)
}

/** A promise and the function that resolves it. */
export function gate(): { readonly opened: Promise<void>; open(): void } {
  const { promise, resolve } = Promise.withResolvers<void>()
  return { opened: promise, open: resolve }
}

export { absent, unavailable }
