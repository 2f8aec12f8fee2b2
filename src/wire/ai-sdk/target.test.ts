import { describe, expect, it } from 'vitest'
import { packageRules, targetOf } from './target.ts'

describe('targetOf', () => {
  it.each([
    ['anthropic/claude-opus-5', 'claude-opus-5', 'anthropic', 'anthropic'],
    ['openai/gpt-5.6-sol', 'gpt-5.6-sol', 'openai', 'openai'],
    ['google/gemini-3.8-flash', 'gemini-3.8-flash', 'gemini', null],
    [{ provider: 'anthropic.messages', modelId: 'claude-opus-5' }, 'claude-opus-5', 'anthropic', 'anthropic'],
    [{ provider: 'openai.responses', modelId: 'gpt-5.6-sol' }, 'gpt-5.6-sol', 'openai', 'openai'],
    [{ provider: 'azure.chat', modelId: 'a-deployment' }, 'a-deployment', 'azure', 'openai'],
    [
      { provider: 'amazon-bedrock', modelId: 'anthropic.claude-opus-5' },
      'anthropic.claude-opus-5',
      'bedrock-converse',
      'bedrock',
    ],
    [{ provider: 'google.vertex.chat', modelId: 'gemini-3.8-flash' }, 'gemini-3.8-flash', 'gemini-vertex', null],
    [{ provider: 'googleish', modelId: 'x' }, 'x', undefined, undefined],
  ] as const)('reads %j', (model, id, platform, marks) => {
    const target = targetOf(model as Parameters<typeof targetOf>[0])
    expect(target.model).toBe(id)
    expect(target.rule?.platform).toBe(platform)
    expect(target.rule?.marks).toBe(marks)
  })

  it('rests on rows that are dated and sourced', () => {
    for (const { since, source } of packageRules) {
      expect(since).toMatch(/^\d{4}-\d\d-\d\d$/)
      expect(source).toMatch(/^https:\/\//)
    }
  })
})
