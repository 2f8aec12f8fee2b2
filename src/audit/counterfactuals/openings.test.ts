import { describe, expect, it } from 'vitest'
import { createSimulator, guessTokens, price, type PredictedUsage } from '../../cache/index.ts'
import { ChangeFinder } from '../changes/change-finder.ts'
import type { Culprit } from '../changes/types.ts'
import { Recorder } from '../record/recorder.ts'
import type { Turn } from '../record/types.ts'
import { Linker } from '../streams/linker.ts'
import { exchangeOf, testStart } from '../test-turns.ts'
import { judge } from '../verdicts/judge.ts'
import { counterfactuals, type Counterfactuals, type UpdatePolicy } from './counterfactuals.ts'
import type { PriceOf } from './sum.ts'

const mark = { cache_control: { type: 'ephemeral' } }
const words = (count: number, seed: string): string =>
  Array.from({ length: count }, (_, at) => `${seed}${at % 17}`).join(' ')

const listPrice: PriceOf = (turn: Turn, usage) => {
  const priced = price(usage, { model: turn.model ?? '', at: turn.exchange.startedAt })
  return priced.type === 'priced' ? priced.amount : null
}

interface Session {
  readonly session: number
  readonly environment: string
  readonly tools?: readonly string[]
  /** What is told in the first turn. */
  readonly told?: string
  readonly model?: string
}

/** Three turns of one session, half a minute apart, sessions 100 s apart. */
function callsOf({ session, environment, tools = ['read', 'write'], told, model = 'claude-opus-5' }: Session): Call[] {
  const asked = `${session} ${words(80, `ask${session}`)}`
  return [0, 1, 2].map((turn) => ({
    at: testStart + session * 100_000 + turn * 30_000,
    body: {
      model,
      tools: tools.map((name) => ({ name, description: words(60, name), input_schema: { type: 'object' } })),
      system: [{ type: 'text', text: `${words(700, 'rule')}\n${environment}\n${words(700, 'more')}`, ...mark }],
      messages: [
        { role: 'user', content: asked },
        ...(told === undefined ? [] : [{ role: 'system', content: told }]),
        ...Array.from({ length: turn * 2 }, (_, at) => ({
          role: at % 2 === 0 ? 'assistant' : 'user',
          content: `${session} ${at} ${words(80, at % 2 === 0 ? 'say' : 'ask')}`,
        })),
      ].map((message, at, all) =>
        at < all.length - 1 ? message : { ...message, content: [{ type: 'text', text: message.content, ...mark }] },
      ),
    },
  }))
}

interface Call {
  readonly at: number
  readonly body: object
}

interface Found extends Counterfactuals {
  readonly culprits: readonly Culprit[]
}

/** Everything from the recorder to the plays, by what the simulator itself predicts for the log. */
function run(calls: readonly Call[], updates: UpdatePolicy = 'values'): Found {
  const recorder = new Recorder({ countTokens: guessTokens })
  const [linker, finder] = [new Linker(), new ChangeFinder()]
  for (const [index, usage] of usagesOf(calls).entries()) {
    const { body, at } = calls[index] as Call
    const linked = linker.add(recorder.record(exchangeOf(body, { startedAt: at, usage: { ...usage, output: 10 } })))
    finder.add(linked)
  }
  const streams = linker.finish()
  const { countTokens } = recorder
  const judgement = judge(streams, { countTokens })
  const changes = finder.finish(streams, { verdicts: judgement.verdicts })
  const found = counterfactuals({ streams, judgement, changes }, { countTokens, priceOf: listPrice, updates })
  return { ...found, culprits: [...changes.values()].flatMap(({ culprits }) => culprits) }
}

function usagesOf(calls: readonly Call[]): PredictedUsage[] {
  const simulator = createSimulator({ provider: 'anthropic', countTokens: guessTokens })
  return calls.map(({ body, at }) => simulator.send(body, { startedAt: at }).usage)
}

function truth(calls: readonly Call[]): number {
  return usagesOf(calls).reduce((sum, usage, index) => {
    const priced = price({ ...usage, output: 10 }, { model: 'claude-opus-5', at: calls[index]?.at })
    return sum + (priced.type === 'priced' ? priced.amount : Number.NaN)
  }, 0)
}

const sessions = (environments: readonly string[], over: (session: number) => Partial<Session> = () => ({})): Call[] =>
  environments.flatMap((environment, session) => callsOf({ session, environment, ...over(session) }))

/** Within 1 %: updates are not worded alike to the letter. */
function expectNear(actual: number | null | undefined, expected: number): void {
  expect(Math.abs((actual ?? Number.NaN) - expected)).toBeLessThanOrEqual(0.01 * expected)
}

const folder = (name: string): string => `Working directory: /home/${name}/shop`

