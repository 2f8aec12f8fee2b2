/** The emulator's Messages API as real clients see it: Anthropic's SDK, and the AI SDK with its Anthropic provider. */
import Anthropic, {
  APIUserAbortError,
  BadRequestError,
  ContentTooLargeError,
  InternalServerError,
  NotFoundError,
} from '@anthropic-ai/sdk'
import type {
  MessageCreateParamsNonStreaming,
  MessageParam,
  RawMessageStreamEvent,
} from '@anthropic-ai/sdk/resources/messages'
import { createAnthropic } from '@ai-sdk/anthropic'
import { generateText, isStepCount, streamText, tool } from 'ai'
import { afterEach, describe, expect, it } from 'vitest'
import { z } from 'zod'
import { startEmulator, type Answer, type Emulator, type EmulatorOptions } from '../src/emulator/index.ts'

let emulators: Emulator[] = []

afterEach(async () => {
  await Promise.all(emulators.map((emulator) => emulator.close()))
  emulators = []
})

async function start(options: EmulatorOptions = {}): Promise<{ emulator: Emulator; client: Anthropic }> {
  const emulator = await startEmulator({ strict: true, ...options })
  emulators.push(emulator)
  return { emulator, client: new Anthropic({ baseURL: emulator.url, apiKey: 'sk-test', maxRetries: 0 }) }
}

const model = 'claude-opus-5-5'
const handbook = 'The harbour office opens at seven and closes when the last boat is in. '.repeat(100)
const weather: Anthropic.Tool = {
  name: 'weather',
  description: 'Says what the weather is like.',
  input_schema: { type: 'object', properties: { city: { type: 'string' } }, required: ['city'] },
}
const base = {
  model,
  max_tokens: 1_024,
  system: [{ type: 'text', text: handbook }],
  cache_control: { type: 'ephemeral' },
  messages: [{ role: 'user', content: 'When does the office open?' }],
} satisfies MessageCreateParamsNonStreaming

/** Thinks and calls the tool, then says what it returned. */
function forecast(last: unknown): Answer {
  return JSON.stringify(last).includes('tool_result')
    ? { text: 'It rains in Bergen.' }
    : {
        thinking: 'I should look.',
        text: 'Let me look. ☂️',
        toolCalls: [{ name: 'weather', input: { city: 'Bergen' } }],
      }
}

const respond: EmulatorOptions['respond'] = ({ body }) => forecast((body['messages'] as unknown[]).at(-1))

