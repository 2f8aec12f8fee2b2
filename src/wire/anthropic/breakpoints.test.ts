import type { CacheControlEphemeral, MessageParam, ToolUnion } from '@anthropic-ai/sdk/resources/messages'
import { describe, expect, it } from 'vitest'
import { turnOf } from '../../../test/support/anthropic-rules-conversations.ts'
import { toAnthropicMessages, type AnthropicOptions, type AnthropicParams } from './index.ts'

const user = (content: MessageParam['content']): MessageParam => ({ role: 'user', content })
const assistant = (content: MessageParam['content']): MessageParam => ({ role: 'assistant', content })
const mark = (ttl?: '5m' | '1h'): CacheControlEphemeral => ({ type: 'ephemeral', ...(ttl && { ttl }) })
const tools = (...marks: (CacheControlEphemeral | undefined)[]): ToolUnion[] =>
  marks.map((own, index) => ({
    name: `tool${index}`,
    input_schema: { type: 'object' },
    ...(own && { cache_control: own }),
  }))

const exchange = [user('One'), assistant('First.'), user('Two'), assistant('Second.'), user('Three')]

/** Where the body is marked, as `system.0 5m`, and the warnings. */
function place(messages: readonly MessageParam[], params: Partial<AnthropicParams> = {}, options?: AnthropicOptions) {
  const entries = messages.map((message, index) => ({
    revision: index + 1,
    epoch: 1,
    type: 'message' as const,
    message,
  }))
  const { body, warnings } = toAnthropicMessages(
    turnOf(entries),
    { model: 'claude-opus-4-8', max_tokens: 1, ...params },
    options,
  )
  const found: string[] = []
  const visit = (where: string, blocks: unknown): void => {
    if (!Array.isArray(blocks)) return
    for (const [index, block] of (blocks as { cache_control?: CacheControlEphemeral; content?: unknown }[]).entries()) {
      if (block.cache_control) found.push(`${where}.${index} ${block.cache_control.ttl ?? '5m'}`)
      visit(`${where}.${index}`, block.content)
    }
  }
  visit('system', body.system)
  visit('messages', body.messages)
  return { found, warnings }
}

