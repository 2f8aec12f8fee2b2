import type { MessageParam } from '@anthropic-ai/sdk/resources/messages'
import { afterAll, beforeAll, describe, expect, expectTypeOf, it } from 'vitest'
import { turnOf } from '../../../test/support/anthropic-rules-conversations.ts'
import { readUsage } from '../../cache/index.ts'
import { startEmulator, type Emulator } from '../../emulator/index.ts'
import type { TurnView } from '../../session/types.ts'
import { prewarm, toAnthropicMessages, type AnthropicParams } from './index.ts'

const user = (content: string): MessageParam => ({ role: 'user', content })
const assistant = (content: string): MessageParam => ({ role: 'assistant', content })

/** A turn whose system prompt is long enough for a cache. */
function turn(...messages: MessageParam[]): TurnView<MessageParam> {
  const entries = messages.map((message, index) => ({
    revision: index + 1,
    epoch: 1,
    type: 'message' as const,
    message,
  }))
  return { ...turnOf(entries), instructions: 'You review code, line by line. '.repeat(200) }
}

const params = { model: 'claude-opus-5-5', max_tokens: 1024 } satisfies AnthropicParams

describe('prewarm', () => {
  let emulator: Emulator
  beforeAll(async () => {
    emulator = await startEmulator({ strict: true })
  })
  afterAll(() => emulator.close())

  async function usageOf(body: object) {
    const response = await fetch(`${emulator.url}/v1/messages`, { method: 'POST', body: JSON.stringify(body) })
    const answer: unknown = await response.json()
    expect(response.status, JSON.stringify(answer)).toBe(200)
    return readUsage(answer)
  }

  it.each([
    ['before anything was said', [], [user('Hello')]],
    ['with what was said', [user('Hello')], [user('Hello')]],
    ['after an answer', [user('Hello'), assistant('Hi.')], [user('Hello'), assistant('Hi.'), user('Go on')]],
  ])('writes what the next request reads, %s', async (_, before, then) => {
    emulator.clear()
    const written = await usageOf(prewarm(turn(...before), params).body)
    expect(written.write5m).toBeGreaterThan(1000)
    const real = await usageOf(toAnthropicMessages(turn(...then), params).body)
    expect(real.read).toBe(written.write5m)
  })

  it('marks nothing that only stands in', () => {
    const { body, warnings } = prewarm(turn(), params)
    expect(JSON.stringify(body.messages)).toBe('[{"role":"user","content":"(no content)"}]')
    expect(body.max_tokens).toBe(0)
    expect(warnings).toEqual([])
    const answered = prewarm(turn(user('Hello'), assistant('Hi.')), params)
    expect(answered.body.messages.at(-1)).toEqual(user('(no content)'))
    expect(JSON.stringify(answered.body.messages[1])).toContain('cache_control')
  })

  it('marks the last block itself where the caller has an automatic breakpoint', () => {
    const automatic = { ...params, cache_control: { type: 'ephemeral', ttl: '1h' } } satisfies AnthropicParams
    const { body, warnings } = prewarm(turn(user('Hello'), assistant('Hi.')), automatic)
    expect(body.cache_control).toBeUndefined()
    expect(JSON.stringify(body.messages[1])).toContain('"cache_control":{"type":"ephemeral","ttl":"1h"}')
    expect(JSON.stringify(body.messages[2])).not.toContain('cache_control')
    expect(warnings).toEqual([])
  })

  it('leaves out what the API refuses of it, and says what is thereby filled under other parameters', () => {
    const { body, warnings } = prewarm(turn(user('Hello')), {
      ...params,
      stream: true,
      thinking: { type: 'enabled', budget_tokens: 2048 },
      output_config: { effort: 'low', format: { type: 'json_schema', schema: {} } },
      tools: [{ name: 'read', input_schema: { type: 'object' } }],
      tool_choice: { type: 'any', disable_parallel_tool_use: true },
    })
    const { model: _model, tools: _tools, system: _system, messages: _messages, ...settings } = body
    expect(settings).toEqual({
      max_tokens: 0,
      output_config: { effort: 'low' },
      tool_choice: { type: 'auto', disable_parallel_tool_use: true },
    })
    expect(warnings).toEqual(
      ['thinking', 'output_config.format', 'tool_choice'].map((parameter) => ({ type: 'prewarm-without', parameter })),
    )
    expectTypeOf(body.stream).toEqualTypeOf<false | undefined>()
  })

  it('keeps every other parameter, so that the real request has the same scope', () => {
    const { body, warnings } = prewarm(turn(user('Hello')), {
      ...params,
      thinking: { type: 'adaptive' },
      tool_choice: { type: 'none' },
    })
    expect([body.thinking, body.tool_choice, warnings]).toEqual([{ type: 'adaptive' }, { type: 'none' }, []])
  })

  it('is refused where the platform has none', () => {
    expect(() => prewarm(turn(), params, { platform: 'bedrock' })).toThrow('has no request that only fills the cache')
  })
})
