import { describe, expect, it } from 'vitest'
import type { Exchange } from '../../src/audit/exchange.ts'
import { exchangeOf } from '../../src/audit/test-turns.ts'
import { auditWith } from './audited-calls.ts'
import { compareParents, type Comparison } from './comparisons.ts'
import { divergenceRules } from './divergence-rules.ts'
import { parentRules } from './parent-rules.ts'
import { replay } from './replay.ts'
import type { UsageRow } from './usage-table.ts'

const text = (value: string): object => ({ type: 'text', text: value })
const user = (content: unknown): object => ({ role: 'user', content })
const assistant = (content: unknown): object => ({ role: 'assistant', content })

/** The last of several calls, each of which goes on from the one before by the table; `table` is where it parts from that. */
function comparison(
  conversations: readonly (readonly unknown[])[],
  {
    table,
    totals = [],
    over = () => ({}),
  }: {
    readonly table?: string
    readonly totals?: readonly number[]
    readonly over?: (index: number) => Partial<Exchange>
  } = {},
): Comparison {
  const exchanges = conversations.map((messages, index) =>
    exchangeOf(
      { model: 'claude-sonnet-4-5', max_tokens: 9, system: 'Be brief.', messages },
      {
        response: { type: 'message', usage: { input_tokens: totals[index] ?? 9, output_tokens: 1 } },
        source: { file: 'a.json', line: index + 1 },
        ...over(index),
      },
    ),
  )
  const rows = exchanges.map((_, call): UsageRow => ({
    call,
    previous: call === 0 ? undefined : call - 1,
    divergesAt: '',
    total: 9,
    read: 0,
    write: 0,
    output: 1,
  }))
  const { turns, problems } = replay({ name: 'a.json', exchanges, unread: [] }, rows, auditWith())
  expect(problems).toEqual([])
  const last = compareParents(turns, rows).at(-1)
  if (last === undefined) throw new Error('nothing compared')
  return { ...last, ...(table !== undefined && { table }) }
}

describe('string-and-array', () => {
  const holds = (before: unknown, after: unknown): boolean =>
    divergenceRules['string-and-array'](comparison([[user(before)], [user(after)]], { table: 'msg[0](user)' }))

  it('is shown by a text that stands alone in one call and in a list in the other, with marks or without', () => {
    expect(holds('One?', [text('One?')])).toBe(true)
    expect(holds([{ ...text('One?'), cache_control: { type: 'ephemeral' } }], 'One?')).toBe(true)
  })

  it('is not shown by another text, by more of it, or by equal forms', () => {
    expect(holds('One?', [text('Two?')])).toBe(false)
    expect(holds('One?', [text('One?'), text('Two?')])).toBe(false)
    expect(holds('One?', 'One?')).toBe(false)
  })
})

describe('thinking-stripped', () => {
  const thinking = { type: 'thinking', thinking: 'Hm.', signature: 'c2ln' }
  const holds = (before: readonly unknown[], after: readonly unknown[], totals: readonly number[] = []): boolean =>
    divergenceRules['thinking-stripped'](
      comparison(
        [before, after].map((answer) => [user('One?'), assistant(answer), user('Two?')]),
        { table: 'msg[1](assistant).content[0]', totals },
      ),
    )

  it('is shown by answers that differ in thinking alone, at the same total', () => {
    expect(holds([thinking, text('1')], [text('1')])).toBe(true)
  })

  it('is not shown by another answer, by the same thinking, or by another total', () => {
    expect(holds([thinking, text('1')], [text('2')])).toBe(false)
    expect(holds([thinking, text('1')], [thinking, text('1')])).toBe(false)
    expect(holds([thinking, text('1')], [text('1')], [9, 8])).toBe(false)
  })
})

describe('separate-runs', () => {
  const holds = (before: readonly unknown[], after: readonly unknown[]): boolean =>
    parentRules['separate-runs'](comparison([before, after]))

  it('is shown by a new question to which there was no answer', () => {
    expect(holds([user('What is the capital?')], [user('Who wrote this?')])).toBe(true)
  })

  it('is not shown by a conversation that goes on, or that asks the same', () => {
    const question = user('What is the capital?')
    expect(holds([question], [question, assistant('Paris'), user('And now?')])).toBe(false)
    expect(holds([question], [question])).toBe(false)
    expect(holds([question], [user('Other'), assistant('Yes'), user('More?')])).toBe(false)
  })
})

describe('summary-without-session', () => {
  const summary = [user([text('<summary>\nMuch was done.</summary>')]), assistant('On it.'), user('Go on.')]
  const before = [user('Write an essay about dogs, cats and birds.')]
  const holds = (messages: readonly unknown[], over?: () => Partial<Exchange>): boolean =>
    parentRules['summary-without-session'](comparison([before, messages], { ...(over && { over }) }))

  it('is shown by a summary in place of all messages', () => {
    expect(holds(summary)).toBe(true)
  })

  it('is not shown where an id says what belongs together, where a message is kept, or without a summary', () => {
    expect(holds(summary, () => ({ ids: { session: 'one' } }))).toBe(false)
    expect(holds([...summary, ...before])).toBe(false)
    expect(holds([user('Something else.')])).toBe(false)
  })
})

describe('same-prompt', () => {
  it('is shown by a prompt that was sent before, and by nothing else', () => {
    const [one, other] = [[user('One?')], [user('One?'), assistant('1'), user('Two?')]]
    const again = comparison([one, other, one])
    expect([again.ours, again.table, parentRules['same-prompt'](again)]).toEqual(['call 0', 'call 1', true])
    expect(parentRules['same-prompt'](comparison([one, other]))).toBe(false)
  })
})

describe('one-connection', () => {
  const calls = [[user('One?')], [user('One?'), assistant('1'), user('Two?')]]

  it('is shown by two calls on one line', () => {
    const over = (): Partial<Exchange> => ({ source: { file: 'a.json', line: 1 } })
    expect(parentRules['one-connection'](comparison(calls, { over }))).toBe(true)
    expect(parentRules['one-connection'](comparison(calls))).toBe(false)
  })
})
