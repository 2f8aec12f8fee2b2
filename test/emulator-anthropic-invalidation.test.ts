/**
 * The provider's table of what a change loses, row by row: a conversation is sent twice through Anthropic's SDK, the
 * second time with one change, and the usage says what was still read.
 */
import Anthropic from '@anthropic-ai/sdk'
import type { MessageCreateParamsNonStreaming, MessageParam, Usage } from '@anthropic-ai/sdk/resources/messages'
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest'
import { startEmulator, type Emulator } from '../src/emulator/index.ts'

let emulator: Emulator
let client: Anthropic
let account = 0

beforeAll(async () => {
  // The SDK says so of each model that is soon gone; the table has rows about them.
  vi.spyOn(console, 'warn').mockImplementation(() => {})
  emulator = await startEmulator({ strict: true, respond: { thinking: 'Hm.', text: 'Done.' } })
})

afterAll(() => emulator.close())

const mark = { cache_control: { type: 'ephemeral' } } as const
const words = (what: string): string => `Some words about ${what}, long enough to be cached. `.repeat(250)
const look: Anthropic.Tool = { name: 'look', description: words('looking'), input_schema: { type: 'object' } }
const read: Anthropic.Tool = { name: 'read', description: 'Reads.', input_schema: { type: 'object' }, ...mark }
const image: Anthropic.ImageBlockParam = {
  type: 'image',
  source: { type: 'url', url: 'https://example.com/harbour.png' },
}
const document = (enabled: boolean): Anthropic.DocumentBlockParam => ({
  type: 'document',
  source: { type: 'text', media_type: 'text/plain', data: 'Boats.' },
  citations: { enabled },
})

const webSearch: Anthropic.ToolUnion = { type: 'web_search_20260318', name: 'web_search' }
const webFetch: Anthropic.ToolUnion = { type: 'web_fetch_20260318', name: 'web_fetch' }

/** The base conversation with a document behind its mark. */
function withDocument(citations: boolean): MessageParam[] {
  return [...base.messages, { role: 'user', content: [document(citations)] }]
}

/** The base conversation with images behind its mark. */
function withImages(count: number): MessageParam[] {
  return [...base.messages, { role: 'user', content: Array.from({ length: count }, () => image) }]
}

type Params = MessageCreateParamsNonStreaming & { readonly speed?: 'fast' | 'standard' }

/** Ends of tools, system and messages are marked, so that each can be read without what follows it. */
const base: Params = {
  model: 'claude-opus-5-5',
  max_tokens: 4_096,
  tools: [look, read],
  system: [{ type: 'text', text: words('the harbour'), ...mark }],
  messages: [{ role: 'user', content: [{ type: 'text', text: words('boats'), ...mark }] }],
}

type Section = 'tools' | 'system' | 'messages'
const sections: readonly Section[] = ['tools', 'system', 'messages']

/** Tokens through the end of each section. */
async function ends(params: Params): Promise<Record<Section, number>> {
  const { model, tools = [], system = [], messages } = params
  const count = async (part: object): Promise<number> => {
    await client.messages.create({ model, max_tokens: 0, messages: [{ role: 'user', content: '?' }], ...part })
    const { usage } = emulator.requests().at(-1)?.prediction ?? {}
    return (usage?.read ?? 0) + (usage?.write5m ?? 0)
  }
  fresh()
  return {
    tools: await count({ tools }),
    system: await count({ tools, system }),
    messages: await count({ tools, system, messages }),
  }
}

/** An account that nothing is cached for. */
function fresh(): void {
  client = new Anthropic({ baseURL: emulator.url, apiKey: `sk-${++account}`, maxRetries: 0 })
}

async function send(params: Params): Promise<Usage> {
  const { usage } = await client.messages.create(params as MessageCreateParamsNonStreaming)
  return usage
}

/** The last section that the second request still reads, `null` for none. */
async function survives(before: Params, after: Params): Promise<Section | null> {
  const end = await ends(before)
  fresh()
  const first = await send(before)
  expect(first.cache_read_input_tokens).toBe(0)
  expect(first.cache_creation_input_tokens).toBe(end.messages)
  const second = await send(after)
  if (second.cache_read_input_tokens === 0) return null
  const found = sections.find((section) => end[section] === second.cache_read_input_tokens)
  if (found === undefined) throw new Error(`Read ${second.cache_read_input_tokens}, of ${JSON.stringify(end)}`)
  return found
}

