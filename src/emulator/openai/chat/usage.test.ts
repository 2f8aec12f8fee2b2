import { describe, expect, it } from 'vitest'
import { chatUsage } from './usage.ts'

const usage = { total: 3000, read: 1000, write5m: 0, write30m: 500, write1h: 0, uncached: 1500 }
const output = { text: 5, toolCalls: 2, thinking: 3, total: 10 }
const counts = { prompt_tokens: 3000, completion_tokens: 10, total_tokens: 3010 }
const reasoning = { completion_tokens_details: { reasoning_tokens: 3 } }

describe('the usage of Chat Completions', () => {
  it('has the writes of OpenAI models from 5.6 on', () => {
    expect(chatUsage('gpt-5.6-sol', usage, output)).toMatchObject({
      ...counts,
      prompt_tokens_details: { cached_tokens: 1000, cache_write_tokens: 500 },
      completion_tokens_details: { reasoning_tokens: 3 },
    })
    expect(chatUsage('gpt-5.5', usage, output)).toMatchObject({
      prompt_tokens_details: { cached_tokens: 1000, audio_tokens: 0 },
    })
    expect(JSON.stringify(chatUsage('gpt-5.5', usage, output))).not.toContain('cache_write_tokens')
  })

  it('splits the prompt in hit and miss for DeepSeek', () => {
    expect(chatUsage('deepseek-flash', usage, output)).toEqual({
      ...counts,
      prompt_tokens_details: { cached_tokens: 1000 },
      prompt_cache_hit_tokens: 1000,
      prompt_cache_miss_tokens: 2000,
      ...reasoning,
    })
  })

  it('has the writes of every model of OpenRouter', () => {
    expect(chatUsage('anthropic/claude-opus-5', usage, output)).toEqual({
      ...counts,
      prompt_tokens_details: { cached_tokens: 1000, cache_write_tokens: 500 },
      ...reasoning,
    })
  })

  it.each(['grok-4.7', 'mistral-medium-3.5', 'openai/gpt-oss-120b', 'my-model'])('has reads alone for %s', (model) => {
    expect(chatUsage(model, usage, { ...output, thinking: 0 })).toEqual({
      ...counts,
      prompt_tokens_details: { cached_tokens: 1000 },
    })
  })
})
