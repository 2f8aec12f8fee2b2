/** The laws of a session whose history the host keeps, under hosts that abort, edit, answer late, restart and rewrite. */
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import {
  absent,
  assistant,
  beliefsOf,
  calling,
  collect,
  countingIds,
  result,
  tickingClock,
  unavailable,
  user,
  watched,
  World,
  type Condition,
} from '../../test/support/session.ts'
import { expectToolBeliefs, expectToolTruth, stateAt } from '../../test/support/session-laws.ts'
import { Toolbox, type ToolShape } from '../../test/support/session-tools.ts'
import { IndelibleError } from '../base/error.ts'
import { memoryStore } from '../store/memory.ts'
import { plainFormat } from './plain-format.ts'
import type { PlainMessage } from './plain-format.ts'
import { createSessions } from './sessions.ts'
import type { EventStore } from './store.ts'
import type { HostSession, Sessions, Turn } from './types.ts'

const keys = ['app/a', 'app/b']

type Step =
  | { readonly do: 'input' | 'trim' | 'move' | 'refuse' | 'fork' | 'answer-alone' }
  | { readonly do: 'turn' | 'reopen'; readonly by: number }
  | { readonly do: 'edit'; readonly at: number; readonly how: 'change' | 'drop' | 'insert' }
  | {
      readonly do: 'answer'
      readonly to: number
      readonly tools: boolean
      readonly keepTail: boolean
      readonly named: boolean
    }
  | { readonly do: 'rewrite'; readonly at: number; readonly by: number; readonly accept: boolean }
  | { readonly do: 'set'; readonly key: string; readonly condition: Condition }
  | { readonly do: 'equip'; readonly name: string; readonly shape: ToolShape | null }
  | { readonly do: 'list'; readonly failing: boolean }

const index = fc.nat({ max: 9 })
const by = fc.nat({ max: 1 })
const step: fc.Arbitrary<Step> = fc.oneof(
  { weight: 6, arbitrary: fc.record({ do: fc.constant('input') }) },
  { weight: 8, arbitrary: fc.record({ do: fc.constant('turn'), by }) },
  {
    weight: 7,
    arbitrary: fc.record({
      do: fc.constant('answer'),
      to: fc.oneof(fc.constant(0), fc.nat({ max: 3 })),
      tools: fc.boolean(),
      keepTail: fc.boolean(),
      named: fc.boolean(),
    }),
  },
  {
    weight: 4,
    arbitrary: fc.record({ do: fc.constant('edit'), at: index, how: fc.constantFrom('change', 'drop', 'insert') }),
  },
  {
    weight: 6,
    arbitrary: fc.record({
      do: fc.constant('set'),
      key: fc.constantFrom(...keys),
      condition: fc.constantFrom<Condition>('1', '2', '3', absent, unavailable),
    }),
  },
  {
    weight: 5,
    arbitrary: fc.record({
      do: fc.constant('equip'),
      name: fc.constantFrom('read', 'write'),
      shape: fc.option(
        fc.record({ takes: fc.constantFrom('a', 'b'), described: fc.constantFrom('Well.', 'Better.') }),
        {
          freq: 3,
        },
      ),
    }),
  },
  { weight: 1, arbitrary: fc.record({ do: fc.constant('list'), failing: fc.boolean() }) },
  { weight: 2, arbitrary: fc.record({ do: fc.constant('rewrite'), at: index, by, accept: fc.boolean() }) },
  { weight: 1, arbitrary: fc.record({ do: fc.constant('reopen'), by }) },
  { weight: 1, arbitrary: fc.record({ do: fc.constantFrom('trim', 'move', 'refuse', 'fork', 'answer-alone') }) },
)

type OnToolAdded = 'epoch' | 'append' | 'hold'

/** A request that a model may still answer. */
interface Request {
  readonly turn: Turn<PlainMessage>
  readonly history: readonly PlainMessage[]
}

/** A host with one conversation, in two processes that share its store. */
class Host {
  readonly #world = new World({ 'app/a': '1', 'app/b': '1' })
  readonly #toolbox = new Toolbox({ read: { takes: 'a', described: 'Well.' } })
  readonly #onToolAdded: OnToolAdded
  readonly #store = memoryStore()
  readonly #clock = tickingClock()
  readonly #createId = countingIds()
  #id = 'one'
  #sessions: HostSession<PlainMessage>[]
  #history: PlainMessage[] = []
  /** Requests since the last answer, newest first. */
  #waiting: Request[] = []
  /** The turn whose answer the history holds, until the session has seen it. */
  #answered: number | undefined
  /** What was answered in this epoch: the entries of each request. */
  #fixed: readonly (readonly unknown[])[] = []
  #epoch = 0
  /** Of the latest turn. */
  #revision = 0
  #said = 0
  #marked = 0

