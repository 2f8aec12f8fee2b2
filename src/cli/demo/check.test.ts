import { describe, expect, it } from 'vitest'
import { createSimulator } from '../../cache/index.ts'
import type { Update } from '../../context/index.ts'
import type { Bill } from './bill.ts'
import { checkConversation, type Billing } from './check.ts'
import type { TurnRecord } from './conversation.ts'

const replayed = { ok: true, problems: [] }

const tell = (key: string, text: string, authority: 'system' | 'user' = 'system'): Update => ({
  text,
  parts: [{ authority, text, keys: [key] }],
  changes: [{ key, kind: 'changed' }],
})

interface Body {
  readonly model: string
  readonly max_tokens: number
  readonly system: readonly object[]
  readonly messages: readonly { readonly role: string; readonly content: string | readonly object[] }[]
}

const bodyWith = (...messages: Body['messages']): Body => ({ model: 'any', max_tokens: 1, system: [], messages })

const countTokens = (): number => 10
const billing: Billing = { model: 'any', format: 'anthropic', simulator: 'anthropic', countTokens, sent: true }

/** What a request without marks comes to: all of it is uncached. */
function billFor(body: Body): Bill {
  const { total, uncached } = createSimulator({ provider: 'anthropic', countTokens }).send(body).usage
  return { read: 0, write5m: 0, write30m: 0, write1h: 0, uncached, output: 0, total, usd: 0 }
}

interface Told {
  truth: Record<string, string>
  update?: Update
  body?: Body
  bill?: Partial<Bill>
}

/** Turns that are sent the same in every way. */
function records(...turns: Told[]): TurnRecord[] {
  return turns.map(({ truth, update = null, body = bodyWith(), bill }, index) => {
    const way = { body, response: {}, update, bill: { ...billFor(body), ...bill } }
    return {
      turn: index + 1,
      at: new Date(Date.UTC(2026, 11, 1, 12, index)),
      user: null,
      note: null,
      truth: Object.fromEntries(Object.entries(truth).map(([key, value]) => [key, { value }])),
      ways: { anew: way, split: way, epochs: way },
    }
  })
}

const failures = (turns: readonly TurnRecord[]): string[] =>
  checkConversation(turns, replayed, billing)
    .filter(({ ok }) => !ok)
    .map(({ text }) => text)

const branchTold = tell('demo/branch', 'The branch is now b.')
const withBranch = bodyWith({ role: 'user', content: 'go' }, { role: 'system', content: 'The branch is now b.' })

describe('checkConversation', () => {
  it('finds nothing wrong where each change was told at its turn', () => {
    const turns = records(
      { truth: { 'demo/branch': 'a' } },
      { truth: { 'demo/branch': 'b' }, update: branchTold },
      { truth: { 'demo/branch': 'b' }, body: withBranch },
    )
    const checks = checkConversation(turns, replayed, billing)
    expect(checks.map(({ ok }) => ok)).toEqual([true, true, true, true, true])
    expect(checks[1]?.text).toBe('The model was told of each change at its turn: 1 in all.')
  })

  it('reads what was told to the user side from its tag', () => {
    const tagged = '<system-reminder id="n">\nThe branch is now b.\n</system-reminder>'
    const turns = records(
      { truth: { 'demo/branch': 'a' } },
      {
        truth: { 'demo/branch': 'b' },
        update: tell('demo/branch', 'The branch is now b.', 'user'),
        body: bodyWith({ role: 'user', content: [{ type: 'text', text: tagged }] }),
      },
    )
    expect(failures(turns)).toEqual([])
  })

  it('reads what was told from behind what the user said in the same text', () => {
    const said = 'go on\n\n<system-reminder id="n">\nThe branch is now b.\n</system-reminder>'
    const turns = records(
      { truth: { 'demo/branch': 'a' } },
      { truth: { 'demo/branch': 'b' }, update: branchTold, body: bodyWith({ role: 'user', content: said }) },
    )
    expect(failures(turns)).toEqual([])
  })

  it('says so when nothing was sent', () => {
    const texts = checkConversation(records({ truth: {} }), replayed, { ...billing, sent: false }).map(
      ({ text }) => text,
    )
    expect(texts.at(-1)).toBe('All 3 bills are what the simulator says when it plays the requests again.')
  })

  it('finds a request that does not start with the whole one before it', () => {
    const said = (...words: string[]): Told => ({
      truth: {},
      body: bodyWith(...words.map((content) => ({ role: 'user', content }) as const)),
    })
    expect(failures(records(said('a', 'b'), said('a', 'b', 'c')))).toEqual([])
    for (const other of [said('a', 'B', 'c'), said('a')]) {
      expect(failures(records(said('a', 'b'), other))).toEqual([
        'the request of turn 2 does not start with the whole request before it',
      ])
    }
  })

  it('finds a change that the model was not told of', () => {
    expect(failures(records({ truth: { 'demo/branch': 'a' } }, { truth: { 'demo/branch': 'b' } }))).toEqual([
      'demo/branch changed before turn 2, and the model was not told',
    ])
  })

  it('finds a value that came or went untold', () => {
    expect(failures(records({ truth: { 'demo/old': 'a' } }, { truth: { 'demo/new': 'b' } }))).toEqual([
      'demo/new changed before turn 2, and the model was not told\ndemo/old changed before turn 2, and the model was not told',
    ])
  })

  it('finds news that is none', () => {
    const turns = records(
      { truth: { 'demo/branch': 'b' } },
      { truth: { 'demo/branch': 'b' }, update: branchTold, body: withBranch },
    )
    expect(failures(turns)).toEqual(['the model was told of demo/branch at turn 2, and it had not changed'])
  })

  it.each([
    ['is missing from the last request', bodyWith(), 0],
    ['stands in the last request twice', bodyWith(...withBranch.messages, ...withBranch.messages), 2],
  ])('finds an update that %s', (_case, body, times) => {
    const turns = records(
      { truth: { 'demo/branch': 'a' } },
      { truth: { 'demo/branch': 'b' }, update: branchTold, body },
    )
    expect(failures(turns)).toEqual([
      `"The branch is now b." stands ${times} times in the last request, and was told 1 times`,
    ])
  })

  it('passes on what the replay of the session found', () => {
    const problems = [{ revision: 3, law: 'belief', message: 'the snapshot differs' }] as const
    expect(checkConversation(records({ truth: {} }), { ok: false, problems }, billing)).toContainEqual({
      ok: false,
      text: 'event 3 of the session: the snapshot differs',
    })
  })

  it('finds a bill that the simulator would not have written', () => {
    const body = bodyWith({ role: 'user', content: 'go' })
    const [due] = records({ truth: {}, body })
    expect(failures(records({ truth: {}, body }, { truth: {}, body, bill: { read: 5, write1h: 2 } }))).toEqual([
      ['anew', 'split', 'epochs']
        .map((name) => {
          const { uncached } = due!.ways.epochs.bill
          return `turn 2, ${name}: billed 5 + 2 + ${uncached} tokens, simulated 0 + 0 + ${uncached}`
        })
        .join('\n'),
    ])
  })
})
