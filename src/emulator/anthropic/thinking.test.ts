import { describe, expect, it } from 'vitest'
import { startEmulator, type Emulator, type EmulatorOptions } from '../index.ts'

const beta = 'thinking-binding-controls-2026-08-01'
const clearAt = 'mid-conversation-system-clear-at-2026-08-21'

type Message = { readonly role: string; readonly content: unknown; readonly [key: string]: unknown }
type Block = { readonly type: string; readonly [key: string]: unknown }
type Body = { readonly [key: string]: unknown; readonly messages: readonly Message[] }

const user = (content: unknown): Message => ({ role: 'user', content })

const start = (options: EmulatorOptions = {}): Promise<Emulator> =>
  startEmulator({
    strict: true,
    respond: ({ number }) => ({ thinking: `Thought ${number}.`, text: `Answer ${number}.` }),
    ...options,
  })

async function post(
  emulator: Emulator,
  body: Body,
  betas: readonly string[] = [],
): Promise<{ status: number; answer: Reply }> {
  const response = await fetch(`${emulator.url}/v1/messages`, {
    method: 'POST',
    body: JSON.stringify({ model: 'claude-fable-5-1', max_tokens: 64, ...body }),
    headers: { 'anthropic-beta': betas.join(',') },
  })
  return { status: response.status, answer: (await response.json()) as Reply }
}

interface Reply {
  readonly content: readonly Block[]
  readonly usage: { readonly input_tokens: number }
  readonly error?: { readonly message: string }
  readonly input_transformations?: unknown
}

/** A conversation of three answers, each with its thinking. */
async function converse(emulator: Emulator): Promise<Body> {
  const tools = [{ name: 'look', input_schema: { type: 'object' } }]
  const messages: Message[] = [user([{ type: 'text', text: 'First question' }])]
  for (const question of ['Second question', 'Third question', 'Fourth question']) {
    const { status, answer } = await post(emulator, { system: 'Be brief.', tools, messages })
    expect(status).toBe(200)
    messages.push({ role: 'assistant', content: answer.content }, user(question))
  }
  return { system: 'Be brief.', tools, messages }
}

const edit = (body: Body, index: number, change: (message: Message) => Message): Body => ({
  ...body,
  messages: body.messages.map((message, at) => (at === index ? change(message) : message)),
})

const withoutThinking = (body: Body, ...indices: number[]): Body => ({
  ...body,
  messages: body.messages.map((message, at) =>
    indices.includes(at)
      ? { ...message, content: (message.content as readonly Block[]).filter(({ type }) => type !== 'thinking') }
      : message,
  ),
})

const mismatch = (path: string): string =>
  `${path}: Invalid \`signature\` in \`thinking\` block. The block is bound to a different conversation. Remove the block, or set \`thinking.block_binding.prefix_mismatch_behavior\` to "drop_block". That setting requires the \`${beta}\` value in the \`anthropic-beta\` header.`

const drop = { thinking: { type: 'adaptive', block_binding: { prefix_mismatch_behavior: 'drop_block' } } }

