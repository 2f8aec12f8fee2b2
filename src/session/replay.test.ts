/** Law 9: what the log gives back of past turns is what `turn()` returned, to the bytes of the requests made of them. */
import type { MessageParam } from '@anthropic-ai/sdk/resources/messages'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import {
  absent,
  assistant,
  collect,
  countingIds,
  startAgent,
  tickingClock,
  unavailable,
  user,
  World,
} from '../../test/support/session.ts'
import { memoryStore } from '../store/memory.ts'
import { anthropicFormat, toAnthropicMessages } from '../wire/anthropic/index.ts'
import type { PlainMessage } from './plain-format.ts'
import { replayTurns, type Replayable, type ReplayedTurn, type ReplayOptions } from './replay.ts'
import { createSessions } from './sessions.ts'
import type { HostSession, Session, Tool, Turn, TurnView } from './types.ts'

const numRuns = Number(process.env['LAWS_RUNS'] ?? 100)

function replayed<M>(session: Replayable<M>, options?: ReplayOptions<M>): Promise<readonly ReplayedTurn<M>[]> {
  return collect(replayTurns(session, options))
}

/** A turn without what no log holds, and without what only the first look at a boundary shows. */
function shown<M>(view: TurnView<M> | null, over: Partial<TurnView<M>> = {}): unknown {
  return (
    view &&
    JSON.parse(JSON.stringify({ ...view, stale: [], tools: view.tools && { ...view.tools, held: [] }, ...over }))
  )
}

type Step =
  | { readonly do: 'input' | 'turn' | 'move' | 'restart' | 'refusal' }
  | { readonly do: 'answer'; readonly calls: number }
  | { readonly do: 'compaction' | 'fork'; readonly back: number }
  | { readonly do: 'set'; readonly key: string; readonly value: string | typeof absent | typeof unavailable }
  | { readonly do: 'tools'; readonly names: readonly string[] }

const step: fc.Arbitrary<Step> = fc.oneof(
  { weight: 5, arbitrary: fc.record({ do: fc.constant('input') }) },
  { weight: 4, arbitrary: fc.record({ do: fc.constant('turn') }) },
  { weight: 7, arbitrary: fc.record({ do: fc.constant('answer'), calls: fc.nat(2) }) },
  {
    weight: 4,
    arbitrary: fc.record({
      do: fc.constant('set'),
      key: fc.constantFrom('app/a', 'app/b'),
      value: fc.constantFrom('1', '2', absent, unavailable),
    }),
  },
  { weight: 1, arbitrary: fc.record({ do: fc.constant('tools'), names: fc.subarray(['edit', 'read']) }) },
  { weight: 1, arbitrary: fc.record({ do: fc.constantFrom('move', 'restart', 'refusal') }) },
  { weight: 1, arbitrary: fc.record({ do: fc.constantFrom('compaction', 'fork'), back: fc.nat(3) }) },
)

