/**
 * The laws of a session under arbitrary histories: whatever happens in whatever order, each of them holds after every step.
 * `LAWS_RUNS` in the environment says how many histories to try, here and in the other properties of sessions.
 */
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import {
  absent,
  beliefsOf,
  countingIds,
  collect,
  result,
  tickingClock,
  unavailable,
  user,
  watched,
  World,
  type Condition,
  type SourceTraits,
} from '../../test/support/session.ts'
import { expectInOrder, expectLaws, expectReplayed, expectToolTruth } from '../../test/support/session-laws.ts'
import { Toolbox, type ToolShape } from '../../test/support/session-tools.ts'
import { combine } from '../context/index.ts'
import type { Context } from '../context/index.ts'
import { IndelibleError } from '../base/error.ts'
import type { IndelibleErrorCode } from '../base/error.ts'
import { memoryStore } from '../store/memory.ts'
import type { PlainMessage } from './plain-format.ts'
import { createSessions } from './sessions.ts'
import type { EventStore, StoredEvent } from './store.ts'
import type { Session, Sessions, SessionsOptions, Turn } from './types.ts'

/** One source of each kind. */
const traits: Readonly<Record<string, SourceTraits>> = {
  'app/plain': {},
  'app/indelible': { removed: false },
  'app/epochal': { refresh: 'epoch' },
  'app/optional': { required: false },
  'app/outside': { authority: 'user' },
}
const keys = Object.keys(traits)

type Step =
  | { readonly do: 'submit'; readonly retried: boolean }
  | { readonly do: 'exchange' | 'turn' | 'results' | 'move' | 'reopen' | 'note'; readonly by: number }
  | { readonly do: 'answer'; readonly calls: number; readonly stale: boolean; readonly retried: boolean }
  | { readonly do: 'compact'; readonly back: number }
  | { readonly do: 'fork'; readonly back: number }
  | { readonly do: 'refuse'; readonly model: string }
  | { readonly do: 'set'; readonly key: string; readonly condition: Condition }
  | { readonly do: 'vanish' | 'appear'; readonly key: string }
  | { readonly do: 'upgrade'; readonly undecodable: readonly string[] }
  | { readonly do: 'instruct'; readonly text: string }
  | { readonly do: 'equip'; readonly name: string; readonly shape: ToolShape | null }
  | { readonly do: 'tools'; readonly state: 'fail' | 'work' | 'leave out' | 'give' }

const object = fc.nat({ max: 1 })
const back = fc.nat({ max: 12 })
const key = fc.constantFrom(...keys)
const condition: fc.Arbitrary<Condition> = fc.oneof(
  { weight: 4, arbitrary: fc.constantFrom('1', '2', '3') },
  { weight: 2, arbitrary: fc.constantFrom<Condition>(absent, unavailable, new Error('cannot be read')) },
)
const shape: fc.Arbitrary<ToolShape | null> = fc.option(
  fc.record({ takes: fc.constantFrom('path', 'description'), described: fc.constantFrom('Well.', 'Better.') }),
  { freq: 1 },
)
const step: fc.Arbitrary<Step> = fc.oneof(
  { weight: 5, arbitrary: fc.record({ do: fc.constant('submit'), retried: fc.boolean() }) },
  { weight: 8, arbitrary: fc.record({ do: fc.constantFrom('exchange', 'turn'), by: object }) },
  {
    weight: 6,
    arbitrary: fc.record({
      do: fc.constant('answer'),
      calls: fc.constantFrom(0, 0, 1, 2),
      stale: fc.boolean(),
      retried: fc.boolean(),
    }),
  },
  { weight: 4, arbitrary: fc.record({ do: fc.constant('results'), by: object }) },
  { weight: 6, arbitrary: fc.record({ do: fc.constant('set'), key, condition }) },
  { weight: 5, arbitrary: fc.record({ do: fc.constant('compact'), back }) },
  { weight: 3, arbitrary: fc.record({ do: fc.constantFrom('move', 'reopen', 'note'), by: object }) },
  { weight: 1, arbitrary: fc.record({ do: fc.constant('fork'), back }) },
  { weight: 1, arbitrary: fc.record({ do: fc.constant('refuse'), model: fc.constantFrom('x', 'y') }) },
  { weight: 2, arbitrary: fc.record({ do: fc.constantFrom('vanish', 'appear'), key }) },
  { weight: 1, arbitrary: fc.record({ do: fc.constant('upgrade'), undecodable: fc.subarray(['1', '2']) }) },
  { weight: 1, arbitrary: fc.record({ do: fc.constant('instruct'), text: fc.constantFrom('Be brief.', 'Be kind.') }) },
  {
    weight: 9,
    arbitrary: fc.record({ do: fc.constant('equip'), name: fc.constantFrom('read', 'write'), shape }),
  },
  { weight: 1, arbitrary: fc.record({ do: fc.constant('tools'), state: fc.constantFrom('fail', 'leave out') }) },
  { weight: 3, arbitrary: fc.record({ do: fc.constant('tools'), state: fc.constantFrom('work', 'give') }) },
)

