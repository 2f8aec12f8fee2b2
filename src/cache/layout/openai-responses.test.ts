import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { RequestUnreadableError } from './errors.ts'
import { layout } from './layout.ts'
import { lines, openings, scope } from '../../../test/support/layout-lines.ts'
import type { PreviousResponse } from './types.ts'

const model = 'gpt-5.6-sol'
const hi = { role: 'user', content: 'Hi' }

/** Finds responses by name in a table. */
function previousIn(responses: Record<string, PreviousResponse>): (id: string) => PreviousResponse | undefined {
  return (id) => responses[id]
}

describe('Responses', () => {
  it('are tools, instructions, leading developer messages, and items', () => {
    const request = {
      model,
      instructions: 'Be terse.',
      tools: [{ type: 'function', name: 'look', parameters: { b: {}, a: {} } }],
      input: [
        { role: 'developer', content: 'Use tools.' },
        { type: 'message', role: 'user', content: [{ type: 'input_text', text: 'What is this?' }] },
        { type: 'reasoning', id: 'rs_1', summary: [{ type: 'summary_text', text: 'Hm.' }], encrypted_content: 'gAAA' },
        {
          type: 'function_call',
          id: 'fc_1',
          call_id: 'call_1',
          name: 'look',
          arguments: '{"b":1, "a":2}',
          status: 'completed',
        },
        { type: 'function_call_output', call_id: 'call_1', output: 'A cat' },
        { type: 'configuration_update', reasoning: { effort: 'low' } },
        { type: 'additional_tools', role: 'developer', tools: [{ type: 'function', name: 'say' }] },
        {
          type: 'message',
          role: 'assistant',
          id: 'msg_1',
          status: 'completed',
          phase: 'final_answer',
          content: [{ type: 'output_text', text: 'A cat.', annotations: [], logprobs: [] }],
        },
        { type: 'item_reference', id: 'msg_2' },
        { type: 'compaction_trigger' },
      ],
    }
    expect(lines(request)).toEqual([
      'tools[0] tools/tool tool {"name":"look","parameters":{"b":{},"a":{}},"type":"function"}',
      'instructions system/system text Be terse.',
      'input[0].content[0] system/developer text Use tools.',
      'input[1].content[0] messages/user text What is this?',
      'input[2] messages/assistant reasoning {"encrypted_content":"gAAA","type":"reasoning"}',
      'input[3] messages/assistant function_call {"arguments":"{\\"b\\":1, \\"a\\":2}","call_id":"call_1","name":"look","type":"function_call"}',
      'input[4].output[0] messages/tool function_call_output {"call_id":"call_1","part":"text","content":"A cat"}',
      'input[6].tools[0] messages/developer tool {"name":"say","type":"function"}',
      'input[7].phase messages/assistant phase final_answer',
      'input[7].content[0] messages/assistant text A cat.',
      'input[8] messages/assistant item_reference {"id":"msg_2","type":"item_reference"}',
    ])
    expect(openings(request)).toEqual([
      'instructions',
      'input[0].content[0]',
      'input[1].content[0]',
      'input[2]',
      'input[3]',
      'input[4].output[0]',
      'input[6].tools[0]',
      'input[7].phase',
      'input[8]',
    ])
  })

  it('take a text for one user message', () => {
    expect(lines({ model, input: 'Hi' })).toEqual(['input[0].content[0] messages/user text Hi'])
    expect(layout({ model, input: 'Hi' })).toEqual(layout({ model, input: [hi] }))
  })

  it('are the same with and without the ids that the server gave', () => {
    const items = [
      { type: 'message', role: 'assistant', content: [{ type: 'output_text', text: 'Yes' }] },
      { type: 'function_call', call_id: 'call_1', name: 'look', arguments: '{}' },
      { type: 'reasoning', summary: [], encrypted_content: 'gAAA' },
    ]
    const named = items.map((item, index) => ({ ...item, id: `id_${index}`, status: 'completed' }))
    expect(lines({ model, input: named })).toEqual(lines({ model, input: items }))
  })

  it('keep the id where nothing else says which reasoning is meant', () => {
    const reasoning = { type: 'reasoning', id: 'rs_1', summary: [] }
    expect(lines({ model, input: [reasoning] })).toEqual([
      'input[0] messages/assistant reasoning {"id":"rs_1","summary":[],"type":"reasoning"}',
    ])
    const open = { ...reasoning, content: [{ type: 'reasoning_text', text: 'Hm.' }] }
    expect(lines({ model, input: [open] })).toEqual([
      'input[0] messages/assistant reasoning {"content":[{"type":"reasoning_text","text":"Hm."}],"type":"reasoning"}',
    ])
  })

  it('take marks on parts, also in the output of a tool, and know custom tools', () => {
    const mark = { prompt_cache_breakpoint: { mode: 'explicit' } }
    const request = {
      model,
      input: [
        { role: 'user', content: [{ type: 'input_text', text: 'Hi', ...mark }] },
        { type: 'custom_tool_call', call_id: 'a', name: 'sh', input: 'ls' },
        {
          type: 'custom_tool_call_output',
          call_id: 'a',
          output: [
            { type: 'input_text', text: 'x' },
            { type: 'input_image', image_url: 'https://example.com/a.png', ...mark },
          ],
        },
      ],
    }
    expect(lines(request)).toEqual([
      'input[0].content[0] messages/user text Hi <30m>',
      'input[1] messages/assistant custom_tool_call {"call_id":"a","input":"ls","name":"sh","type":"custom_tool_call"}',
      'input[2].output[0] messages/tool custom_tool_call_output {"call_id":"a","part":"text","content":"x"}',
      'input[2].output[1] messages/tool custom_tool_call_output {"call_id":"a","part":"input_image","content":"{\\"image_url\\":\\"https://example.com/a.png\\",\\"type\\":\\"input_image\\"}"} <30m>',
    ])
  })

  it('show of a tool that waits to be found what it is found by', () => {
    const waiting = { type: 'function', name: 'a', description: 'A.', parameters: {}, defer_loading: true }
    const request = {
      model,
      input: 'Hi',
      tools: [waiting, { type: 'namespace', name: 'n', tools: [waiting, { type: 'function', name: 'b' }] }],
    }
    expect(lines(request).slice(0, 2)).toEqual([
      'tools[0] tools/tool tool {"description":"A.","name":"a","type":"function"}',
      'tools[1] tools/tool tool {"name":"n","tools":[{"type":"function","name":"b"}],"type":"namespace"}',
    ])
  })

  it('begin at the last compaction, behind tools and instructions', () => {
    const request = {
      model,
      instructions: 'Be terse.',
      input: [
        { role: 'developer', content: 'Old' },
        { type: 'compaction', encrypted_content: 'old' },
        hi,
        { type: 'compaction', id: 'cmp_1', encrypted_content: 'gAAA' },
        hi,
      ],
    }
    expect(lines(request)).toEqual([
      'instructions system/system text Be terse.',
      'input[3] messages/assistant compaction {"encrypted_content":"gAAA","type":"compaction"}',
      'input[4].content[0] messages/user text Hi',
    ])
  })

  it('name a stored prompt, whose size the request does not tell', () => {
    const { segments } = layout({ model, prompt: { id: 'pmpt_1', version: '2' }, input: 'Hi' })
    expect(segments[0]).toMatchObject({ path: 'prompt', type: 'prompt', tokens: 0, section: 'system' })
  })
})

