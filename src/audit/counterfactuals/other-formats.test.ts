import { describe, expect, it } from 'vitest'
import { price } from '../../cache/index.ts'
import type { Exchange } from '../exchange.ts'
import { Recorder } from '../record/recorder.ts'
import type { Turn } from '../record/types.ts'
import type { LinkedTurn, Stream } from '../streams/types.ts'
import { exchangeOf, testStart } from '../test-turns.ts'
import { judge } from '../verdicts/judge.ts'
import { counterfactuals, type Counterfactuals } from './counterfactuals.ts'
import { changesOf, inputOf, type Blame } from './test-changes.ts'
import type { PriceOf } from './sum.ts'

const words = (count: number, seed: string): string =>
  Array.from({ length: count }, (_, at) => `${seed}${at % 13}`).join(' ')

const listPrice: PriceOf = (turn: Turn, usage) => {
  const priced = price(usage, { model: turn.model ?? '', at: turn.exchange.startedAt })
  return priced.type === 'priced' ? priced.amount : null
}

const byWord: Blame = ({ type, after }) => (type === 'word' ? (after.startsWith('at-') ? 'clock' : 'git') : null)

function run(bodies: readonly unknown[], over?: (index: number) => Partial<Exchange>): Counterfactuals['total'] {
  const input = inputOf(bodies, byWord, over)
  return counterfactuals(input, { countTokens: input.countTokens, priceOf: listPrice }).total
}

const turns = Array.from({ length: 8 }, (_, turn) => turn)
const system = (clock: number, branch: number): string =>
  `${words(500, 'rule')} Time: at-${clock} ${words(200, 'more')} Branch: on-${branch} ${words(300, 'last')}`

function chat(model: string, turn: number, text: string): object {
  return {
    model,
    messages: [
      { role: 'system', content: text },
      ...Array.from({ length: turn * 2 + 1 }, (_, at) => ({
        role: at % 2 === 0 ? 'user' : 'assistant',
        content: `${at} ${words(120, 'say')}`,
      })),
    ],
  }
}

describe('Chat Completions', () => {
  it.each(['gpt-6.2-sol', 'gpt-5.4', 'deepseek-flash', 'grok-4.7'])('of %s is played by its own rules', (model) => {
    const changing = run(turns.map((turn) => chat(model, turn, system(turn, 0))))
    const steady = run(turns.map((turn) => chat(model, turn, system(0, 0))))
    const [step] = changing.steps
    expect(step?.remedy).toEqual({ type: 'culprits', ids: ['clock'] })
    expect(step?.after.tokens).toEqual(steady.asSent.tokens)
    expect(step?.after.cost).toBeCloseTo(steady.asSent.cost ?? 0, 10)
  })

  it('tells a change in front of what the user says, where a boundary ends behind it', () => {
    const changing = run(turns.map((turn) => chat('gpt-6.2-sol', turn, system(0, turn < 4 ? 0 : 1))))
    const steady = run(turns.map((turn) => chat('gpt-6.2-sol', turn, system(0, 0))))
    const [step] = changing.steps
    expect(step?.after.tokens.total).toBeGreaterThan(steady.asSent.tokens.total)
    // Nothing of it is processed twice.
    const told = (step?.after.tokens.write30m ?? 0) - steady.asSent.tokens.write30m
    expect(told).toBeGreaterThan(0)
    expect(told).toBeLessThan(40)
  })
})

