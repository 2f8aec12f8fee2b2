import { describe, expect, it } from 'vitest'
import { countWords, mark, words } from '../../../test/support/requests.ts'
import { IndelibleError } from '../../base/error.ts'
import { createSimulator } from '../simulator/create-simulator.ts'
import type { Simulator, SimulatorOptions } from '../simulator/types.ts'
import { providerNames } from './provider-rules.ts'

const simulate = (provider: string, options: Partial<SimulatorOptions> = {}): Simulator =>
  createSimulator({ provider, countTokens: countWords, ...options })
const chat = (...contents: readonly string[]): object => ({
  model: 'some-model',
  messages: contents.map((content, index) => ({ role: index % 2 === 0 ? 'user' : 'assistant', content })),
})
const hours = (count: number): { startedAt: number } => ({ startedAt: Date.UTC(2026, 10, 30) + count * 3_600_000 })

describe('every provider', () => {
  it.each([...providerNames])('%s reads no more than was sent before', (provider) => {
    const simulator = simulate(provider)
    const body = provider.includes('gemini')
      ? { model: 'gemini-2.5-flash', contents: [{ role: 'user', parts: [{ text: words('a', 5_000) }] }] }
      : {
          model: 'some-model',
          // What Bedrock asks for; without a sign the body could be another provider's, too.
          ...(provider === 'bedrock' ? { anthropic_version: 'bedrock-2023-05-31' } : {}),
          messages: [{ role: 'user', content: [{ type: 'text', text: words('a', 5_000), ...mark }] }],
        }
    const first = simulator.send(body)
    expect(first.usage.read).toBe(0)
    const { usage, range } = simulator.send(body)
    expect(usage.read).toBeGreaterThan(4_500)
    expect(usage.read).toBeLessThanOrEqual(first.usage.total)
    expect(range.most).toBeGreaterThanOrEqual(usage.read)
  })

  it('is known by name, and another name is refused with the names there are', () => {
    expect(() => simulate('acme')).toThrow(/no cache rules for the provider "acme".*anthropic.*generic/)
    expect(() => simulate('acme')).toThrow(expect.objectContaining({ code: 'not_supported' }))
    expect(() => simulate('acme')).toThrow(IndelibleError)
  })
})

describe('a body of another provider', () => {
  it.each([
    [
      'openai',
      { model: 'claude-opus-5', max_tokens: 1, system: 'x', messages: [] },
      /expected one of openai-chat, openai-responses .*, and this looks like anthropic/,
    ],
    ['anthropic', { model: 'gpt-5.6-sol', input: 'x' }, /^messages is missing/],
    ['gemini', { model: 'gpt-5.6-sol', messages: [] }, /^contents is missing/],
  ])('is refused by %s', (provider, body, message) => {
    const simulator = simulate(provider)
    expect(() => simulator.send(body)).toThrow(message)
    expect(() => simulator.send(body)).toThrow(expect.objectContaining({ code: 'request_unreadable' }))
  })
})

describe('block caches', () => {
  it.each([
    ['xai', 960],
    ['mistral', 960],
    ['vllm', 992],
    ['sglang', 1_000],
    ['llama.cpp', 1_000],
  ])('of %s read %i of 1,000 common tokens', (provider, read) => {
    const simulator = simulate(provider)
    simulator.send(chat(words('a', 1_000)))
    expect(simulator.send(chat(words('a', 1_000), words('b', 100), words('c', 100))).usage.read).toBe(read)
  })

  it('take the block size that the server was set up with', () => {
    const simulator = simulate('vllm', { blockSize: 528 })
    simulator.send(chat(words('a', 1_000)))
    expect(simulator.send(chat(words('a', 1_000), 'b', 'c')).usage.read).toBe(528)
    expect(simulate('vllm', { blockSize: 528 }).send(chat('short')).minimum).toBe(528)
  })

  it('forget what was used longest ago once their room is full', () => {
    const simulator = simulate('vllm', { capacity: 2_500 })
    for (const name of ['a', 'b', 'a', 'c']) simulator.send(chat(words(name, 1_000)))
    expect(simulator.send(chat(words('b', 1_000))).usage.read).toBe(0)
    expect(simulator.send(chat(words('c', 1_000))).usage.read).toBe(992)
  })

  it('show the requests that they hold', () => {
    const simulator = simulate('vllm')
    for (const name of ['a', 'b', 'a']) simulator.send(chat(words(name, 100)))
    expect(simulator.entries()).toMatchObject([
      { model: 'some-model', tokens: 100, path: 'messages[0].content[0]', writtenBy: 2, usedBy: 2, readable: true },
      { model: 'some-model', tokens: 100, path: 'messages[0].content[0]', writtenBy: 1, usedBy: 3, readable: true },
    ])
  })

  it('expire on Groq after two hours without use', () => {
    const simulator = simulate('groq')
    simulator.send(chat(words('a', 2_000)), hours(0))
    expect(simulator.send(chat(words('a', 2_000)), hours(1.9)).usage.read).toBe(1_920)
    expect(simulator.send(chat(words('a', 2_000)), hours(3.8)).usage.read).toBe(1_920)
    expect(simulator.send(chat(words('a', 2_000)), hours(5.9)).misses[0]).toMatchObject({
      reason: 'expired',
      seconds: 360,
    })
  })
})

