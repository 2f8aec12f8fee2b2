import { describe, expect, it } from 'vitest'
import { providerNames } from '../../cache/index.ts'
import { providerNamed } from './provider-name.ts'

describe('names of providers', () => {
  it('of tools are those of the simulator', () => {
    const claude = 'claude-sonnet-4-5'
    const named = (names: readonly string[], model?: string) => names.map((name) => providerNamed(name, model))
    expect(named(['anthropic', 'anthropic.messages', 'Anthropic'])).toEqual(['anthropic', 'anthropic', 'anthropic'])
    expect(named(['openai', 'openai.responses', 'OpenAI'])).toEqual(['openai', 'openai', 'openai'])
    expect(named(['gcp.gemini', 'google.generative-ai', 'gemini', 'google_genai'])).toEqual([
      'gemini',
      'gemini',
      'gemini',
      'gemini',
    ])
    expect(named(['gcp.vertex_ai', 'vertex_ai', 'google.vertex.chat'])).toEqual([
      'vertex-gemini',
      'vertex-gemini',
      'vertex-gemini',
    ])
    expect(named(['vertex_ai', 'vertex.anthropic.messages'], claude)).toEqual(['vertex', 'vertex'])
    expect(named(['aws.bedrock', 'amazon-bedrock', 'bedrock_converse', 'AWS'])).toEqual([
      'bedrock',
      'bedrock',
      'bedrock',
      'bedrock',
    ])
    expect(named(['azure.ai.openai', 'azure', 'azure.chat'])).toEqual(['azure', 'azure', 'azure'])
    expect(named(['azure_ai'], claude)).toEqual(['foundry'])
    expect(named(['x_ai', 'xai.chat', 'mistral_ai', 'groq', 'deepseek', 'hosted_vllm', 'openrouter'])).toEqual([
      'xai',
      'xai',
      'mistral',
      'groq',
      'deepseek',
      'vllm',
      'openrouter',
    ])
  })

  it('that nobody knows are generic, and none is none', () => {
    expect(providerNamed('cohere', undefined)).toBe('generic')
    for (const none of [undefined, null, '', 7]) expect(providerNamed(none, 'gpt-5')).toBeUndefined()
    expect(providerNames).toContain(providerNamed('perplexity', undefined))
  })
})
