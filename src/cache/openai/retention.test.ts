import { describe, expect, it } from 'vitest'
import { retentionFor, retentionsOf } from './retention.ts'

describe('the retention of an OpenAI model', () => {
  it.each([
    ['gpt-5.5-pro', ['24h']],
    ['gpt-6.2-sol', ['24h']],
    ['gpt-5.1-codex-mini', ['in_memory', '24h']],
    ['gpt-5.1-chat-latest', ['in_memory', '24h']],
    ['gpt-4.1-2025-04-14', ['in_memory', '24h']],
    ['gpt-5-mini', ['in_memory']],
    ['gpt-5.4-nano', ['in_memory']],
    ['gpt-4o', ['in_memory']],
    ['o3', ['in_memory']],
  ])('may be asked, of %s, to be %j', (model, retentions) => {
    expect(retentionsOf(model)).toEqual(retentions)
  })
  it.each([
    ['gpt-5.4', undefined, false, '24h'],
    ['gpt-5.4', undefined, true, 'in_memory'],
    ['gpt-5.4', 'in_memory', false, 'in_memory'],
    ['gpt-4o', undefined, false, 'in_memory'],
    ['gpt-5-mini', undefined, false, 'in_memory'],
  ])('is for %s, asked for %s, without data kept: %s, %s', (model, asked, zeroDataRetention, retention) => {
    expect(retentionFor(model, asked, zeroDataRetention).retention).toBe(retention)
  })
})