describe('a thinking block', () => {
  const legal: readonly (readonly [what: string, change: (body: Body) => Body])[] = [
    ['nothing else than an appended turn', (body) => body],
    [
      'moved cache marks',
      (body) => ({
        ...body,
        cache_control: { type: 'ephemeral' },
        system: [{ type: 'text', text: 'Be brief.', cache_control: { type: 'ephemeral' } }],
      }),
    ],
    [
      'another effort, tool choice, limit and metadata',
      (body) => ({
        ...body,
        output_config: { effort: 'low' },
        tool_choice: { type: 'none' },
        max_tokens: 7,
        metadata: { user_id: 'u' },
      }),
    ],
    [
      'a tool more that waits to be found',
      (body) => ({
        ...body,
        tools: [...(body['tools'] as Block[]), { name: 'far', defer_loading: true, input_schema: {} }],
      }),
    ],
    ['thinking taken from the front', (body) => withoutThinking(body, 1)],
    ['more thinking taken from the front', (body) => withoutThinking(body, 1, 3)],
    ['thinking taken from the end', (body) => withoutThinking(body, 5)],
    ['all thinking taken', (body) => withoutThinking(body, 1, 3, 5)],
    [
      'a text block in place of a string',
      (body) => edit(body, 2, ({ content }) => user([{ type: 'text', text: content }])),
    ],
  ]

  it.each(legal)('is taken with %s', async (_, change) => {
    await using emulator = await start()
    const { status, answer } = await post(emulator, change(await converse(emulator)))
    expect([status, answer.error]).toEqual([200, undefined])
  })

  const illegal: readonly (readonly [what: string, path: string, change: (body: Body) => Body])[] = [
    ['another system prompt', 'messages.1.content.0', (body) => ({ ...body, system: 'Be very brief.' })],
    [
      'a tool more',
      'messages.1.content.0',
      (body) => ({ ...body, tools: [...(body['tools'] as Block[]), { name: 'near', input_schema: {} }] }),
    ],
    [
      'an edited tool',
      'messages.1.content.0',
      (body) => ({ ...body, tools: [{ name: 'look', description: 'Looks.', input_schema: { type: 'object' } }] }),
    ],
    ['another first message', 'messages.1.content.0', (body) => edit(body, 0, () => user('Another question'))],
    [
      'a text block more in an earlier turn',
      'messages.3.content.0',
      (body) =>
        edit(body, 2, ({ content }) =>
          user([
            { type: 'text', text: content },
            { type: 'text', text: 'By the way.' },
          ]),
        ),
    ],
    [
      'an edited answer',
      'messages.3.content.0',
      (body) =>
        edit(body, 1, (message) => ({
          ...message,
          content: [...(message.content as Block[]).slice(0, 1), { type: 'text', text: 'No.' }],
        })),
    ],
    ['a turn left out', 'messages.1.content.0', (body) => ({ ...body, messages: body.messages.toSpliced(1, 2) })],
    ['thinking taken from the middle', 'messages.5.content.0', (body) => withoutThinking(body, 3)],
  ]

  it.each(illegal)('is refused with %s', async (_, path, change) => {
    await using emulator = await start()
    const { status, answer } = await post(emulator, change(await converse(emulator)))
    expect([status, answer.error?.message]).toEqual([400, mismatch(path)])
  })

  it('is refused when it was edited itself', async () => {
    await using emulator = await start()
    const body = edit(await converse(emulator), 1, (message) => ({
      ...message,
      content: (message.content as Block[]).map((block) =>
        block.type === 'thinking' ? { ...block, thinking: 'Other.' } : block,
      ),
    }))
    const { status, answer } = await post(emulator, body)
    expect([status, answer.error?.message]).toEqual([
      400,
      'messages.1.content.0: Invalid `signature` in `thinking` block',
    ])
  })

  it('is taken by a model that does not bind', async () => {
    await using emulator = await start()
    const body = { ...(await converse(emulator)), model: 'claude-opus-5', system: 'Be very brief.' }
    expect((await post(emulator, body)).status).toBe(200)
  })

  it('is taken when another emulator signed it, as when the provider did', async () => {
    await using other = await start()
    await using emulator = await start()
    expect((await post(emulator, { ...(await converse(other)), system: 'Be very brief.' })).status).toBe(200)
  })

  it('stays bound to a system message of one turn after that turn', async () => {
    await using emulator = await start()
    const turnScoped = { role: 'system', content: 'The build is red.', clear_at: 'next_user_message' }
    const messages = [user('Why?'), turnScoped]
    const { answer } = await post(emulator, { messages }, [clearAt])
    const later = [...messages, { role: 'assistant', content: answer.content }, user('And now?')]
    expect((await post(emulator, { messages: later }, [clearAt])).status).toBe(200)
    expect((await post(emulator, { messages: later.toSpliced(1, 1) })).status).toBe(400)
  })

  it.each([
    [['claude-sonnet-4-5', 'claude-sonnet-4-5', 'claude-opus-5-5']],
    [['claude-opus-5-5', 'claude-sonnet-4-5', 'claude-opus-5-5']],
    [['claude-haiku-4-5', 'claude-fable-5-1', 'claude-haiku-4-5', 'claude-fable-5-1']],
  ])('stays good through a change of models: %s', async (models) => {
    await using emulator = await start()
    const messages: Message[] = [user('First question')]
    for (const model of models) {
      const { status, answer } = await post(emulator, { model, messages })
      expect(status).toBe(200)
      messages.push({ role: 'assistant', content: answer.content }, user('And then?'))
    }
    const edited = { model: 'claude-opus-5-5', messages: [user('Another question'), ...messages.slice(1)] }
    expect((await post(emulator, edited)).status).toBe(400)
  })

  it('does not mind a signed URL that was rotated, in the result of a tool either', async () => {
    await using emulator = await start({ respond: { thinking: 'Hm.', text: 'A harbour.' } })
    const result = (signature: string) => {
      const source = { type: 'url', url: `https://example.com/a.png?signature=${signature}` }
      return user([{ type: 'tool_result', tool_use_id: 'c', content: [{ type: 'image', source }] }])
    }
    const call = { role: 'assistant', content: [{ type: 'tool_use', id: 'c', name: 'look', input: {} }] }
    const { answer } = await post(emulator, { messages: [user('Look.'), call, result('one')] })
    const later = [{ role: 'assistant', content: answer.content }, user('And?')]
    expect((await post(emulator, { messages: [user('Look.'), call, result('two'), ...later] })).status).toBe(200)
  })

  it('does not mind a signed URL that was rotated', async () => {
    await using emulator = await start()
    const image = (signature: string) =>
      user([{ type: 'image', source: { type: 'url', url: `https://example.com/a.png?signature=${signature}` } }])
    const { answer } = await post(emulator, { messages: [image('one')] })
    const later = [{ role: 'assistant', content: answer.content }, user('And?')]
    expect((await post(emulator, { messages: [image('two'), ...later] })).status).toBe(200)
  })
})