describe('what differs between sessions only', () => {
  it('is worth what they would have shared, less telling it', () => {
    const names = ['ana', 'ben', 'eva']
    const log = sessions(names.map(folder))
    const { total, culprits } = run(log)
    const ids = new Set(culprits.map(({ id }) => id))
    expect(ids.size).toBe(1)
    expect(culprits.every(({ scope }) => scope === 'between')).toBe(true)
    const fixed = sessions(
      names.map(() => folder('ana')),
      (session) => (session === 0 ? {} : { told: `Working directory: now /home/${names[session]}/shop.` }),
    )
    const expected = truth(log) - truth(fixed)
    const [saving] = total.savings.values()
    expect(expected).toBeGreaterThan(0.01)
    expectNear(saving?.alone.cost, expected)
    expect(saving?.last).toEqual(saving?.alone)
    expect(total.steps.map(({ remedy }) => remedy)).toEqual([{ type: 'culprits', ids: [...ids] }])
    expect(total.steps[0]?.after.cost).toBeGreaterThanOrEqual(total.floor.cost ?? Infinity)
  })

  it('is worth all of that where nobody needs to know it', () => {
    const ids = ['5f1c22a09be84c07', '0be93d61f2a94a1e', 'c7714e08d35b4f92']
    const session = (id: string): string => `Session id: ${id}`
    const log = sessions(ids.map(session))
    const { total, culprits } = run(log)
    expect(new Set(culprits.map(({ kind }) => kind))).toEqual(new Set(['id']))
    const expected = truth(log) - truth(sessions(ids.map(() => session(ids[0]!))))
    const [saving] = total.savings.values()
    expect(saving?.alone.cost).toBeCloseTo(expected, 9)
    expect(run(log, 'all').total.savings.values().next().value?.alone.cost).toBeLessThan(expected)
  })

  it('is told in each session that begins with another value, and in no other', () => {
    const names = ['ana', 'ben', 'ben', 'ana']
    const log = sessions(names.map(folder))
    const fixed = sessions(
      names.map(() => folder('ana')),
      (session) => (names[session] === 'ana' ? {} : { told: 'Working directory: now /home/ben/shop.' }),
    )
    const [saving] = run(log).total.savings.values()
    expectNear(saving?.alone.cost, truth(log) - truth(fixed))
  })

  it('is worth nothing where the sessions are far apart', () => {
    const log = sessions(['ana', 'ben'].map(folder)).map((call, index) => ({
      ...call,
      at: call.at + (index < 3 ? 0 : 3_600_000),
    }))
    const [saving] = run(log).total.savings.values()
    expect(saving?.alone.cost).toBeLessThanOrEqual(0)
  })

  it('may be a tool, which is told in the sessions that have it', () => {
    const log = sessions(['one', 'one', 'one'], (session) =>
      session === 0 ? {} : { tools: ['read', 'search', 'write'] },
    )
    const { total, culprits } = run(log)
    expect(new Set(culprits.map(({ kind }) => kind))).toEqual(new Set(['tool-added']))
    const [saving] = total.savings.values()
    // The second session pays for what the third would have read of it anyway.
    expect(saving?.alone.tokens).toBeGreaterThan(1000)
    expect(total.steps[0]?.after.tokens.total).toBeGreaterThan(total.asSent.tokens.total)
  })
})

describe('a value that differs between sessions and within them', () => {
  it('is one culprit, and is told whenever it is not what was told last', () => {
    const log = sessions(['ana', 'ben'].map(folder))
    const changed = log.map((call, index) =>
      index < 5 ? call : (callsOf({ session: 1, environment: folder('eva') })[2] as Call),
    )
    const { total, culprits } = run(changed)
    expect(new Set(culprits.map(({ id }) => id)).size).toBe(1)
    expect(culprits.map(({ scope }) => scope)).toContain('both')
    const told = ['Working directory: now /home/ben/shop.', 'Working directory: now /home/eva/shop.']
    const fixed = sessions(['ana', 'ana'].map(folder), (session) => (session === 0 ? {} : { told: told[0]! })).map(
      (call, index): Call => {
        if (index < 5) return call
        const body = call.body as { readonly messages: readonly { readonly content: readonly object[] }[] }
        const last = {
          ...body.messages.at(-1),
          content: body.messages.at(-1)?.content.map((block) => ({ ...block, cache_control: undefined })),
        }
        const update = { role: 'system', content: [{ type: 'text', text: told[1], ...mark }] }
        return { ...call, body: { ...body, messages: [...body.messages.slice(0, -1), last, update] } }
      },
    )
    const [saving] = total.savings.values()
    expectNear(saving?.alone.cost, truth(changed) - truth(fixed))
  })
})
