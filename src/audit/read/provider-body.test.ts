import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { createSimulator, layout } from '../../cache/index.ts'
import { bodyFor } from './provider-body.ts'

const conversation = [
  { role: 'system', content: 'S' },
  { role: 'developer', content: [{ type: 'text', text: 'D', cache_control: { type: 'ephemeral' } }] },
  {
    role: 'user',
    content: [
      { type: 'text', text: 'u' },
      { type: 'image_url', image_url: { url: 'data:image/png;base64,AAAA' } },
    ],
  },
  {
    role: 'assistant',
    content: 'a',
    reasoning_content: 'r',
    tool_calls: [
      { id: 'c1', type: 'function', function: { name: 'ls', arguments: '{"path":"."}' } },
      { id: 'c2', type: 'function', function: { name: 'ls', arguments: 'not json' } },
    ],
  },
  { role: 'tool', tool_call_id: 'c1', content: 'one' },
  { role: 'tool', tool_call_id: 'c2', content: 'two' },
  { role: 'user', content: 'more' },
]
const tools = [{ type: 'function', function: { name: 'ls', description: 'd', parameters: { type: 'object' } } }]
const chat = { model: 'm', messages: conversation, tools }

const providers = [
  ['anthropic', 'claude-sonnet-4-5', 'anthropic'],
  ['vertex', 'claude-sonnet-4-5@20250929', 'anthropic'],
  ['bedrock', 'us.anthropic.claude-sonnet-4-5-20250929-v1:0', 'anthropic'],
  ['bedrock', 'amazon.nova-pro-v1:0', 'bedrock-converse'],
  ['gemini', 'gemini-2.5-pro', 'gemini'],
  ['vertex-gemini', 'gemini-2.5-pro', 'gemini'],
  ['openai', 'gpt-5', 'openai-chat'],
  ['openrouter', 'anthropic/claude-sonnet-4.5', 'openai-chat'],
  [undefined, 'claude-sonnet-4-5', 'anthropic'],
  [undefined, undefined, 'openai-chat'],
] as const

describe('a prompt in the shape of Chat', () => {
  it('becomes the body that each provider’s rules can read', () => {
    for (const [provider, model, format] of providers) {
      const body = bodyFor(provider, model, chat)
      expect([provider, layout(body, { model }).format]).toEqual([provider, format])
      if (provider !== undefined) expect(() => createSimulator({ provider }).send(body, { model })).not.toThrow()
    }
  })

  it('keeps its parts in their order and its marks in their places', () => {
    const { segments } = layout(bodyFor('anthropic', 'claude-sonnet-4-5', chat))
    expect(
      segments.map(({ role, type, breakpoint }) => `${role} ${type}${breakpoint === null ? '' : ' marked'}`),
    ).toEqual([
      'tool tool',
      'system text',
      'system text marked',
      'user text',
      'user image',
      'assistant thinking',
      'assistant text',
      'assistant tool_use',
      'assistant tool_use',
      'user tool_result',
      'user tool_result',
      'user text',
    ])
  })

  it('stays a prefix of the prompt that goes on from it', () => {
    fc.assert(
      fc.property(
        fc.constantFrom(...providers),
        fc.integer({ min: 3, max: conversation.length }),
        ([provider, model], length) => {
          // All results of an answer are sent together.
          fc.pre(length !== 5)
          const cut = { ...chat, messages: conversation.slice(0, length) }
          const [before, after] = [cut, chat].map((each) =>
            layout(bodyFor(provider, model, each), { model }).segments.map(({ content }) => content),
          )
          expect(after?.slice(0, before?.length)).toEqual(before)
        },
      ),
      { numRuns: 80 },
    )
  })

  it('is left alone where it is in the provider’s own shape, or in another’s', () => {
    const anthropic = {
      model: 'claude-sonnet-4-5',
      max_tokens: 1,
      system: 'S',
      messages: [{ role: 'user', content: 'a' }],
    }
    expect(bodyFor('anthropic', 'claude-sonnet-4-5', anthropic)).toBe(anthropic)
    expect(bodyFor('gemini', 'gemini-2.5-pro', anthropic)).toBe(anthropic)
  })

  it('of any values becomes something, and nothing is thrown', () => {
    fc.assert(
      fc.property(fc.constantFrom(...providers), fc.array(fc.jsonValue()), ([provider, model], messages) => {
        expect(bodyFor(provider, model, { messages, tools: messages })).toBeTypeOf('object')
      }),
      { numRuns: 100 },
    )
  })
})
