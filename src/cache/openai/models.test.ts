import { describe, expect, it } from 'vitest'
import { isOpenAIModelIn, parseOpenAIModel } from './models.ts'

describe('parseOpenAIModel', () => {
  it.each([
    ['gpt-5.6-sol', 'gpt', '5.6', 'sol', undefined],
    ['gpt-6-luna', 'gpt', '6.0', 'luna', undefined],
    ['gpt-6.2-astra-2026-10-01', 'gpt', '6.2', 'astra', '2026-10-01'],
    ['openai/gpt-6.1-sol:nitro', 'gpt', '6.1', 'sol', undefined],
    ['gpt-5', 'gpt', '5.0', '', undefined],
    ['gpt-5.1-codex-max', 'gpt', '5.1', 'codex-max', undefined],
    ['gpt-5.1-chat-latest', 'gpt', '5.1', 'chat', undefined],
    ['gpt-4.1-nano-2025-04-14', 'gpt', '4.1', 'nano', '2025-04-14'],
    ['openai/gpt-4o-mini', 'gpt', '4.0', 'o-mini', undefined],
    ['gpt-4o-2024-08-06', 'gpt', '4.0', 'o', '2024-08-06'],
    ['gpt-4-turbo', 'gpt', '4.0', 'turbo', undefined],
    ['gpt-3.5-turbo-0125', 'gpt', '3.5', 'turbo', undefined],
    ['ft:gpt-4o-mini-2024-07-18:acme::abc123', 'gpt', '4.0', 'o-mini', '2024-07-18'],
    ['us.openai.gpt-5.6-sol-v1:0', 'gpt', '5.6', 'sol', undefined],
    ['o3', 'o', '3.0', '', undefined],
    ['o4-mini-2025-04-16', 'o', '4.0', 'mini', '2025-04-16'],
    ['o1-preview', 'o', '1.0', 'preview', undefined],
  ])('reads %s', (id, family, version, variant, date) => {
    const model = parseOpenAIModel(id)
    expect([model?.family, `${model?.major}.${model?.minor}`, model?.variant, model?.date]).toEqual([
      family,
      version,
      variant,
      date,
    ])
  })

  it.each([
    '',
    'gpt',
    'gpt-oss-120b',
    'chatgpt-4o-latest',
    'my-gpt-5.6-sol',
    'openrouter-o3',
    'claude-opus-5',
    'GPT-5',
  ])('does not guess at %j', (id) => {
    expect(parseOpenAIModel(id)).toBeUndefined()
  })
})

describe('isOpenAIModelIn', () => {
  const from56 = [{ family: 'gpt', from: '5.6' }] as const

  it.each([
    ['gpt-5.6-sol', true],
    ['gpt-5.10', true],
    ['gpt-6.2-astra', true],
    ['gpt-5.5', false],
    ['gpt-4o', false],
    ['o9', false],
    ['grok-4.7', false],
    [undefined, false],
  ])('tells whether %s is GPT-5.6 or later: %s', (id, expected) => {
    expect(isOpenAIModelIn(id, from56)).toBe(expected)
  })

  it('includes both ends of a range', () => {
    const range = [{ family: 'gpt', from: '5.1', through: '5.5' }] as const
    expect(['gpt-5', 'gpt-5.1', 'gpt-5.5-pro', 'gpt-5.6-sol'].map((id) => isOpenAIModelIn(id, range))).toEqual([
      false,
      true,
      true,
      false,
    ])
  })
})