describe('prefix_mismatch_behavior', () => {
  it('drops the block, reports it, and does not count it', async () => {
    await using emulator = await start()
    const body = { ...(await converse(emulator)), system: 'Be very brief.', ...drop }
    const { status, answer } = await post(emulator, body, [beta])
    expect(status).toBe(200)
    expect(answer.input_transformations).toEqual(
      [1, 3, 5].map((index) => ({
        type: 'thinking_dropped',
        path: `messages.${index}.content.0`,
        reason: 'prefix_binding_mismatch',
      })),
    )
    const bare = await post(emulator, withoutThinking(body, 1, 3, 5), [beta])
    expect(answer.usage.input_tokens).toBe(bare.answer.usage.input_tokens)
    expect(bare.answer.input_transformations).toEqual([])
  })

  it('takes the thinking of an answer that was given to an edited conversation', async () => {
    await using emulator = await start()
    const body = { ...(await converse(emulator)), system: 'Be very brief.', ...drop }
    const { answer } = await post(emulator, body, [beta])
    const later = {
      ...body,
      messages: [...body.messages, { role: 'assistant', content: answer.content }, user('And?')],
    }
    const next = await post(emulator, later, [beta])
    expect((next.answer.input_transformations as Block[]).map(({ path }) => path)).toEqual(
      [1, 3, 5].map((index) => `messages.${index}.content.0`),
    )
  })

  it('is what an emulator that is not strict waits for: until then it only reports', async () => {
    await using emulator = await start({ strict: false })
    const body = { ...(await converse(emulator)), system: 'Be very brief.' }
    const { status, answer } = await post(emulator, body, [beta])
    expect(status).toBe(200)
    expect(answer.input_transformations).toMatchObject([1, 3, 5].map(() => ({ type: 'thinking_mismatch_allowed' })))
    expect((await post(emulator, body)).answer).not.toHaveProperty('input_transformations')
  })
})
