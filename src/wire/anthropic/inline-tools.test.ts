import type { MessageParam } from '@anthropic-ai/sdk/resources/messages'
import { describe, expect, it } from 'vitest'
import { turnOf, updateOf } from '../../../test/support/anthropic-rules-conversations.ts'
import { layout } from '../../cache/index.ts'
import { anthropicMessages } from '../../emulator/anthropic/endpoint.ts'
import { testPrediction, testRequest } from '../../emulator/test-request.ts'
import type { Entry, Tool, ToolChanges, TurnTools, TurnView } from '../../session/types.ts'
import { toAnthropicMessages, type AnthropicOptions } from './index.ts'

const NATIVE = 'claude-opus-5-5'
const HEADER = { 'anthropic-beta': 'inline-tools-2026-09-15' }

const tool = (name: string, more: object = {}): Tool => ({ name, input_schema: { type: 'object' }, ...more })
const user = (content: string): MessageParam => ({ role: 'user', content })
const assistant = (content: string): MessageParam => ({ role: 'assistant', content })
const changes = (over: Partial<ToolChanges>): ToolChanges => ({ added: [], removed: [], restored: [], ...over })
const added = (...tools: Tool[]) => changes({ added: tools })

type Told = MessageParam | ToolChanges | { readonly text: true; readonly tools: ToolChanges }

/** A turn with `read` and `write` frozen. An update has a text only where it says so. */
function turn(told: readonly Told[], tools: Partial<TurnTools> = {}): TurnView<MessageParam> {
  const silent = { text: '', parts: [], changes: [] }
  const entries = told.map((item, index): Entry<MessageParam> => {
    const head = { revision: index + 1, epoch: 1 }
    if ('role' in item) return { ...head, type: 'message', message: item }
    return 'text' in item
      ? { ...head, type: 'update', ...updateOf(['system'], index + 1), tools: item.tools }
      : { ...head, type: 'update', ...silent, tools: item }
  })
  const definitions = [tool('read'), tool('write')]
  return { ...turnOf(entries), tools: { definitions, callable: [], held: [], ...tools } }
}

function send(view: TurnView<MessageParam>, model: string = NATIVE, options?: AnthropicOptions) {
  const request = toAnthropicMessages(view, { model, max_tokens: 1 }, options)
  const { body, headers } = request
  // As it is on the wire: bodies share what they are made of.
  const parsed = JSON.parse(JSON.stringify(body)) as Record<string, never>
  expect(anthropicMessages().check(testRequest(parsed, { model, headers }))).toBeNull()
  return { ...request, said: body.messages.map((message) => JSON.stringify(message)) }
}