/** The steps that start epochs, so that some conversations have many of them. */
const epochStep: fc.Arbitrary<Step> = fc.oneof(
  { weight: 4, arbitrary: fc.record({ do: fc.constant('exchange'), by: object }) },
  { weight: 3, arbitrary: fc.record({ do: fc.constant('compact'), back }) },
  { weight: 2, arbitrary: fc.record({ do: fc.constantFrom('move', 'turn'), by: object }) },
  { weight: 1, arbitrary: fc.record({ do: fc.constant('fork'), back }) },
)
const conversation = (maxLength: number): fc.Arbitrary<Step[]> =>
  fc.oneof(
    { weight: 3, arbitrary: fc.array(step, { minLength: 1, maxLength, size: 'max' }) },
    { weight: 1, arbitrary: fc.array(epochStep, { minLength: 1, maxLength: maxLength / 2, size: 'max' }) },
  )

/** What a host may say of changes. */
interface Policy {
  readonly onInstructionsChanged: 'hold' | 'epoch'
  readonly onToolAdded: 'epoch' | 'append' | 'hold'
}

/** One conversation as it goes on, with two objects that share nothing but the store, as two processes would. */
class Conversation {
  readonly world: World = new World(Object.fromEntries(keys.map((name) => [name, '1'])))
  readonly toolbox: Toolbox = new Toolbox({ read: { takes: 'path', described: 'Well.' } })
  readonly store: EventStore = memoryStore()
  readonly #clock = tickingClock()
  readonly #createId = countingIds()
  readonly #policy: Policy
  readonly #delay: ((index: number) => Promise<void>) | undefined
  readonly #present = new Set(keys)
  #instructions = 'Be brief.'
  #givesTools = true
  #id = 'one'
  #sessions: Session<PlainMessage>[]
  #turns: Turn<PlainMessage>[] = []
  #said = 0

  constructor(policy: Policy, delay?: (index: number) => Promise<void>) {
    this.#policy = policy
    this.#delay = delay
    this.#sessions = [this.#open(), this.#open()]
  }

