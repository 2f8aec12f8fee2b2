import { describe, expect, it } from 'vitest'
import { chatBody, countWords, words } from '../../../test/support/requests.ts'
import { createSimulator } from '../simulator/create-simulator.ts'
import type { Simulator } from '../simulator/types.ts'

const simulate = (): Simulator => createSimulator({ provider: 'openai', countTokens: countWords })
const user = (content: unknown): object => ({ role: 'user', content })
const assistant = (content: string): object => ({ role: 'assistant', content })
const marked = (text: string): object[] => [{ type: 'text', text, prompt_cache_breakpoint: { mode: 'explicit' } }]
const explicit = { prompt_cache_options: { mode: 'explicit' } }
const minutes = (count: number): { startedAt: number } => ({ startedAt: Date.UTC(2026, 10, 30) + count * 60_000 })

describe('GPT-5.6 and later', () => {
  it('reads all that an appended request has in common, and pays to write what is new', () => {
    const simulator = simulate()
    simulator.send(chatBody([user(words('a', 100))]))
    const { usage, hit } = simulator.send(chatBody([user(words('a', 100)), assistant('b'), user(words('c', 50))]))
    expect(usage).toEqual({ total: 2_159, read: 2_100, write5m: 0, write30m: 51, write1h: 0, uncached: 8 })
    expect(hit?.path).toBe('messages[1].content[0]')
  })

  it('reads the opening developer messages alone when all behind them is other', () => {
    const simulator = simulate()
    simulator.send(chatBody([]))
    const { hit, misses } = simulator.send(chatBody([user('other')]))
    expect(hit?.path).toBe('messages[0].content[0]')
    expect(misses.map(({ reason }) => reason)).toEqual(['appended'])
  })

  it('finds nothing where an entry ends and no boundary of the new request stands', () => {
    const simulator = simulate()
    simulator.send(chatBody([user('a')]))
    const { usage, misses } = simulator.send(chatBody([user('a and more')]))
    expect(usage.read).toBe(0)
    expect(misses.map(({ reason }) => reason)).toEqual(['not-marked', 'rewritten'])
  })

  it('caches nothing in explicit mode without a breakpoint', () => {
    const simulator = simulate()
    const body = chatBody([user('a')], explicit)
    simulator.send(body)
    expect(simulator.send(body)).toMatchObject({ usage: { read: 0, write30m: 0 }, misses: [{ reason: 'not-marked' }] })
  })

  it('looks in explicit mode for the first 2 and the latest 50 breakpoints, and writes the latest 4', () => {
    const simulator = simulate()
    const turns = (count: number): object[] =>
      Array.from({ length: count }, (_, index) => user(marked(`question ${index}`)))
    const first = simulator.send(chatBody(turns(3), explicit))
    expect(first.written.map(({ path }) => path)).toEqual([1, 2, 3].map((index) => `messages[${index}].content[0]`))
    // Of 54 breakpoints the third and fourth are not looked for; the second is.
    expect(simulator.send(chatBody(turns(54), explicit)).hit?.path).toBe('messages[2].content[0]')
    expect(simulator.send(chatBody(turns(103), explicit)).hit?.path).toBe('messages[54].content[0]')
  })

  it('writes the latest 3 explicit breakpoints beside the implicit one', () => {
    const messages = [1, 2, 3, 4].map((index) => user(marked(`question ${index}`)))
    const { written } = simulate().send(chatBody([...messages, user('last')]))
    expect(written.map(({ path, breakpoint }) => [path, breakpoint?.kind])).toEqual([
      ['messages[2].content[0]', 'explicit'],
      ['messages[3].content[0]', 'explicit'],
      ['messages[4].content[0]', 'explicit'],
      ['messages[5].content[0]', undefined],
    ])
  })

  it('looks in implicit mode for 20 message endings before the last', () => {
    const simulator = simulate()
    const turns = (count: number): object[] =>
      Array.from({ length: count }, (_, index) => [user(`question ${index}`), assistant('answer')]).flat()
    simulator.send(chatBody([user('question 0')]))
    expect(simulator.send(chatBody([...turns(20), user('last')])).hit?.path).toBe('messages[1].content[0]')
    const other = simulate()
    other.send(chatBody([user('question 0')]))
    expect(other.send(chatBody([...turns(21), user('last')])).hit?.path).toBe(undefined)
  })

  it('keeps an entry for 30 minutes after its last use, and promises nothing beyond', () => {
    const simulator = simulate()
    const body = chatBody([user('a')])
    simulator.send(body, minutes(0))
    expect(simulator.send(body, minutes(29)).usage.read).toBe(2_001)
    expect(simulator.send(body, minutes(58)).usage.read).toBe(2_001)
    expect(simulator.send(body, minutes(90))).toMatchObject({
      usage: { read: 0 },
      range: { least: 0, most: 2_001 },
      misses: [{ reason: 'maybe-expired', seconds: 120 }],
    })
  })

  it.each([
    ['another effort', { reasoning_effort: 'low' }, ['reasoning_effort']],
    ['another key', { prompt_cache_key: 'b' }, ['prompt_cache_key']],
  ])('shares nothing with %s', (_, rest, parameters) => {
    const simulator = simulate()
    simulator.send(chatBody([user('a')]))
    expect(simulator.send(chatBody([user('a')], rest)).misses).toEqual([
      expect.objectContaining({ reason: 'scope-changed', parameters, tokens: 2_001 }),
    ])
  })

  it.each([
    ['the tool choice', { tool_choice: 'none' }],
    ['the temperature', { temperature: 0.5, user: 'u' }],
  ])('does not mind %s', (_, rest) => {
    const simulator = simulate()
    simulator.send(chatBody([user('a')]))
    expect(simulator.send(chatBody([user('a')], rest)).usage.read).toBe(2_001)
  })
})

