import { describe, expect, it } from 'vitest'
import { layout } from './layout.ts'
import { lines, openings, scope } from '../../../test/support/layout-lines.ts'

const model = 'claude-opus-5'
const hi = { role: 'user', content: 'Hi' }
const mark = { cache_control: { type: 'ephemeral' } }

describe('Messages', () => {
  it('are tools, system, and content blocks, none of which opens a message', () => {
    const request = {
      model,
      max_tokens: 100,
      system: [{ type: 'text', text: 'Be terse.', cache_control: { type: 'ephemeral', ttl: '1h' } }],
      tools: [{ name: 'look', input_schema: { b: {}, a: {} }, ...mark }],
      messages: [
        hi,
        {
          role: 'assistant',
          content: [
            { type: 'thinking', thinking: 'Look.', signature: 'c2ln' },
            { type: 'tool_use', id: 'a', name: 'look', input: { b: 1, a: 2 } },
          ],
        },
        {
          role: 'user',
          content: [
            { type: 'tool_result', tool_use_id: 'a', content: [{ type: 'text', text: 'A cat', ...mark }], ...mark },
          ],
        },
        { role: 'system', content: 'Be quick.' },
      ],
    }
    expect(lines(request)).toEqual([
      'tools[0] tools/tool tool {"input_schema":{"b":{},"a":{}},"name":"look"} <5m>',
      'system[0] system/system text Be terse. <1h>',
      'messages[0].content[0] messages/user text Hi',
      'messages[1].content[0] messages/assistant thinking {"signature":"c2ln","thinking":"Look.","type":"thinking"}',
      'messages[1].content[1] messages/assistant tool_use {"id":"a","input":{"b":1,"a":2},"name":"look","type":"tool_use"}',
      'messages[2].content[0] messages/user tool_result {"content":"A cat","tool_use_id":"a","type":"tool_result"} <5m>',
      'messages[3].content[0] messages/system text Be quick.',
    ])
    expect(openings(request)).toEqual([])
  })

  it('have web tools at the head of the system prompt, and no tools that wait to be found', () => {
    const request = {
      model,
      system: 'Be terse.',
      tools: [
        { type: 'web_search_20250305', name: 'web_search' },
        { name: 'later', input_schema: {}, defer_loading: true },
        { name: 'look', input_schema: {} },
      ],
      messages: [hi],
    }
    expect(lines(request).map((line) => line.split(' ').slice(0, 2).join(' '))).toEqual([
      'tools[2] tools/tool',
      'tools[0] system/tool',
      'system[0] system/system',
      'messages[0].content[0] messages/user',
    ])
  })

  it('begin at the last compaction', () => {
    const compaction = { type: 'compaction', content: 'So far.' }
    const request = {
      model,
      system: 'Be terse.',
      messages: [
        hi,
        { role: 'assistant', content: [compaction] },
        hi,
        { role: 'assistant', content: [{ type: 'text', text: 'Old' }, compaction, { type: 'text', text: 'New' }] },
        hi,
      ],
    }
    expect(layout(request).segments.map(({ path }) => path)).toEqual([
      'system[0]',
      'messages[3].content[1]',
      'messages[3].content[2]',
      'messages[4].content[0]',
    ])
  })

  it('lose thinking of earlier turns where the model strips it, and system messages whose time is over', () => {
    const messages = [
      hi,
      {
        role: 'assistant',
        content: [
          { type: 'thinking', thinking: 'Hm.' },
          { type: 'text', text: 'Yes' },
        ],
      },
      { role: 'user', content: 'More' },
      { role: 'system', content: 'Now.', clear_at: 'next_user_message' },
    ]
    const paths = (id: string, list: readonly object[]): readonly string[] =>
      layout({ model: id, messages: list }, { format: 'anthropic' }).segments.map(({ path }) => path)
    expect(paths(model, messages)).toEqual([
      'messages[0].content[0]',
      'messages[1].content[0]',
      'messages[1].content[1]',
      'messages[2].content[0]',
      'messages[3].content[0]',
    ])
    expect(paths('claude-sonnet-4-5', [...messages, { role: 'assistant', content: 'Ok' }, hi])).toEqual([
      'messages[0].content[0]',
      'messages[1].content[1]',
      'messages[2].content[0]',
      'messages[4].content[0]',
      'messages[5].content[0]',
    ])
  })

  it('put the automatic breakpoint on the last block that may carry one', () => {
    const request = {
      model,
      ...mark,
      messages: [
        hi,
        {
          role: 'assistant',
          content: [
            { type: 'text', text: 'Yes' },
            { type: 'thinking', thinking: 'Hm.' },
          ],
        },
      ],
    }
    expect(lines(request).filter((line) => line.endsWith('>'))).toEqual([
      'messages[1].content[0] messages/assistant text Yes <+5m>',
    ])
  })

  it('count pictures and files by the rule, also inside tool results', () => {
    const image = { type: 'image', source: { type: 'base64', data: 'x'.repeat(9_000) } }
    const result = { type: 'tool_result', tool_use_id: 'a', content: [image, { type: 'text', text: 'Hi' }] }
    const { segments } = layout(
      { model, messages: [{ role: 'user', content: [image, result] }] },
      { countTokens: () => 1 },
    )
    expect(segments.map(({ tokens }) => tokens)).toEqual([1_500, 1_501])
  })
})

describe('the scope of Messages', () => {
  it('is the same for a default and for nothing', () => {
    const defaults = { tool_choice: { type: 'auto' }, output_config: { effort: 'high' }, speed: 'standard' }
    expect(layout({ model, messages: [hi], ...defaults }).scope).toEqual(layout({ model, messages: [hi] }).scope)
    expect(scope({ model, messages: [hi] })).toEqual({
      model,
      'output_config.format': null,
      speed: 'standard',
      citations: false,
      tool_choice: 'auto',
      disable_parallel_tool_use: false,
      images: false,
      thinking: null,
      'output_config.effort': 'high',
    })
  })

  it('sees pictures and citations anywhere, and not how a changed prefix is to be answered', () => {
    const image = { type: 'image', source: {} }
    const request = {
      model,
      thinking: { type: 'adaptive', block_binding: { prefix_mismatch_behavior: 'error' } },
      messages: [
        { role: 'user', content: [{ type: 'tool_result', tool_use_id: 'a', content: [image] }] },
        { role: 'user', content: [{ type: 'document', source: {}, citations: { enabled: true } }] },
      ],
    }
    expect(scope(request)).toMatchObject({ images: true, citations: true, thinking: { type: 'adaptive' } })
  })
})

describe('malformed Messages', () => {
  it.each<[string, object]>([
    ['messages is missing; expected a list of messages.', {}],
    ['messages[0] is the string "Hi"; expected a message.', { messages: ['Hi'] }],
    ['messages[0].role is missing; expected a role.', { messages: [{ content: 'Hi' }] }],
    ['messages[0].content is missing; expected a string or a list of blocks.', { messages: [{ role: 'user' }] }],
    ['messages[0].content[0].type is missing; expected the type of a block.', { messages: [{ ...hi, content: [{}] }] }],
    ['system is the number 5; expected a string or a list of text blocks.', { system: 5, messages: [hi] }],
    ['tools is the string "a"; expected a list.', { tools: 'a', messages: [hi] }],
  ])('say: %s', (message, request) => {
    expect(() => layout(request, { format: 'anthropic' })).toThrow(message)
  })
})