  constructor(onToolAdded: OnToolAdded) {
    this.#onToolAdded = onToolAdded
    this.#sessions = [this.#open(), this.#open()]
  }

  async take(next: Step): Promise<void> {
    switch (next.do) {
      case 'input':
        this.#history.push(user(this.#say('input')))
        break
      case 'turn':
        await this.#turn(next.by)
        break
      case 'answer':
        this.#answer(next)
        break
      case 'answer-alone':
        // A loop that the host runs without us: the model answers what no turn was taken for.
        if (this.#answered === undefined && this.#history.length === this.#tailStart() && this.#history.length > 0) {
          this.#history.push(user(this.#say('alone')), assistant(this.#say('answer')))
        }
        break
      case 'edit':
        this.#edit(next)
        break
      case 'trim':
        this.#history.length = this.#looseStart()
        break
      case 'rewrite':
        await this.#rewrite(next)
        break
      case 'move':
        await this.#sessions[0]!.move()
        break
      case 'refuse':
        await this.#sessions[0]!.refused({ model: this.#say('model'), feature: 'native-updates' })
        break
      case 'fork':
        await this.#sessions[0]!.fork(`${this.#id}+`)
        this.#id += '+'
        this.#sessions = [this.#open(), this.#open()]
        break
      case 'reopen':
        this.#sessions[next.by] = this.#open()
        break
      case 'set':
        this.#world.set(next.key, next.condition)
        break
      case 'equip':
        this.#toolbox.set(next.name, next.shape)
        break
      case 'list':
        this.#toolbox.failing = next.failing
        break
    }
    for (const session of this.#sessions) expect(await session.verify()).toEqual({ ok: true, problems: [] })
  }

  /** The first index after the last answer. */
  #tailStart(): number {
    return this.#history.findLastIndex(({ role }) => role === 'assistant') + 1
  }

