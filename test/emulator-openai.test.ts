/** The OpenAI endpoints of the emulator, through the clients that programs use. */
import { createOpenAI } from '@ai-sdk/openai'
import { generateText, isStepCount, streamText, tool } from 'ai'
import OpenAI from 'openai'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { z } from 'zod'
import { startEmulator, type Answer, type Emulator, type ReceivedRequest } from '../src/emulator/index.ts'

const model = 'gpt-5.6-sol'
/** Some 3,000 tokens, long enough to be cached. */
const handbook = 'The harbour office opens at seven and closes when the last boat is in. '.repeat(170)
const weather = { name: 'weather', input: { city: 'Bergen' } } as const

/** Calls the tool where there is one and no result yet; says something else otherwise. */
function respond({ body }: ReceivedRequest): Answer {
  const items = JSON.stringify(body['messages'] ?? body['input'] ?? '')
  const answered = items.includes('"role":"tool"') || items.includes('function_call_output')
  const thinking = 'They greet me.'
  if (Array.isArray(body['tools']) && !answered) return { thinking, text: 'Let me look.', toolCalls: [weather] }
  return { thinking, text: answered ? 'It rains in Bergen.' : 'Good morning, harbour.' }
}

let emulator: Emulator
let number = 0

beforeAll(async () => {
  emulator = await startEmulator({ strict: true, respond })
})

afterAll(async () => {
  await emulator.close()
})

/** A client of an account of its own, so that no test reads what another wrote. */
function client(): OpenAI {
  return new OpenAI({ apiKey: `key-${++number}`, baseURL: `${emulator.url}/v1`, maxRetries: 0 })
}

const parameters = { type: 'object', properties: { city: { type: 'string' } }, required: ['city'] }

describe('Chat Completions through the OpenAI SDK', () => {
  const messages = [
    { role: 'developer', content: handbook },
    { role: 'user', content: 'Good morning' },
  ] as const

  it('answers, and reads the second time what the first wrote', async () => {
    const openai = client()
    const { data: first, request_id: requestId } = await openai.chat.completions
      .create({ model, messages: [...messages] })
      .withResponse()
    const second = await openai.chat.completions.create({ model, messages: [...messages] })
    expect(requestId).toMatch(/^req_/)
    expect(first).toMatchObject({ object: 'chat.completion', model })
    expect(first.id).toMatch(/^chatcmpl-/)
    expect(first.id).not.toBe(second.id)
    expect(first.choices).toEqual([
      {
        index: 0,
        finish_reason: 'stop',
        logprobs: null,
        message: { role: 'assistant', content: 'Good morning, harbour.', refusal: null, annotations: [] },
      },
    ])
    const total = first.usage?.prompt_tokens ?? 0
    expect(total).toBeGreaterThan(1024)
    expect(first.usage?.prompt_tokens_details).toMatchObject({
      cached_tokens: 0,
      cache_write_tokens: expect.any(Number),
    })
    const written = first.usage?.prompt_tokens_details?.cache_write_tokens
    expect(written).toBeGreaterThan(1024)
    expect(second.usage?.prompt_tokens_details).toMatchObject({ cached_tokens: written, cache_write_tokens: 0 })
    expect(first.usage?.completion_tokens_details?.reasoning_tokens).toBeGreaterThan(0)
    expect(first.usage?.total_tokens).toBe(total + (first.usage?.completion_tokens ?? 0))
  })

  it('streams the same answer, with usage at the end where it is asked for', async () => {
    const openai = client()
    const usage: unknown[] = []
    let text = ''
    let finish: string | null = null
    const stream = await openai.chat.completions.create({
      model,
      messages: [...messages],
      stream: true,
      stream_options: { include_usage: true },
    })
    for await (const chunk of stream) {
      expect(chunk.object).toBe('chat.completion.chunk')
      text += chunk.choices[0]?.delta.content ?? ''
      finish = chunk.choices[0]?.finish_reason ?? finish
      usage.push(chunk.usage)
    }
    expect({ text, finish }).toEqual({ text: 'Good morning, harbour.', finish: 'stop' })
    expect(usage.slice(0, -1).every((value) => value === null)).toBe(true)
    expect(usage.at(-1)).toMatchObject({ prompt_tokens_details: { cached_tokens: 0 } })
    const without = await openai.chat.completions.create({ model, messages: [...messages], stream: true })
    for await (const chunk of without) expect(chunk).not.toHaveProperty('usage')
  })

  it('puts a streamed answer together to the whole one', async () => {
    const openai = client()
    const tools = [{ type: 'function' as const, function: { name: 'weather', parameters } }]
    const stream = openai.chat.completions.stream({ model, messages: [...messages], tools })
    const message = await stream.finalMessage()
    expect(message.content).toBe('Let me look.')
    expect(message.tool_calls).toMatchObject([
      { type: 'function', function: { name: 'weather', arguments: '{"city":"Bergen"}' } },
    ])
  })

  it('runs a loop of tools', async () => {
    const asked: unknown[] = []
    const runner = client().chat.completions.runTools({
      model,
      messages: [...messages],
      tools: [
        {
          type: 'function',
          function: {
            name: 'weather',
            parameters,
            parse: JSON.parse,
            function: (input: { readonly city: string }) => {
              asked.push(input)
              return 'rain'
            },
            description: 'Looks at the sky.',
          },
        },
      ],
    })
    expect(await runner.finalContent()).toBe('It rains in Bergen.')
    expect(asked).toEqual([{ city: 'Bergen' }])
  })

  it("maps refusals to the client's errors", async () => {
    const openai = client()
    const both = { prompt_cache_options: { ttl: '30m' }, prompt_cache_retention: '24h' } as const
    const refused = openai.chat.completions.create({ model, messages: [...messages], ...both })
    await expect(refused).rejects.toBeInstanceOf(OpenAI.BadRequestError)
    await expect(refused).rejects.toMatchObject({
      status: 400,
      type: 'invalid_request_error',
      param: 'prompt_cache_retention',
    })
    const tools = openai.chat.completions.create({
      model,
      messages: [
        { role: 'user', content: 'a' },
        { role: 'tool', tool_call_id: 'call_1', content: 'b' },
      ],
    })
    await expect(tools).rejects.toThrow(/must be a response to a preceding message/)
  })

  it('spells usage as the vendor of the model does', async () => {
    const openai = client()
    const ask = { model: 'deepseek-v4-pro', messages: [...messages] }
    await openai.chat.completions.create(ask)
    const { usage } = await openai.chat.completions.create(ask)
    const { prompt_cache_hit_tokens: hit, prompt_cache_miss_tokens: miss } = usage as unknown as Record<string, number>
    expect(hit).toBeGreaterThan(1024)
    expect((hit ?? 0) + (miss ?? 0)).toBe(usage?.prompt_tokens)
    expect(usage?.prompt_tokens_details).not.toHaveProperty('cache_write_tokens')
  })
})

