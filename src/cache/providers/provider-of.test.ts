import { describe, expect, it } from 'vitest'
import { providerOf } from './provider-of.ts'

describe('providerOf', () => {
  it.each([
    ['gpt-5.6-sol', 'openai'],
    ['gpt-6.2-astra', 'openai'],
    ['o3-mini', 'openai'],
    ['o1', 'openai'],
    ['ft:gpt-4.1-2025-04-14:acme::abc', 'openai'],
    ['deepseek-flash', 'deepseek'],
    ['grok-4.7', 'xai'],
    ['mistral-medium-3.5', 'mistral'],
    ['ministral-8b-latest', 'mistral'],
    ['open-mistral-nemo', 'mistral'],
    ['openai/gpt-oss-120b', 'groq'],
    ['anthropic/claude-opus-5', 'openrouter'],
    ['openai/gpt-5.6-sol', 'openrouter'],
  ])('knows the vendor of %s as %s', (model, provider) => {
    expect(providerOf(model)).toBe(provider)
  })

  it.each(['gpt-oss-20b', 'Qwen/Qwen3-8B', 'o', 'orca-mini', 'my-deployment', ''])(
    'does not guess at "%s"',
    (model) => {
      expect(providerOf(model)).toBe('generic')
    },
  )
})