const rows: readonly (readonly [
  change: string,
  survives: Section | null,
  after: Partial<Params>,
  before?: Partial<Params>,
])[] = [
  ['nothing', 'messages', {}],

  ['the name of a tool', null, { tools: [{ ...look, name: 'watch' }, read] }],
  ['the description of a tool', null, { tools: [{ ...look, description: words('watching') }, read] }],
  [
    'the parameters of a tool',
    null,
    { tools: [{ ...look, input_schema: { type: 'object', properties: { at: {} } } }, read] },
  ],
  [
    'the order of parameters',
    null,
    { tools: [{ ...look, input_schema: { properties: { b: {}, a: {} }, type: 'object' } }, read] },
    { tools: [{ ...look, input_schema: { properties: { a: {}, b: {} }, type: 'object' } }, read] },
  ],
  [
    'the order of tools',
    null,
    {
      tools: [
        { name: 'read', description: 'Reads.', input_schema: { type: 'object' } },
        { ...look, ...mark },
      ],
    },
  ],
  ['the model', null, { model: 'claude-opus-5' }],

  // Ahead of the marked tool, where a tool of any other kind would lose the tools as well.
  ['web search, on', 'tools', { tools: [webSearch, look, read] }],
  ['web search, off', 'tools', { tools: [look, read] }, { tools: [webSearch, look, read] }],
  ['web fetch, on', 'tools', { tools: [webFetch, look, read] }],
  ['web fetch, off', 'tools', { tools: [look, read] }, { tools: [webFetch, look, read] }],
  // Behind the mark, so that nothing but the switch can lose what is in front of it.
  ['citations, on', 'tools', { messages: withDocument(true) }, { messages: withDocument(false) }],
  ['citations, off', 'tools', { messages: withDocument(false) }, { messages: withDocument(true) }],
  ['a document without citations', 'messages', { messages: withDocument(false) }],
  ['the speed, to fast', 'tools', { speed: 'fast' }],
  ['the speed, to standard', 'tools', { speed: 'standard' }, { speed: 'fast' }],
  ['the system prompt', 'tools', { system: [{ type: 'text', text: words('the pier'), ...mark }] }],

  ['tool_choice', 'system', { tool_choice: { type: 'none' } }],
  ['disable_parallel_tool_use', 'system', { tool_choice: { type: 'auto', disable_parallel_tool_use: true } }],
  ['the first image, at the very end', 'system', { messages: [...base.messages, { role: 'user', content: [image] }] }],
  ['the last image, at the very end, taken away', 'system', { messages: base.messages }, { messages: withImages(1) }],
  // That there are images is said ahead of the conversation; how many there are is not (our reading of the row).
  ['the number of images', 'messages', { messages: withImages(2) }, { messages: withImages(1) }],

  ['thinking', null, { thinking: { type: 'adaptive' } }],
  ['the effort', null, { output_config: { effort: 'low' } }],
  [
    'thinking, up to 4.x',
    'system',
    { thinking: { type: 'enabled', budget_tokens: 1_024 }, model: 'claude-sonnet-4-5' },
    { model: 'claude-sonnet-4-5' },
  ],
  [
    'the budget of thinking, up to 4.x',
    'system',
    { thinking: { type: 'enabled', budget_tokens: 2_048 } },
    { thinking: { type: 'enabled', budget_tokens: 1_024 }, model: 'claude-sonnet-4-5' },
  ],
  ['the effort, up to 4.x', 'system', { output_config: { effort: 'low' } }, { model: 'claude-opus-4-5' }],
  ['the default effort, said', 'messages', { output_config: { effort: 'high' } }],
  ['output_config.format', null, { output_config: { format: { type: 'json_schema', schema: { type: 'object' } } } }],

  [
    'an appended message',
    'messages',
    { messages: [...base.messages, { role: 'assistant', content: 'Done.' }, { role: 'user', content: 'Go on' }] },
  ],
  [
    'an appended system message',
    'messages',
    { messages: [...base.messages, { role: 'system', content: 'The tide is low.' }] },
  ],
  [
    'max_tokens, metadata and the stop sequences',
    'messages',
    { max_tokens: 65, metadata: { user_id: 'u' }, stop_sequences: ['x'] },
  ],
]