describe('Responses through the OpenAI SDK', () => {
  it('answers, and can be read again', async () => {
    const openai = client()
    const response = await openai.responses.create({ model, instructions: handbook, input: 'Good morning' })
    expect(response).toMatchObject({
      object: 'response',
      status: 'completed',
      model,
      instructions: handbook,
      store: true,
      output_text: 'Good morning, harbour.',
      prompt_cache_options: { mode: 'implicit', ttl: '30m' },
    })
    expect(response.id).toMatch(/^resp_/)
    expect(response.output.map(({ type }) => type)).toEqual(['reasoning', 'message'])
    expect(response.usage).toMatchObject({
      input_tokens: expect.any(Number),
      input_tokens_details: { cached_tokens: 0, cache_write_tokens: expect.any(Number) },
    })
    const { output } = await openai.responses.retrieve(response.id)
    expect(output).toEqual(response.output)
    await openai.responses.delete(response.id)
    await expect(openai.responses.retrieve(response.id)).rejects.toBeInstanceOf(OpenAI.NotFoundError)
  })

  it('streams the events of the whole answer, in order and numbered', async () => {
    const types: string[] = []
    const numbers: number[] = []
    const stream = client().responses.stream({
      model,
      input: 'Good morning',
      tools: [{ type: 'function', name: 'weather', parameters, strict: false }],
    })
    for await (const event of stream) {
      if (types.at(-1) !== event.type) types.push(event.type)
      numbers.push(event.sequence_number)
    }
    expect(types).toEqual([
      'response.created',
      'response.in_progress',
      'response.output_item.added',
      'response.output_item.done',
      'response.output_item.added',
      'response.content_part.added',
      'response.output_text.delta',
      'response.output_text.done',
      'response.content_part.done',
      'response.output_item.done',
      'response.output_item.added',
      'response.function_call_arguments.delta',
      'response.function_call_arguments.done',
      'response.output_item.done',
      'response.completed',
    ])
    expect(numbers).toEqual(numbers.map((_, index) => index))
    const final = await stream.finalResponse()
    expect(final.output_text).toBe('Let me look.')
    expect(final.output[2]).toMatchObject({ type: 'function_call', name: 'weather', arguments: '{"city":"Bergen"}' })
    expect(final.usage?.total_tokens).toBeGreaterThan(0)
  })

  it('shows a summary of the reasoning where it is asked for', async () => {
    const stream = client().responses.stream({ model, input: 'Good morning', reasoning: { summary: 'auto' } })
    const types = new Set<string>()
    for await (const { type } of stream) types.add(type)
    expect(types).toContain('response.reasoning_summary_text.delta')
    const { output } = await stream.finalResponse()
    expect(output[0]).toMatchObject({ type: 'reasoning', summary: [{ type: 'summary_text', text: 'They greet me.' }] })
  })

  it('builds on an earlier response, and reads its prompt from the cache', async () => {
    const openai = client()
    const first = await openai.responses.create({ model, input: `${handbook} Good morning` })
    const second = await openai.responses.create({ model, previous_response_id: first.id, input: 'And now?' })
    const written = first.usage?.input_tokens_details.cache_write_tokens
    expect(written).toBeGreaterThan(1024)
    expect(second.previous_response_id).toBe(first.id)
    expect(second.usage?.input_tokens_details.cached_tokens).toBe(written)
    expect(second.usage?.input_tokens).toBeGreaterThan(first.usage?.input_tokens ?? 0)
  })

  it('refuses to build on what it does not have', async () => {
    const openai = client()
    const { id } = await openai.responses.create({ model, input: 'Hello', store: false })
    for (const previous of [id, 'resp_other']) {
      const refused = openai.responses.create({ model, previous_response_id: previous, input: 'And now?' })
      await expect(refused).rejects.toBeInstanceOf(OpenAI.BadRequestError)
      await expect(refused).rejects.toMatchObject({
        code: 'previous_response_not_found',
        param: 'previous_response_id',
      })
    }
  })

  it('counts what a request would be told', async () => {
    const openai = client()
    const ask = { model, instructions: handbook, input: 'Good morning' }
    const { input_tokens: counted } = await openai.responses.inputTokens.count(ask)
    const { usage } = await openai.responses.create(ask)
    expect(usage?.input_tokens).toBe(counted)
    expect(usage?.input_tokens_details.cached_tokens).toBe(0)
  })

  it('fills the cache without an answer', async () => {
    const openai = client()
    const ask = { model, instructions: handbook, input: 'Good morning' }
    const warm = await openai.responses.create({ ...ask, prompt_cache_options: { prewarm: true } })
    expect(warm).toMatchObject({ output: [], usage: { output_tokens: 0 } })
    const { usage } = await openai.responses.create(ask)
    expect(usage?.input_tokens_details.cached_tokens).toBeGreaterThan(1024)
  })

  it('says why a cache was not read', async () => {
    const openai = client()
    const ask = { model, instructions: handbook, input: 'Good morning' }
    const first = await openai.responses.create(ask)
    const prompt_cache_options = { comparison_response_id: first.id }
    const hit = await openai.responses.create({ ...ask, prompt_cache_options })
    expect(hit.prompt_cache_diagnostics).toEqual({ type: 'cache_hit' })
    const miss = await openai.responses.create({ ...ask, instructions: `Changed. ${handbook}`, prompt_cache_options })
    expect(miss.prompt_cache_diagnostics).toMatchObject({ type: 'cache_miss', reason: 'input_changed' })
    const effort = openai.responses.stream({ ...ask, reasoning: { effort: 'low' }, prompt_cache_options })
    expect((await effort.finalResponse()).prompt_cache_diagnostics).toMatchObject({
      type: 'cache_miss',
      reason: 'reasoning_effort_changed',
      comparison_reusable_tokens: first.usage?.input_tokens_details.cache_write_tokens,
    })
  })
})

