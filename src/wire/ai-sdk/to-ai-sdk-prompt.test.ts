import { createGateway, type ModelMessage } from 'ai'
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

describe('the breakpoints of Claude', () => {
  const cached = ({ providerOptions }: ModelMessage): boolean => JSON.stringify(providerOptions ?? {}).includes('ache')

  it('are left out, with a warning, for a model of Bedrock that takes none', () => {
    const { instructions, messages, warnings } = send('amazon-bedrock/meta.llama4-maverick-17b', [user('Hello')])
    expect([...instructions, ...messages].some(cached)).toBe(false)
    expect(warnings).toEqual([{ type: 'breakpoints-left-out', reason: 'unknown' }])
  })

  it('are kept for an hour where the model of Bedrock can', () => {
    const model = 'amazon-bedrock/us.anthropic.claude-3-7-sonnet-20250219-v1:0'
    const { messages, warnings } = send(model, [user('Hello')], { ttl: '1h' })
    expect(messages[0]?.providerOptions).toEqual({ bedrock: { cachePoint: { type: 'default' } } })
    expect(warnings).toContainEqual({ type: 'ttl-lowered', place: 'tail' })
  })

  it('count those of the frozen tools', () => {
    const marked = { anthropic: { cacheControl: { type: 'ephemeral' } } }
    const definitions = ['a', 'b'].map((name) => ({ type: 'function', name, providerOptions: marked }))
    const turn = { tools: { definitions, callable: ['a', 'b'], held: [] } }
    const told = [user('Hello'), said('Hi.'), user('On')]
    const { instructions, messages, warnings } = send(claude, told, { turn })
    expect([...instructions, ...messages].filter(cached)).toHaveLength(2)
    expect(warnings.filter(({ type }) => type === 'breakpoint-dropped')).toHaveLength(2)
  })

  it('stand behind what is put in for text where an answer ends in reasoning, which takes none', () => {
    const thought: ModelMessage = { role: 'assistant', content: [{ type: 'reasoning', text: 'Hm.' }] }
    const { messages } = send('google/gemini-3.8-flash', [user('Hello'), thought], { model: claude })
    expect(messages.map(cached)).toEqual([true, true])
    expect(messages[1]?.content).toEqual([
      { type: 'reasoning', text: 'Hm.' },
      { type: 'text', text: '(no content)' },
    ])
  })

  it('are tagged and marked by the maker through the gateway', () => {
    const { messages, warnings } = send(claude, [user('Hello'), ours], {
      model: createGateway({ apiKey: 'key' })('anthropic/claude-opus-5'),
    })
    expect(messages.map(({ role }) => role)).toEqual(['user'])
    expect(messages.map(cached)).toEqual([true])
    expect(warnings).toEqual([{ type: 'updates-tagged', reason: 'unsupported', count: 1 }])
  })

  it('and updates follow the platform that is named', () => {
    const { messages, warnings } = send(claude, [user('Hello'), ours], { platform: 'foundry' })
    expect(messages.map(({ role }) => role)).toEqual(['user'])
    expect(warnings).toEqual([{ type: 'updates-tagged', reason: 'unknown', count: 1 }])
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

  it('tags outside text behind the user message, which may not grow when it is sent again', () => {
    expect(send(gpt, [user('Hello'), theirs]).messages.map(({ role }) => role)).toEqual(['user', 'user'])
  })

  it('marks the answered spans where nothing follows, so that what was written is found', () => {
    const told = [user('Hello'), said('Hi.'), user('Read'), calling('a'), result('a')]
    expect(linesOf(send(gpt, told, { expectedTurns: 1 }).messages)).toMatchInlineSnapshot(`
      "{"role":"user","content":[{"type":"text","text":"Hello","providerOptions":{"openai":{"promptCacheBreakpoint":{"mode":"explicit"}}}}]}
      {"role":"assistant","content":"Hi."}
      {"role":"user","content":[{"type":"text","text":"Read","providerOptions":{"openai":{"promptCacheBreakpoint":{"mode":"explicit"}}}}]}
      {"role":"assistant","content":[{"type":"tool-call","toolCallId":"a","toolName":"read","input":{"z":1,"a":2}}]}
      {"role":"tool","content":[{"type":"tool-result","toolCallId":"a","toolName":"read","output":{"type":"text","value":"did a"}}]}"
    `)
  })

  it('marks for Azure where its package looks', () => {
    const { instructions, providerOptions } = send('azure/gpt-5.6-sol', [user('Hello')])
    expect(instructions[0]?.providerOptions).toEqual({ azure: { promptCacheBreakpoint: { mode: 'explicit' } } })
    expect(Object.keys(providerOptions)).toEqual(['openai'])
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

  it('refuses a turn with nothing to send', () => {
    expect(() => send(claude, [])).toThrow('nothing to send')
  })
})
