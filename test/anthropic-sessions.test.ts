/**
 * Whole conversations, from submit to request body: real sessions on a real store, lowered for a model that takes native
 * updates and for one that does not, and held against the rules as `support/anthropic-rules.ts` writes them down again,
 * and against what the emulator refuses. Thinking is signed by the emulator, so that it sees when a prefix was edited.
 */
import type { MessageParam, TextBlockParam, ThinkingBlockParam } from '@anthropic-ai/sdk/resources/messages'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { absent, combine, createSessions, defineSource, unavailable } from '../src/index.ts'
import type { Session, Turn } from '../src/index.ts'
import { anthropicMessages } from '../src/emulator/anthropic/endpoint.ts'
import { testPrediction, testRequest } from '../src/emulator/test-request.ts'
import { sqliteStore } from '../src/store/sqlite/index.ts'
import { anthropicFormat, toAnthropicMessages } from '../src/wire/anthropic/index.ts'
import { anthropicProblems, anthropicSegments } from './support/anthropic-rules.ts'
import { countingIds, tickingClock } from './support/session.ts'

const models = [
  { model: 'claude-opus-4-8', native: true },
  { model: 'claude-fable-5-1', native: true },
  { model: 'claude-sonnet-4-5', native: false },
] as const

const step = fc.oneof(
  {
    weight: 5,
    arbitrary: fc.record({ type: fc.constant('input' as const), blocks: fc.boolean(), marked: fc.boolean() }),
  },
  {
    weight: 8,
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
  { weight: 1, arbitrary: fc.record({ type: fc.constant('compaction' as const), back: fc.nat(3) }) },
  { weight: 1, arbitrary: fc.record({ type: fc.constant('fork' as const), back: fc.nat(4) }) },
  { weight: 1, arbitrary: fc.record({ type: fc.constant('move' as const) }) },
  { weight: 1, arbitrary: fc.record({ type: fc.constant('refusal' as const) }) },
  { weight: 1, arbitrary: fc.record({ type: fc.constant('restart' as const) }) },
)
type Step = typeof step extends fc.Arbitrary<infer S> ? S : never

/** One conversation being played, and what each model was last sent and answered to. */
class Conversation {
  readonly #values = new Map<string, string | typeof absent | typeof unavailable>()
  readonly #store = sqliteStore(':memory:')
  readonly #sessions = createSessions<MessageParam>({
    store: this.#store,
    format: anthropicFormat,
    instructions: 'You review code.',
    context: combine(this.#source('ours/mode', 'system'), this.#source('outside/branch', 'user')),
    clock: tickingClock(),
    createId: countingIds(),
  })
  readonly #endpoint = anthropicMessages()
  #session: Session<MessageParam> = this.#sessions.open('s0')
  #name = 's0'
  #turn: Turn<MessageParam> | undefined
  #answers: number[] = []
  #count = 0
  readonly #answered = new Map<string, { epoch: number; segments: readonly string[] }>()
  /** How many bodies were checked, so that a test can tell that there were some. */
  checked = 0

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

  async play(step: Step): Promise<void> {
    switch (step.type) {
      case 'input':
        await this.#session.submit(this.#input(step))
        await this.#takeTurn()
        break
      case 'aborted request':
        await this.#takeTurn()
        break
      case 'answer':
        await this.#answer(step)
        break
      case 'change':
        this.#values.set(step.source, step.value)
        break
      case 'compaction': {
        const through = this.#answers.at(-1 - step.back)
        // A revision before the last compaction, or one whose calls wait for results, is refused; that has tests of its own.
        const summary: MessageParam[] = [{ role: 'user', content: 'Summary so far.' }]
        if (through !== undefined) await this.#session.compact({ summary, through }).catch(ignoreInvalid)
        await this.#takeTurn()
        break
      }
      case 'fork': {
        const at = this.#answers.at(-1 - step.back)
        if (at === undefined) break
        this.#name = `s${++this.#count}`
        this.#session = await this.#session.fork(this.#name, { at })
        this.#turn = undefined
        this.#answers = this.#answers.filter((revision) => revision <= at)
        // The child shares the parent's bytes up to that answer, and no further: only later answers are compared.
        this.#answered.clear()
        await this.#finishCalls()
        break
      }
      case 'move':
        await this.#session.move()
        await this.#takeTurn()
        break
      case 'refusal':
        await this.#session.refused({ model: 'claude-opus-4-8', feature: 'native-updates' })
        await this.#takeTurn()
        break
      case 'restart':
        this.#session = this.#sessions.open(this.#name)
        await this.#takeTurn()
        break
    }
  }

  #input({ blocks, marked }: { blocks: boolean; marked: boolean }): MessageParam {
    const text = `Input ${++this.#count}`
    if (!blocks && !marked) return { role: 'user', content: text }
    return {
      role: 'user',
      content: [{ type: 'text', text, ...(marked && { cache_control: { type: 'ephemeral' as const } }) }],
    }
  }

  async #takeTurn(): Promise<void> {
    this.#turn = await this.#session.turn()
    if (this.#turn.entries.length === 0) return
    for (const { model, native } of models) {
      const refused = this.#turn.refusals.some((refusal) => refusal.model === model)
      const { body } = toAnthropicMessages(this.#turn, { model, max_tokens: 1024 })
      expect(anthropicProblems(body, { native: native && !refused })).toEqual([])
      expect(this.#endpoint.check(testRequest({ ...body }, { model }))).toBeNull()
      const earlier = this.#answered.get(model)
      if (earlier?.epoch === this.#turn.epoch) {
        expect(anthropicSegments(body).slice(0, earlier.segments.length)).toEqual(earlier.segments)
      }
      this.checked++
    }
  }

  async #answer({ calls, thinking }: { calls: number; thinking: boolean }): Promise<void> {
    const turn = this.#turn
    const last = turn?.entries.at(-1)
    if (turn === undefined || last === undefined) return
    if (last.type === 'message' && last.message.role === 'assistant') return
    const number = ++this.#count
    const { revision } = await turn.answer([
      {
        role: 'assistant',
        content: [
          ...(thinking ? this.#think(turn, `Hm ${number}`) : []),
          { type: 'text', text: `Answer ${number}` },
          ...Array.from({ length: calls }, (_, index) => ({
            type: 'tool_use' as const,
            id: `call-${number}-${index}`,
            name: 'read',
            input: { z: 1, a: [index] },
          })),
        ],
      },
    ])
    for (const { model } of models) {
      const { body } = toAnthropicMessages(turn, { model, max_tokens: 1024 })
      this.#answered.set(model, { epoch: turn.epoch, segments: anthropicSegments(body) })
    }
    this.#answers.push(revision)
    this.#turn = undefined
    await this.#finishCalls()
  }

  /** A thinking block of the model that binds it to its prefix, as the emulator would answer with it. */
  #think(turn: Turn<MessageParam>, thinking: string): readonly ThinkingBlockParam[] {
    const model = 'claude-fable-5-1'
    const request = testRequest({ ...toAnthropicMessages(turn, { model, max_tokens: 1024 }).body }, { model })
    const { content } = this.#endpoint.answer(request, { thinking, text: '.' }, testPrediction()) as unknown as {
      content: readonly (ThinkingBlockParam | TextBlockParam)[]
    }
    return content.filter((block) => block.type === 'thinking')
  }

  /** Appends the results of open calls, each in a message of its own, the last one first. */
  async #finishCalls(): Promise<void> {
    const calls = await this.#openCalls()
    for (const id of calls.toReversed()) {
      await this.#session.append([
        { role: 'user', content: [{ type: 'tool_result', tool_use_id: id, content: `did ${id}` }] },
      ])
    }
    if (calls.length > 0) await this.#takeTurn()
  }

  async #openCalls(): Promise<readonly string[]> {
    const messages: MessageParam[] = []
    for await (const event of this.#session.events()) if ('messages' in event) messages.push(...event.messages)
    return anthropicFormat.openCalls(messages)
  }

  async finish(): Promise<void> {
    expect(await this.#session.verify()).toEqual({ ok: true, problems: [] })
    await this.#store.close()
  }
}