describe("Anthropic's SDK", () => {
  it('creates a message, and reads from the cache what the one before wrote', async () => {
    const { client } = await start({ respond: { text: 'At seven.' } })
    const first = await client.messages.create(base)
    expect(first).toMatchObject({
      id: expect.stringMatching(/^msg_/) as string,
      type: 'message',
      role: 'assistant',
      model,
      content: [{ type: 'text', text: 'At seven.', citations: null }],
      stop_reason: 'end_turn',
      stop_sequence: null,
    })
    expect(first).toHaveProperty('_request_id', expect.stringMatching(/^req_/))
    const { usage } = first
    expect(usage.cache_read_input_tokens).toBe(0)
    expect(usage.cache_creation_input_tokens).toBeGreaterThan(1_000)
    expect(usage.cache_creation).toEqual({
      ephemeral_5m_input_tokens: usage.cache_creation_input_tokens,
      ephemeral_1h_input_tokens: 0,
    })
    expect(usage.output_tokens).toBeGreaterThan(0)

    const second = await client.messages.create({
      ...base,
      messages: [
        ...base.messages,
        { role: 'assistant', content: first.content },
        { role: 'user', content: 'And when does it close?' },
      ],
    })
    expect(second.usage.cache_read_input_tokens).toBe(usage.cache_creation_input_tokens)
    expect(second.usage.cache_creation_input_tokens).toBeGreaterThan(0)
    expect(second.usage.cache_creation_input_tokens).toBeLessThan(100)
  })

  it('splits what is written by lifetime', async () => {
    const { client } = await start()
    const { usage } = await client.messages.create({
      ...base,
      system: [{ type: 'text', text: handbook, cache_control: { type: 'ephemeral', ttl: '1h' } }],
    })
    expect(usage.cache_creation?.ephemeral_1h_input_tokens).toBeGreaterThan(1_000)
    expect(usage.cache_creation?.ephemeral_5m_input_tokens).toBeGreaterThan(0)
  })

  it('gets the same message whole and streamed', async () => {
    const { client } = await start({ respond })
    const params = { ...base, tools: [weather] }
    const whole = await client.messages.create(params)
    const texts: string[] = []
    const inputs: string[] = []
    const thoughts: string[] = []
    const stream = client.messages
      .stream(params)
      .on('text', (delta) => texts.push(delta))
      .on('inputJson', (delta) => inputs.push(delta))
      .on('thinking', (delta) => thoughts.push(delta))
    const streamed = await stream.finalMessage()
    expect([texts.join(''), thoughts.join(''), JSON.parse(inputs.join(''))]).toEqual([
      'Let me look. ☂️',
      'I should look.',
      { city: 'Bergen' },
    ])
    expect(streamed.usage.cache_read_input_tokens).toBe(whole.usage.cache_creation_input_tokens)
    expect(streamed.usage.output_tokens).toBe(whole.usage.output_tokens)
    const blocks = ({ content }: Anthropic.Message): unknown =>
      content.map((block) => ({ ...block, id: '', signature: '' }))
    expect(blocks(streamed)).toEqual(blocks(whole))
    expect({ ...streamed, id: '', content: [], usage: {} }).toMatchObject({ ...whole, id: '', content: [], usage: {} })
    expect(streamed.stop_reason).toBe('tool_use')
  })

  it('sees the events in the order of the API', async () => {
    const { client } = await start({ respond })
    const events: RawMessageStreamEvent[] = []
    for await (const event of await client.messages.create({ ...base, tools: [weather], stream: true }))
      events.push(event)
    const types = events.map((event) => (event.type === 'content_block_delta' ? event.delta.type : event.type))
    expect(types.filter((type, index) => type !== types[index - 1])).toEqual([
      'message_start',
      'content_block_start',
      'thinking_delta',
      'signature_delta',
      'content_block_stop',
      'content_block_start',
      'text_delta',
      'content_block_stop',
      'content_block_start',
      'input_json_delta',
      'content_block_stop',
      'message_delta',
      'message_stop',
    ])
    const [start_] = events
    const delta = events.find((event) => event.type === 'message_delta')
    if (start_?.type !== 'message_start' || delta === undefined) throw new Error('No start or no end')
    expect(start_.message).toMatchObject({ content: [], stop_reason: null, usage: { cache_read_input_tokens: 0 } })
    const { input_tokens, cache_creation_input_tokens, cache_read_input_tokens } = start_.message.usage
    expect(delta.usage).toMatchObject({ input_tokens, cache_creation_input_tokens, cache_read_input_tokens })
    expect(delta.usage.output_tokens).toBeGreaterThan(start_.message.usage.output_tokens)
  })

  it('runs a loop with tools, each request reading all that was written before', async () => {
    const { client, emulator } = await start({ respond })
    const messages: MessageParam[] = [{ role: 'user', content: 'Do I need an umbrella?' }]
    let answer = await client.messages.create({ ...base, tools: [weather], messages })
    for (let round = 0; round < 3; round++) {
      const calls = answer.content.filter((block) => block.type === 'tool_use')
      messages.push({ role: 'assistant', content: answer.content })
      messages.push(
        calls.length > 0
          ? {
              role: 'user',
              content: calls.map(({ id }) => ({ type: 'tool_result', tool_use_id: id, content: 'Rain.' })),
            }
          : { role: 'user', content: 'And tomorrow?' },
      )
      answer = await client.messages.create({ ...base, tools: [weather], messages })
    }
    const usages = emulator.requests().map(({ prediction }) => prediction?.usage)
    expect(usages).toHaveLength(4)
    for (const [index, usage] of usages.entries()) {
      const before = usages[index - 1]
      expect(usage?.read).toBe(before === undefined ? 0 : before.read + before.write5m)
    }
  })

  it('runs its own tool runner, which goes on without a thread', async () => {
    const { client, emulator } = await start({ respond })
    const runner = client.beta.messages.toolRunner({
      ...base,
      messages: [{ role: 'user', content: 'Do I need an umbrella?' }],
      tools: [
        {
          type: 'custom',
          name: weather.name,
          input_schema: { type: 'object' },
          parse: (input: unknown) => input,
          run: () => 'Rain.',
        },
      ],
    })
    const { content } = await runner
    expect(content.at(-1)?.type).toBe('text')
    const answered = emulator.requests().filter(({ status }) => status === 200)
    expect(answered).toHaveLength(2)
    expect(answered[1]?.prediction?.common.segments).toBe(answered[0]?.prediction?.segments)
  })

  it('fills a cache ahead with a request for no tokens', async () => {
    const { client } = await start()
    const system = [{ type: 'text' as const, text: handbook, cache_control: { type: 'ephemeral' as const } }]
    const { cache_control: _, ...rest } = base
    const warmed = await client.messages.create({ ...rest, system, max_tokens: 0 })
    expect(warmed).toMatchObject({ content: [], stop_reason: 'max_tokens', usage: { output_tokens: 0 } })
    const { usage } = await client.messages.create({ ...rest, system })
    expect(usage.cache_read_input_tokens).toBe(warmed.usage.cache_creation_input_tokens)
  })

  it('counts the tokens that a request would have', async () => {
    const { client, emulator } = await start()
    const { max_tokens: _, ...counted } = base
    const { input_tokens } = await client.messages.countTokens(counted)
    expect(emulator.caches()).toEqual([])
    const { usage } = await client.messages.create(base)
    expect(input_tokens).toBe(usage.input_tokens + (usage.cache_creation_input_tokens ?? 0))
  })

  it('gets errors of its own classes', async () => {
    const { client, emulator } = await start({
      maxBodyBytes: 10_000,
      respond: () => Promise.reject(new Error('No script')),
    })
    const failed = async (promise: Promise<unknown>): Promise<unknown> =>
      promise.then(
        () => null,
        (error: unknown) => error,
      )
    const bad = await failed(client.messages.create({ ...base, messages: [{ role: 'assistant', content: 'Hi' }] }))
    expect(bad).toBeInstanceOf(BadRequestError)
    expect(bad).toMatchObject({
      status: 400,
      type: 'invalid_request_error',
      apiMessage: 'messages: first message must use the "user" role',
      requestID: expect.stringMatching(/^req_/) as string,
    })
    const large = { ...base, system: 'x'.repeat(20_000) }
    expect(await failed(client.messages.create(large))).toBeInstanceOf(ContentTooLargeError)
    expect(await failed(client.messages.create(base))).toBeInstanceOf(InternalServerError)
    expect(await failed(client.models.list().then((page) => page.data))).toBeInstanceOf(NotFoundError)
    const stream = client.messages.stream({ ...base, messages: [{ role: 'assistant', content: 'Hi' }] })
    expect(await failed(stream.finalMessage())).toBeInstanceOf(BadRequestError)
    expect(emulator.requests().map(({ status }) => status)).toEqual([400, 500, 400])
  })

  it('can hang up in the middle of a stream', async () => {
    const { client, emulator } = await start({ respond: { text: handbook }, latency: { event: 5 } })
    const stream = client.messages.stream(base)
    stream.on('text', () => stream.abort())
    await expect(stream.done()).rejects.toBeInstanceOf(APIUserAbortError)
    await expect.poll(() => emulator.requests()[0]?.status).toBe(499)
    const { usage } = await client.messages.create(base)
    expect(usage.cache_read_input_tokens).toBeGreaterThan(1_000)
  })

  it('learns from diagnostics what it changed', async () => {
    const { client } = await start()
    const first = await client.messages.create({ ...base, diagnostics: { previous_message_id: null } })
    const second = await client.messages.create({
      ...base,
      system: `${handbook} Ring twice.`,
      diagnostics: { previous_message_id: first.id },
    })
    expect(second.diagnostics?.cache_miss_reason).toMatchObject({ type: 'system_changed' })
  })

  it('uses betas', async () => {
    const { client } = await start({ respond })
    const beta = 'thinking-binding-controls-2026-08-01'
    const params = { model: 'claude-fable-5-1', max_tokens: 64, betas: [beta] }
    const first = await client.beta.messages.create({ ...params, messages: base.messages })
    expect(first.input_transformations).toEqual([])
    const second = await client.beta.messages.create({
      ...params,
      thinking: { type: 'adaptive', block_binding: { prefix_mismatch_behavior: 'drop_block' } },
      system: 'Be brief.',
      messages: [
        ...base.messages,
        { role: 'assistant', content: first.content as never },
        { role: 'user', content: [{ type: 'tool_result', tool_use_id: toolId(first.content), content: 'Rain.' }] },
      ],
    })
    expect(second.input_transformations).toMatchObject([{ type: 'thinking_dropped', path: 'messages.1.content.0' }])
  })
})

