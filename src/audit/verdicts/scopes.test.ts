import { describe, expect, it } from 'vitest'
import type { Exchange } from '../exchange.ts'
import { turnsOf } from '../test-turns.ts'
import { rulesOf, Scopes } from './scopes.ts'
import { claude, user } from './test-log.ts'

const body = claude([user('Hello')])
const keys = (...overs: readonly Partial<Exchange>[]): readonly string[] => {
  const turns = turnsOf(
    overs.map(() => body),
    (index) => overs[index] ?? {},
  )
  const scopes = new Scopes(turns)
  return turns.map((turn) => scopes.keyOf(turn))
}

describe('the scope of a turn', () => {
  it.each<[string, Partial<Exchange>, Partial<Exchange>]>([
    ['account', { account: 'a' }, { account: 'b' }],
    ['host', { host: 'a' }, { host: 'b' }],
    ['region', { region: 'a' }, { region: 'b' }],
    ['provider', { provider: 'anthropic' }, { provider: 'vertex' }],
    ['workspace', { headers: { 'anthropic-workspace-id': 'a' } }, { headers: { 'anthropic-workspace-id': 'b' } }],
    ['organization', { headers: { 'openai-organization': 'a' } }, { headers: { 'openai-organization': 'b' } }],
  ])('is another one by the %s', (_, one, other) => {
    expect(new Set(keys(one, other, one)).size).toBe(2)
  })

  it('is the same where a header only may matter, and where one value is all that is known', () => {
    expect(new Set(keys({ headers: { 'anthropic-beta': 'a' } }, { headers: { 'anthropic-beta': 'b' } })).size).toBe(1)
    expect(new Set(keys({ account: 'a' }, {}, { account: 'a' })).size).toBe(1)
  })

  it('of an unknown account is its own where several are known', () => {
    expect(new Set(keys({ account: 'a' }, {}, { account: 'b' })).size).toBe(3)
  })
})

describe('the rules for a turn', () => {
  it('are guessed for a provider that nobody knows, or that does not take the format', () => {
    expect(rulesOf({ provider: 'anthropic', format: 'anthropic' }).id).toBe('anthropic')
    expect(rulesOf({ provider: 'anthropic', format: 'openai-chat' }).id).toBe('generic')
    expect(rulesOf({ provider: 'toString', format: null }).id).toBe('generic')
  })
})