/** A conversation of Anthropic messages, and every turn that was taken in it. */
class Kept {
  readonly #world = new World({ 'app/a': '1', 'app/b': '1' })
  #tools: readonly Tool[] = [{ name: 'read', input_schema: { type: 'object' } }]
  readonly #sessions = createSessions<MessageParam>({
    store: memoryStore(),
    format: anthropicFormat,
    context: this.#world.context(),
    instructions: 'Be brief.',
    tools: () => this.#tools,
    onToolAdded: 'append',
    clock: tickingClock(),
    createId: countingIds(),
  })
  session: Session<MessageParam> = this.#sessions.open('s')
  /** By revision, as first returned. */
  taken = new Map<number, Turn<MessageParam>>()
  /** Revision of the answer, by that of its turn. */
  answers = new Map<number, number>()
  #turn: Turn<MessageParam> | undefined
  #said = 0

  async take(next: Step): Promise<void> {
    switch (next.do) {
      case 'input':
        await this.session.submit({ role: 'user', content: `input ${this.#said++}` })
        break
      case 'turn':
        await this.#takeTurn()
        break
      case 'answer':
        await this.#answer(next.calls)
        break
      case 'set':
        this.#world.set(next.key, next.value)
        break
      case 'tools':
        this.#tools = next.names.map((name) => ({ name, input_schema: { type: 'object' } }))
        break
      case 'move':
        await this.session.move()
        break
      case 'refusal':
        await this.session.refused({ model: 'claude-opus-4-8', feature: 'native-updates' })
        break
      case 'restart':
        this.session = this.#sessions.open(this.session.id)
        break
      case 'compaction': {
        const through = [...this.answers.values()].at(-1 - next.back)
        const summary: MessageParam[] = [{ role: 'user', content: 'summary' }]
        if (through !== undefined) await this.session.compact({ summary, through }).catch(ignore('compaction_invalid'))
        break
      }
      case 'fork': {
        const at = [...this.answers.values()].at(-1 - next.back)
        if (at === undefined) break
        this.session = await this.session.fork(`${this.session.id}+`, { at })
        this.answers = new Map([...this.answers].filter(([, answer]) => answer <= at))
        this.taken = new Map([...this.taken].filter(([revision]) => revision < at))
        this.#turn = undefined
        await this.#finishCalls()
      }
    }
  }

  async #takeTurn(): Promise<void> {
    this.#turn = undefined
    const turn = await this.session.turn().catch(ignore('initialization_blocked'))
    if (turn === undefined) return
    this.#turn = turn
    if (!this.taken.has(turn.revision)) this.taken.set(turn.revision, turn)
  }

  async #answer(calls: number): Promise<void> {
    const turn = this.#turn
    if (turn === undefined || turn.entries.length === 0) return
    const id = this.#said++
    const use = Array.from({ length: calls }, (_, index) => ({
      type: 'tool_use' as const,
      id: `${id}-${index}`,
      name: 'read',
      input: {},
    }))
    const { revision } = await turn.answer(
      [{ role: 'assistant', content: [{ type: 'text', text: `answer ${id}` }, ...use] }],
      {
        usage: { total: id, read: 0 },
      },
    )
    this.answers.set(turn.revision, revision)
    this.#turn = undefined
    await this.#finishCalls()
  }

  async #finishCalls(): Promise<void> {
    const messages = (await collect(this.session.events())).flatMap((event) =>
      'messages' in event ? event.messages : [],
    )
    const open = anthropicFormat.openCalls(messages)
    if (open.length === 0) return
    const content = open.map((tool_use_id) => ({ type: 'tool_result' as const, tool_use_id, content: 'did' }))
    await this.session.append([{ role: 'user', content }])
    await this.#takeTurn()
  }
}

function ignore(code: string): (error: unknown) => undefined {
  return (error) => {
    if ((error as { code?: string }).code !== code) throw error
  }
}

function bodyOf(turn: TurnView<MessageParam>): string {
  return JSON.stringify(toAnthropicMessages({ ...turn, tools: null }, { model: 'claude-opus-4-8', max_tokens: 9 }).body)
}

