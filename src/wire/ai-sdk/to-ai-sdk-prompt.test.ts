import type { ModelMessage } from 'ai'
import { describe, expect, it } from 'vitest'
import { linesOf, turnTold, type Told } from '../../../test/support/told.ts'
import type { TurnView } from '../../session/types.ts'
import { toAiSdkPrompt, type AiSdkOptions } from './index.ts'

const user = (content: string): ModelMessage => ({ role: 'user', content })
const said = (content: string): ModelMessage => ({ role: 'assistant', content })
const calling = (id: string): ModelMessage => ({
  role: 'assistant',
  content: [{ type: 'tool-call', toolCallId: id, toolName: 'read', input: { z: 1, a: 2 } }],
})
const result = (id: string): ModelMessage => ({
  role: 'tool',
  content: [{ type: 'tool-result', toolCallId: id, toolName: 'read', output: { type: 'text', value: `did ${id}` } }],
})
const ours: Told<ModelMessage> = { update: ['system'] }
const theirs: Told<ModelMessage> = { update: ['user'] }
const claude = 'anthropic/claude-opus-5'
const gpt = 'openai/gpt-5.6-sol'

interface Sent extends AiSdkOptions {
  readonly turn?: Partial<TurnView<ModelMessage>>
}

function send(model: string, told: readonly Told<ModelMessage>[], { turn, ...options }: Sent = {}) {
  return toAiSdkPrompt(turnTold(told, turn), model, options)
}

describe('toAiSdkPrompt for Claude', () => {
  it('marks instructions and baseline, and leaves the line about the tag behind them', () => {
    const { instructions } = send(claude, [user('Hello')])
    expect(linesOf(instructions.slice(0, 2))).toMatchInlineSnapshot(`
      "{"role":"system","content":"You review code.","providerOptions":{"anthropic":{"cacheControl":{"type":"ephemeral"}}}}
      {"role":"system","content":"\\n\\nBranch: main","providerOptions":{"anthropic":{"cacheControl":{"type":"ephemeral"}}}}"
    `)
    expect(instructions[2]?.content).toContain('<system-reminder id="n1">')
  })

  it('puts an update behind what it came with, and marks the tail and the last answered request', () => {
    const told = [user('Hello'), said('Hi.'), user('Read'), calling('a'), result('a'), ours]
    expect(linesOf(send(claude, told).messages)).toMatchInlineSnapshot(`
      "{"role":"user","content":"Hello"}
      {"role":"assistant","content":"Hi."}
      {"role":"user","content":"Read","providerOptions":{"anthropic":{"cacheControl":{"type":"ephemeral"}}}}
      {"role":"assistant","content":[{"type":"tool-call","toolCallId":"a","toolName":"read","input":{"z":1,"a":2}}]}
      {"role":"tool","content":[{"type":"tool-result","toolCallId":"a","toolName":"read","output":{"type":"text","value":"did a"}}]}
      {"role":"system","content":"Fact 6.","providerOptions":{"anthropic":{"cacheControl":{"type":"ephemeral"}}}}"
    `)
  })

  it('tags outside text, and all updates for a model that takes no system message', () => {
    expect(linesOf(send(claude, [user('Hello'), theirs]).messages)).toMatchInlineSnapshot(
      `"{"role":"user","content":[{"type":"text","text":"Hello"},{"type":"text","text":"<system-reminder id=\\"n1\\">\\n<outside-text source=\\"test/file\\">\\nLine 2.\\n</outside-text>\\n</system-reminder>"}],"providerOptions":{"anthropic":{"cacheControl":{"type":"ephemeral"}}}}"`,
    )
    const { messages, warnings } = send('anthropic/claude-sonnet-4-6', [user('Read'), calling('a'), result('a'), ours])
    expect(linesOf(messages)).toMatchInlineSnapshot(`
      "{"role":"user","content":"Read","providerOptions":{"anthropic":{"cacheControl":{"type":"ephemeral"}}}}
      {"role":"assistant","content":[{"type":"tool-call","toolCallId":"a","toolName":"read","input":{"z":1,"a":2}}]}
      {"role":"tool","content":[{"type":"tool-result","toolCallId":"a","toolName":"read","output":{"type":"text","value":"did a"}}]}
      {"role":"user","content":[{"type":"text","text":"<system-reminder id=\\"n1\\">\\nFact 4.\\n</system-reminder>"}],"providerOptions":{"anthropic":{"cacheControl":{"type":"ephemeral"}}}}"
    `)
    expect(warnings).toEqual([{ type: 'updates-tagged', reason: 'unsupported', count: 1 }])
  })

  it('tags an update behind an answer, where a system message may not stand', () => {
    const { messages, warnings } = send(claude, [user('Hello'), said('Hi.'), ours])
    expect(messages.at(-1)?.role).toBe('user')
    expect(warnings).toEqual([{ type: 'updates-tagged', reason: 'placement', count: 1 }])
  })

  it('keeps the head for an hour where that is asked, and marks no tail where nothing follows', () => {
    const { instructions, messages } = send(claude, [user('Hello')], {
      ttl: { head: '1h', tail: '5m' },
      expectedTurns: 1,
    })
    expect(instructions[0]?.providerOptions).toEqual({ anthropic: { cacheControl: { type: 'ephemeral', ttl: '1h' } } })
    expect(messages[0]?.providerOptions).toBeUndefined()
  })

  it('leaves reasoning of earlier epochs out where the model binds it to its prefix', () => {
    const thought: ModelMessage = {
      role: 'assistant',
      content: [
        { type: 'reasoning', text: 'Hm.' },
        { type: 'text', text: 'Hi.' },
      ],
    }
    const { messages, warnings } = send('anthropic/claude-fable-5-1', [user('Hello'), thought, user('On')], {
      turn: { epoch: 2 },
    })
    expect(messages[1]?.content).toEqual([{ type: 'text', text: 'Hi.' }])
    expect(warnings).toEqual([{ type: 'thinking-detached', count: 1 }])
  })

  it('marks through the other package on Bedrock, and tags there', () => {
    const { messages } = send('amazon-bedrock/anthropic.claude-opus-5', [user('Hello'), ours])
    expect(linesOf(messages)).toMatchInlineSnapshot(
      `"{"role":"user","content":[{"type":"text","text":"Hello"},{"type":"text","text":"<system-reminder id=\\"n1\\">\\nFact 2.\\n</system-reminder>"}],"providerOptions":{"bedrock":{"cachePoint":{"type":"default"}}}}"`,
    )
  })
})

