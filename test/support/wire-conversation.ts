/**
 * Random conversations through real sessions on a real store, lowered for every target of a format at every turn: what is
 * sent must be legal, and what was answered must never change. A {@link Dialect} says how a format writes messages.
 */
import fc from 'fast-check'
import { expect } from 'vitest'
import { layout, type LayoutOptions } from '../../src/cache/index.ts'
import { absent, combine, createSessions, defineSource, unavailable } from '../../src/index.ts'
import type { Format, Json, Refusal, Session, SessionsOptions, Tool, Turn, TurnView } from '../../src/index.ts'
import { sqliteStore } from '../../src/store/sqlite/index.ts'
import type { LoweringWarning } from '../../src/wire/warnings.ts'
import { countingIds, tickingClock } from './session.ts'

/** A call of a tool in an answer. */
export interface DialectCall {
  readonly id: string
  readonly name: string
  readonly input: Json
}

/** The result of a call. */
export interface DialectResult {
  readonly id: string
  readonly name: string
  readonly text: string
}

/** How one format writes messages. */
export interface Dialect<M> {
  readonly name: string
  readonly format: Format<M>
  user(text: string): M
  /** An answer as the provider's SDK gives it to a host for recording, with thinking where the API has it. */
  answer(text: string, calls: readonly DialectCall[], thinking?: string): readonly M[]
  results(results: readonly DialectResult[]): readonly M[]
  tool(name: string, description: string): Tool
  readonly targets: readonly Target<M>[]
}

/** A model on a platform, and how a turn becomes its request. */
export interface Target<M> {
  readonly model: string
  readonly platform: string
  lower(turn: TurnView<M>): LoweredRequest
  /** What the provider would refuse, in words; empty when it accepts the body. */
  check(body: object, headers: Readonly<Record<string, string>>): readonly string[]
  readonly layout?: LayoutOptions
  /** What a provider would compare of a body that is not read by `layout`. */
  readonly segments?: (body: object) => readonly string[]
}

/** What an adapter makes of a turn. */
export interface LoweredRequest {
  readonly body: object
  readonly headers: Readonly<Record<string, string>>
  readonly warnings: readonly LoweringWarning[]
}

const toolNames = ['edit', 'read', 'search'] as const

/** One thing that happens to a conversation. */
type Step =
  | { readonly type: 'input'; readonly count: number }
  | { readonly type: 'answer'; readonly calls: number; readonly thinking: boolean }
  | { readonly type: 'aborted request' | 'move' | 'restart' }
  | { readonly type: 'change'; readonly source: string; readonly value: string | typeof absent | typeof unavailable }
  | { readonly type: 'tool change'; readonly name: string; readonly to: 'gone' | 'first' | 'second' }
  | { readonly type: 'compaction' | 'fork'; readonly back: number }
  | { readonly type: 'refusal'; readonly target: number; readonly feature: Refusal['feature'] }

const step: fc.Arbitrary<Step> = fc.oneof(
  { weight: 6, arbitrary: fc.record({ type: fc.constant('input' as const), count: fc.integer({ min: 1, max: 2 }) }) },
  {
    weight: 9,
    arbitrary: fc.record({ type: fc.constant('answer' as const), calls: fc.nat(3), thinking: fc.boolean() }),
  },
  { weight: 3, arbitrary: fc.record({ type: fc.constant('aborted request' as const) }) },
  {
    weight: 5,
    arbitrary: fc.record({
      type: fc.constant('change' as const),
      source: fc.constantFrom('ours/mode', 'outside/branch'),
      value: fc.constantFrom('a', 'b', 'c', absent, unavailable),
    }),
  },
  {
    weight: 2,
    arbitrary: fc.record({
      type: fc.constant('tool change' as const),
      name: fc.constantFrom(...toolNames),
      to: fc.constantFrom('gone', 'first', 'second'),
    }),
  },
  { weight: 1, arbitrary: fc.record({ type: fc.constant('compaction' as const), back: fc.nat(3) }) },
  { weight: 1, arbitrary: fc.record({ type: fc.constant('fork' as const), back: fc.nat(4) }) },
  { weight: 1, arbitrary: fc.record({ type: fc.constant('move' as const) }) },
  {
    weight: 1,
    arbitrary: fc.record({
      type: fc.constant('refusal' as const),
      target: fc.nat(),
      feature: fc.constantFrom('native-updates' as const, 'native-tools' as const),
    }),
  },
  { weight: 1, arbitrary: fc.record({ type: fc.constant('restart' as const) }) },
)
/** What is drawn for one conversation. */
export const conversation: fc.Arbitrary<{
  readonly onToolAdded: NonNullable<SessionsOptions<unknown>['onToolAdded']>
  readonly steps: readonly Step[]
}> = fc.record({
  onToolAdded: fc.constantFrom('epoch', 'append', 'hold'),
  steps: fc.array(step, { minLength: 1, maxLength: 40, size: 'max' }),
})