describe('a change of', () => {
  it.each(rows.map(([change, survivor, after, before = {}]) => ({ change, survivor, after, before })))(
    '$change leaves what ends in $survivor',
    async ({ survivor, after, before }) => {
      fresh()
      const earlier = { ...base, ...before }
      expect(await survives(earlier, { ...base, ...before, ...after })).toBe(survivor)
    },
  )

  it('effort for one message leaves all', async () => {
    fresh()
    const first = await send(base)
    const { usage } = await client.beta.messages.create({
      ...(base as Anthropic.Beta.MessageCreateParamsNonStreaming),
      betas: ['mid-conversation-output-config-2026-07-01'],
      messages: [
        ...(base.messages as Anthropic.Beta.BetaMessageParam[]),
        { role: 'system', content: [], output_config: { effort: 'low' } },
      ],
    })
    expect(usage.cache_read_input_tokens).toBe(first.cache_creation_input_tokens)
  })
})

/** A turn with thinking, answered and marked at its end; then the next, without tool results. */
async function nextTurn(
  model: string,
  change: (messages: MessageParam[]) => MessageParam[],
): Promise<{ first: Usage; second: Usage; answered: Usage }> {
  fresh()
  const params = { ...base, model }
  const question = [...base.messages]
  const { content, usage: first } = await client.messages.create(params)
  const answered: MessageParam[] = [
    ...question,
    {
      role: 'assistant',
      content: content.map((block, index) =>
        index === content.length - 1 ? { ...block, ...mark } : block,
      ) as Anthropic.ContentBlockParam[],
    },
  ]
  const tail: MessageParam = { role: 'user', content: [{ type: 'text', text: words('the tide') }] }
  const written = await send({
    ...params,
    tools: [look, { ...read, cache_control: null }],
    messages: [...answered, tail],
  })
  const second = await send({
    ...params,
    tools: [look, { ...read, cache_control: null }],
    messages: change([...answered, tail, { role: 'assistant', content: 'Low.' }, { role: 'user', content: 'Thanks' }]),
  })
  return { first, answered: written, second }
}

describe('earlier thinking', () => {
  it.each(['claude-opus-5-5', 'claude-opus-4-5', 'claude-sonnet-4-6'])('stays in the prompt of %s', async (model) => {
    const { first, answered, second } = await nextTurn(model, (messages) => messages)
    expect(answered.cache_read_input_tokens).toBe(first.cache_creation_input_tokens)
    expect(first.cache_creation_input_tokens).toBeGreaterThan(0)
    expect(answered.cache_creation_input_tokens).toBeGreaterThan(0)
    expect(second.cache_read_input_tokens).toBe(total(answered))
  })

  it('is lost from the block on that was dropped', async () => {
    const { first, answered, second } = await nextTurn('claude-opus-5-5', withoutThinking)
    expect(second.cache_read_input_tokens).toBe(first.cache_creation_input_tokens)
    expect(total(answered)).toBeGreaterThan(first.cache_creation_input_tokens ?? 0)
  })

  it.each(['claude-sonnet-4-5', 'claude-opus-4-1', 'claude-haiku-4-5'])(
    'leaves the prompt of %s with a user turn that brings no tool results',
    async (model) => {
      fresh()
      const params = { ...base, model }
      const call = { type: 'tool_use', id: 'toolu_1', name: 'read', input: {} } as const
      const { content } = await client.messages.create(params)
      const thinking = content.filter(({ type }) => type === 'thinking') as Anthropic.ContentBlockParam[]
      const loop: MessageParam[] = [
        ...base.messages,
        { role: 'assistant', content: [...thinking, call] },
        { role: 'user', content: [{ type: 'tool_result', tool_use_id: call.id, content: words('results'), ...mark }] },
      ]
      const inLoop = await send({ ...params, messages: loop })
      expect(inLoop.cache_creation_input_tokens).toBeGreaterThan(0)
      const again = await send({ ...params, messages: loop })
      expect(again.cache_read_input_tokens).toBe(total(inLoop))
      const next = await send({
        ...params,
        messages: [...loop, { role: 'assistant', content: 'Done.' }, { role: 'user', content: 'Thanks' }],
      })
      expect(next.cache_read_input_tokens).toBe(inLoop.cache_read_input_tokens)
      expect(next.cache_creation_input_tokens).toBeGreaterThan(0)
    },
  )
})

function withoutThinking(messages: MessageParam[]): MessageParam[] {
  return messages.map((message) => {
    const { role, content } = message
    if (role !== 'assistant' || typeof content === 'string') return message
    return { role, content: content.filter(({ type }) => type !== 'thinking') }
  })
}

function total(usage: Usage): number {
  return (usage.cache_read_input_tokens ?? 0) + (usage.cache_creation_input_tokens ?? 0)
}
