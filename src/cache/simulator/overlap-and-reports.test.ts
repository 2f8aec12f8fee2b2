/** Requests that overlap, reports that leave fields out, and what is forgotten: cases that once went wrong. */
import { describe, expect, it } from 'vitest'
import { anthropicBody, chatBody, countWords, hourMark, mark, user, words } from '../../../test/support/requests.ts'
import { createSimulator } from './create-simulator.ts'
import type { Simulator } from './types.ts'

const simulate = (provider: string, capacity = Infinity): Simulator =>
  createSimulator({ provider, countTokens: countWords, capacity })
const start = Date.UTC(2026, 10, 30)
const asked = (...texts: readonly string[]): object => ({
  model: 'm',
  messages: [{ role: 'user', content: texts.map((text) => ({ type: 'text', text })) }],
})

describe('requests that overlap', () => {
  it.each([
    ['openai', (turn: number) => chatBody([{ role: 'user', content: `q${turn}` }], { model: 'gpt-5.2' })],
    ['anthropic', () => anthropicBody([user('q', mark)])],
  ])('on %s read from the first of them whose response has begun', (provider, body) => {
    const simulator = simulate(provider)
    const reads = Array.from({ length: 8 }, (_, turn) => {
      const startedAt = start + turn * 1_000
      return simulator.send(body(turn), { startedAt, endedAt: startedAt + 3_000 }).usage.read > 0
    })
    expect(reads).toEqual([false, false, false, true, true, true, true, true])
  })

  it.each([
    ['vllm', asked(words('a', 1_000))],
    ['anthropic', anthropicBody([user('q', mark)])],
  ])('on %s can be read as soon as either has begun, and when one is given up', (provider, body) => {
    for (const first of [true, false]) {
      const simulator = simulate(provider)
      const one = simulator.send(body, { pending: true })
      const other = simulator.send(body, { pending: true })
      if (first) simulator.begin(one)
      else {
        simulator.abandon(one)
        expect(simulator.send(body, { pending: true }).usage.read).toBe(0)
        simulator.begin(other)
      }
      expect(simulator.send(body).usage.read).toBeGreaterThan(900)
    }
  })

  it('live as long as the longest that one of them asked for', () => {
    const simulator = simulate('anthropic')
    const short = anthropicBody([user('q')])
    const long = { ...short, system: [{ type: 'text', text: words('system', 2_000), ...hourMark }] }
    const first = simulator.send(short, { startedAt: start, pending: true })
    simulator.begin(simulator.send(long, { startedAt: start + 1_000, pending: true }))
    simulator.abandon(first)
    expect(simulator.send(long, { startedAt: start + 1_800_000 }).usage.read).toBe(2_700)
  })

  it.each([
    ['vllm', asked(words('a', 1_000))],
    ['anthropic', anthropicBody([user('q', mark)])],
  ])('on %s leave nothing when all are given up', (provider, body) => {
    const simulator = simulate(provider)
    const predictions = [0, 1].map(() => simulator.send(body, { pending: true }))
    for (const prediction of predictions) simulator.abandon(prediction)
    if (provider === 'anthropic') expect(simulator.entries()).toEqual([])
    expect(simulator.send(body).misses.map(({ reason }) => reason)).not.toContain('not-readable')
    expect(simulator.send(body).usage.read).toBeGreaterThan(900)
  })

  it.each(['vllm', 'anthropic'])('on %s may be thousands', (provider) => {
    const simulator = simulate(provider)
    const body = provider === 'vllm' ? asked(words('a', 1_000)) : anthropicBody([user('q', mark)])
    const predictions = Array.from({ length: 5_000 }, () => simulator.send(body, { pending: true }))
    for (const prediction of predictions.slice(0, -1)) simulator.abandon(prediction)
    simulator.begin(simulator.send(body, { pending: true }))
    expect(simulator.send(body).usage.read).toBeGreaterThan(900)
  })

  it('keep what one wrote when the report of another says that it wrote nothing', () => {
    const simulator = simulate('anthropic')
    const body = anthropicBody([user('q', mark)])
    const one = simulator.send(body, { pending: true })
    const other = simulator.send(body)
    const report = (cache_creation_input_tokens: number): object => ({
      usage: { input_tokens: 3, cache_read_input_tokens: 0, cache_creation_input_tokens },
    })
    simulator.observe(report(2_701), other)
    simulator.observe(report(0), one)
    expect(simulator.send(body).usage.read).toBe(2_701)
  })

  it('without a time leave it open when an entry was last used', () => {
    const simulator = simulate('anthropic')
    const body = anthropicBody([user('q', mark)])
    simulator.send(body, { startedAt: start })
    simulator.send(body)
    expect(simulator.send(body, { startedAt: start + 6_000_000 }).misses).toEqual([])
  })

  it('do not take from an entry the life that a later request gave it', () => {
    const simulator = simulate('anthropic')
    const read = (minute: number): number =>
      simulator.send(anthropicBody([user('q', mark)]), { startedAt: start + minute * 60_000 }).usage.read
    expect([0, 4, 1, 7].map(read).map((tokens) => tokens > 0)).toEqual([false, true, true, true])
  })
})