describe('breakpoints', () => {
  it('stand at the end of the instructions, the baseline, the last answered request and this one', () => {
    expect(place(exchange)).toEqual({
      found: ['system.0 5m', 'system.1 5m', 'messages.2.0 5m', 'messages.4.0 5m'],
      warnings: [],
    })
  })

  it('need no anchor before the first answer', () => {
    expect(place([user('One')]).found).toEqual(['system.0 5m', 'system.1 5m', 'messages.0.0 5m'])
  })

  it('anchor before the whole of an answer that came in several messages', () => {
    const messages = [user('One'), assistant('First,'), assistant('and more.'), user('Two')]
    expect(place(messages).found.slice(2)).toEqual(['messages.0.0 5m', 'messages.3.0 5m'])
  })

  it('take the place of marks inside stored messages, however deep', () => {
    const stored: MessageParam[] = [
      user([{ type: 'text', text: 'One', cache_control: mark() }]),
      assistant([{ type: 'tool_use', id: 'a', name: 'read', input: {}, cache_control: mark('1h') }]),
      user([
        {
          type: 'tool_result',
          tool_use_id: 'a',
          content: [{ type: 'text', text: 'x', cache_control: mark() }],
          cache_control: mark(),
        },
        { type: 'text', text: 'Go on', cache_control: mark() },
      ]),
      assistant('Done.'),
      user('Three'),
    ]
    expect(place(stored).found.slice(2)).toEqual(['messages.2.1 5m', 'messages.4.0 5m'])
    expect(JSON.stringify(stored)).toContain('cache_control')
  })

  it('never stand on thinking or on a block that may not be marked', () => {
    const thought = { type: 'thinking' as const, thinking: 'hm', signature: 's' }
    const upload = { type: 'container_upload' as const, file_id: 'f' }
    expect(place([user([{ type: 'text', text: 'One' }, upload])]).found.slice(2)).toEqual(['messages.0.0 5m'])
    const told = place([user('One'), assistant([thought, { type: 'text', text: 'First' }, upload])])
    expect(told.found.slice(2)).toEqual(['messages.0.0 5m', 'messages.1.1 5m'])
  })

  it('share one mark where tail and anchor are the same block', () => {
    const upload = { type: 'container_upload' as const, file_id: 'f' }
    expect(place([user('One'), assistant([upload])], { tools: tools(mark()) })).toEqual({
      found: ['system.0 5m', 'system.1 5m', 'messages.0.0 5m'],
      warnings: [{ type: 'nothing-to-answer' }],
    })
    expect(place([user([{ type: 'container_upload', file_id: 'f' }])]).found.slice(2)).toEqual([])
  })

  it.each([
    [1, ['system.0 5m', 'messages.2.0 5m', 'messages.4.0 5m'], ['baseline']],
    [2, ['system.0 5m', 'messages.4.0 5m'], ['anchor', 'baseline']],
    [3, ['messages.4.0 5m'], ['instructions', 'anchor', 'baseline']],
    [4, [], ['tail', 'instructions', 'anchor', 'baseline']],
    [5, [], ['tail', 'instructions', 'anchor', 'baseline']],
  ])('give way to %i marks of the caller, the least worthy first, and say so', (count, found, dropped) => {
    const own = tools(...Array.from({ length: count }, () => mark()), undefined)
    expect(place(exchange, { tools: own })).toEqual({
      found,
      warnings: dropped.map((at) => ({ type: 'breakpoint-dropped', place: at })),
    })
  })

  it("leave the tail to the caller's automatic one", () => {
    expect(place(exchange, { cache_control: mark() })).toEqual({
      found: ['system.0 5m', 'system.1 5m', 'messages.2.0 5m'],
      warnings: [],
    })
    expect(place(exchange, { cache_control: null }).found).toHaveLength(4)
    expect(place(exchange, { cache_control: mark(), tools: tools(mark(), mark()) })).toEqual({
      found: ['system.0 5m'],
      warnings: [
        { type: 'breakpoint-dropped', place: 'anchor' },
        { type: 'breakpoint-dropped', place: 'baseline' },
      ],
    })
  })

  it('write nothing at the end of the last request that is expected, and read what is there', () => {
    expect(place(exchange, {}, { expectedTurns: 1 })).toEqual({
      found: ['system.0 5m', 'system.1 5m', 'messages.2.0 5m'],
      warnings: [],
    })
    expect(place([user('One')], {}, { expectedTurns: 1 }).found).toEqual(['system.0 5m'])
  })

  it('count a run of results as one position on the Claude API, and each by itself on Bedrock', () => {
    const ids = Array.from({ length: 20 }, (_, index) => `call-${index}`)
    const messages = [
      user('One'),
      assistant(ids.map((id) => ({ type: 'tool_use', id, name: 'read', input: {} }))),
      user(ids.map((id) => ({ type: 'tool_result', tool_use_id: id, content: 'x' }))),
    ]
    // Room for two of ours: with the tail out of reach of what was written, the anchor is worth more than the instructions.
    const params = { tools: tools(mark(), mark()) }
    expect(place(messages, params).found).toEqual(['system.0 5m', 'messages.2.19 5m'])
    expect(place(messages, params, { platform: 'bedrock' }).found).toEqual(['messages.0.0 5m', 'messages.2.19 5m'])
  })

  it('send no ttl for five minutes, which is what none means', () => {
    const { body } = toAnthropicMessages(
      turnOf([{ revision: 1, epoch: 1, type: 'message', message: user('One') }]),
      { model: 'claude-opus-4-8', max_tokens: 1 },
      { ttl: { head: '1h', tail: '5m' } },
    )
    expect(JSON.stringify(body.messages)).toBe(
      '[{"role":"user","content":[{"type":"text","text":"One","cache_control":{"type":"ephemeral"}}]}]',
    )
    expect(JSON.stringify(body.system)).toContain('"cache_control":{"type":"ephemeral","ttl":"1h"}')
  })

  it.each<{
    name: string
    ttl: NonNullable<AnthropicOptions['ttl']>
    params?: Partial<AnthropicParams>
    ttls: string
    warnings?: string[]
  }>([
    { name: 'an hour everywhere', ttl: '1h', ttls: '1h 1h 1h 1h' },
    { name: 'a long head', ttl: { head: '1h', tail: '5m' }, ttls: '1h 1h 5m 5m' },
    {
      name: 'a head shorter than the tail, which is lowered',
      ttl: { head: '5m', tail: '1h' },
      ttls: '5m 5m 5m 5m',
      warnings: ['ttl-lowered anchor', 'ttl-lowered tail'],
    },
    {
      name: 'an hour behind a tool marked for five minutes',
      ttl: { head: '1h', tail: '5m' },
      params: { tools: tools(mark('1h'), mark()) },
      ttls: '5m 5m',
      warnings: ['breakpoint-dropped anchor', 'breakpoint-dropped baseline', 'ttl-lowered instructions'],
    },
    {
      name: 'an hour behind a tool marked for an hour',
      ttl: '1h',
      params: { tools: tools(mark('1h')) },
      ttls: '1h 1h 1h',
      warnings: ['breakpoint-dropped baseline'],
    },
    {
      name: 'five minutes before an automatic hour',
      ttl: '5m',
      params: { cache_control: mark('1h') },
      ttls: '1h 1h 1h',
      warnings: ['ttl-raised instructions', 'ttl-raised baseline', 'ttl-raised anchor'],
    },
    { name: 'an hour before automatic five minutes', ttl: '1h', params: { cache_control: mark() }, ttls: '1h 1h 1h' },
  ])('never outlive one before them: $name', ({ ttl, params, ttls, warnings = [] }) => {
    const placed = place(exchange, params, { ttl })
    expect(placed.found.map((where) => where.split(' ')[1]).join(' ')).toBe(ttls)
    expect(placed.warnings.map((warning) => `${warning.type} ${'place' in warning ? warning.place : ''}`)).toEqual(
      warnings,
    )
  })
})
