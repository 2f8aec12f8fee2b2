import { describe, expect, it } from 'vitest'
import type { Snapshot, Update } from '../../context/index.ts'
import { checkConversation } from './check.ts'
import type { TurnRecord } from './conversation.ts'
import type { Body } from './message.ts'

const replayed = { ok: true, problems: [] }

const tell = (key: string, text: string, authority: 'system' | 'user' = 'system'): Update => ({
  text,
  parts: [{ authority, text, keys: [key] }],
  changes: [{ key, kind: 'changed' }],
})

const bodyWith = (...messages: Body['messages']): Body => ({ model: 'any', max_tokens: 1, messages })

interface Told {
  truth: Record<string, string>
  update?: Update
  body?: Body
  total?: number
  reused?: number
}

/** Turns of which each sends 100 characters more than the one before; the other ways do not matter. */
function records(...turns: Told[]): TurnRecord[] {
  return turns.map(({ truth, update = null, body = bodyWith(), total, reused }, index) => {
    const sizes = { total: total ?? 100 * (index + 1), reused: reused ?? 100 * index, new: 100 }
    const way = { ...sizes, body, update }
    const snapshot: Snapshot = Object.fromEntries(Object.entries(truth).map(([key, value]) => [key, { value }]))
    return { turn: index + 1, user: null, note: null, truth: snapshot, ways: { anew: way, split: way, epochs: way } }
  })
}

const failures = (turns: readonly TurnRecord[]): string[] =>
  checkConversation(turns, replayed)
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
    const checks = checkConversation(turns, replayed)
    expect(checks.map(({ ok }) => ok)).toEqual([true, true, true, true])
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

  it('finds a request that does not start with the whole one before it', () => {
    expect(failures(records({ truth: {} }, { truth: {}, reused: 99 }))).toEqual([
      'the request of turn 2 does not start with the whole request before it',
    ])
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
    expect(checkConversation(records({ truth: {} }), { ok: false, problems }).at(-1)).toEqual({
      ok: false,
      text: 'event 3 of the session: the snapshot differs',
    })
  })
})