describe('a report', () => {
  it('without writes takes nothing out of the cache, and moves no place', () => {
    const simulator = simulate('openai')
    const body = chatBody([{ role: 'user', content: 'q' }])
    simulator.send(body)
    simulator.observe({
      usage: { prompt_tokens: 2_009, completion_tokens: 1, prompt_tokens_details: { cached_tokens: 0 } },
    })
    expect(simulator.send(body).usage).toMatchObject({ total: 2_009, read: 2_001 })
  })

  it('of a provider that charges no writes teaches no tail', () => {
    const simulator = simulate('deepseek')
    const turns = ['a', 'b', 'c'].map((name) => ({ role: 'user', content: words(name, 1_000) }))
    const totals = turns.map((_, index) => {
      const total = (index + 1) * 1_000
      const predicted = simulator.send({ model: 'deepseek-v4-flash', messages: turns.slice(0, index + 1) }).usage.total
      simulator.observe({
        usage: {
          prompt_tokens: total,
          prompt_cache_hit_tokens: index * 960,
          prompt_cache_miss_tokens: total - index * 960,
        },
      })
      return predicted
    })
    expect(totals).toEqual([1_000, 2_000, 3_000])
  })

  it('of a stream that the server edited teaches nothing, as that of a whole response', () => {
    const usage = { input_tokens: 3, cache_read_input_tokens: 0, cache_creation_input_tokens: 9_000, output_tokens: 1 }
    const events = [
      { type: 'message_start', message: { usage } },
      { type: 'message_delta', usage, context_management: { applied_edits: [{ type: 'clear_tool_uses_20250919' }] } },
    ]
    const text = events.map((event) => `event: ${event.type}\ndata: ${JSON.stringify(event)}\n\n`).join('')
    for (const response of [events, text]) {
      const simulator = simulate('anthropic')
      const body = anthropicBody([user('q', mark)])
      const { usage: first } = simulator.send(body)
      simulator.observe(response)
      expect(simulator.send(body).usage.read).toBe(first.write5m)
    }
  })

  it('beyond any prompt teaches nothing', () => {
    const simulator = simulate('anthropic')
    const body = anthropicBody([user('q', mark)])
    const { usage: first } = simulator.send(body)
    simulator.observe({
      usage: { input_tokens: 1, cache_creation_input_tokens: 1.7e308, cache_read_input_tokens: 1.7e308 },
    })
    simulator.observe({ usage: { input_tokens: 1e6, cache_creation_input_tokens: 5, cache_read_input_tokens: 0 } })
    expect(simulator.send(body).usage.total).toBeLessThan(2 * first.total + 1e6)
  })
})

describe('what was forgotten', () => {
  const [one, two, a, b] = ['one', 'two', 'a', 'b'].map((name) => words(name, 1_500)) as [
    string,
    string,
    string,
    string,
  ]

  it('is not found again through an item that led there', () => {
    const simulator = simulate('vllm', 5_000)
    simulator.send(asked(one, two))
    simulator.send(asked(one))
    simulator.send(asked(a, b))
    expect(simulator.send(asked(one, two)).usage.read).toBeLessThanOrEqual(1_500)
    expect(simulator.segments).toBeGreaterThan(0)
  })

  it('leaves no trace of a body that could not be read', () => {
    const simulator = simulate('anthropic')
    const body = (...texts: readonly string[]): Record<string, unknown> =>
      anthropicBody([{ role: 'user', content: texts.map((text) => ({ type: 'text', text })) }])
    simulator.send(body('t1'))
    const broken = body('t1', 't2')
    expect(() =>
      simulator.send({ ...broken, messages: [...(broken['messages'] as object[]), { role: 'assistant', content: 5 }] }),
    ).toThrow('messages[1].content')
    simulator.send(body('t1', 't2'))
    expect(simulator.send(body('t1', 't2', 't3')).common.segments).toBe(3)
    expect(simulator.segments).toBe(4)
  })
})

describe('what is predicted', () => {
  it('does not depend on the time zone of a time that names none', () => {
    const simulator = simulate('anthropic')
    const body = anthropicBody([user('q', mark)])
    simulator.send(body, { startedAt: '2026-03-08T01:58:00' })
    expect(simulator.send(body, { startedAt: '2026-03-08T02:02:59Z' }).usage.read).toBeGreaterThan(0)
    expect(simulator.send(body, { startedAt: '2026-03-08T02:08:00' }).misses[0]).toMatchObject({
      reason: 'expired',
      seconds: 1,
    })
  })

  it.each(['vllm', 'deepseek', 'generic'])('accounts on %s for all of an equal request', (provider) => {
    const simulator = simulate(provider)
    for (const length of [16, 1_505]) {
      const body = asked(words(`w${length}-`, length))
      simulator.send(body)
      const { usage, misses } = simulator.send(body)
      expect(misses.reduce((sum, { tokens }) => sum + tokens, usage.read)).toBe(usage.total)
    }
  })
})
