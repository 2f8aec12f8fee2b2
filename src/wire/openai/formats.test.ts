import type { ChatCompletionMessageParam } from 'openai/resources/chat/completions'
import type { ResponseInputItem } from 'openai/resources/responses/responses'
import { describe, expect, it } from 'vitest'
import { openAIChatFormat, openAIResponsesFormat } from './index.ts'

const mark = { mode: 'explicit' }
const chat = (message: object): ChatCompletionMessageParam => message as ChatCompletionMessageParam
const item = (value: object): ResponseInputItem => value as ResponseInputItem

describe('openAIChatFormat', () => {
  it('tells who speaks, and refuses who may not', () => {
    expect(openAIChatFormat.kind(chat({ role: 'user', content: 'x' }))).toBe('user')
    expect(openAIChatFormat.kind(chat({ role: 'assistant', content: 'x' }))).toBe('assistant')
    expect(openAIChatFormat.kind(chat({ role: 'tool', tool_call_id: 'a', content: 'x' }))).toBe('tool-result')
    for (const role of ['system', 'developer', 'function', undefined]) {
      expect(() => openAIChatFormat.kind(chat({ role, content: 'x' }))).toThrow(
        expect.objectContaining({ code: 'message_invalid' }),
      )
    }
  })

  it('knows the calls that lack their results', () => {
    const calls = chat({ role: 'assistant', tool_calls: [{ id: 'a' }, { id: 'b' }] })
    const result = chat({ role: 'tool', tool_call_id: 'a', content: 'x' })
    expect(openAIChatFormat.openCalls([calls])).toEqual(['a', 'b'])
    expect(openAIChatFormat.openCalls([calls, result])).toEqual(['b'])
    expect(openAIChatFormat.results?.(result)).toEqual(['a'])
  })

  it("sees one text as its string, no mark, and no field that is null or a response's own", () => {
    const plain = openAIChatFormat.identity(chat({ role: 'assistant', content: 'x' }))
    for (const message of [
      { role: 'assistant', content: [{ type: 'text', text: 'x', prompt_cache_breakpoint: mark }] },
      { role: 'assistant', content: 'x', refusal: null, annotations: [], function_call: null, audio: null },
    ]) {
      expect(openAIChatFormat.identity(chat(message))).toEqual(plain)
    }
  })

  it('keeps arguments as the model wrote them', () => {
    const call = (text: string): object => ({
      role: 'assistant',
      tool_calls: [{ id: 'a', function: { arguments: text } }],
    })
    expect(openAIChatFormat.identity(chat(call('{"a": 1}')))).not.toEqual(
      openAIChatFormat.identity(chat(call('{"a":1}'))),
    )
  })

  it('finds the id of a tool in its function, or in a custom tool', () => {
    expect(openAIChatFormat.toolId?.({ type: 'function', function: { name: 'read' } })).toBe('read')
    expect(openAIChatFormat.toolId?.({ type: 'custom', custom: { name: 'run' } })).toBe('run')
    expect(() => openAIChatFormat.toolId?.({ name: 'read' })).toThrow(expect.objectContaining({ code: 'tool_invalid' }))
  })
})

describe('openAIResponsesFormat', () => {
  it.each([
    ['user', { role: 'user', content: 'x' }],
    ['assistant', { type: 'message', role: 'assistant', content: 'x' }],
    ['assistant', { type: 'reasoning', id: 'rs_1', summary: [] }],
    ['assistant', { type: 'function_call', call_id: 'a', name: 'read', arguments: '{}' }],
    ['assistant', { type: 'web_search_call', id: 'ws_1' }],
    ['tool-result', { type: 'function_call_output', call_id: 'a', output: 'x' }],
    ['tool-result', { type: 'custom_tool_call_output', call_id: 'a', output: 'x' }],
    ['assistant', { type: 'tool_search_output', call_id: null, execution: 'server', tools: [] }],
    ['tool-result', { type: 'tool_search_output', call_id: 'a', execution: 'client', tools: [] }],
    ['assistant', { type: 'additional_tools', id: 'at_1', role: 'developer', tools: [] }],
  ])('takes %s from %j', (kind, value) => {
    expect(openAIResponsesFormat.kind(item(value))).toBe(kind)
  })

  it.each([
    { role: 'developer', content: 'x' },
    { type: 'additional_tools', tools: [] },
    { type: 'item_reference', id: 'msg_1' },
    { content: 'x' },
  ])('refuses %j', (value) => {
    expect(() => openAIResponsesFormat.kind(item(value))).toThrow(expect.objectContaining({ code: 'message_invalid' }))
  })

  it('knows the calls that lack their results', () => {
    const call = item({ type: 'function_call', call_id: 'a', name: 'read', arguments: '{}' })
    const output = item({ type: 'function_call_output', call_id: 'a', output: 'x' })
    expect(openAIResponsesFormat.openCalls([call])).toEqual(['a'])
    expect(openAIResponsesFormat.openCalls([call, output])).toEqual([])
    expect(openAIResponsesFormat.results?.(output)).toEqual(['a'])
    const search = { type: 'tool_search_call', call_id: 'b', arguments: {}, status: 'completed' }
    expect(openAIResponsesFormat.openCalls([item({ ...search, execution: 'client' })])).toEqual(['b'])
    expect(openAIResponsesFormat.openCalls([item({ ...search, execution: 'server' })])).toEqual([])
  })

  it('sees the same in an item with and without what the server keeps about it', () => {
    const bare = { type: 'message', role: 'assistant', content: [{ type: 'output_text', text: 'x', annotations: [] }] }
    const kept = { ...bare, id: 'msg_1', status: 'completed' }
    expect(openAIResponsesFormat.identity(item(kept))).toEqual(openAIResponsesFormat.identity(item(bare)))
    expect(openAIResponsesFormat.identity(item({ role: 'user', content: 'x' }))).toEqual(
      openAIResponsesFormat.identity(
        item({ type: 'message', role: 'user', content: [{ type: 'input_text', text: 'x' }] }),
      ),
    )
    const one = openAIResponsesFormat.identity(item({ type: 'reasoning', id: 'rs_1', summary: [] }))
    expect(openAIResponsesFormat.identity(item({ type: 'reasoning', id: 'rs_2', summary: [] }))).not.toEqual(one)
  })

  it('names tools that the provider brings by their type, and servers by their label', () => {
    expect(openAIResponsesFormat.toolId?.({ type: 'function', name: 'read' })).toBe('read')
    expect(openAIResponsesFormat.toolId?.({ type: 'web_search' })).toBe('web_search')
    expect(openAIResponsesFormat.toolId?.({ type: 'mcp', server_label: 'docs' })).toBe('mcp:docs')
    expect(() => openAIResponsesFormat.toolId?.({ type: 'function' })).toThrow(
      expect.objectContaining({ code: 'tool_invalid' }),
    )
  })
})