describe('earlier models', () => {
  it.each([
    ['gpt-4o-mini', 2_560],
    ['gpt-5.5', 2_048],
    ['gpt-5.4', 2_560],
    ['o3', 2_560],
  ])('%s reads whole intervals of any common start, at no charge for writing', (model, read) => {
    const simulator = simulate()
    simulator.send(chatBody([user(words('a', 600))], { model }))
    const { usage, misses } = simulator.send(chatBody([user(words('a', 600)), user('b')], { model }))
    expect(usage).toEqual({ total: 2_601, read, write5m: 0, write30m: 0, write1h: 0, uncached: 2_601 - read })
    expect(misses.map(({ reason }) => reason)).toEqual(['partial-block', 'appended'])
  })

  it('may read a message in part', () => {
    const simulator = simulate()
    simulator.send({ model: 'gpt-4o', messages: [user(`${words('same', 1_500)} then ${words('x', 500)}`)] })
    const { usage } = simulator.send({
      model: 'gpt-4o',
      messages: [user(`${words('same', 1_500)} else ${words('y', 500)}`)],
    })
    expect(usage.read).toBeGreaterThan(1_300)
    expect(usage.read % 128).toBe(0)
    expect(usage.read).toBeLessThanOrEqual(1_536)
  })

  it.each([
    ['gpt-4o', {}, 6, 'maybe-expired'],
    ['gpt-4o', {}, 61, 'expired'],
    ['gpt-5.4', {}, 25, 'partial-block'],
    ['gpt-5.4', { prompt_cache_retention: 'in_memory' }, 25, 'maybe-expired'],
    ['gpt-5.4', {}, 25 * 60, 'expired'],
  ])('%s with %o after %i idle minutes: %s', (model, rest, idle, reason) => {
    const simulator = simulate()
    const body = chatBody([user('a')], { model, ...rest })
    simulator.send(body, minutes(0))
    expect(simulator.send(body, minutes(idle)).misses[0]?.reason).toBe(reason)
  })

  it('of an account without data retention keep entries in memory only', () => {
    const simulator = createSimulator({ provider: 'openai', countTokens: countWords, zeroDataRetention: true })
    const body = chatBody([user('a')], { model: 'gpt-5.4' })
    simulator.send(body, minutes(0))
    expect(simulator.send(body, minutes(25)).misses[0]?.reason).toBe('maybe-expired')
  })

  it('may find nothing at all, since a request may land elsewhere', () => {
    const simulator = simulate()
    const body = chatBody([user('a')], { model: 'gpt-4o' })
    simulator.send(body)
    expect(simulator.send(body).range).toEqual({ least: 0, most: 1_920 })
  })
})

describe('Azure', () => {
  const azure = (): Simulator => createSimulator({ provider: 'azure', countTokens: countWords })

  it.each([
    ['gpt-5.4', 61, 'expired'],
    ['gpt-5.5', 61, 'maybe-expired'],
  ])('keeps %s by a default of its own: %i idle minutes are %s', (model, idle, reason) => {
    const simulator = azure()
    const body = chatBody([user('a')], { model })
    simulator.send(body, minutes(0))
    expect(simulator.send(body, minutes(idle)).misses[0]?.reason).toBe(reason)
  })

  it('keeps an entry for 12 hours where that is asked for', () => {
    const body = chatBody([user('a')], { prompt_cache_options: { ttl: '12h' } })
    for (const [simulator, read] of [[azure(), 2_001] as const, [simulate(), 0] as const]) {
      simulator.send(body, minutes(0))
      expect(simulator.send(body, minutes(11 * 60)).usage.read).toBe(read)
    }
  })
})
