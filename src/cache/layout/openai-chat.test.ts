import { describe, expect, it } from 'vitest'
import { layout } from './layout.ts'
import { readItems } from './read-items.ts'
import { lines, openings, scope } from '../../../test/support/layout-lines.ts'

const model = 'gpt-5.6-sol'
const hi = { role: 'user', content: 'Hi' }

describe('Chat Completions', () => {
  it('are tools, leading instructions, and messages with their calls', () => {
    const request = {
      model,
      messages: [
        { role: 'system', content: 'Be terse.' },
        { role: 'developer', content: [{ type: 'text', text: 'Use tools.' }] },
        {
          role: 'user',
          name: 'ann',
          content: [
            { type: 'text', text: 'What is this?' },
            { type: 'image_url', image_url: { url: 'data:image/png;base64,AAAA' } },
          ],
        },
        {
          role: 'assistant',
          content: null,
          reasoning_content: 'Look.',
          tool_calls: [
            { index: 0, id: 'call_1', type: 'function', function: { name: 'look', arguments: '{"b":1, "a":2}' } },
          ],
        },
        { role: 'tool', tool_call_id: 'call_1', content: 'A cat' },
        { role: 'developer', content: 'Be quick.' },
        { role: 'assistant', content: 'A cat.' },
      ],
      tools: [{ type: 'function', function: { name: 'look', parameters: { b: {}, a: {} } } }],
    }
    expect(lines(request)).toEqual([
      'tools[0] tools/tool tool {"function":{"name":"look","parameters":{"b":{},"a":{}}},"type":"function"}',
      'messages[0].content[0] system/system text Be terse.',
      'messages[1].content[0] system/developer text Use tools.',
      'messages[2].name messages/user name ann',
      'messages[2].content[0] messages/user text What is this?',
      'messages[2].content[1] messages/user image_url {"image_url":{"url":"data:image/png;base64,AAAA"},"type":"image_url"}',
      'messages[3].reasoning_content messages/assistant reasoning Look.',
      'messages[3].tool_calls[0] messages/assistant tool_call {"function":{"name":"look","arguments":"{\\"b\\":1, \\"a\\":2}"},"id":"call_1","type":"function"}',
      'messages[4].content[0] messages/tool tool_result {"tool_call_id":"call_1","part":"text","content":"A cat"}',
      'messages[5].content[0] messages/developer text Be quick.',
      'messages[6].content[0] messages/assistant text A cat.',
    ])
    expect(openings(request)).toEqual([
      'messages[0].content[0]',
      'messages[1].content[0]',
      'messages[2].name',
      'messages[3].reasoning_content',
      'messages[4].content[0]',
      'messages[5].content[0]',
      'messages[6].content[0]',
    ])
  })

  it('open every message, also next to one of its role', () => {
    expect(openings({ model, messages: [hi, hi] })).toEqual(['messages[0].content[0]', 'messages[1].content[0]'])
  })

  it('know the functions and calls of the first version', () => {
    const request = {
      functions: [{ name: 'look', parameters: {} }],
      messages: [
        { role: 'assistant', content: '', function_call: { name: 'look', arguments: '{}' } },
        { role: 'function', name: 'look', content: 'A cat' },
      ],
    }
    expect(lines(request)).toEqual([
      'functions[0] tools/tool tool {"name":"look","parameters":{}}',
      'messages[0].content[0] messages/assistant text ',
      'messages[0].function_call messages/assistant tool_call {"arguments":"{}","name":"look"}',
      'messages[1].content[0] messages/function tool_result {"name":"look","part":"text","content":"A cat"}',
    ])
  })

  it('know what other providers add: tools in the middle, reasoning in several fields, hidden tools', () => {
    const request = {
      model: 'kimi-k3',
      tools: [{ type: 'function', function: { name: 'a' }, defer_loading: true }],
      messages: [
        hi,
        { role: 'assistant', content: 'Yes', reasoning: 'Hm.', reasoning_details: [{ type: 'reasoning.text' }] },
        { role: 'system', tools: [{ type: 'function', function: { name: 'b' } }] },
      ],
    }
    expect(lines(request)).toEqual([
      'messages[0].content[0] messages/user text Hi',
      'messages[1].reasoning messages/assistant reasoning {"reasoning":"Hm.","reasoning_details":[{"type":"reasoning.text"}]}',
      'messages[1].content[0] messages/assistant text Yes',
      'messages[2].tools[0] messages/system tool {"function":{"name":"b"},"type":"function"}',
    ])
  })

  it('tell the model of refusals and spoken answers', () => {
    const request = { model, messages: [{ role: 'assistant', refusal: 'No.', audio: { id: 'audio_1' } }] }
    expect(lines(request)).toEqual([
      'messages[0].refusal messages/assistant refusal {"refusal":"No.","type":"refusal"}',
      'messages[0].audio messages/assistant audio {"id":"audio_1"}',
    ])
  })

  it('count pictures by the rule, and calls and results by what the model reads of them', () => {
    const request = {
      model,
      messages: [
        { role: 'user', content: [{ type: 'image_url', image_url: { url: 'x'.repeat(9_000) } }] },
        { role: 'assistant', tool_calls: [{ id: 'x'.repeat(99), function: { name: 'look', arguments: '{}' } }] },
        { role: 'tool', tool_call_id: 'x'.repeat(99), content: '1234' },
      ],
    }
    const { segments } = layout(request, { countTokens: (text) => text.length })
    expect(segments.map(({ tokens }) => tokens)).toEqual([1_000, 'look {}'.length, 4])
  })
})

