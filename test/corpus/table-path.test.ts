import { describe, expect, it } from 'vitest'
import type { Exchange } from '../../src/audit/exchange.ts'
import { turnsOf } from '../../src/audit/test-turns.ts'
import { Comparisons } from '../../src/audit/verdicts/comparisons.ts'
import { tablePath } from './table-path.ts'

function path(before: unknown, after: unknown, over: Partial<Exchange> = {}): string {
  const [earlier, turn] = turnsOf([before, after], () => over)
  if (earlier === undefined || turn === undefined) throw new Error('no turns')
  expect([earlier.unreadable, turn.unreadable]).toEqual([undefined, undefined])
  const compared = new Comparisons().of(turn, earlier, turn.places, earlier.places)
  if (compared === null) throw new Error('not compared')
  return tablePath(compared.divergence, turn, earlier)
}

const text = (value: string): object => ({ type: 'text', text: value })
const user = (content: unknown): object => ({ role: 'user', content })
const assistant = (content: unknown): object => ({ role: 'assistant', content })

describe('a divergence of Anthropic Messages in the language of the table', () => {
  const tool = (name: string, description = ''): object => ({ name, description, input_schema: { type: 'object' } })
  const claude = (over: object): object => ({
    model: 'claude-sonnet-4-6',
    max_tokens: 1,
    system: 'Be brief.',
    tools: [tool('read'), tool('write')],
    messages: [user('One?')],
    ...over,
  })

  it('is APPEND for an equal request, for a longer one, and for one with other cache marks', () => {
    expect(path(claude({}), claude({}))).toBe('APPEND')
    expect(path(claude({}), claude({ messages: [user('One?'), assistant('1'), user('Two?')] }))).toBe('APPEND')
    const marked = [{ ...text('One?'), cache_control: { type: 'ephemeral' } }]
    expect(path(claude({}), claude({ messages: [user(marked)] }))).toBe('APPEND')
  })

  it('is TRUNCATED for the start of the earlier request', () => {
    expect(path(claude({ messages: [user('One?'), assistant('1')] }), claude({}))).toBe('TRUNCATED')
    expect(path(claude({ messages: [user([text('One?'), text('Two?')])] }), claude({}))).toBe('TRUNCATED')
  })

  it('names a tool with its place', () => {
    expect(path(claude({}), claude({ tools: [tool('read'), tool('write', 'Writes.')] }))).toBe('tools[1]:write')
    expect(path(claude({}), claude({ tools: [tool('read'), tool('ask'), tool('write')] }))).toBe('tools[1]:ask')
  })

  it('names a tool that is gone as it stood in the earlier request', () => {
    expect(path(claude({}), claude({ tools: [tool('write')] }))).toBe('tools[0]:read')
  })

  it('names the system prompt as a whole', () => {
    expect(path(claude({}), claude({ system: 'Be right.' }))).toBe('system')
    const blocks = (last: string): object => claude({ system: [text('Be brief.'), text(last)] })
    expect(path(blocks('a'), blocks('b'))).toBe('system')
  })

  it('names a message with its role, and a block where the content is a list', () => {
    expect(path(claude({}), claude({ messages: [user('Two?')] }))).toBe('msg[0](user)')
    const said = (answer: unknown): object => claude({ messages: [user('One?'), assistant(answer)] })
    expect(path(said([text('1'), text('2')]), said([text('1'), text('3')]))).toBe('msg[1](assistant).content[1]')
    expect(path(said('1'), said([text('2')]))).toBe('msg[1](assistant).content[0]')
    expect(path(said([text('1')]), said('2'))).toBe('msg[1](assistant)')
  })

  it('takes a string for a list with one text', () => {
    expect(path(claude({}), claude({ messages: [user([text('One?')])] }))).toBe('APPEND')
  })
})

describe('a divergence of other APIs', () => {
  it('counts the instructions of Chat Completions among the messages', () => {
    const chat = (system: string, question: unknown): object => ({
      model: 'gpt-5.1',
      messages: [{ role: 'system', content: system }, user(question)],
      tools: [{ type: 'function', function: { name: 'read', parameters: {} } }],
    })
    expect(path(chat('Be brief.', 'One?'), chat('Be right.', 'One?'))).toBe('msg[0](system)')
    expect(path(chat('Be brief.', 'One?'), chat('Be brief.', 'Two?'))).toBe('msg[1](user)')
    expect(path(chat('Be brief.', [text('One?')]), chat('Be brief.', [text('Two?')]))).toBe('msg[1](user).content[0]')
    const renamed = { ...chat('Be brief.', 'One?'), tools: [{ type: 'function', function: { name: 'ask' } }] }
    expect(path(chat('Be brief.', 'One?'), renamed)).toBe('tools[0]:ask')
  })

  it('has the instructions of Responses as the system prompt, and its input as messages', () => {
    const body = (instructions: string, question: string): object => ({
      model: 'gpt-5.1',
      instructions,
      input: [user(question)],
    })
    expect(path(body('Be brief.', 'One?'), body('Be right.', 'One?'))).toBe('system')
    expect(path(body('Be brief.', 'One?'), body('Be brief.', 'Two?'))).toBe('msg[0](user)')
  })

  it('has the parts of Gemini as content', () => {
    const body = (system: string, question: string): object => ({
      systemInstruction: { parts: [{ text: system }] },
      contents: [{ role: 'user', parts: [{ text: 'Hello.' }, { text: question }] }],
    })
    const model = { model: 'gemini-2.5-flash' }
    expect(path(body('Be brief.', 'One?'), body('Be right.', 'One?'), model)).toBe('system')
    expect(path(body('Be brief.', 'One?'), body('Be brief.', 'Two?'), model)).toBe('msg[0](user).content[1]')
  })

  it('counts the tools of Gemini over all of their lists', () => {
    const body = (name: string): object => ({
      tools: [{ functionDeclarations: [{ name: 'read' }, { name: 'write' }] }, { functionDeclarations: [{ name }] }],
      contents: [{ role: 'user', parts: [{ text: 'One?' }] }],
    })
    expect(path(body('ask'), body('tell'), { model: 'gemini-2.5-flash' })).toBe('tools[2]:tell')
  })

  it('has the messages and tools of Bedrock Converse', () => {
    const body = (name: string, question: string): object => ({
      toolConfig: { tools: [{ toolSpec: { name, inputSchema: { json: {} } } }] },
      messages: [{ role: 'user', content: [{ text: question }] }],
    })
    const bedrock = { model: 'us.anthropic.claude-sonnet-4-5-20250929-v1:0', format: 'bedrock-converse' } as const
    expect(path(body('read', 'One?'), body('read', 'Two?'), bedrock)).toBe('msg[0](user).content[0]')
    expect(path(body('read', 'One?'), body('ask', 'One?'), bedrock)).toBe('tools[0]:ask')
  })
})