/** What a target was sent and answered to, in its own layout. */
type Prefix = readonly string[]
interface Answered {
  readonly revision: number
  readonly epoch: number
  readonly prefixes: ReadonlyMap<Target<never>, Prefix>
}

/** Plays one conversation and checks every request of it. Returns how many requests were checked. */
export async function playConversation<M>(
  dialect: Dialect<M>,
  { onToolAdded, steps }: { onToolAdded: SessionsOptions<M>['onToolAdded']; steps: readonly Step[] },
): Promise<number> {
  const played = new PlayedConversation(dialect, onToolAdded)
  await played.play({ type: 'input', count: 1 })
  for (const one of steps) await played.play(one)
  return played.finish()
}

class PlayedConversation<M> {
  readonly #dialect: Dialect<M>
  readonly #values = new Map<string, string | typeof absent | typeof unavailable>()
  readonly #tools = new Map<string, Tool>()
  readonly #store = sqliteStore(':memory:')
  readonly #sessions
  #session: Session<M>
  #name = 's0'
  #turn: Turn<M> | undefined
  #answers: Answered[] = []
  #count = 0
  #checked = 0

  constructor(dialect: Dialect<M>, onToolAdded: SessionsOptions<M>['onToolAdded']) {
    this.#dialect = dialect
    for (const name of toolNames.slice(0, 2)) this.#tools.set(name, dialect.tool(name, `first ${name}`))
    this.#sessions = createSessions<M>({
      store: this.#store,
      format: dialect.format,
      instructions: 'You review code.',
      context: combine(this.#source('ours/mode', 'system'), this.#source('outside/branch', 'user')),
      tools: () => [...this.#tools.values()],
      ...(onToolAdded && { onToolAdded }),
      clock: tickingClock(),
      createId: countingIds(),
    })
    this.#session = this.#sessions.open(this.#name)
  }