describe('DeepSeek', () => {
  const answered = (tokens: number): object => ({
    usage: {
      prompt_tokens: 1_000,
      completion_tokens: tokens,
      prompt_cache_hit_tokens: 0,
      prompt_cache_miss_tokens: 1_000,
    },
  })

  it('reads the answer that is sent back, since it was stored with its prompt', () => {
    const simulator = simulate('deepseek')
    simulator.send(chat(words('a', 1_000)))
    simulator.observe(answered(100))
    expect(simulator.send(chat(words('a', 1_000), words('b', 90), 'c')).usage.read).toBe(1_088)
  })

  it('does not when what was thought before it is left out', () => {
    const simulator = simulate('deepseek')
    simulator.send(chat(words('a', 1_000)))
    simulator.observe(answered(500))
    expect(simulator.send(chat(words('a', 1_000), words('b', 90), 'c')).usage.read).toBe(960)
  })

  it('stores a common start once two requests have parted there', () => {
    const simulator = simulate('deepseek')
    const body = (end: string): object => ({
      model: 'deepseek-v4-flash',
      messages: [
        { role: 'system', content: words('a', 1_000) },
        { role: 'user', content: end },
      ],
    })
    simulator.send(body('b'))
    const parted = simulator.send(body('c'))
    expect(parted.usage.read).toBe(0)
    expect(parted.range.most).toBe(960)
    expect(simulator.send(body('d')).usage.read).toBe(960)
  })
})

describe('Gemini', () => {
  const contents = (...texts: readonly string[]): object[] =>
    texts.map((text, index) => ({ role: index % 2 === 0 ? 'user' : 'model', parts: [{ text }] }))
  const model = 'gemini-2.5-flash'

  it('may read any common start above the minimum, or none', () => {
    const simulator = simulate('gemini')
    simulator.send({ contents: contents(words('a', 3_000)) }, { model })
    const { usage, range } = simulator.send({ contents: contents(words('a', 3_000), 'b', 'c') }, { model })
    expect(usage.read).toBe(3_000)
    expect(range).toEqual({ least: 0, most: 3_000 })
  })

  it('caches nothing below the minimum', () => {
    const simulator = simulate('gemini')
    simulator.send({ contents: contents(words('a', 2_000)) }, { model })
    expect(simulator.send({ contents: contents(words('a', 2_000)) }, { model }).misses).toEqual([
      expect.objectContaining({ reason: 'below-minimum', minimum: 2_048 }),
    ])
  })

  it('reads an explicit cache whole, by its body or as first reported', () => {
    const body = { cachedContent: 'cachedContents/x', contents: contents('question') }
    const known = simulate('gemini', { cachedContent: () => ({ model, contents: contents(words('a', 3_000)) }) })
    expect(known.send(body, { model }).usage).toMatchObject({ read: 3_000, uncached: 1 })
    const unknown = simulate('gemini')
    expect(unknown.send(body, { model }).usage.read).toBe(0)
    unknown.observe({ usageMetadata: { promptTokenCount: 3_008, cachedContentTokenCount: 3_000 } })
    const other = { ...body, contents: contents('another question') }
    expect(unknown.send(other, { model }).usage.read).toBe(3_000)
  })
})

describe('Bedrock', () => {
  const marked = (ttl?: string): object => ({
    system: [{ text: words('a', 2_000) }, { cachePoint: { type: 'default', ...(ttl === undefined ? {} : { ttl }) } }],
    messages: [{ role: 'user', content: [{ text: 'b' }] }],
  })

  it.each([
    ['amazon.nova-pro-v1:0', '5m', 1_024, 'write5m'],
    ['us.amazon.nova-lite-v1:0', '1h', 1_024, 'write5m'],
    ['anthropic.claude-3-5-sonnet-20241022-v2:0', '1h', 1_024, 'write5m'],
    ['anthropic.claude-sonnet-4-5-20250929-v1:0', '1h', 1_024, 'write1h'],
  ] as const)('caches %s, marked for %s, from %i tokens on as %s', (model, ttl, minimum, bucket) => {
    const prediction = simulate('bedrock').send(marked(ttl), { model })
    expect(prediction.minimum).toBe(minimum)
    expect(prediction.usage[bucket]).toBeGreaterThan(1_900)
  })

  it("caches OpenAI's models by OpenAI's rules", () => {
    const simulator = simulate('bedrock')
    const body = { model: 'openai.gpt-5.6-sol-v1:0', input: words('a', 2_000) }
    simulator.send(body)
    expect(simulator.send(body).usage).toMatchObject({ read: 2_000, write30m: 0 })
  })
})

describe('OpenRouter', () => {
  it('caches as the vendor of the model does, without a guarantee', () => {
    const simulator = simulate('openrouter')
    const body = (model: string): object => ({
      model,
      messages: [{ role: 'user', content: [{ type: 'text', text: words('a', 2_000), ...mark }] }],
    })
    simulator.send(body('anthropic/claude-sonnet-4.6'))
    expect(simulator.send(body('anthropic/claude-sonnet-4.6'))).toMatchObject({
      usage: { read: 2_140 },
      range: { least: 0, most: 2_140 },
    })
    simulator.send(body('openai/gpt-4o-mini'))
    expect(simulator.send(body('openai/gpt-4o-mini')).usage.read).toBe(1_920)
  })
})
