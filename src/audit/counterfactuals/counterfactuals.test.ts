import { describe, expect, it } from 'vitest'
import { price } from '../../cache/index.ts'
import type { Turn } from '../record/types.ts'
import { counterfactuals, type Counterfactuals, type UpdatePolicy } from './counterfactuals.ts'
import { inputOf, type Blame } from './test-changes.ts'
import type { PriceOf } from './sum.ts'

const mark = { cache_control: { type: 'ephemeral' } }
const words = (count: number, seed: string): string =>
  Array.from({ length: count }, (_, at) => `${seed}${at % 13}`).join(' ')

const listPrice: PriceOf = (turn: Turn, usage) => {
  const priced = price(usage, { model: turn.model ?? '', at: turn.exchange.startedAt })
  return priced.type === 'priced' ? priced.amount : null
}

interface Body {
  readonly tools?: readonly string[]
  readonly system: string
  readonly asked: readonly unknown[]
  readonly model?: string
}

/** A body for Claude: the system prompt and the end of the conversation are marked. */
function claude({ tools = ['read', 'write'], system, asked, model = 'claude-opus-5' }: Body): unknown {
  return {
    model,
    tools: tools.map((name) => ({ name, description: words(60, name), input_schema: { type: 'object' } })),
    system: [{ type: 'text', text: system, ...mark }],
    messages: asked.map((content, at) => ({
      role: at % 2 === 0 ? 'user' : 'assistant',
      content: at === asked.length - 1 ? [{ type: 'text', text: content, ...mark }] : [{ type: 'text', text: content }],
    })),
  }
}

/** What was said up to a turn, from 0. */
const said = (turn: number, size = 120): readonly string[] =>
  Array.from({ length: turn * 2 + 1 }, (_, at) => `${at} ${words(size, at % 2 === 0 ? 'ask' : 'say')}`)

const systemOf = (clock: string, branch: string): string =>
  `${words(400, 'rule')} Time: ${clock} ${words(300, 'more')} Branch: ${branch} ${words(300, 'last')}`

const byWord: Blame = ({ type, after, path }) => {
  if (type === 'parameter') return `parameter ${path}`
  if (type !== 'word') return null
  if (after.startsWith('at-')) return 'clock'
  return after.startsWith('on-') ? 'git' : 'unknown'
}

function run(bodies: readonly unknown[], blame: Blame = byWord, updates: UpdatePolicy = 'values'): Counterfactuals {
  const input = inputOf(bodies, blame)
  return counterfactuals(input, { countTokens: input.countTokens, priceOf: listPrice, updates })
}

const turns = Array.from({ length: 8 }, (_, turn) => turn)
const plain = (): Counterfactuals =>
  run(turns.map((turn) => claude({ system: systemOf('at-0', 'on-0'), asked: said(turn) })))

describe('a log without changes', () => {
  it('has nothing to fix', () => {
    const { total, byStream } = plain()
    expect(total.steps).toEqual([])
    expect(total.savings.size).toBe(0)
    expect(byStream.get('stream')).toEqual(total)
    expect(total.caveats).toEqual([])
  })

  it('costs what its floor costs, where the breakpoints stand where they should', () => {
    const { total } = plain()
    expect((total.asSent.cost ?? 0) / (total.floor.cost ?? 1)).toBeCloseTo(1, 2)
    expect(total.asSent.tokens.total).toBe(total.floor.tokens.total)
  })
})

describe('a clock in front of a git line', () => {
  const bodies = turns.map((turn) => claude({ system: systemOf(`at-${turn}`, `on-${turn}`), asked: said(turn) }))

  it('saves nothing by itself while the git line behind it changes; both save', () => {
    const { total } = run(bodies)
    const [clock, git] = [total.savings.get('clock'), total.savings.get('git')]
    expect(clock?.alone).toEqual({ tokens: 0, cost: 0 })
    expect(git?.alone.tokens).toBeLessThanOrEqual(0)
    expect(clock?.last.cost).toBeGreaterThan(0.05)
    expect(total.steps.map(({ remedy }) => remedy)).toEqual([{ type: 'culprits', ids: ['clock', 'git'] }])
    expect(total.steps[0]?.saves.cost).toBeGreaterThan(0.05)
  })

  it('costs, with both frozen, what a log without them costs, and the updates', () => {
    const { total } = run(bodies)
    const clean = plain().total.asSent
    const after = total.steps[0]?.after
    const told = (after?.tokens.total ?? 0) - clean.tokens.total
    // Seven updates, each in all later requests.
    expect(told).toBeGreaterThan(28 * 10)
    expect(told).toBeLessThan(28 * 40)
    expect(after?.tokens.read).toBeGreaterThanOrEqual(clean.tokens.read)
    expect(after?.cost).toBeGreaterThan(clean.cost ?? 0)
    expect(after?.cost).toBeLessThan((clean.cost ?? 0) * 1.05)
  })

  it('costs exactly that where what is frozen needs no telling', () => {
    const clocks = turns.map((turn) => claude({ system: systemOf(`at-${turn}`, 'on-0'), asked: said(turn) }))
    const { total } = run(clocks)
    expect(total.steps[0]?.after).toEqual(plain().total.asSent)
    expect(total.savings.get('clock')?.alone).toEqual(total.savings.get('clock')?.last)
    expect(run(clocks, byWord, 'all').total.steps[0]?.after.tokens.total).toBeGreaterThan(
      plain().total.asSent.tokens.total,
    )
  })
})