  #source(key: string, authority: 'system' | 'user') {
    return defineSource<string>({
      key,
      authority,
      required: false,
      codec: { encode: (value) => value, decode: String },
      load: () => this.#values.get(key) ?? 'start',
      baseline: (current) => `${key} is ${current}.`,
      update: (_previous, current) => `${key} is now ${current}.`,
      removed: () => `${key} is gone.`,
    })
  }

  async play(one: Step): Promise<void> {
    switch (one.type) {
      case 'input':
        for (let index = 0; index < one.count; index++) {
          await this.#session.submit(this.#dialect.user(`Input ${++this.#count}`))
        }
        await this.#takeTurn()
        break
      case 'aborted request':
        await this.#takeTurn()
        break
      case 'answer':
        await this.#answer(one)
        break
      case 'change':
        this.#values.set(one.source, one.value)
        break
      case 'tool change':
        if (one.to === 'gone') this.#tools.delete(one.name)
        else this.#tools.set(one.name, this.#toolOf(one.name, one.to))
        break
      case 'compaction': {
        const through = this.#answers.at(-1 - one.back)?.revision
        if (through === undefined) break
        // A revision before the last compaction, or one whose calls wait for results, is refused; that has tests of its own.
        await this.#session.compact({ summary: [this.#dialect.user('Summary so far.')], through }).catch(ignoreInvalid)
        await this.#takeTurn()
        break
      }
      case 'fork':
        await this.#fork(one.back)
        break
      case 'move':
        // Where a value cannot be read, a move blocks the next turn; that has tests of its own.
        if ([...this.#values.values()].includes(unavailable)) break
        await this.#session.move()
        await this.#takeTurn()
        break
      case 'refusal': {
        const { model } = this.#dialect.targets[one.target % this.#dialect.targets.length]!
        await this.#session.refused({ model, feature: one.feature })
        await this.#takeTurn()
        break
      }
      case 'restart':
        this.#session = this.#sessions.open(this.#name)
        await this.#takeTurn()
        break
    }
  }

  /** Another definition under the same name: another description is no edit, so the name of a parameter differs too. */
  #toolOf(name: string, version: 'first' | 'second'): Tool {
    const tool = this.#dialect.tool(name, `${version} ${name}`)
    if (version === 'first') return tool
    return JSON.parse(JSON.stringify(tool).replaceAll('"input"', '"changed"')) as Tool
  }

  async #fork(back: number): Promise<void> {
    const at = this.#answers.at(-1 - back)
    if (at === undefined) return
    this.#name = `s${++this.#count}`
    this.#session = await this.#session.fork(this.#name, { at: at.revision })
    this.#turn = undefined
    this.#answers = this.#answers.filter(({ revision }) => revision <= at.revision)
    await this.#finishCalls()
  }

  async #takeTurn(): Promise<void> {
    const turn = await this.#session.turn()
    this.#turn = turn
    if (turn.entries.length === 0) return
    const answered = this.#answers.at(-1)
    for (const target of this.#dialect.targets) {
      const { body, headers } = target.lower(turn)
      const where = `${this.#dialect.name} for ${target.model} on ${target.platform}`
      expect(target.check(body, headers), `${where} refuses ${JSON.stringify(body, null, 1)}`).toEqual([])
      expect(JSON.stringify(target.lower(turn).body), where).toBe(JSON.stringify(body))
      const prefix = answered?.epoch === turn.epoch ? answered.prefixes.get(target) : undefined
      if (prefix !== undefined) expect(prefixOf(target, body).slice(0, prefix.length), where).toEqual(prefix)
      this.#checked++
    }
  }

  async #answer({ calls: count, thinking }: { calls: number; thinking: boolean }): Promise<void> {
    const turn = this.#turn
    const last = turn?.entries.at(-1)
    if (turn === undefined || last === undefined) return
    if (last.type === 'message' && this.#dialect.format.kind(last.message) === 'assistant') return
    const number = ++this.#count
    const calls = Array.from({ length: count }, (_, index) => ({
      id: `call_${number}_${index}`,
      name: 'read',
      input: { z: 1, a: [index] },
    }))
    const messages = this.#dialect.answer(`Answer ${number}`, calls, thinking ? `Hm ${number}` : undefined)
    const prefixes = new Map<Target<never>, Prefix>()
    for (const target of this.#dialect.targets) {
      prefixes.set(target, prefixOf(target, target.lower(turn).body))
    }
    const { revision } = await turn.answer(messages)
    this.#answers.push({ revision, epoch: turn.epoch, prefixes })
    this.#turn = undefined
    await this.#finishCalls()
  }

  /** Appends the results of open calls, the last one first where each has a message of its own. */
  async #finishCalls(): Promise<void> {
    const messages: M[] = []
    for await (const event of this.#session.events()) if ('messages' in event) messages.push(...event.messages)
    const open = this.#dialect.format.openCalls(messages)
    if (open.length === 0) return
    const results = open.map((id) => ({ id, name: 'read', text: `did ${id}` }))
    for (const message of this.#dialect.results(results).toReversed()) await this.#session.append([message])
    await this.#takeTurn()
  }

  async finish(): Promise<number> {
    expect(await this.#session.verify()).toEqual({ ok: true, problems: [] })
    await this.#store.close()
    return this.#checked
  }
}

/** Models take turns in one session: what each is sent must begin with all that it was sent and answered to before. */
export async function expectSwitchesToReturn<M>(dialect: Dialect<M>): Promise<void> {
  let branch = 0
  const context = defineSource<string>({
    key: 'ours/branch',
    codec: { encode: (value) => value, decode: String },
    load: () => `b${branch}`,
    baseline: (current) => `The branch is ${current}.`,
    update: (_previous, current) => `The branch is now ${current}.`,
  })
  const store = sqliteStore(':memory:')
  const sessions = createSessions<M>({
    store,
    format: dialect.format,
    instructions: 'You review code.',
    context,
    createId: countingIds(),
  })
  const session = sessions.open('switching')
  const answered = new Map<Target<M>, Prefix>()
  for (let round = 0; round < 3; round++) {
    for (const target of dialect.targets) {
      branch++
      await session.submit(dialect.user(`Input ${branch}`))
      const turn = await session.turn()
      const { body, headers } = target.lower(turn)
      expect(target.check(body, headers)).toEqual([])
      const sent = prefixOf(target, body)
      const before = answered.get(target) ?? []
      expect(sent.slice(0, before.length), target.model).toEqual(before)
      expect(sent.length).toBeGreaterThan(before.length)
      answered.set(target, sent)
      await turn.answer(dialect.answer(`Answer ${branch}`, []))
    }
  }
  await store.close()
}

/** What a provider would compare of a request, segment by segment. */
function prefixOf<M>(target: Target<M>, body: object): Prefix {
  if (target.segments !== undefined) return target.segments(body)
  return layout(body, target.layout).segments.map(({ section, role, type, content }) =>
    JSON.stringify([section, role, type, content]),
  )
}

function ignoreInvalid(error: unknown): void {
  if ((error as { code?: string }).code !== 'compaction_invalid') throw error
}