describe('the AI SDK', () => {
  const tools = {
    weather: tool({
      description: 'Looks at the sky.',
      inputSchema: z.object({ city: z.string() }),
      execute: async ({ city }) => `rain in ${city}`,
    }),
  }

  it.each(['chat', 'responses'] as const)('generates text and loops over tools through %s', async (api) => {
    const openai = createOpenAI({ apiKey: `key-${++number}`, baseURL: `${emulator.url}/v1` })
    const language = api === 'chat' ? openai.chat(model) : openai.responses(model)
    const { text, steps } = await generateText({
      model: language,
      instructions: handbook,
      prompt: 'What is the weather?',
      tools,
      stopWhen: isStepCount(3),
    })
    expect(text).toBe('It rains in Bergen.')
    expect(steps.map(({ toolCalls }) => toolCalls.length)).toEqual([1, 0])
    const [first, second] = steps.map(({ usage }) => usage)
    expect(second?.inputTokenDetails.cacheReadTokens).toBeGreaterThan(1024)
    expect(second?.inputTokens).toBeGreaterThan(first?.inputTokens ?? 0)
    // The client does not send again what Responses keeps, and it is counted nonetheless.
    const sent = JSON.stringify(emulator.requests().at(-1)?.body)
    expect(sent.includes('item_reference')).toBe(api === 'responses')
  })

  it.each(['chat', 'responses'] as const)('streams text through %s', async (api) => {
    const openai = createOpenAI({ apiKey: `key-${++number}`, baseURL: `${emulator.url}/v1` })
    const result = streamText({
      model: api === 'chat' ? openai.chat(model) : openai.responses(model),
      instructions: handbook,
      prompt: 'Good morning',
    })
    let text = ''
    for await (const piece of result.textStream) text += piece
    expect(text).toBe('Good morning, harbour.')
    expect((await result.usage).inputTokens).toBeGreaterThan(1024)
    expect(await result.finishReason).toBe('stop')
  })
})