  async take(next: Step): Promise<void> {
    switch (next.do) {
      case 'submit': {
        const id = `input-${this.#said++}`
        const receipt = await this.#sessions[0]!.submit(user(id), { id })
        if (next.retried) expect(await this.#sessions[1]!.submit(user(id), { id })).toEqual(receipt)
        break
      }
      case 'exchange':
        await this.take({ do: 'submit', retried: false })
        await this.#turn(this.#sessions[next.by]!)
        await this.#answer({ calls: 0, stale: false, retried: false })
        break
      case 'turn':
        await this.#turn(this.#sessions[next.by]!)
        break
      case 'answer':
        await this.#answer(next)
        break
      case 'results':
        for (const call of await this.#openCalls()) {
          const id = `result-${call}`
          const receipt = await this.#sessions[next.by]!.append([result(call)], { id })
          expect(await this.#sessions[1 - next.by]!.append([result(call)], { id })).toEqual(receipt)
        }
        break
      case 'note':
        if ((await this.#openCalls()).length === 0)
          await this.#sessions[next.by]!.append([user(`note-${this.#said++}`)])
        break
      case 'compact': {
        const through = (await this.#head()) - next.back
        const summary = [user(`summary-${this.#said++}`)]
        await tolerate(['compaction_invalid'], () => this.#sessions[0]!.compact({ summary, through }))
        break
      }
      case 'move':
        await this.#sessions[next.by]!.move()
        break
      case 'refuse':
        await this.#sessions[0]!.refused({ model: next.model, feature: 'native-updates' })
        break
      case 'fork': {
        const at = (await this.#head()) - next.back
        const child = `${this.#id}+`
        await this.#sessions[0]!.fork(child, { at })
        await expectLaws(this.#sessions[0]!)
        this.#id = child
        this.#sessions = [this.#open(), this.#open()]
        this.#turns = []
        break
      }
      case 'reopen':
        this.#sessions[next.by] = this.#open()
        break
      case 'set':
        this.world.set(next.key, next.condition)
        break
      case 'vanish':
        this.#present.delete(next.key)
        break
      case 'appear':
        this.#present.add(next.key)
        break
      case 'upgrade':
        this.world.undecodable.clear()
        for (const value of next.undecodable) this.world.undecodable.add(value)
        break
      case 'instruct':
        this.#instructions = next.text
        break
      case 'equip':
        this.toolbox.set(next.name, next.shape)
        break
      case 'tools':
        this.#setTools(next.state)
        break
    }
    await expectLaws(this.#sessions[0]!)
  }

  #setTools(state: Extract<Step, { do: 'tools' }>['state']): void {
    if (state === 'fail' || state === 'work') {
      this.toolbox.failing = state === 'fail'
      return
    }
    // Another release of the host.
    this.#givesTools = state === 'give'
    this.#sessions = [this.#open(), this.#open()]
  }

  async #turn(session: Session<PlainMessage>): Promise<void> {
    const reads = this.world.reads.length
    const listed = this.toolbox.reads
    const turn = await tolerate(['tool_results_pending', 'initialization_blocked'], () => session.turn())
    const read = this.world.reads.slice(reads)
    expect(new Set(read).size, 'each source is read once').toBe(read.length)
    expect(this.toolbox.reads - listed, 'tools are read once').toBeLessThanOrEqual(this.#givesTools ? 1 : 0)
    if (turn === undefined) return
    const events = await expectLaws(session)
    expectReplayed(turn, events)
    if (turn.entries.length > 0) expectInOrder(turn.entries)
    this.#expectTruth(turn)
    await this.#expectRebuilt(turn)
    this.#turns.push(turn)
  }

  /** What can be seen is what is believed, where there is a place to tell it. */
  #expectTruth(turn: Turn<PlainMessage>): void {
    const last = turn.entries.at(-1)
    const silent =
      turn.started === null && (last === undefined || (last.type === 'message' && last.message.role === 'assistant'))
    if (silent) return
    if (this.#givesTools && !turn.stale.some((source) => source.key === 'indelible/tools')) {
      // An epoch that new tools start may be blocked by a source.
      const { onToolAdded } = this.#policy
      const blocked = onToolAdded === 'epoch' && turn.stale.length > 0
      expectToolTruth(turn, this.toolbox.tools, blocked ? 'hold' : onToolAdded)
    }
    if (turn.stale.length > 0) return
    const beliefs = beliefsOf(turn)
    for (const name of keys) {
      if (traits[name]!.refresh === 'epoch' && turn.started === null) continue
      const value = this.#present.has(name) ? this.world.get(name) : absent
      expect(beliefs[name], name).toBe(typeof value === 'string' ? value : undefined)
    }
  }

  /** A process that starts now, on a copy of the log, sees the same turn and has nothing to write. */
  async #expectRebuilt(turn: Turn<PlainMessage>): Promise<void> {
    const copy = watched(memoryStore())
    await copy.append(this.#id, 0, await this.rows())
    copy.calls.length = 0
    const rebuilt = await this.#sessionsOver(copy).open(this.#id).turn()
    expect(copy.calls).not.toContain('append')
    // The start of an epoch reads sources that a quiet boundary does not, so it may find more that is stale.
    const stale = turn.started === null ? turn.stale : rebuilt.stale
    expect(plain(rebuilt)).toEqual(plain({ ...turn, update: null, started: null, stale }))
  }

  async #answer(next: Omit<Extract<Step, { do: 'answer' }>, 'do'>): Promise<void> {
    const turn = this.#turns.at(next.stale ? -2 : -1)
    if (turn === undefined) return
    const id = `answer-${this.#said++}`
    const calls = Array.from({ length: next.calls }, (_, index) => ({ id: `${id}-call-${index}` }))
    const message: PlainMessage = { role: 'assistant', content: id, ...(calls.length > 0 && { tool_calls: calls }) }
    const receipt = await tolerate(['turn_superseded'], () => turn.answer([message], { id }))
    const moved = (await collect(this.#sessions[1]!.events())).some(
      ({ revision, type }) => revision > turn.revision && ['boundary', 'epoch', 'answer', 'append'].includes(type),
    )
    expect(moved).toBe(true)
    if (receipt !== undefined && next.retried) expect(await turn.answer([message], { id })).toEqual(receipt)
  }

  async #openCalls(): Promise<string[]> {
    const open = new Set<string>()
    for (const event of await collect(this.#sessions[0]!.events())) {
      if (event.type !== 'answer' && event.type !== 'append') continue
      for (const message of event.messages) {
        for (const call of message.tool_calls ?? []) open.add(call.id)
        if (message.tool_call_id !== undefined) open.delete(message.tool_call_id)
      }
    }
    return [...open]
  }

  async #head(): Promise<number> {
    return (await this.rows()).length
  }

  async rows(): Promise<readonly StoredEvent[]> {
    return this.store.read(this.#id, 0)
  }

  #open(): Session<PlainMessage> {
    return this.#sessionsOver(this.store).open(this.#id)
  }

  #sessionsOver(store: EventStore): Sessions<PlainMessage> {
    return createSessions({
      store,
      context: () => this.#context(),
      instructions: () => this.#instructions,
      ...this.#policy,
      ...(this.#givesTools && { tools: this.#tools() }),
      clock: this.#clock,
      createId: this.#createId,
    })
  }

  #tools(): NonNullable<SessionsOptions<PlainMessage>['tools']> {
    const delay = this.#delay
    return () => (delay === undefined ? this.toolbox.read() : delay(keys.length).then(() => this.toolbox.read()))
  }

  #context(): Context {
    const present = keys.filter((name) => this.#present.has(name))
    return combine(
      ...present.map((name, index) => {
        const delay = this.#delay
        return this.world.source(name, traits[name], delay && (() => delay(index)))
      }),
    )
  }
}

/** What is left of a turn when it is written down. */
function plain(turn: Omit<Turn<PlainMessage>, 'answer'>): unknown {
  return JSON.parse(JSON.stringify(turn))
}

/** What the call comes to, or `undefined` where it throws an error of one of these codes. */
async function tolerate<T>(codes: readonly IndelibleErrorCode[], call: () => Promise<T>): Promise<T | undefined> {
  try {
    return await call()
  } catch (error) {
    if (codes.some((code) => IndelibleError.isInstance(error, code))) return undefined
    throw error
  }
}

const policy: fc.Arbitrary<Policy> = fc.record({
  onInstructionsChanged: fc.constantFrom('hold', 'epoch'),
  onToolAdded: fc.constantFrom('epoch', 'append', 'hold'),
})
const numRuns = Number(process.env['LAWS_RUNS'] ?? 150)

describe('a session, whatever happens', () => {
  it('obeys the laws after every step', async () => {
    await fc.assert(
      fc.asyncProperty(
        policy,
        fc.array(step, { minLength: 1, maxLength: 40, size: 'max' }),
        async (onChange, steps) => {
          const conversation = new Conversation(onChange)
          for (const next of steps) await conversation.take(next)
        },
      ),
      { numRuns },
    )
  })

  it('stores the same bytes for the same steps, whatever order its loaders finish in', async () => {
    await fc.assert(
      fc.asyncProperty(policy, conversation(20), async (onChange, steps) => {
        const forward = new Conversation(onChange, (index) => ticks(index))
        const backward = new Conversation(onChange, (index) => ticks(keys.length - index))
        for (const next of steps) {
          await forward.take(next)
          await backward.take(next)
        }
        expect(await backward.rows()).toEqual(await forward.rows())
      }),
      { numRuns: Math.ceil(numRuns / 5) },
    )
  })
})

async function ticks(count: number): Promise<void> {
  for (let tick = 0; tick < count; tick++) await Promise.resolve()
}