function toolId(content: readonly { readonly type: string }[]): string {
  const call = content.find(({ type }) => type === 'tool_use') as { readonly id: string } | undefined
  return call?.id ?? ''
}

describe('the AI SDK', () => {
  const tools = {
    weather: tool({
      description: 'Says what the weather is like.',
      inputSchema: z.object({ city: z.string() }),
      execute: ({ city }) => `Rain in ${city}.`,
    }),
  }
  const cached = { providerOptions: { anthropic: { cacheControl: { type: 'ephemeral' as const } } } }
  const system = { role: 'system' as const, content: handbook, ...cached }

  it('generates a text, and reads from the cache', async () => {
    const { emulator } = await start({ respond: { text: 'At seven.' } })
    const anthropic = createAnthropic({ baseURL: `${emulator.url}/v1`, apiKey: 'sk-test' })
    const generate = () =>
      generateText({ model: anthropic(model), instructions: system, prompt: 'When does the office open?' })
    const first = await generate()
    expect(first.text).toBe('At seven.')
    expect(first.usage.inputTokenDetails.cacheWriteTokens).toBeGreaterThan(1_000)
    const second = await generate()
    expect(second.usage.inputTokenDetails.cacheReadTokens).toBe(first.usage.inputTokenDetails.cacheWriteTokens)
    expect(second.warnings ?? []).toEqual([])
  })

  it('streams through a loop with tools', async () => {
    const { emulator } = await start({ respond })
    const anthropic = createAnthropic({ baseURL: `${emulator.url}/v1`, apiKey: 'sk-test' })
    const { stream, steps, text } = streamText({
      model: anthropic(model),
      instructions: system,
      prompt: 'Do I need an umbrella?',
      tools,
      stopWhen: isStepCount(3),
    })
    const types = new Set<string>()
    for await (const part of stream) types.add(part.type)
    expect(await text).toBe('It rains in Bergen.')
    expect((await steps).map(({ finishReason }) => finishReason)).toEqual(['tool-calls', 'stop'])
    expect([...types]).toEqual(expect.arrayContaining(['text-delta', 'reasoning-delta', 'tool-call', 'tool-result']))
    expect([...types]).not.toContain('error')
    const [first, second] = emulator.requests().map(({ prediction }) => prediction?.usage)
    expect(second?.read).toBe(first?.write5m)
  })
})
