import { RULES_AS_OF } from '../../session/rules-as-of.ts'
import { createAnthropic } from '@ai-sdk/anthropic'
import { createOpenAI } from '@ai-sdk/openai'
import { createGateway, wrapLanguageModel, type LanguageModel } from 'ai'
import { describe, expect, it } from 'vitest'
import { packageRules, targetOf } from './target.ts'

/** What a model of a package that is not installed here looks like. */
const named = (provider: string, modelId = 'a-model'): LanguageModel => ({ provider, modelId }) as LanguageModel
const anthropic = createAnthropic({ apiKey: 'key' })
const openai = createOpenAI({ apiKey: 'key' })
const today = '2026-12-01'

describe('targetOf', () => {
  it.each([
    [anthropic('claude-opus-5'), 'anthropic', 'anthropic'],
    [wrapLanguageModel({ model: anthropic('claude-opus-5'), middleware: [] }), 'anthropic', 'anthropic'],
    [openai('gpt-5.6-sol'), 'openai', 'openai'],
    [openai.chat('gpt-5.6-sol'), 'openai.chat', 'openai'],
    [named('googleVertex.anthropic.messages'), 'googleVertex.anthropic', 'vertex'],
    [named('bedrock.anthropic.messages'), 'bedrock.anthropic', 'bedrock'],
    [named('amazon-bedrock'), 'amazon-bedrock', 'bedrock-converse'],
    [named('azure.responses'), 'azure', 'azure'],
    [named('azure.chat'), 'azure.chat', 'azure'],
    [named('google.generative-ai'), 'google', 'gemini'],
    [named('google.vertex.chat'), 'google.vertex', 'gemini-vertex'],
    ['anthropic/claude-opus-5', 'anthropic', 'anthropic'],
  ])('reads %o', (model, provider, platform) => {
    expect(targetOf(model, today).rule).toMatchObject({ provider, platform })
  })

  it('reads what goes through the gateway by its maker, and trusts it with marks only', () => {
    const { model, rule } = targetOf(createGateway({ apiKey: 'key' })('anthropic/claude-opus-5'), today)
    expect(model).toBe('claude-opus-5')
    expect(rule).toMatchObject({ provider: 'anthropic', marks: 'anthropic', keepsSystem: false, tools: null })
  })

  it('knows nothing of a provider that only begins like another, and of a model without one', () => {
    for (const model of [named('anthropically.chat'), named('my-proxy.chat'), 'claude-opus-5', 'somebody/a-model']) {
      expect(targetOf(model, today).rule).toBeUndefined()
    }
    expect(targetOf('claude-opus-5', today).model).toBe('claude-opus-5')
  })

  it('does not look at rows that are newer than the epoch', () => {
    expect(targetOf(anthropic('claude-opus-5'), '2026-11-30').rule).toBeUndefined()
  })

  it('takes the platform that it is told', () => {
    expect(targetOf(anthropic('claude-opus-5'), today, 'foundry').rule).toMatchObject({
      platform: 'foundry',
      keepsSystem: true,
    })
  })

  it('rests on rows that are dated and sourced', () => {
    for (const { since, source } of packageRules) {
      expect(since).toMatch(/^\d{4}-\d\d-\d\d$/)
      expect(source).toMatch(/^https:\/\//)
      // Sessions date their epochs without knowing this table.
      expect(since <= RULES_AS_OF).toBe(true)
    }
  })
})
