import { beforeEach, describe, expect, it } from 'vitest'
import { guessTokens } from '../../cache/index.ts'
import { CommandError } from '../errors.ts'
import { bareAnthropicClient } from './providers/anthropic.ts'
import { startBedrock } from './providers/bedrock.ts'
import { startHttpService, type Service } from './service.ts'
import type { WayName } from './ways.ts'

const instructions = 'You review code, one file after the other, and write down what you found. '.repeat(60)
const parameters = { model: 'claude-opus-5', max_tokens: 100 }
const mark = { cache_control: { type: 'ephemeral' } }
const marked = { ...parameters, system: [{ type: 'text', text: instructions, ...mark }] }
const cachePoint = { cachePoint: { type: 'default' } }
const model = { modelId: 'global.anthropic.claude-opus-5' }

const services = [
  {
    name: 'over HTTP',
    start: (clock: () => Date) => startHttpService(bareAnthropicClient, clock, guessTokens),
    body: { ...marked, messages: [{ role: 'user', content: 'Hello.' }] },
    refused: { ...marked, messages: [{ role: 'system', content: 'Too early.' }] },
    refusal: /^A request of the way "split" was refused: 400 .*invalid_request_error/,
  },
  {
    name: 'in this process',
    start: (clock: () => Date) => startBedrock(clock, guessTokens),
    body: {
      ...model,
      system: [{ text: instructions }, cachePoint],
      messages: [{ role: 'user', content: [{ text: 'Hi' }] }],
    },
    refused: { ...model, messages: [{ role: 'assistant', content: [{ text: 'Too early.' }] }] },
    refusal: /^A request of the way "split" was refused: A conversation must start with a user message/,
  },
]

interface ReportedUsage {
  readonly [name: string]: number
}

describe.each(services)('a service $name', ({ start, body, refused, refusal }) => {
  let now: Date
  let service: Service
  beforeEach(async () => {
    now = new Date('2026-12-01T12:00:00Z')
    service = await start(() => now)
    return () => service.close()
  })

  async function exchange(way: WayName, text = 'Hi.') {
    const { response } = await service.exchange(way, { body, headers: {} }, { text })
    const { usage } = response as { usage: ReportedUsage }
    return {
      read: usage['cache_read_input_tokens'] ?? usage['cacheReadInputTokens'],
      written: usage['cache_creation_input_tokens'] ?? usage['cacheWriteInputTokens'],
      output: usage['output_tokens'] ?? usage['outputTokens'],
    }
  }

  it('reports what the cache of the way holds, and the answer of the script', async () => {
    const first = await exchange('anew')
    const second = await exchange('anew', 'Hi, once more, and at some length.')
    expect(first).toMatchObject({ read: 0, written: expect.any(Number) })
    expect(second).toMatchObject({ read: first.written, written: 0 })
    expect(second.output).toBeGreaterThan(first.output!)
  })

  it('has a cache for each way', async () => {
    await exchange('anew')
    expect((await exchange('split')).read).toBe(0)
  })

  it('follows the clock that it was given', async () => {
    await exchange('anew')
    now = new Date(now.getTime() + 6 * 60_000)
    expect((await exchange('anew')).read).toBe(0)
  })

  it('gives the body as it arrived', async () => {
    const arrived = await service.exchange('anew', { body, headers: {} }, { text: 'Hi.' })
    expect(arrived.body).toEqual(body)
    expect(arrived.body).not.toBe(body)
  })

  it('names the way whose request was refused, and why', async () => {
    const request = service.exchange('split', { body: refused, headers: {} }, { text: 'Hi.' })
    const error: unknown = await request.catch((cause: unknown) => cause)
    expect(error).toBeInstanceOf(CommandError)
    expect((error as Error).message).toMatch(refusal)
  })
})