describe('tools', () => {
  const added = (model: string): Counterfactuals =>
    run(
      turns.map((turn) =>
        claude({
          model,
          tools: turn < 4 ? ['read', 'write'] : ['read', 'search', 'write'],
          system: systemOf('at-0', 'on-0'),
          asked: said(turn),
        }),
      ),
      ({ type }) => (type === 'inserted' ? 'tool-added tools[search]' : null),
    )

  it('that come later are told in the conversation where the model takes that', () => {
    const { total } = added('claude-opus-5')
    expect(total.savings.get('tool-added tools[search]')?.alone.cost).toBeGreaterThan(0.01)
    expect(total.steps).toHaveLength(1)
  })

  it('remain a rewrite where it does not', () => {
    const { total } = added('claude-sonnet-4-5')
    expect(total.savings.get('tool-added tools[search]')?.alone).toEqual({ tokens: 0, cost: 0 })
    expect(total.steps).toEqual([])
  })

  it('in another order stand in the first', () => {
    const shuffled = turns.map((turn) =>
      claude({
        tools: turn % 2 === 0 ? ['read', 'search', 'write'] : ['write', 'read', 'search'],
        system: systemOf('at-0', 'on-0'),
        asked: said(turn),
      }),
    )
    const { total } = run(shuffled, ({ type }) => (type === 'moved' ? 'tool-reordered' : null))
    const ordered = run(
      turns.map((turn) =>
        claude({ tools: ['read', 'search', 'write'], system: systemOf('at-0', 'on-0'), asked: said(turn) }),
      ),
    )
    expect(total.steps[0]?.after).toEqual(ordered.total.asSent)
  })

  it('that were taken away stay, and the model is told', () => {
    const { total } = run(
      turns.map((turn) =>
        claude({
          tools: turn < 4 ? ['read', 'search', 'write'] : ['read', 'write'],
          system: systemOf('at-0', 'on-0'),
          asked: said(turn),
        }),
      ),
      ({ type }) => (type === 'removed' ? 'tool-removed tools[search]' : null),
    )
    const [step] = total.steps
    expect(step?.saves.cost).toBeGreaterThan(0.01)
    expect(step?.after.tokens.total).toBeGreaterThan(total.asSent.tokens.total)
    expect(total.caveats[0]).toContain('more of input')
  })

  it('that come back after they were taken away never were away', () => {
    const { total } = run(
      turns.map((turn) =>
        claude({
          tools: turn === 4 ? ['read', 'write'] : ['read', 'search', 'write'],
          system: systemOf('at-0', 'on-0'),
          asked: said(turn),
        }),
      ),
      ({ type }) => (type === 'removed' ? 'tool-removed tools[search]' : type === 'inserted' ? 'tool-added' : null),
    )
    expect(total.savings.get('tool-removed tools[search]')?.alone.cost).toBeGreaterThan(0.01)
  })
})

describe('what a client takes out', () => {
  const results = (turn: number, pruneFrom: number): readonly string[] =>
    said(turn).map((text, at) => (at === 0 ? (turn < pruneFrom ? words(8_000, 'big') : '[cut]') : text))
  const pruned: Blame = ({ type }) => (type === 'word' ? 'pruned-result' : null)

  it('can be worth taking out: the saving of leaving it is negative', () => {
    const { total } = run(
      turns.map((turn) => claude({ system: systemOf('at-0', 'on-0'), asked: results(turn, 2) })),
      pruned,
    )
    const saving = total.savings.get('pruned-result')?.alone
    expect(saving?.cost).toBeLessThan(0)
    expect(total.steps).toEqual([])
    expect(total.caveats.join(' ')).toMatch(/more of input.*largest request would grow/)
  })

  it('is worth leaving where much was said after it and little follows', () => {
    const long = (turn: number): readonly string[] =>
      said(turn, 900).map((text, at) => (at === 0 ? (turn < 7 ? words(60, 'big') : '[cut]') : text))
    const { total } = run(
      turns.map((turn) => claude({ system: systemOf('at-0', 'on-0'), asked: long(turn) })),
      pruned,
    )
    expect(total.savings.get('pruned-result')?.alone.cost).toBeGreaterThan(0)
  })
})

describe('a reminder that moves to the newest message', () => {
  it('stays where it was, and is sent again at the end', () => {
    const reminder = '<reminder> Keep to the plan. </reminder>'
    const bodies = turns.map((turn) => {
      const body = claude({ system: systemOf('at-0', 'on-0'), asked: said(turn) }) as {
        messages: { content: unknown[] }[]
      }
      body.messages.at(-1)?.content.unshift({ type: 'text', text: reminder })
      return body
    })
    const { total } = run(bodies, ({ type }) => (type === 'moved' ? 'moved-block' : null))
    const [step] = total.steps
    expect(step?.saves.cost).toBeGreaterThan(0.005)
    // One more copy each turn, in all that follow.
    expect((step?.after.tokens.total ?? 0) - total.asSent.tokens.total).toBeGreaterThanOrEqual(28 * 8)
  })
})

describe('a parameter', () => {
  it('keeps the value that it had first', () => {
    const bodies = turns.map((turn) => ({
      ...(claude({ system: systemOf('at-0', 'on-0'), asked: said(turn) }) as object),
      thinking: turn === 4 ? { type: 'disabled' } : { type: 'adaptive' },
    }))
    const { total } = run(bodies)
    expect(total.steps[0]?.remedy).toEqual({ type: 'culprits', ids: ['parameter thinking'] })
    expect(total.steps[0]?.after).toEqual(plain().total.asSent)
  })
})