describe('tools of a session', () => {
  it('are sent as they were frozen, the last one marked where a slot is left for it', () => {
    const { body, headers } = send(turn([user('Hello')]))
    expect(JSON.stringify(body.tools)).toBe(
      '[{"name":"read","input_schema":{"type":"object"}},' +
        '{"name":"write","input_schema":{"type":"object"},"cache_control":{"type":"ephemeral"}}]',
    )
    expect(headers).toEqual({})
  })

  it('carry no mark of ours where they wait to be found, and keep their own', () => {
    const late = { defer_loading: true }
    const mark = { cache_control: { type: 'ephemeral', ttl: '1h' } }
    const { body } = send(turn([user('Hello')], { definitions: [tool('a'), tool('b', late)] }))
    expect(body.tools).toEqual([{ ...tool('a'), cache_control: { type: 'ephemeral' } }, tool('b', late)])
    expect(send(turn([user('Hello')], { definitions: [tool('a', mark)] })).body.tools).toEqual([tool('a', mark)])
  })

  it('are refused in the parameters too', () => {
    expect(() => toAnthropicMessages(turn([user('Hello')]), { model: NATIVE, max_tokens: 1, tools: [] })).toThrow(
      'has frozen its own',
    )
  })

  it('are appended by value behind what the update says, under the header that this needs', () => {
    const view = turn([
      user('Hello'),
      { text: true, tools: added(tool('find', { cache_control: { type: 'ephemeral' } })) },
    ])
    const { said, headers, warnings, body } = send(view)
    expect(said[1]).toBe(
      '{"role":"system","content":[{"type":"text","text":"Fact 2."},' +
        '{"type":"tool_addition","tool":{"type":"tool_definition","definition":{"name":"find","input_schema":{"type":"object"}}},"cache_control":{"type":"ephemeral"}}]}',
    )
    expect(headers).toEqual(HEADER)
    expect(warnings).toEqual([])
    expect(layout(body).segments.at(-1)).toMatchObject({ path: 'messages[1].content[1]', type: 'tool_addition' })
  })

  it('leave thinking valid that is bound to what stood before them', () => {
    const endpoint = anthropicMessages()
    const requestOf = (view: TurnView<MessageParam>) => {
      const { body, headers } = toAnthropicMessages(view, { model: NATIVE, max_tokens: 1 })
      return testRequest(JSON.parse(JSON.stringify(body)) as Record<string, never>, { model: NATIVE, headers })
    }
    const first = requestOf(turn([user('Hello')]))
    const answer = endpoint.answer(first, { thinking: 'Hm.', text: 'Hi.' }, testPrediction())
    const { content } = answer as unknown as { content: MessageParam['content'] }
    const told = [user('Hello'), { role: 'assistant' as const, content }, user('Go on'), added(tool('find'))]
    expect(endpoint.check(requestOf(turn(told)))).toBeNull()
    expect(endpoint.check(requestOf(turn([...told, assistant('Done.'), user('Bye')])))).toBeNull()
    // It is looked at: without a tool that was frozen, it is refused.
    const edited = endpoint.check(requestOf(turn(told, { definitions: [tool('read')] })))
    expect(JSON.stringify(edited)).toContain('different conversation')
  })

  it('are removed by name before another definition takes it, and stand where they stood ever after', () => {
    const edited = tool('read', { description: 'Reads.' })
    const told = [user('Hello'), changes({ added: [edited], removed: ['read'] })]
    const first = send(turn(told))
    expect(first.said[1]).toBe(
      '{"role":"system","content":[{"type":"tool_removal","tool":{"type":"tool_reference","name":"read"}},' +
        '{"type":"tool_addition","tool":{"type":"tool_definition","definition":{"name":"read","input_schema":{"type":"object"},"description":"Reads."}},"cache_control":{"type":"ephemeral"}}]}',
    )
    const again = tool('read', { description: 'Reads anew.' })
    const later = send(turn([...told, assistant('Hi.'), user('Go on'), added(again)]))
    const content = (body: typeof first.body) => layout(body).segments.map((segment) => segment.content)
    expect(content(later.body).slice(0, content(first.body).length)).toEqual(content(first.body))
    expect(JSON.stringify(later.body.messages.at(-1))).toMatch(/tool_removal.*"read".*tool_addition.*Reads anew/)
  })

  it('are defined once where an open span has them twice', () => {
    const { body } = send(turn([user('Hello'), added(tool('find')), added(tool('find', { description: 'Finds.' }))]))
    const { content } = body.messages[1] as { content: readonly object[] }
    expect(content).toHaveLength(1)
    expect(JSON.stringify(content)).toContain('Finds.')
  })

  it('wait for the next user message where none stands between two answers, and are lost to no later request', () => {
    const told = [user('Hello'), assistant('Hi.'), added(tool('find'))]
    const { warnings, headers, said } = send(turn(told))
    expect(warnings).toContainEqual({ type: 'tools-held', reason: 'placement', ids: ['find'] })
    expect([headers, said.length]).toEqual([{}, 2])
    const next = send(turn([...told, assistant('More.'), user('Go on')]))
    expect(next.said[4]).toContain('"definition":{"name":"find"')
    expect(next.warnings).toEqual([])
    const last = send(turn([...told, assistant('More.'), user('Go on'), assistant('Done.'), user('Bye')]))
    expect(last.said.filter((message) => message.includes('tool_addition'))).toHaveLength(1)
  })

  it('that are removed while they wait are not offered, and come back as they were', () => {
    const told = [user('Hello'), assistant('Hi.'), added(tool('find')), changes({ removed: ['find'] })]
    const gone = [...told, assistant('More.'), user('Go on')]
    expect(send(turn(gone)).said.join('')).not.toContain('tool_addition')
    expect(send(turn(gone)).warnings).toEqual([])
    const back = send(turn([...gone, changes({ restored: ['find'] })]))
    expect(back.said.at(-1)).toContain('"name":"find"')
  })

  it.each([
    ['a model that takes system messages only', 'claude-fable-5-2', {}, 'unknown'],
    ['a model that takes neither', 'claude-sonnet-4-6', {}, 'unknown'],
    ['another platform', 'claude-opus-4-8', { platform: 'bedrock' }, 'unknown'],
    ['a caller who says so', NATIVE, { tools: 'held' }, 'asked'],
    ['a caller who wants tagged updates', NATIVE, { updates: 'tagged' }, 'asked'],
  ] as const)('are held for %s', (_, model, options, reason) => {
    const view = turn([user('Hello'), added(tool('find'))])
    const { warnings, headers, said } = send(view, model, options)
    expect(warnings).toEqual([{ type: 'tools-held', reason, ids: ['find'] }])
    expect([headers, said.join('').includes('find')]).toEqual([{}, false])
  })

  it('are held after a refusal, whatever the caller asks for', () => {
    const view = {
      ...turn([user('Hello'), added(tool('find'))]),
      refusals: [{ model: NATIVE, feature: 'native-tools' as const }],
    }
    expect(send(view, NATIVE, { tools: 'native' }).warnings).toEqual([
      { type: 'tools-held', reason: 'refused', ids: ['find'] },
    ])
  })

  it('are held where they have no name to be called by', () => {
    const { warnings } = send(turn([user('Hello'), added({ type: 'mcp_toolset', mcp_server_name: 'docs' })]))
    expect(warnings).toEqual([{ type: 'tools-held', reason: 'unsupported', ids: ['mcp_toolset:docs'] }])
  })

  it('cost a full miss where none is there from the start, which is said', () => {
    const definitions = [tool('a', { defer_loading: true })]
    expect(send(turn([user('Hello')], { definitions })).warnings).toEqual([{ type: 'tools-all-deferred' }])
    expect(send(turn([user('Hello')], { definitions: [] })).warnings).toEqual([])
    expect(send(turn([user('Hello'), added(tool('find'))], { definitions: [] })).warnings).toEqual([
      { type: 'tools-all-deferred' },
    ])
  })
})