describe('a chain of Responses', () => {
  const answer = (text: string): unknown => ({
    type: 'message',
    role: 'assistant',
    content: [{ type: 'output_text', text }],
  })
  const responses = previousIn({
    resp_1: {
      request: { model, instructions: 'Old.', input: [{ role: 'developer', content: 'Rule' }, hi] },
      output: [answer('one')],
    },
    resp_2: { request: { model, input: 'more', previous_response_id: 'resp_1' }, output: [answer('two')] },
    loop_1: { request: { input: 'a', previous_response_id: 'loop_2' }, output: [] },
    loop_2: { request: { input: 'b', previous_response_id: 'loop_1' }, output: [] },
    bad_request: { request: 'text', output: [] },
    bad_input: { request: { input: 5 }, output: [] },
  })

  it('is read from its first request on, without the instructions of the parents', () => {
    const request = { model, instructions: 'New.', previous_response_id: 'resp_2', input: 'last' }
    expect(lines(request, { previousResponse: responses })).toEqual([
      'instructions system/system text New.',
      'previous(resp_1).input[0].content[0] system/developer text Rule',
      'previous(resp_1).input[1].content[0] messages/user text Hi',
      'previous(resp_1).output[0].content[0] messages/assistant text one',
      'previous(resp_2).input[0].content[0] messages/user text more',
      'previous(resp_2).output[0].content[0] messages/assistant text two',
      'input[0].content[0] messages/user text last',
    ])
  })

  it('has the contents of the same conversation sent whole', () => {
    const chained = { model, previous_response_id: 'resp_2', input: 'last' }
    const input = [
      { role: 'developer', content: 'Rule' },
      hi,
      answer('one'),
      { role: 'user', content: 'more' },
      answer('two'),
      { role: 'user', content: 'last' },
    ]
    const contents = (request: unknown): unknown =>
      layout(request, { previousResponse: responses }).segments.map(({ path: _path, ...rest }) => rest)
    expect(contents(chained)).toEqual(contents({ model, input }))
  })

  it('is the request alone where the parent is not known', () => {
    const request = { model, previous_response_id: 'resp_9', input: 'last' }
    expect(lines(request)).toEqual(['input[0].content[0] messages/user text last'])
    expect(lines(request, { previousResponse: responses })).toEqual(lines(request))
    expect(lines({ previous_response_id: 'resp_9' })).toEqual([])
  })

  it('ends where it would go round, and where it would never end', () => {
    expect(lines({ previous_response_id: 'loop_1', input: 'c' }, { previousResponse: responses })).toEqual([
      'previous(loop_2).input[0].content[0] messages/user text b',
      'previous(loop_1).input[0].content[0] messages/user text a',
      'input[0].content[0] messages/user text c',
    ])
    let made = 0
    const endless = (): PreviousResponse => ({ request: { previous_response_id: `r${++made}` }, output: [] })
    expect(layout({ previous_response_id: 'r', input: 'c' }, { previousResponse: endless }).segments).toHaveLength(1)
  })

  it('says in which response something is wrong', () => {
    const read = (id: string): unknown => layout({ previous_response_id: id }, { previousResponse: responses })
    expect(() => read('bad_request')).toThrow(
      'previous(bad_request) is the string "text"; expected the request body of a response.',
    )
    expect(() => read('bad_input')).toThrow(
      'previous(bad_input).input is the number 5; expected a string or a list of items.',
    )
  })

  it('is read or refused whatever the parents hold', () => {
    fc.assert(
      fc.property(fc.jsonValue(), fc.jsonValue(), (request, output) => {
        const parent = { request, output } as PreviousResponse
        for (const previous of [parent, { ...parent, request: { input: request } }, { ...parent, output: [output] }]) {
          try {
            layout({ previous_response_id: 'a' }, { previousResponse: () => previous })
          } catch (error) {
            expect(error).toBeInstanceOf(RequestUnreadableError)
          }
        }
      }),
    )
  })
})

