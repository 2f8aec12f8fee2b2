import { describe, expect, it } from 'vitest'
import { parseModelId } from './model-id.ts'

describe('parseModelId', () => {
  it.each([
    ['claude-sonnet-5', 'claude sonnet 5.0'],
    ['claude-sonnet-5-5', 'claude sonnet 5.5'],
    ['anthropic/claude-opus-4.8', 'claude opus 4.8'],
    ['openrouter/anthropic/claude-opus-4.8', 'claude opus 4.8', 'openrouter'],
    ['claude-haiku-4-5-20251001', 'claude haiku 4.5'],
    ['claude-opus-4-8@20260101', 'claude opus 4.8', 'vertex'],
    ['projects/p/locations/l/publishers/anthropic/models/claude-opus-4-8@default', 'claude opus 4.8', 'vertex'],
    ['anthropic.claude-opus-4-8-v1:0', 'claude opus 4.8', 'bedrock'],
    ['us.anthropic.claude-opus-4-8-v1:0', 'claude opus 4.8', 'bedrock', 'us'],
    [
      'arn:aws:bedrock:eu-west-1:1:inference-profile/eu.anthropic.claude-opus-5-v1:0',
      'claude opus 5.0',
      'bedrock',
      'eu',
    ],
    ['gpt-5.6-sol', 'gpt-5.6-sol'],
    ['gpt-5.6-sol-2026-07-01', 'gpt-5.6-sol'],
    ['openai/gpt-5.6-sol', 'gpt-5.6-sol'],
    ['azure/gpt-5.6-sol', 'gpt-5.6-sol', 'azure'],
    ['openai.gpt-5.6-sol-v1:0', 'gpt-5.6-sol', 'bedrock'],
    ['models/gemini-3.8-flash', 'gemini-3.8-flash'],
    ['gemini/gemini-3.8-flash-001', 'gemini-3.8-flash'],
    ['vertex_ai/gemini-3.8-flash@001', 'gemini-3.8-flash', 'vertex'],
    ['gemini-3.1-pro-preview', 'gemini-3.1-pro-preview'],
    ['x-ai/grok-4.7-latest', 'grok-4.7'],
    ['moonshotai/Kimi-K3', 'kimi-k3'],
    ['kimi-k2-0905', 'kimi-k2-0905'],
    ['MiniMax-M3', 'minimax-m3'],
    ['mistral-medium-latest', 'mistral-medium'],
    ['qwen3.7-max', 'qwen3.7-max'],
    // What may be sold at another price stays.
    ['openai/gpt-5.6-sol:free', 'gpt-5.6-sol:free'],
    ['claude-opus-4-8-fast', 'claude-opus-4-8-fast'],
    ['fast/claude-opus-4-8', 'fast/claude-opus-4-8'],
    ['my-team/gpt-5.6-sol', 'my-team/gpt-5.6-sol'],
    ['ft:gpt-5.6-sol:acme::abc', 'ft:gpt-5.6-sol:acme::abc'],
    ['', ''],
  ])('reads %s as %s on %s in %s', (id, key, platform?: string, region?: string) => {
    const found = parseModelId(id)
    expect(found.key).toBe(key)
    expect(found.platform).toBe(platform)
    expect(found.region).toBe(region)
  })
})