describe('breakpoints of Chat Completions', () => {
  it('are the own ones, for 30 minutes, and those that gateways pass on', () => {
    const text = { type: 'text', text: 'Hi' }
    const request = {
      model,
      tools: [{ type: 'function', function: { name: 'a' }, cache_control: { type: 'ephemeral', ttl: '1h' } }],
      messages: [
        { role: 'system', content: [{ ...text, cache_control: { type: 'ephemeral' } }] },
        { role: 'user', content: [{ ...text, prompt_cache_breakpoint: { mode: 'explicit' } }, text] },
        { role: 'user', content: [{ ...text, prompt_cache_breakpoint: null, cache_control: null }] },
        { role: 'user', content: 'Hi', cache_control: { type: 'ephemeral' } },
      ],
    }
    expect(lines(request)).toEqual([
      'tools[0] tools/tool tool {"function":{"name":"a"},"type":"function"} <1h>',
      'messages[0].content[0] system/system text Hi <5m>',
      'messages[1].content[0] messages/user text Hi <30m>',
      'messages[1].content[1] messages/user text Hi',
      'messages[2].content[0] messages/user text Hi',
      'messages[3].content[0] messages/user text Hi <5m>',
    ])
  })

  it('go to the last part that can be marked where a gateway is asked for automatic caching', () => {
    const request = {
      model: 'anthropic/claude-opus-5',
      cache_control: { type: 'ephemeral' },
      messages: [hi, { role: 'assistant', content: 'Yes', tool_calls: [{ id: 'a', function: { name: 'b' } }] }],
    }
    expect(lines(request).filter((line) => line.endsWith('>'))).toEqual([
      'messages[1].content[0] messages/assistant text Yes <+5m>',
    ])
  })
})

describe('the scope of Chat Completions', () => {
  it('is the same for a default and for nothing', () => {
    const expected = {
      model,
      parallel_tool_calls: true,
      response_format: 'text',
      reasoning_effort: null,
      verbosity: 'medium',
      service_tier: 'auto',
      prompt_cache_key: null,
    }
    const defaults = { parallel_tool_calls: true, response_format: { type: 'text' }, service_tier: 'auto' }
    expect(scope({ model, messages: [hi] })).toEqual(expected)
    expect(scope({ model, messages: [hi], ...defaults, verbosity: 'medium' })).toEqual(expected)
  })

  it('is what breaks the prefix, tool_choice not among it, and a change loses everything', () => {
    const format = { type: 'json_schema', json_schema: { name: 'a', schema: {} } }
    const request = {
      model: 'gpt-5',
      messages: [hi],
      tool_choice: 'none',
      reasoning_effort: 'low',
      response_format: format,
      prompt_cache_key: 'key',
    }
    expect(scope(request)).toEqual({
      model: 'gpt-5',
      parallel_tool_calls: true,
      response_format: format,
      reasoning_effort: 'low',
      verbosity: 'medium',
      service_tier: 'auto',
    })
    for (const { invalidates } of layout(request).scope) expect(invalidates).toEqual(['tools', 'system', 'messages'])
  })

  it.each([
    ['gpt-5.6-sol', 'key'],
    ['openai/gpt-6.2-astra', 'key'],
    ['gpt-5.5', undefined],
    ['grok-4.7', undefined],
  ])('has the cache key for %s: %s', (id, key) => {
    const request = { model: id, messages: [hi], prompt_cache_key: 'key' }
    expect(scope(request)['prompt_cache_key']).toBe(key)
    expect(readItems(request, {}).settings).toEqual({ prompt_cache_key: 'key' })
  })

  it('reports settings of the cache beside it', () => {
    const request = {
      model,
      messages: [hi],
      prompt_cache_options: { mode: 'explicit', ttl: '30m', prewarm: true },
      prompt_cache_retention: '24h',
    }
    expect(readItems(request, {}).settings).toEqual({
      'prompt_cache_options.mode': 'explicit',
      'prompt_cache_options.ttl': '30m',
      prompt_cache_retention: '24h',
    })
  })
})

describe('malformed Chat Completions', () => {
  it.each<[string, object]>([
    ['messages is missing; expected a list of messages.', {}],
    ['messages[0] is the string "Hi"; expected a message.', { messages: ['Hi'] }],
    ['messages[0].role is missing; expected a role.', { messages: [{ content: 'Hi' }] }],
    ['messages[0].content is missing; expected a string or a list of content parts.', { messages: [{ role: 'user' }] }],
    ['messages[0].content[0] is the string "Hi"; expected a content part.', { messages: [{ ...hi, content: ['Hi'] }] }],
    [
      'messages[0].content[0].type is missing; expected the type of a part.',
      { messages: [{ ...hi, content: [{ text: 'Hi' }] }] },
    ],
    [
      'messages[0].content[0].text is the number 5; expected a string.',
      { messages: [{ ...hi, content: [{ type: 'text', text: 5 }] }] },
    ],
    [
      'messages[0].tool_calls is the string "look"; expected a list.',
      { messages: [{ role: 'assistant', tool_calls: 'look' }] },
    ],
    ['tools is an object with name; expected a list.', { tools: { name: 'a' }, messages: [hi] }],
    ['tools[0] is null; expected a tool.', { tools: [null], messages: [hi] }],
  ])('say: %s', (message, request) => {
    expect(() => layout(request, { format: 'openai-chat' })).toThrow(message)
  })
})