describe('the scope of Responses', () => {
  it('is what breaks the prefix, by the names of this format', () => {
    const format = { type: 'json_schema', name: 'a', schema: {} }
    const request = {
      model,
      input: 'Hi',
      tool_choice: 'none',
      reasoning: { effort: 'high', summary: 'auto' },
      text: { format, verbosity: 'low' },
      context_management: [{ type: 'compaction', compact_threshold: 1_000 }],
      service_tier: 'flex',
      parallel_tool_calls: false,
      prompt_cache_key: 'key',
    }
    expect(scope(request)).toEqual({
      model,
      parallel_tool_calls: false,
      'text.format': format,
      'reasoning.effort': 'high',
      'text.verbosity': 'low',
      context_management: [{ type: 'compaction', compact_threshold: 1_000 }],
      service_tier: 'flex',
      prompt_cache_key: 'key',
    })
  })

  it('is not touched by a change of effort in the conversation', () => {
    const update = { type: 'configuration_update', reasoning: { effort: 'low' } }
    expect(layout({ model, input: [hi, update] })).toEqual(layout({ model, input: [hi] }))
  })
})

describe('malformed Responses', () => {
  it.each<[string, object]>([
    ['input is missing; expected a string or a list of items.', { previous_response_id: null }],
    ['input is the number 5; expected a string or a list of items.', { input: 5, instructions: 'Hi' }],
    ['instructions is a list; expected a string.', { input: 'Hi', instructions: [5] }],
    ['input[0] is null; expected an item.', { input: [null] }],
    ['input[0] is the string "Hi"; expected an item.', { input: ['Hi'] }],
    ['input[0].role is missing; expected a role, or a type.', { input: [{ content: 'Hi' }] }],
    ['input[0].type is the number 5; expected the type of an item.', { input: [{ type: 5 }] }],
    [
      'input[0].output is missing; expected a string or a list of content parts.',
      { input: [{ type: 'function_call_output', call_id: 'a' }] },
    ],
    ['input[0].tools is missing; expected a list of tools.', { input: [{ type: 'additional_tools' }] }],
    ['tools[0] is the string "a"; expected a tool.', { input: 'Hi', tools: ['a'] }],
  ])('say: %s', (message, request) => {
    expect(() => layout(request, { format: 'openai-responses' })).toThrow(message)
  })
})