describe('other formats', () => {
  it('of Gemini and Converse are frozen too', () => {
    const gemini = (turn: number, clock: number): object => ({
      systemInstruction: { parts: [{ text: system(clock, 0).repeat(5) }] },
      contents: Array.from({ length: turn * 2 + 1 }, (_, at) => ({
        role: at % 2 === 0 ? 'user' : 'model',
        parts: [{ text: `${at} ${words(120, 'say')}` }],
      })),
    })
    const converse = (turn: number, clock: number): object => ({
      modelId: 'anthropic.claude-sonnet-4-5-20250929-v1:0',
      system: [{ text: system(clock, 0) }, { cachePoint: { type: 'default' } }],
      messages: Array.from({ length: turn * 2 + 1 }, (_, at) => ({
        role: at % 2 === 0 ? 'user' : 'assistant',
        content: [
          { text: `${at} ${words(120, 'say')}` },
          ...(at === turn * 2 ? [{ cachePoint: { type: 'default' } }] : []),
        ],
      })),
    })
    for (const [bodyOf, model] of [
      [gemini, 'gemini-2.5-pro'],
      [converse, undefined],
    ] as const) {
      const over = (index: number): Partial<Exchange> => ({ startedAt: testStart + index * 30_000, model })
      const changing = run(
        turns.map((turn) => bodyOf(turn, turn)),
        over,
      )
      const steady = run(
        turns.map((turn) => bodyOf(turn, 0)),
        over,
      )
      expect(changing.savings.get('clock')?.alone.tokens).toBeGreaterThan(1_000)
      expect(changing.asSent.tokens.read).toBeLessThan(steady.asSent.tokens.read)
      expect(changing.steps[0]?.after.tokens).toEqual(steady.asSent.tokens)
    }
  })
})

describe('several streams', () => {
  const mark = { cache_control: { type: 'ephemeral' } }
  const claude = (turn: number, clock: number, topic: string): object => ({
    model: 'claude-opus-5',
    system: [{ type: 'text', text: system(clock, 0), ...mark }],
    messages: Array.from({ length: turn * 2 + 1 }, (_, at) => ({
      role: at % 2 === 0 ? 'user' : 'assistant',
      content: [{ type: 'text', text: `${at} ${words(120, topic)}`, ...(at === turn * 2 && mark) }],
    })),
  })

  /** Two conversations of one family, and a fork of the first, a call of each in turn. */
  function played(clockOf: (turn: number) => number): Counterfactuals {
    const recorder = new Recorder()
    let time = testStart
    const record = (body: object): Turn => recorder.record(exchangeOf(body, { startedAt: (time += 10_000) }))
    const [first, second]: [Turn[], Turn[]] = [[], []]
    for (const turn of turns) {
      first.push(record(claude(turn, clockOf(turn), 'one')))
      second.push(record(claude(turn, clockOf(turn), 'two')))
    }
    const forked = record({ ...claude(8, clockOf(8), 'one'), max_tokens: 5 })
    const link = (list: readonly Turn[]): LinkedTurn[] =>
      list.map((turn, at) => ({ turn, parent: list[at - 1] ?? null, repeats: false }))
    const streams: Stream[] = [
      { id: 'first', parent: null, family: 'family', turns: link(first) },
      { id: 'second', parent: null, family: 'family', turns: link(second) },
      {
        id: 'fork',
        parent: { stream: 'first', turn: first[7]?.number ?? 0 },
        family: 'family',
        turns: [{ turn: forked, parent: first[7] ?? null, repeats: false }],
      },
    ]
    const { countTokens } = recorder
    const changes = new Map(streams.map((stream) => [stream.id, changesOf(stream.turns, byWord)]))
    return counterfactuals(
      { streams, judgement: judge(streams, { countTokens }), changes },
      { countTokens, priceOf: listPrice },
    )
  }

  it('of a scope and family are frozen together, forks from where they left', () => {
    const [changing, steady] = [played((turn) => turn), played(() => 0)]
    for (const stream of ['first', 'second', 'fork']) {
      const [is, was] = [changing.byStream.get(stream), steady.byStream.get(stream)]
      expect(is?.steps[0]?.after.tokens).toEqual(was?.asSent.tokens)
      expect(is?.savings.get('clock')?.alone.tokens).toBeGreaterThan(500)
    }
    const alone = [...changing.byStream.values()].map((one) => one.savings.get('clock')?.alone.cost ?? 0)
    expect(changing.total.savings.get('clock')?.alone.cost).toBeCloseTo(
      alone.reduce((sum, cost) => sum + cost, 0),
      10,
    )
  })

  it('have a floor in which what they begin with alike is written once', () => {
    const { byStream } = played(() => 0)
    const [first, second] = [byStream.get('first')?.floor.tokens, byStream.get('second')?.floor.tokens]
    expect(first?.write5m).toBeGreaterThan((second?.write5m ?? 0) + 1_000)
  })
})