describe('the past turns of a session', () => {
  it('are what turn() returned, and lower to the same bytes', async () => {
    let compared = 0
    await fc.assert(
      fc.asyncProperty(fc.array(step, { minLength: 1, maxLength: 40, size: 'max' }), async (steps) => {
        const kept = new Kept()
        await kept.take({ do: 'input' })
        await kept.take({ do: 'turn' })
        for (const next of steps) await kept.take(next)
        const turns = await replayed(kept.session, {})
        for (const { view, revision, answer, quiet, update } of turns) {
          const then = kept.taken.get(revision)!
          expect(shown(view)).toEqual(shown(then, { session: kept.session.id }))
          expect(update).toEqual(then.update)
          expect(answer?.revision).toBe(kept.answers.get(revision))
          if (quiet) expect(answer).not.toBeNull()
          if (view!.entries.length > 0) expect(bodyOf(view!)).toBe(bodyOf(then))
        }
        const revisions = turns.map(({ revision }) => revision)
        expect(revisions).toEqual([...new Set(revisions)].toSorted((a, b) => a - b))
        expect(revisions).toEqual(expect.arrayContaining([...kept.answers.keys()]))
        const events = (await collect(kept.session.events())).filter(
          ({ type }) => type === 'boundary' || type === 'epoch',
        )
        expect(revisions).toEqual(expect.arrayContaining(events.map(({ revision }) => revision)))
        compared += turns.length
      }),
      { numRuns },
    )
    expect(compared).toBeGreaterThan(numRuns)
  })

  it('come with their answers, aborted ones without, and a step without a change of its own with its answer', async () => {
    const { session } = startAgent()
    await session.submit(user('one'))
    await session.turn()
    await session.submit(user('two'))
    const turn = await session.turn()
    const call: PlainMessage = { role: 'assistant', tool_calls: [{ id: 'c' }] }
    await turn.answer([call], { usage: { total: 10, read: 4 } })
    await session.append([{ role: 'tool', tool_call_id: 'c' }])
    const quiet = await session.turn()
    await quiet.answer([assistant('done')])
    await session.turn()
    expect(
      (await replayed(session)).map(({ revision, at, quiet, asks, answer }) => ({ revision, at, quiet, asks, answer })),
    ).toEqual([
      { revision: 2, at: '2026-01-01T00:01:00.000Z', quiet: false, asks: true, answer: null },
      {
        revision: 4,
        at: '2026-01-01T00:03:00.000Z',
        quiet: false,
        asks: true,
        answer: { revision: 5, at: '2026-01-01T00:04:00.000Z', messages: [call], usage: { total: 10, read: 4 } },
      },
      {
        revision: 6,
        at: '2026-01-01T00:05:00.000Z',
        quiet: true,
        asks: true,
        answer: { revision: 7, at: '2026-01-01T00:06:00.000Z', messages: [assistant('done')] },
      },
    ])
  })

  it('take no answer, and are not there before the first', async () => {
    const { session } = startAgent()
    expect(await replayed(session)).toEqual([])
    await session.submit(user('one'))
    await session.turn()
    const [{ view }] = (await replayed(session)) as [ReplayedTurn<PlainMessage>]
    await expect((view as Turn<PlainMessage>).answer([assistant('late')])).rejects.toMatchObject({
      code: 'not_supported',
    })
  })

  it('are refused where an event contradicts those before it', async () => {
    const { session } = startAgent()
    await session.submit(user('one'))
    await (await session.turn()).answer([assistant('1')])
    const events = await collect(session.events())
    const { format } = session
    const torn = { id: 'one', format, events: () => toAsync(events.filter(({ revision }) => revision !== 2)) }
    await expect(replayed(torn)).rejects.toMatchObject({ code: 'event_unreadable', revision: 3 })
  })
})

async function* toAsync<T>(items: readonly T[]): AsyncGenerator<T> {
  yield* items
}

type HostStep =
  | { readonly do: 'input' | 'turn' | 'rewrite' | 'edit' | 'restart' }
  | { readonly do: 'answer'; readonly back: number }
  | { readonly do: 'set'; readonly value: string }

const hostStep: fc.Arbitrary<HostStep> = fc.oneof(
  { weight: 4, arbitrary: fc.record({ do: fc.constant('input') }) },
  { weight: 6, arbitrary: fc.record({ do: fc.constant('turn') }) },
  { weight: 6, arbitrary: fc.record({ do: fc.constant('answer'), back: fc.nat(2) }) },
  { weight: 3, arbitrary: fc.record({ do: fc.constant('set'), value: fc.constantFrom('1', '2', '3') }) },
  { weight: 1, arbitrary: fc.record({ do: fc.constantFrom('rewrite', 'edit', 'restart') }) },
)