  /** The first index that a host may edit: results stay behind their calls. */
  #looseStart(): number {
    return this.#history.findLastIndex(({ role }) => role !== 'user') + 1
  }

  #edit({ at, how }: Extract<Step, { do: 'edit' }>): void {
    const start = this.#looseStart()
    const place = start + (at % (this.#history.length - start + 1))
    if (how === 'insert') this.#history.splice(place, 0, user(this.#say('inserted')))
    else if (place < this.#history.length) {
      this.#history.splice(place, 1, ...(how === 'change' ? [user(this.#say('changed'))] : []))
    }
  }

  #answer({ to, tools, keepTail, named }: Extract<Step, { do: 'answer' }>): void {
    const request = this.#waiting[to % Math.max(this.#waiting.length, 1)]
    if (request === undefined) return
    const latest = request.turn.revision === this.#revision
    const tail = keepTail
      ? this.#history.filter((message) => !request.history.includes(message) && message.role === 'user')
      : []
    const call = this.#say('call')
    const answer = tools ? [calling(call), result(call)] : [assistant(this.#say('answer'))]
    this.#history = [...request.history, ...answer, ...tail]
    this.#answered = latest && !named ? undefined : request.turn.revision
    this.#fixed = [...this.#fixed, request.turn.entries.map(plain)]
    this.#waiting = []
  }

  async #turn(by: number): Promise<void> {
    const turn = await this.#ask(by)
    if (turn !== undefined) await this.#expectLaws(turn)
  }

  async #ask(by: number, onRewrite?: 'throw' | 'epoch'): Promise<Turn<PlainMessage> | undefined> {
    const history = this.#wire()
    const reads = this.#world.reads.length
    const listed = this.#toolbox.reads
    try {
      const turn = await this.#sessions[by]!.turn({
        history,
        ...(this.#answered !== undefined && { answered: { revision: this.#answered } }),
        ...(onRewrite && { onRewrite }),
      })
      expect(this.#world.reads.length - reads).toBe(keys.length)
      expect(this.#toolbox.reads - listed).toBe(1)
      if (turn.epoch !== this.#epoch) {
        this.#epoch = turn.epoch
        this.#fixed = []
        this.#waiting = []
      }
      this.#answered = undefined
      this.#revision = turn.revision
      const last = turn.entries.findLast((entry) => entry.type === 'message')
      if (last?.type === 'message' && last.message.role !== 'assistant') {
        this.#waiting.unshift({ turn, history: [...this.#history] })
      }
      return turn
    } catch (error) {
      if (!IndelibleError.isInstance(error, 'initialization_blocked')) throw error
      return undefined
    }
  }

  /** The history as it comes from the host's own store: new objects, and a cache mark that moves. */
  #wire(): PlainMessage[] {
    this.#marked++
    return this.#history.map((message, at) => {
      const copy = structuredClone(message)
      if (at % 3 !== this.#marked % 3) return copy
      const part = { type: 'text', text: message.content, cache_control: { type: 'ephemeral' } }
      return { ...copy, content: [part] }
    })
  }

  async #rewrite({ at, by, accept }: Extract<Step, { do: 'rewrite' }>): Promise<void> {
    // Only what the session has seen answered can be rewritten, and only if it could be read at all.
    const seen = await this.#ask(by)
    if (seen === undefined) return
    await this.#expectLaws(seen)
    const start = this.#tailStart()
    if (start === 0) return
    const place = at % start
    if (this.#history[place]!.role !== 'user') return
    const before = this.#history[place]!
    this.#history[place] = user(this.#say('rewritten'))
    for (const session of [this.#sessions[1 - by]!, this.#open()]) {
      const turn = session.turn({ history: this.#wire() })
      await expect(turn).rejects.toMatchObject({ code: 'history_rewritten', index: place })
    }
    if (accept) {
      const turn = await this.#ask(by, 'epoch')
      if (turn === undefined) return
      expect(turn.started).not.toBeNull()
      await this.#expectLaws(turn)
    } else {
      this.#history[place] = before
    }
  }

  async #expectLaws(turn: Turn<PlainMessage>): Promise<void> {
    // What the model sees is the history, with updates between.
    expect(turn.entries.flatMap((entry) => (entry.type === 'message' ? [identity(entry.message)] : []))).toEqual(
      this.#history.map(identity),
    )
    const shown = turn.entries.map(plain)
    for (const request of this.#fixed) expect(shown.slice(0, request.length)).toEqual(request)
    const revisions = turn.entries.map((entry) => entry.revision)
    expect(Math.max(0, ...revisions)).toBeLessThanOrEqual(turn.revision)

    const events = await collect(this.#sessions[0]!.events())
    const { epoch, snapshot } = stateAt(events, Infinity)
    expectToolBeliefs(epoch!, turn.entries)
    expect(turn.tools?.definitions).toEqual(epoch!.tools)
    const beliefs = beliefsOf(turn)
    expect(beliefs).toEqual(Object.fromEntries(Object.entries(snapshot).map(([key, entry]) => [key, entry.value])))
    if (turn.started !== null || this.#history.length > this.#tailStart()) {
      for (const key of keys) {
        const value = this.#world.get(key)
        if (value !== unavailable) expect(beliefs[key]).toBe(value === absent ? undefined : value)
      }
      if (turn.stale.length === 0) expectToolTruth(turn, this.#toolbox.tools, this.#onToolAdded)
    }
    await this.#expectRebuilt(turn)
    for (const session of [...this.#sessions, this.#open()]) {
      expect(await session.verify({ history: this.#wire() })).toEqual({ ok: true, problems: [] })
    }
  }

  /** A process that starts now, on a copy of the log, sees the same turn and has nothing to write. */
  async #expectRebuilt(turn: Turn<PlainMessage>): Promise<void> {
    const copy = watched(memoryStore())
    await copy.append(this.#id, 0, await this.#store.read(this.#id, 0))
    copy.calls.length = 0
    const rebuilt = await this.#over(copy).attach(this.#id).turn({ history: this.#wire() })
    expect(copy.calls).not.toContain('append')
    expect({ ...rebuilt, entries: rebuilt.entries.map(plain) }).toEqual({
      ...turn,
      entries: turn.entries.map(plain),
      update: null,
      started: null,
    })
  }

  #open(): HostSession<PlainMessage> {
    return this.#over(this.#store).attach(this.#id)
  }

  #over(store: EventStore): Sessions<PlainMessage> {
    return createSessions({
      store,
      context: this.#world.context(),
      tools: () => this.#toolbox.read(),
      onToolAdded: this.#onToolAdded,
      clock: this.#clock,
      createId: this.#createId,
    })
  }

  #say(what: string): string {
    return `${what}-${this.#said++}`
  }
}

function identity(message: PlainMessage): unknown {
  return plainFormat.identity(message)
}

/** An entry without what does not count: which object its message is, and where cache marks stand. */
function plain(entry: Turn<PlainMessage>['entries'][number]): unknown {
  return entry.type === 'message' ? { ...entry, message: identity(entry.message) } : entry
}

describe('a session whose history the host keeps, whatever the host does', () => {
  it('obeys the laws after every step', async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.constantFrom<OnToolAdded[]>('epoch', 'append', 'hold'),
        fc.array(step, { minLength: 1, maxLength: 40, size: 'max' }),
        async (onToolAdded, steps) => {
          const host = new Host(onToolAdded)
          for (const next of steps) await host.take(next)
        },
      ),
      { numRuns: Number(process.env['LAWS_RUNS'] ?? 150) },
    )
  })
})