function ignoreInvalid(error: unknown): void {
  if ((error as { code?: string }).code !== 'compaction_invalid') throw error
}

describe('a session lowered for Anthropic', () => {
  it('sends legal requests whose answered prefix never changes, with and without native updates', async () => {
    let checked = 0
    await fc.assert(
      fc.asyncProperty(fc.array(step, { minLength: 1, maxLength: 40, size: 'max' }), async (steps) => {
        const conversation = new Conversation()
        await conversation.play({ type: 'input', blocks: false, marked: false })
        for (const one of steps) await conversation.play(one)
        await conversation.finish()
        checked += conversation.checked
      }),
      { numRuns: Number(process.env['LAWS_RUNS'] ?? 100) },
    )
    expect(checked).toBeGreaterThan(100)
  })

  it('refuses a result twice or without a call inside one message of the provider, too', async () => {
    const sessions = createSessions({ store: sqliteStore(':memory:'), format: anthropicFormat, context: combine() })
    const session = sessions.open('s1')
    await session.submit({ role: 'user', content: 'Go.' })
    const turn = await session.turn()
    await turn.answer([{ role: 'assistant', content: [{ type: 'tool_use', id: 'a', name: 'read', input: {} }] }])
    const results = (...ids: string[]): MessageParam => ({
      role: 'user',
      content: ids.map((id) => ({ type: 'tool_result', tool_use_id: id, content: 'did' })),
    })
    for (const ids of [
      ['a', 'a'],
      ['a', 'zz'],
    ]) {
      await expect(session.append([results(...ids)])).rejects.toMatchObject({ code: 'tool_result_unexpected' })
    }
    await session.append([results('a')])
    await expect(session.turn()).resolves.toMatchObject({ epoch: 1 })
  })
})