/** A host that keeps its history, and every turn that it took. */
class Host {
  readonly #world = new World({ 'app/a': '1' })
  readonly #sessions = createSessions({
    store: memoryStore(),
    context: this.#world.context(),
    clock: tickingClock(),
    createId: countingIds(),
  })
  session: HostSession<PlainMessage> = this.#sessions.attach('h')
  history: PlainMessage[] = []
  readonly taken = new Map<number, Turn<PlainMessage>>()
  /** The answer that the session has seen, by the revision of its turn. */
  readonly answers = new Map<number, PlainMessage>()
  #waiting: { revision: number; length: number }[] = []
  #pending: { revision: number; message: PlainMessage } | undefined
  #said = 0

  async take(next: HostStep): Promise<void> {
    switch (next.do) {
      case 'input':
        this.history.push(user(`input ${this.#said++}`))
        break
      case 'turn':
        await this.#turn()
        break
      case 'answer':
        this.#answer(next.back)
        break
      case 'set':
        this.#world.set('app/a', next.value)
        break
      case 'edit':
        if (this.history.at(-1)?.role === 'user') this.history.splice(-1, 1, user(`edited ${this.#said++}`))
        break
      case 'rewrite':
        await this.#turn()
        if (this.history.length > 1) this.history = [user(`rewritten ${this.#said++}`), ...this.history.slice(1)]
        break
      case 'restart':
        this.session = this.#sessions.attach('h')
    }
  }

  async #turn(): Promise<void> {
    const answered = this.#pending && { revision: this.#pending.revision, usage: { total: this.#pending.revision } }
    const turn = await this.session.turn({ history: this.history, onRewrite: 'epoch', ...(answered && { answered }) })
    if (this.#pending !== undefined) {
      this.answers.set(this.#pending.revision, this.#pending.message)
      this.#pending = undefined
      this.#waiting = []
    }
    if (turn.started !== null) this.#waiting = []
    if (!this.taken.has(turn.revision)) this.taken.set(turn.revision, turn)
    if (this.history.at(-1)?.role === 'user' && this.#waiting.at(-1)?.revision !== turn.revision) {
      this.#waiting.push({ revision: turn.revision, length: this.history.length })
    }
  }

  /** Answers one of the turns that wait; what came after it in the history is gone. */
  #answer(back: number): void {
    const turn = this.#waiting.at(-1 - back)
    if (turn === undefined || this.#pending !== undefined) return
    const then = this.taken.get(turn.revision)!
    const message = assistant(`answer ${this.#said++}`)
    this.history = [...then.entries.flatMap((entry) => (entry.type === 'message' ? [entry.message] : [])), message]
    this.#pending = { revision: turn.revision, message }
  }
}

describe('the past turns of a session whose history the host keeps', () => {
  it('are what turn() returned, where the history still holds what they were sent', async () => {
    let compared = 0
    let gone = 0
    await fc.assert(
      fc.asyncProperty(fc.array(hostStep, { minLength: 1, maxLength: 40, size: 'max' }), async (steps) => {
        const host = new Host()
        await host.take({ do: 'input' })
        for (const next of [...steps, { do: 'turn' } as const]) await host.take(next)
        for (const { view, revision, answer, update } of await replayed(host.session, { history: host.history })) {
          const then = host.taken.get(revision)!
          const sent = then.entries.flatMap((entry) => (entry.type === 'message' ? [entry.message] : []))
          const holds = JSON.stringify(host.history.slice(0, sent.length)) === JSON.stringify(sent)
          expect(shown(view)).toEqual(holds ? shown(then) : null)
          expect(update).toEqual(then.update)
          const expected = host.answers.get(revision)
          expect(answer?.usage).toEqual(expected && { total: revision })
          if (answer !== null)
            expect(answer.messages).toEqual(host.history.includes(expected!) && holds ? [expected] : [])
          if (holds) compared++
          else gone++
        }
      }),
      { numRuns },
    )
    expect(compared).toBeGreaterThan(numRuns)
    expect(gone).toBeGreaterThan(0)
  })

  it('are known without the history, but for what they were sent', async () => {
    const sessions = createSessions({ store: memoryStore(), context: new World({ 'app/a': '1' }).context() })
    const session = sessions.attach('h')
    const { revision } = await session.turn({ history: [user('one')] })
    await session.turn({ history: [user('one'), assistant('1'), user('two')] })
    const turns = await replayed(session)
    expect(turns.map(({ view, revision, asks }) => ({ view, revision, asks }))).toEqual([
      { view: null, revision, asks: true },
      { view: null, revision: revision + 1, asks: true },
    ])
    expect(turns[0]?.answer).toMatchObject({ revision: revision + 1, messages: [] })
  })
})
