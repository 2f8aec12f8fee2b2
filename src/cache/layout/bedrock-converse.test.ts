import { describe, expect, it } from 'vitest'
import { layout } from './layout.ts'
import { lines, openings, scope } from '../../../test/support/layout-lines.ts'

const model = 'us.anthropic.claude-opus-5-v1:0'
const hi = { role: 'user', content: [{ text: 'Hi' }] }
const point = { cachePoint: { type: 'default' } }
const hour = { cachePoint: { type: 'default', ttl: '1h' } }

describe('Converse', () => {
  it('are tools, system blocks, and content blocks, with the points that mark what stands before them', () => {
    const request = {
      toolConfig: {
        tools: [{ toolSpec: { name: 'look', inputSchema: { json: { b: {}, a: {} } } } }, hour],
        toolChoice: { auto: {} },
      },
      system: [{ text: 'Be terse.' }, { text: 'Use tools.' }, point],
      messages: [
        { role: 'user', content: [{ text: 'What is this?' }, point, { image: { format: 'png', source: {} } }] },
        {
          role: 'assistant',
          content: [
            { reasoningContent: { reasoningText: { text: 'Look.', signature: 'c2ln' } } },
            { toolUse: { toolUseId: 'a', name: 'look', input: { b: 1, a: 2 } } },
          ],
        },
        {
          role: 'user',
          content: [{ toolResult: { toolUseId: 'a', status: 'success', content: [{ text: 'A cat' }] } }, point],
        },
      ],
    }
    expect(lines(request, { model })).toEqual([
      'toolConfig.tools[0] tools/tool tool {"toolSpec":{"name":"look","inputSchema":{"json":{"b":{},"a":{}}}}} <1h>',
      'system[0] system/system text Be terse.',
      'system[1] system/system text Use tools. <5m>',
      'messages[0].content[0] messages/user text What is this? <5m>',
      'messages[0].content[2] messages/user image {"image":{"format":"png","source":{}}}',
      'messages[1].content[0] messages/assistant reasoningContent {"reasoningContent":{"reasoningText":{"text":"Look.","signature":"c2ln"}}}',
      'messages[1].content[1] messages/assistant toolUse {"toolUse":{"toolUseId":"a","name":"look","input":{"b":1,"a":2}}}',
      'messages[2].content[0] messages/user toolResult {"toolResult":{"toolUseId":"a","status":"success","content":[{"text":"A cat"}]}} <5m>',
    ])
    expect(openings(request)).toEqual([])
  })

  it('give a point at the head of a message to the end of what stands before', () => {
    const request = {
      system: [{ text: 'Be terse.' }],
      messages: [
        { role: 'user', content: [hour, { text: 'Hi' }] },
        { role: 'assistant', content: [{ text: 'Yes' }, { text: 'No' }] },
        { role: 'user', content: [point] },
      ],
    }
    expect(lines(request)).toEqual([
      'system[0] system/system text Be terse. <1h>',
      'messages[0].content[1] messages/user text Hi',
      'messages[1].content[0] messages/assistant text Yes',
      'messages[1].content[1] messages/assistant text No <5m>',
    ])
  })

  it('ignore a point that nothing stands before', () => {
    expect(lines({ system: [point], messages: [hi] })).toEqual(['messages[0].content[0] messages/user text Hi'])
  })

  it('leave out the reasoning that older models strip once the user speaks again', () => {
    const reasoning = { reasoningContent: { reasoningText: { text: 'Hm.' } } }
    const messages = [hi, { role: 'assistant', content: [reasoning, { text: 'Yes' }] }, hi]
    const paths = (id: string): readonly string[] =>
      layout({ messages }, { model: id }).segments.map(({ path }) => path)
    expect(paths('anthropic.claude-sonnet-4-5-20250929-v1:0')).not.toContain('messages[1].content[0]')
    expect(paths(model)).toContain('messages[1].content[0]')
    const answered = [
      ...messages.slice(0, 2),
      { role: 'user', content: [{ toolResult: { toolUseId: 'a', content: [] } }] },
    ]
    expect(lines({ messages: answered }, { model: 'anthropic.claude-sonnet-4-5-20250929-v1:0' })[1]).toMatch(
      /reasoning/,
    )
  })

  it('count pictures and files by the rule, also inside tool results', () => {
    const image = { image: { format: 'png', source: { bytes: 'x'.repeat(9_000) } } }
    const result = { toolResult: { toolUseId: 'a', content: [image, { text: 'Hi' }] } }
    const { segments } = layout({ messages: [{ role: 'user', content: [image, result] }] }, { countTokens: () => 1 })
    expect(segments.map(({ tokens }) => tokens)).toEqual([1_500, 1_501])
  })

  it('are scoped as Claude is, by the names of this format', () => {
    const request = {
      messages: [hi],
      toolConfig: { tools: [], toolChoice: { any: {} } },
      additionalModelRequestFields: { thinking: { type: 'adaptive' }, output_config: { effort: 'low' } },
    }
    const { scope: parameters } = layout(request, { model })
    expect(parameters).toEqual([
      { name: 'model', value: model, invalidates: ['tools', 'system', 'messages'], confidence: 'official' },
      { name: 'toolConfig.toolChoice', value: { any: {} }, invalidates: ['messages'], confidence: 'assumed' },
      {
        name: 'additionalModelRequestFields.thinking',
        value: { type: 'adaptive' },
        invalidates: ['tools', 'system', 'messages'],
        confidence: 'assumed',
      },
      {
        name: 'additionalModelRequestFields.output_config.effort',
        value: 'low',
        invalidates: ['tools', 'system', 'messages'],
        confidence: 'assumed',
      },
    ])
  })

  it('have the model from the caller, or from what an SDK was given', () => {
    expect(scope({ messages: [hi], modelId: 'a' })['model']).toBe('a')
    expect(scope({ messages: [hi], modelId: 'a' }, { model: 'b' })['model']).toBe('b')
    expect(layout({ messages: [hi] }).model).toBeUndefined()
  })
})

describe('malformed Converse', () => {
  it.each<[string, object]>([
    ['messages is missing; expected a list of messages.', {}],
    ['messages[0] is the string "Hi"; expected a message.', { messages: ['Hi'] }],
    ['messages[0].role is missing; expected a role.', { messages: [{ content: [] }] }],
    [
      'messages[0].content[0] is the string "Hi"; expected a content block.',
      { messages: [{ ...hi, content: ['Hi'] }] },
    ],
    [
      'messages[0].content[0].text is the number 5; expected a string.',
      { messages: [{ ...hi, content: [{ text: 5 }] }] },
    ],
    [
      'messages[0].content[0] is an object with no keys; expected a block with one key.',
      { messages: [{ ...hi, content: [{}] }] },
    ],
    ['system is the string "Hi"; expected a list.', { system: 'Hi', messages: [hi] }],
    ['system[0] is the string "Hi"; expected a system block.', { system: ['Hi'], messages: [hi] }],
    ['toolConfig.tools[0] is null; expected a tool.', { toolConfig: { tools: [null] }, messages: [hi] }],
  ])('say: %s', (message, request) => {
    expect(() => layout(request, { format: 'bedrock-converse' })).toThrow(message)
  })
})
