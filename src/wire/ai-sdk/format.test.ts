import type { ModelMessage } from 'ai'
import { describe, expect, it } from 'vitest'
import { aiSdkFormat } from './index.ts'

const call = (id: string, over: object = {}): ModelMessage => ({
  role: 'assistant',
  content: [{ type: 'tool-call', toolCallId: id, toolName: 'read', input: {}, ...over }],
})
const result = (id: string): ModelMessage => ({
  role: 'tool',
  content: [{ type: 'tool-result', toolCallId: id, toolName: 'read', output: { type: 'text', value: 'x' } }],
})

describe('aiSdkFormat', () => {
  it('tells who speaks, and refuses who may not', () => {
    expect(aiSdkFormat.kind({ role: 'user', content: 'x' })).toBe('user')
    expect(aiSdkFormat.kind(call('a'))).toBe('assistant')
    expect(aiSdkFormat.kind(result('a'))).toBe('tool-result')
    for (const message of [
      { role: 'system', content: 'x' },
      { role: 'data', content: 'x' },
      { role: 'user' },
      null,
      'x',
    ]) {
      expect(() => aiSdkFormat.kind(message as ModelMessage)).toThrow(
        expect.objectContaining({ code: 'message_invalid' }),
      )
    }
  })

  it('knows the calls that lack their results, but for those that the provider runs', () => {
    expect(aiSdkFormat.openCalls([call('a'), call('b', { providerExecuted: true })])).toEqual(['a'])
    expect(aiSdkFormat.openCalls([call('a'), result('a')])).toEqual([])
    expect(aiSdkFormat.results?.(result('a'))).toEqual(['a'])
  })

  it('sees one text as its string, and no mark', () => {
    const providerOptions = { anthropic: { cacheControl: { type: 'ephemeral' } } }
    const marked: ModelMessage = {
      role: 'user',
      content: [{ type: 'text', text: 'x', providerOptions }],
      providerOptions,
    }
    expect(aiSdkFormat.identity(marked)).toEqual(aiSdkFormat.identity({ role: 'user', content: 'x' }))
  })

  it('stores bytes and URLs, and gives them back', () => {
    const message: ModelMessage = {
      role: 'user',
      content: [
        { type: 'file', mediaType: 'image/png', data: new Uint8Array([1, 2, 3]) },
        { type: 'image', image: new URL('https://example.com/a.png') },
      ],
    }
    const json = JSON.parse(JSON.stringify(aiSdkFormat.encode?.(message))) as never
    expect(aiSdkFormat.decode?.(json)).toEqual(message)
    expect(JSON.stringify(aiSdkFormat.identity(message))).toContain('"$bytes":"AQID"')
  })

  it('names a tool by its name', () => {
    expect(aiSdkFormat.toolId?.({ type: 'function', name: 'read' })).toBe('read')
    expect(() => aiSdkFormat.toolId?.({ type: 'function' })).toThrow(expect.objectContaining({ code: 'tool_invalid' }))
  })
})
