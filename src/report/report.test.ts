/** Reports on real sessions, lowered for Anthropic, whose usage is what the simulator says that the provider would report. */
import type { MessageParam } from '@anthropic-ai/sdk/resources/messages'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { assistant, countingIds, user, World } from '../../test/support/session.ts'
import { createSimulator, readUsage } from '../cache/index.ts'
import type { PredictedUsage, Usage } from '../cache/index.ts'
import { absent, ContextRegistry, unavailable } from '../context/index.ts'
import { createSessions } from '../session/index.ts'
import type { PlainMessage, Session, SessionsOptions, Turn, TurnView } from '../session/index.ts'
import { memoryStore } from '../store/memory.ts'
import { anthropicFormat, toAnthropicMessages } from '../wire/anthropic/index.ts'
import { report } from './index.ts'
import type { ReportOptions, SessionReport } from './index.ts'

const MODEL = 'claude-sonnet-4-5'
const LONG = 'All that must be known of this repository. '.repeat(300)

function bodyOf(view: TurnView<MessageParam>, model: string = MODEL): object {
  return toAnthropicMessages(view, { model, max_tokens: 1024 }).body
}

/** An Anthropic session in a world with a branch, and a provider that reports what its cache would have done. */
class Conversation {
  readonly world = new World({ 'app/branch': 'main' })
  readonly #provider = createSimulator({ provider: 'anthropic' })
  #minutes = 0
  readonly sessions = createSessions<MessageParam>({
    store: memoryStore(),
    format: anthropicFormat,
    context: this.world.context(),
    instructions: LONG,
    clock: () => new Date(Date.UTC(2026, 10, 30, 12, this.#minutes)),
    createId: countingIds(),
  })
  session: Session<MessageParam> = this.sessions.open('one')
  readonly #said: string[] = []
  #answered = 0

  wait(minutes: number): void {
    this.#minutes += minutes
  }

  async ask(): Promise<Turn<MessageParam>> {
    const text = `Question ${this.#said.length}. ${'It has some words. '.repeat(30)}`
    this.#said.push(text)
    await this.session.submit({ role: 'user', content: text })
    return this.session.turn()
  }

  /** The provider answers; `misses`: it has lost its cache. */
  async exchange({ misses = false, model = MODEL, reports = true, raw = true } = {}): Promise<Turn<MessageParam>> {
    const turn = await this.ask()
    const body = bodyOf(turn, model)
    const startedAt = Date.UTC(2026, 10, 30, 12, this.#minutes)
    const { usage } = (misses ? createSimulator({ provider: 'anthropic' }) : this.#provider).send(body, { startedAt })
    if (misses) this.#provider.send(body, { startedAt })
    this.wait(1)
    const message: MessageParam = { role: 'assistant', content: `Answer ${this.#said.length}.` }
    const { raw: words, ...counts } = reported(usage)
    const told = { usage: raw ? { ...counts, raw: words } : counts }
    this.#answered = (await turn.answer([message], reports ? told : {})).revision
    return turn
  }

  async take(
    step: 'exchange' | 'change' | 'abort' | 'pause' | 'compact' | 'fork' | 'move' | 'restart' | 'no usage',
  ): Promise<void> {
    switch (step) {
      case 'exchange':
        await this.exchange()
        break
      case 'no usage':
        await this.exchange({ reports: false })
        break
      case 'change':
        this.world.set('app/branch', `branch-${this.#said.length}`)
        break
      case 'abort':
        await this.ask()
        break
      case 'pause':
        this.wait(7)
        break
      case 'compact':
        await this.session.compact({ summary: [{ role: 'user', content: 'A summary.' }], through: this.#answered })
        break
      case 'fork':
        this.session = await this.session.fork(`${this.session.id}+`)
        break
      case 'move':
        await this.session.move()
        break
      case 'restart':
        this.session = this.sessions.open(this.session.id)
    }
  }

  report(options: ReportOptions<MessageParam> = {}): Promise<SessionReport> {
    return report(this.session, {
      provider: 'anthropic',
      lower: (view) => bodyOf(view),
      ...options,
    })
  }
}

/** As the Messages API says it. */
function reported({ read, write5m, write1h, uncached }: PredictedUsage): Usage {
  return readUsage({
    input_tokens: uncached,
    cache_read_input_tokens: read,
    cache_creation_input_tokens: write5m + write1h,
    cache_creation: { ephemeral_5m_input_tokens: write5m, ephemeral_1h_input_tokens: write1h },
    output_tokens: 10,
  })
}

describe('a report', () => {
  it('finds nothing wrong with a provider that keeps its rules', async () => {
    const conversation = new Conversation()
    for (let turn = 0; turn < 6; turn++) await conversation.exchange()
    const { turns, totals, anomalies } = await conversation.report()
    expect(anomalies).toEqual([])
    expect(turns.map(({ shortfall }) => shortfall)).toEqual(turns.map(() => null))
    expect(turns.map(({ expected }) => expected?.estimated)).toEqual([true, false, false, false, false, false])
    for (const { usage, expected } of turns.slice(1)) expect(expected?.usage.read).toBe(usage?.read)
    expect(totals).toMatchObject({ turns: 6, answered: 6, withUsage: 6, inherited: 0, notRebuilt: 0, shortfall: 0 })
    const read = turns.reduce((sum, { usage }) => sum + usage!.read!, 0)
    const total = turns.reduce((sum, { usage }) => sum + usage!.total!, 0)
    expect(totals.hitRate).toBeCloseTo(read / total)
    expect(totals.cost).toMatchObject({ priced: 6, unpriced: 0, currency: 'USD' })
    expect(totals.cost.parts.map(({ bucket }) => bucket)).toEqual(['read', 'write5m', 'uncached', 'output'])
    expect(totals.cost.parts.reduce((sum, { amount }) => sum + amount, 0)).toBeCloseTo(totals.cost.amount!)
  })

  it('says where the provider read nothing of what it should have, and whose entry that was', async () => {
    const conversation = new Conversation()
    const turns: Turn<MessageParam>[] = []
    for (const misses of [false, false, false, true, false]) turns.push(await conversation.exchange({ misses }))
    const found = await conversation.report()
    expect(found.turns.map(({ shortfall }) => shortfall?.reason ?? null)).toEqual([
      null,
      null,
      null,
      'nothing-read',
      null,
    ])
    const { shortfall, expected } = found.turns[3]!
    expect(shortfall).toEqual({
      tokens: expected!.range.least,
      reason: 'nothing-read',
      writtenBy: turns[2]!.revision,
      message: expect.stringMatching(
        new RegExp(`^Read 0 of the \\d+ tokens that turn ${turns[2]!.revision} left 60 s before\\. `),
      ) as string,
    })
    expect(found.totals.shortfall).toBe(shortfall!.tokens)
  })

  it('accuses nobody where it is not known what the turn before left', async () => {
    const conversation = new Conversation()
    await conversation.exchange()
    await conversation.exchange({ reports: false })
    await conversation.exchange({ misses: true })
    const { turns } = await conversation.report()
    expect(turns[2]!.expected!.range.least).toBeGreaterThan(turns[2]!.usage!.read!)
    expect(turns[2]!.shortfall).toBeNull()
  })

  it('learns as much from usage that has lost the words of its provider', async () => {
    const conversation = new Conversation()
    for (const misses of [false, false, true]) await conversation.exchange({ misses, raw: false })
    const { turns } = await conversation.report()
    expect(turns[0]!.usage).not.toHaveProperty('raw')
    expect(turns.map(({ expected }) => expected!.estimated)).toEqual([true, false, false])
    expect(turns.map(({ shortfall }) => shortfall?.reason ?? null)).toEqual([null, null, 'nothing-read'])
  })

  it('says that an older entry was read, or that another request was sent', async () => {
    const conversation = new Conversation()
    const first = await conversation.exchange()
    await conversation.exchange()
    const { usage } = (await conversation.report()).turns[1]!
    const answerWith = async (over: { read: number; uncached: number }): Promise<void> => {
      const turn = await conversation.ask()
      conversation.wait(1)
      const report = {
        input_tokens: over.uncached,
        cache_read_input_tokens: over.read,
        cache_creation_input_tokens: 0,
        output_tokens: 1,
      }
      await turn.answer([{ role: 'assistant', content: 'Yes.' }], { usage: readUsage(report) })
    }
    await answerWith({ read: usage!.read!, uncached: usage!.total! })
    await answerWith({ read: 0, uncached: 50 })
    const { turns } = await conversation.report()
    expect(turns.map(({ shortfall }) => shortfall?.reason ?? null)).toEqual([
      null,
      null,
      'older-entry',
      'other-request',
    ])
    expect(first.revision).toBe(turns[0]!.revision)
  })

  it('expects no read after a pause that is longer than the lifetime', async () => {
    const conversation = new Conversation()
    await conversation.exchange()
    await conversation.exchange()
    conversation.wait(20)
    await conversation.exchange()
    const { expected, shortfall, usage } = (await conversation.report()).turns[2]!
    expect([expected?.usage.read, usage?.read, shortfall]).toEqual([0, 0, null])
    expect(expected?.misses[0]).toMatchObject({ reason: 'expired', seconds: expect.any(Number) as number })
  })

  it('estimates what the same conversation would have come to with each change rendered into the system prompt', async () => {
    const conversation = new Conversation()
    for (let turn = 0; turn < 8; turn++) {
      if (turn % 2 === 1) conversation.world.set('app/branch', `branch-${turn}`)
      await conversation.exchange()
    }
    const { anew, turns } = await conversation.report()
    expect(turns.map(({ update }) => update)).toEqual(turns.map((_, index) => (index % 2 === 1 ? ['app/branch'] : [])))
    if (anew.type !== 'estimate') throw new Error(anew.reason)
    expect(anew.turns).toBe(8)
    expect(anew.saved.tokens).toBe(
      anew.anew.tokens.written + anew.anew.tokens.uncached - anew.kept.tokens.written - anew.kept.tokens.uncached,
    )
    expect(anew.saved.tokens).toBeGreaterThan(1000)
    expect(anew.saved.amount).toBeCloseTo(anew.anew.cost.amount! - anew.kept.cost.amount!)
    expect(anew.saved.amount).toBeGreaterThan(0)
  })

  it('saves nothing where nothing changed', async () => {
    const conversation = new Conversation()
    for (let turn = 0; turn < 3; turn++) await conversation.exchange()
    expect((await conversation.report()).anew).toMatchObject({ type: 'estimate', saved: { tokens: 0, amount: 0 } })
  })

  it('says what it was not given, and never makes a price up', async () => {
    const conversation = new Conversation()
    await conversation.exchange()
    const bare = await report(conversation.session, {})
    expect(bare.anew).toEqual({ type: 'none', reason: 'lower was not given' })
    expect(bare.turns[0]).toMatchObject({
      model: null,
      expected: null,
      shortfall: null,
      cost: { type: 'unknown', reason: 'model' },
    })
    expect(bare.totals.cost).toEqual({ amount: null, currency: 'USD', priced: 0, unpriced: 1, parts: [] })
    expect((await conversation.report({ provider: undefined })).anew).toEqual({
      type: 'none',
      reason: 'provider was not given',
    })
    const named = await report(conversation.session, { model: 'claude-of-next-year' })
    expect(named.turns[0]?.cost).toMatchObject({ type: 'unknown', reason: 'model', model: 'claude-of-next-year' })
  })

  it('prices each turn by the model that answered it', async () => {
    const conversation = new Conversation()
    const models = ['claude-sonnet-4-5', 'claude-haiku-4-5', 'claude-sonnet-4-5']
    const byRevision = new Map<number, string>()
    for (const model of models) byRevision.set((await conversation.exchange({ model })).revision, model)
    const { turns } = await conversation.report({ lower: (view) => bodyOf(view, byRevision.get(view.revision)) })
    expect(turns.map(({ model }) => model)).toEqual(models)
    expect(turns.map(({ shortfall }) => shortfall)).toEqual([null, null, null])
    expect(turns[1]?.expected?.misses[0]?.reason).toBe('scope-changed')
    const named = await report(conversation.session, {
      model: ({ revision }) => byRevision.get(revision),
    })
    expect(named.turns.map(({ cost }) => cost)).toEqual(turns.map(({ cost }) => cost))
  })

  it('counts aborted turns, answers without usage and usage that does not add up', async () => {
    const conversation = new Conversation()
    const aborted = await conversation.ask()
    const silent = await conversation.ask()
    await silent.answer([{ role: 'assistant', content: 'No.' }])
    const odd = await conversation.ask()
    await odd.answer([{ role: 'assistant', content: 'Hm.' }], { usage: readUsage({ nothing: 'known' }) })
    await conversation.ask()
    const { totals, anomalies, turns } = await conversation.report()
    expect(anomalies).toMatchObject([
      { revision: aborted.revision, type: 'unanswered' },
      { revision: silent.revision, type: 'no-usage' },
      { revision: odd.revision, type: 'usage', about: 'not-recognised' },
    ])
    expect(totals).toMatchObject({ turns: 4, answered: 2, withUsage: 1, hitRate: null })
    expect(turns.map(({ expected }) => expected === null)).toEqual([true, false, false, true])
  })

  it('counts nothing twice that a fork brought along, and still knows what its parent wrote', async () => {
    const conversation = new Conversation()
    await conversation.exchange()
    await conversation.exchange()
    conversation.session = await conversation.session.fork('two')
    await conversation.exchange()
    const { turns, totals, anew } = await conversation.report()
    expect(turns.map(({ inherited }) => inherited)).toEqual([true, true, false])
    expect(totals).toMatchObject({ turns: 1, answered: 1, withUsage: 1, inherited: 2 })
    expect(totals.tokens.read).toBe(turns[2]?.usage?.read)
    expect(totals.tokens.read).toBeGreaterThan(0)
    expect(anew).toMatchObject({ turns: 1 })
  })

  it('of a session without a turn is empty', async () => {
    const { turns, totals, anew, staleness, anomalies } = await new Conversation().report()
    expect([turns, staleness, anomalies]).toEqual([[], [], []])
    expect(totals).toMatchObject({ turns: 0, hitRate: null, cost: { amount: null, unpriced: 0 } })
    expect(anew).toEqual({ type: 'none', reason: 'no turn was answered' })
  })

  it('of a session whose history the host keeps takes the messages from there', async () => {
    const world = new World({ 'app/branch': 'main' })
    const sessions = createSessions<MessageParam>({
      store: memoryStore(),
      format: anthropicFormat,
      context: world.context(),
      instructions: LONG,
      clock: () => new Date('2026-11-30T12:00:00Z'),
    })
    const session = sessions.attach('hosted')
    const provider = createSimulator({ provider: 'anthropic' })
    const history: MessageParam[] = []
    let answered: { revision: number; usage: Usage } | undefined
    for (let count = 0; count < 3; count++) {
      history.push({ role: 'user', content: `Question ${count}` })
      const turn = await session.turn({ history, ...(answered && { answered }) })
      const { usage } = provider.send(bodyOf(turn), { startedAt: '2026-11-30T12:00:00Z' })
      answered = { revision: turn.revision, usage: reported(usage) }
      history.push({ role: 'assistant', content: `Answer ${count}` })
    }
    const options: ReportOptions<MessageParam> = {
      provider: 'anthropic',
      lower: (view) => bodyOf(view),
    }
    const { turns, totals } = await report(session, { ...options, history })
    // The last answer is the host's alone until the next boundary.
    expect(totals).toMatchObject({ turns: 3, answered: 2, withUsage: 2, notRebuilt: 0 })
    expect(turns[1]?.expected?.usage.read).toBe(turns[1]?.usage?.read)
    expect(turns[1]?.usage?.read).toBeGreaterThan(0)
    const without = await report(session, options)
    expect(without.totals).toMatchObject({ turns: 3, answered: 2, withUsage: 2, notRebuilt: 3 })
    expect(without.turns.map(({ expected }) => expected)).toEqual([null, null, null])
  })

  it('finds nothing wrong with such a provider whatever happens to the conversation', async () => {
    const steps = fc.array(
      fc.oneof(
        { weight: 5, arbitrary: fc.constant('exchange' as const) },
        { weight: 2, arbitrary: fc.constant('change' as const) },
        { weight: 1, arbitrary: fc.constantFrom('abort', 'pause', 'compact', 'fork', 'move', 'restart', 'no usage') },
      ),
      { minLength: 1, maxLength: 20, size: 'max' },
    )
    await fc.assert(
      fc.asyncProperty(steps, async (steps) => {
        const conversation = new Conversation()
        for (const step of ['exchange' as const, ...steps]) await conversation.take(step)
        const found = await conversation.report({ context: conversation.world.context() })
        expect(found.turns.filter(({ shortfall }) => shortfall !== null)).toEqual([])
        expect(JSON.parse(JSON.stringify(found))).toStrictEqual(found)
        for (const { inherited, usage, expected } of found.turns) {
          if (!inherited && usage !== null && !expected!.estimated) expect(expected!.usage.read).toBe(usage.read)
        }
      }),
      { numRuns: 60 },
    )
  })

  it('is JSON, and the same whenever it is made', async () => {
    const conversation = new Conversation()
    for (let turn = 0; turn < 4; turn++) {
      conversation.world.set('app/branch', `branch-${turn}`)
      await conversation.exchange({ misses: turn === 2 })
    }
    await conversation.ask()
    const options = { context: conversation.world.context() }
    const made = await conversation.report(options)
    expect(JSON.parse(JSON.stringify(made))).toStrictEqual(made)
    expect(JSON.stringify(await conversation.report(options))).toBe(JSON.stringify(made))
  })
})

describe('staleness', () => {
  const minute = (count: number): string => new Date(Date.UTC(2026, 0, 1, 0, count)).toISOString()

  function start(options: Partial<SessionsOptions<PlainMessage>> = {}) {
    const world = new World({ 'app/branch': 'main', 'app/date': 'Monday' })
    let minutes = 0
    const registry = new ContextRegistry()
    registry.register('app', () => world.context())
    const sessions = createSessions({
      store: memoryStore(),
      context: registry,
      clock: () => new Date(minute(minutes++)),
      ...options,
    })
    const session = sessions.open('one')
    const exchange = async (): Promise<void> => {
      await session.submit(user('?'))
      await (await session.turn()).answer([assistant('!')])
    }
    return { world, registry, session, exchange }
  }

  it('has the tools that the model was told it may call', async () => {
    const tools = [{ name: 'read' }, { name: 'write' }]
    const { session, exchange } = start({ tools: () => tools })
    await exchange()
    tools.pop()
    await exchange()
    expect((await report(session)).staleness).toMatchObject([
      { key: 'app/branch' },
      { key: 'app/date' },
      { key: 'indelible/tools', told: { value: ['read'], at: minute(4) }, now: null, since: null },
    ])
  })

  it('is what was told and when, where no context is given', async () => {
    const { session, world, exchange } = start()
    await exchange()
    world.set('app/branch', 'dev')
    await exchange()
    expect((await report(session)).staleness).toEqual([
      { key: 'app/branch', told: { value: 'dev', at: minute(4) }, now: null, since: null },
      { key: 'app/date', told: { value: 'Monday', at: minute(1) }, now: null, since: null },
    ])
  })

  it('says what is true now, and since which boundary the model cannot know it', async () => {
    const { session, world, registry, exchange } = start()
    await exchange()
    await exchange()
    world.set('app/branch', 'dev')
    world.set('app/new', 'told to nobody')
    const reads = world.reads.length
    const { staleness } = await report(session, { context: registry })
    expect(world.reads.slice(reads)).toEqual(['app/branch', 'app/date', 'app/new'])
    expect(staleness).toEqual([
      {
        key: 'app/branch',
        told: { value: 'main', at: minute(1) },
        now: { state: 'changed', value: 'dev' },
        since: minute(4),
      },
      { key: 'app/date', told: { value: 'Monday', at: minute(1) }, now: { state: 'same' }, since: null },
      { key: 'app/new', told: null, now: { state: 'untold', value: 'told to nobody' }, since: null },
    ])
    expect((await session.turn()).revision).toBeLessThan(7)
  })

  it('tells absent, unavailable and gone apart', async () => {
    const { session, world, exchange } = start()
    await exchange()
    world.set('app/branch', absent)
    world.set('app/date', unavailable)
    const states = async (context: ReportOptions<PlainMessage>['context']): Promise<unknown[]> =>
      (await report(session, { context })).staleness.map(({ now, since }) => [now, since])
    expect(await states(world.context())).toEqual([
      [{ state: 'absent' }, minute(1)],
      [{ state: 'unavailable', reason: 'unavailable' }, null],
    ])
    expect(await states(() => new World().context())).toEqual([
      [{ state: 'gone' }, minute(1)],
      [{ state: 'gone' }, minute(1)],
    ])
    const broken = new ContextRegistry()
    broken.register('app', () => {
      throw new Error('disconnected')
    })
    expect(await states(broken)).toEqual([
      [{ state: 'unavailable', reason: 'error' }, null],
      [{ state: 'unavailable', reason: 'error' }, null],
    ])
  })

  it('of a source that is read when an epoch starts counts from there', async () => {
    const world = new World({ 'app/branch': 'main' })
    let minutes = 0
    const context = world.source('app/branch', { refresh: 'epoch' })
    const sessions = createSessions({ store: memoryStore(), context, clock: () => new Date(minute(minutes++)) })
    const session = sessions.open('one')
    for (let turn = 0; turn < 2; turn++) {
      await session.submit(user('?'))
      await (await session.turn()).answer([assistant('!')])
    }
    world.set('app/branch', 'dev')
    expect((await report(session, { context })).staleness).toMatchObject([{ since: minute(1) }])
  })
})
