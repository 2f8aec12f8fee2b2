import { describe, expect, it } from 'vitest'
import { price } from '../../cache/index.ts'
import type { Exchange } from '../exchange.ts'
import type { Turn } from '../record/types.ts'
import { testStart } from '../test-turns.ts'
import { counterfactuals, type Counterfactuals } from './counterfactuals.ts'
import { inputOf, type Blame } from './test-changes.ts'
import type { PriceOf } from './sum.ts'

const mark = { cache_control: { type: 'ephemeral' } }
const words = (count: number, seed: string): string =>
  Array.from({ length: count }, (_, at) => `${seed}${at % 13}`).join(' ')

const listPrice: PriceOf = (turn: Turn, usage) => {
  const priced = price(usage, { model: turn.model ?? '', at: turn.exchange.startedAt })
  return priced.type === 'priced' ? priced.amount : null
}

/** A conversation with Claude; `marks` says whether the system prompt and the end are marked. */
function conversation(count: number, marks: { system?: boolean; end?: boolean; each?: number } = {}): object[] {
  const { system = true, end = true, each = 150 } = marks
  return Array.from({ length: count }, (_, turn) => ({
    model: 'claude-opus-5',
    system: [{ type: 'text', text: words(1_200, 'rule'), ...(system && mark) }],
    messages: Array.from({ length: turn * 2 + 1 }, (_each, at) => ({
      role: at % 2 === 0 ? 'user' : 'assistant',
      content: [{ type: 'text', text: `${at} ${words(each, 'say')}`, ...(end && at === turn * 2 && mark) }],
    })),
  }))
}

const none: Blame = () => null

function run(bodies: readonly object[], over?: (index: number) => Partial<Exchange>): Counterfactuals['total'] {
  const input = inputOf(bodies, none, over)
  return counterfactuals(input, { countTokens: input.countTokens, priceOf: listPrice }).total
}

/** Calls that are so many minutes apart. */
const every = (minutes: number) => (index: number) => ({ startedAt: testStart + index * minutes * 60_000 })

describe('a lifetime that is too short', () => {
  it('is worth an hour, or pings, whichever costs less', () => {
    const { steps } = run(conversation(8), every(20))
    expect(steps).toHaveLength(1)
    const [step] = steps
    expect(['ttl', 'keep-alive']).toContain(step?.remedy.type)
    expect(step?.saves.cost).toBeGreaterThan(0.02)
  })

  it('is worth one ping where pauses are just too long', () => {
    const { steps } = run(conversation(8), every(6))
    expect(steps.map(({ remedy }) => remedy)).toEqual([{ type: 'keep-alive', pings: 7 }])
    // A ping is one token of output.
    expect(steps[0]?.after.tokens.output).toBe(7)
  })

  it('is not worth keeping alive through days', () => {
    const { steps } = run(conversation(3), every(3 * 24 * 60))
    expect(steps).toEqual([])
  })
})

describe('breakpoints', () => {
  it('that are missing behind a clock are the step after the clock, though every verdict is that of the clock', () => {
    const bodies = conversation(8, { end: false }).map((body, turn) => ({
      ...body,
      system: [{ type: 'text', text: `${words(1_200, 'rule')} It is 09:0${turn}.`, ...mark }],
    }))
    const clock: Blame = ({ path }) => (path.startsWith('system') ? 'clock' : null)
    const input = inputOf(bodies, clock)
    const { steps, floor } = counterfactuals(input, { countTokens: input.countTokens, priceOf: listPrice }).total
    expect(steps.map(({ remedy }) => remedy)).toEqual([{ type: 'culprits', ids: ['clock'] }, { type: 'breakpoints' }])
    expect((steps[1]?.after.cost ?? 0) / (floor.cost ?? 1)).toBeLessThan(1.05)
  })

  it('that are missing are put where they are worth most', () => {
    const { steps, floor } = run(conversation(8, { end: false }))
    expect(steps.map(({ remedy }) => remedy)).toEqual([{ type: 'breakpoints' }])
    expect((steps[0]?.after.cost ?? 0) / (floor.cost ?? 1)).toBeLessThan(1.02)
  })

  it('are not proposed where the end is marked each time', () => {
    expect(run(conversation(8)).steps).toEqual([])
  })
})

describe('what the provider missed', () => {
  it('is missed in every play', () => {
    const bodies = conversation(6)
    const usages = (missed: number) => (index: number) => {
      const total = 3_000 + index * 500
      const read = index === 0 || index === missed ? 0 : total - 500
      return {
        account: 'a',
        host: 'api.anthropic.com',
        headers: {},
        endedAt: testStart + index * 30_000 + 5_000,
        response: {
          id: `msg_${index}`,
          model: 'claude-opus-5',
          usage: {
            input_tokens: 4,
            cache_read_input_tokens: read,
            cache_creation_input_tokens: total - read,
            output_tokens: 10,
          },
        },
      }
    }
    const [sound, missed] = [run(bodies, usages(-1)), run(bodies, usages(3))]
    expect(missed.asSent.tokens.read).toBeLessThan(sound.asSent.tokens.read - 2_000)
    expect(missed.asSent.tokens.write5m - sound.asSent.tokens.write5m).toBe(
      sound.asSent.tokens.read - missed.asSent.tokens.read,
    )
    expect(missed.floor).toEqual(sound.floor)
    expect(missed.asSent.tokens.output).toBe(60)
  })
})

describe('calibration', () => {
  it('gives the totals that were reported', () => {
    const reported = [3_333, 3_944, 4_555, 5_166]
    const { asSent } = run(conversation(4), (index) => ({
      startedAt: testStart + index * 30_000,
      response: { id: 'm', usage: { input_tokens: reported[index], output_tokens: 1 } },
    }))
    expect(asSent.tokens.total / reported.reduce((sum, one) => sum + one, 0)).toBeCloseTo(1, 3)
  })
})

describe('odd logs', () => {
  it('of nothing, of no bodies and of models without a price come to nothing', () => {
    expect(run([])).toMatchObject({ steps: [], caveats: [], asSent: { cost: 0 } })
    const unknown = run(conversation(3).map((body) => ({ ...body, model: 'claude-unheard-9' })))
    expect(unknown.asSent.cost).toBeNull()
    expect(unknown.asSent.tokens.total).toBeGreaterThan(0)
    const failed = run(conversation(2), () => ({ status: 500 }))
    expect(failed.asSent.tokens.total).toBe(0)
  })

  it('without times are played as one after the other', () => {
    const input = conversation(4)
    const untimed = run(input, () => ({ startedAt: undefined }))
    expect(untimed.asSent.tokens).toEqual(run(input).asSent.tokens)
  })
})