describe('toAiSdkPrompt for OpenAI', () => {
  it('marks instructions and baseline, and names the cache by the prompt', () => {
    const { instructions, providerOptions } = send(gpt, [user('Hello')])
    expect(linesOf(instructions.slice(0, 2))).toMatchInlineSnapshot(`
      "{"role":"system","content":"You review code.","providerOptions":{"openai":{"promptCacheBreakpoint":{"mode":"explicit"}}}}
      {"role":"system","content":"Branch: main","providerOptions":{"openai":{"promptCacheBreakpoint":{"mode":"explicit"}}}}"
    `)
    expect(providerOptions['openai']?.['promptCacheKey']).toMatch(/^[0-9a-f]{32}$/)
    expect(send(gpt, [user('Hello')], { cacheKey: false }).providerOptions).toEqual({})
  })

  it('puts an update before the last user message, or marked behind the results of a loop', () => {
    expect(linesOf(send(gpt, [user('Hello'), said('Hi.'), ours, user('On')]).messages)).toMatchInlineSnapshot(`
      "{"role":"user","content":"Hello"}
      {"role":"assistant","content":"Hi."}
      {"role":"system","content":"Fact 3."}
      {"role":"user","content":"On"}"
    `)
    expect(linesOf(send(gpt, [user('Read'), calling('a'), result('a'), ours]).messages)).toMatchInlineSnapshot(`
      "{"role":"user","content":"Read"}
      {"role":"assistant","content":[{"type":"tool-call","toolCallId":"a","toolName":"read","input":{"z":1,"a":2}}]}
      {"role":"tool","content":[{"type":"tool-result","toolCallId":"a","toolName":"read","output":{"type":"text","value":"did a"}}]}
      {"role":"system","content":"Fact 4.","providerOptions":{"openai":{"promptCacheBreakpoint":{"mode":"explicit"}}}}"
    `)
  })

  it('asks for explicit mode where nothing follows', () => {
    expect(send(gpt, [user('Hello')], { expectedTurns: 1 }).providerOptions['openai']).toMatchObject({
      promptCacheOptions: { mode: 'explicit' },
    })
  })
})

describe('toAiSdkPrompt for others', () => {
  it.each([
    ['google/gemini-3.8-flash', 'unsupported'],
    ['somebody/a-model', 'unknown'],
    ['mistral/mistral-medium-3.5', 'unsupported'],
  ])('tags updates for %s, and marks nothing', (model, reason) => {
    const { instructions, messages, providerOptions, warnings } = send(model, [user('Hello'), ours])
    expect(linesOf(messages)).toBe(
      '{"role":"user","content":[{"type":"text","text":"Hello"},{"type":"text","text":"<system-reminder id=\\"n1\\">\\nFact 2.\\n</system-reminder>"}]}',
    )
    expect(JSON.stringify([instructions, providerOptions])).not.toContain('ache')
    expect(warnings).toEqual([{ type: 'updates-tagged', reason, count: 1 }])
  })

  it('takes the caller at their word for a model behind a router', () => {
    const { messages } = send('router/best', [user('Hello'), ours], { model: claude })
    expect(messages.at(-1)?.role).toBe('system')
  })
})

describe('toAiSdkPrompt', () => {
  it('takes marks off stored messages and parts, and leaves other options and messages as they are', () => {
    const mark = { anthropic: { cacheControl: { type: 'ephemeral' }, sendReasoning: true } } as const
    const marked: ModelMessage = {
      role: 'user',
      providerOptions: mark,
      content: [{ type: 'text', text: 'Hi', providerOptions: mark }],
    }
    const { messages } = send('google/gemini-3.8-flash', [marked])
    const kept = { anthropic: { sendReasoning: true } }
    expect(messages).toEqual([
      { role: 'user', content: [{ type: 'text', text: 'Hi', providerOptions: kept }], providerOptions: kept },
    ])
    const plain = user('Hello')
    expect(send('google/gemini-3.8-flash', [plain]).messages[0]).toBe(plain)
  })

  it('holds tools that were appended', () => {
    const turn = { tools: { definitions: [], callable: ['find'], held: [] } }
    expect(send(claude, [user('x'), { added: [{ type: 'function', name: 'find' }] }], { turn }).warnings).toEqual([
      { type: 'tools-held', reason: 'unsupported', ids: ['find'] },
    ])
  })

  it('refuses a turn with nothing to send', () => {
    expect(() => send(claude, [])).toThrow('nothing to send')
  })
})
