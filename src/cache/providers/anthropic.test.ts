import { describe, expect, it } from 'vitest'
import { anthropicBody, assistant, countWords, hourMark, mark, user, words } from '../../../test/support/requests.ts'
import { createSimulator } from '../simulator/create-simulator.ts'
import type { Prediction, SendOptions, Simulator } from '../simulator/types.ts'

const start = Date.UTC(2026, 10, 30)
const seconds = (count: number): SendOptions => ({ startedAt: start + count * 1000 })

function simulate(provider = 'anthropic'): Simulator {
  return createSimulator({ provider, countTokens: countWords })
}

/** Buckets and reasons, as one line each. */
function tell({ usage, hit, misses }: Prediction): { usage: number[]; hit: string | undefined; misses: string[] } {
  const { read, write5m, write1h, uncached } = usage
  return {
    usage: [read, write5m, write1h, uncached],
    hit: hit?.path,
    misses: misses.map(({ reason, from, to }) => (from === to ? `${reason} ${from}` : `${reason} ${from} .. ${to}`)),
  }
}

describe('an appended conversation', () => {
  it('reads what the request before wrote, and writes what is new', () => {
    const simulator = simulate()
    simulator.send(anthropicBody([user(words('a', 100), mark)]), seconds(0))
    const next = anthropicBody([user(words('a', 100)), assistant(words('b', 10)), user(words('c', 20), mark)])
    const prediction = simulator.send(next, seconds(10))
    expect(tell(prediction)).toEqual({
      usage: [2_835, 41, 0, 3],
      hit: 'messages[0].content[0]',
      misses: ['appended messages[1].content[0] .. messages[2].content[0]'],
    })
    expect(prediction.hit).toMatchObject({ breakpoint: 'messages[2].content[0]', writtenBy: 1 })
    expect(prediction.range).toEqual({ least: 2_835, most: 2_835 })
  })

  it('is the same with a string for a single text block, and with neighbours of one role in one message or in two', () => {
    const simulator = simulate()
    simulator.send(anthropicBody([user('one'), user(words('two', 9), mark)]), seconds(0))
    const joined = {
      role: 'user',
      content: [
        { type: 'text', text: 'one' },
        { type: 'text', text: words('two', 9), ...mark },
      ],
    }
    expect(simulator.send(anthropicBody([joined]), seconds(1)).misses).toEqual([])
    const strings = [{ role: 'user', content: 'one' }, user(words('two', 9), mark)]
    expect(simulator.send(anthropicBody(strings), seconds(2)).misses).toEqual([])
  })

  it('reads all of an equal request but the tokens that belong to no block', () => {
    const simulator = simulate()
    const body = anthropicBody([user(words('a', 100), mark)])
    simulator.send(body, seconds(0))
    expect(tell(simulator.send(structuredClone(body), seconds(1)))).toEqual({
      usage: [2_835, 0, 0, 3],
      hit: 'messages[0].content[0]',
      misses: [],
    })
  })
})

describe('what was changed', () => {
  it('is named by where it first differs, and what stands before it is read', () => {
    const simulator = simulate()
    const history = [user('a'), assistant('b'), user('c', mark)]
    simulator.send(anthropicBody(history), seconds(0))
    const edited = [user('a'), assistant('b2'), user('c', mark)]
    expect(tell(simulator.send(anthropicBody(edited), seconds(1)))).toMatchObject({
      hit: 'system[0]',
      misses: ['not-marked messages[0].content[0]', 'rewritten messages[1].content[0] .. messages[2].content[0]'],
    })
  })

  it('is the very first segment where the system prompt was rendered anew', () => {
    const simulator = simulate()
    simulator.send(anthropicBody([user('a', mark)]), seconds(0))
    const system = [{ type: 'text', text: words('other', 2_000), ...mark }]
    expect(tell(simulator.send(anthropicBody([user('a', mark)], { system }), seconds(1)))).toMatchObject({
      hit: undefined,
      misses: ['rewritten system[0] .. messages[0].content[0]'],
    })
  })

  it.each([
    ['the model', { model: 'claude-opus-4-8' }, 'scope-changed', ['model'], undefined],
    ['the tool choice', { tool_choice: { type: 'any' } }, 'scope-changed', ['tool_choice'], 'system[0]'],
    ['the speed', { speed: 'fast' }, 'scope-changed', ['speed'], undefined],
  ])('is, for %s, the parameter', (_, rest, reason, parameters, hit) => {
    const simulator = simulate()
    const messages = [user(words('a', 50), mark)]
    simulator.send(anthropicBody(messages), seconds(0))
    const prediction = simulator.send(anthropicBody(messages, rest), seconds(1))
    expect(prediction.hit?.path).toBe(hit)
    expect(prediction.misses).toEqual([expect.objectContaining({ reason, parameters })])
  })

  it('does not hide that the rest was appended', () => {
    const simulator = simulate()
    simulator.send(anthropicBody([user('a', mark)]), seconds(0))
    const next = [user('a'), assistant('b'), user('c', mark)]
    const reasons = (rest: object): string[] =>
      simulator.send(anthropicBody(next, rest), seconds(1)).misses.map(({ reason }) => reason)
    expect(reasons({ thinking: { type: 'adaptive' } })).toEqual(['scope-changed', 'appended'])
    expect(reasons({ model: 'claude-opus-4-8' })).toEqual(['scope-changed'])
  })

  it('does not matter where it is the default that is sent', () => {
    const simulator = simulate()
    const messages = [user(words('a', 50), mark)]
    simulator.send(anthropicBody(messages), seconds(0))
    const spelled = {
      output_config: { effort: 'high' },
      tool_choice: { type: 'auto' },
      speed: 'standard',
      temperature: 1,
    }
    expect(simulator.send(anthropicBody(messages, spelled), seconds(1)).misses).toEqual([])
  })

  it('can be read again when it is changed back within the lifetime', () => {
    const simulator = simulate()
    const messages = [user(words('a', 50), mark)]
    for (const effort of ['high', 'low', 'high']) {
      simulator.send(anthropicBody(messages, { output_config: { effort } }), seconds(1))
    }
    expect(simulator.send(anthropicBody(messages), seconds(2)).misses).toEqual([])
  })
})

describe('lifetimes', () => {
  const body = anthropicBody([user(words('a', 100), mark)])
  const hourly = { system: [{ type: 'text', text: words('system', 2_000), ...hourMark }] }

  it('are counted from the start of the request that wrote or last read the entry', () => {
    const simulator = simulate()
    for (const at of [0, 299, 598]) simulator.send(body, { ...seconds(at), endedAt: start + (at + 60) * 1000 })
    const late = simulator.send(body, seconds(598 + 312))
    expect(late.usage.read).toBe(0)
    expect(late.misses).toEqual([expect.objectContaining({ reason: 'expired', seconds: 12, from: 'system[0]' })])
  })

  it('end what is shown as cached', () => {
    const simulator = simulate()
    simulator.send(body, seconds(0))
    expect(simulator.entries().map(({ path }) => path)).toEqual(['system[0]', 'messages[0].content[0]'])
    expect(simulator.entries(start + 299_000)).toHaveLength(2)
    expect(simulator.entries(start + 300_000)).toEqual([])
  })

  it('are an hour where that was asked for, and each stretch is billed at its own', () => {
    const simulator = simulate()
    const mixed = anthropicBody([user(words('a', 100), mark)], hourly)
    expect(tell(simulator.send(mixed, seconds(0))).usage).toEqual([0, 135, 2_700, 3])
    expect(tell(simulator.send(mixed, seconds(1_000))).usage).toEqual([2_700, 135, 0, 3])
  })

  it('say "maybe" where the start of a request is not known well enough', () => {
    const simulator = simulate()
    simulator.send(body, seconds(0))
    const unsure = simulator.send(body, { ...seconds(310), uncertainty: 20_000 })
    expect(unsure.misses[0]).toMatchObject({ reason: 'maybe-expired' })
    expect(unsure.range).toEqual({ least: 0, most: 2_835 })
  })

  it.each([
    ['missing', undefined],
    ['zero', 0],
    ['constant', start],
    ['unreadable', 'yesterday'],
  ])('are not applied when the time is %s', (_, startedAt) => {
    const simulator = simulate()
    for (let turn = 0; turn < 3; turn++)
      simulator.send(body, { startedAt, ...(startedAt === start ? { endedAt: start + 9e6 } : {}) })
    expect(simulator.send(body, { startedAt }).misses).toEqual([])
  })
})

describe('the look-back', () => {
  const tail = (count: number): object[] =>
    Array.from({ length: count }, (_, index) => ({ type: 'text', text: `block${index}` }))
  const withTail = (count: number): object[] => [
    user('first', mark),
    assistant('answer'),
    { role: 'user', content: [...tail(count - 1), { type: 'text', text: 'last', ...mark }] },
  ]

  it.each([
    // The breakpoint is the first position, so 18 blocks behind the answer bring the first message to the twentieth.
    [18, 'messages[0].content[0]', []],
    [19, 'system[0]', ['outside-window']],
  ])('sees the entry behind %i new blocks: %s', (count, hit, reasons) => {
    const simulator = simulate()
    simulator.send(anthropicBody([user('first', mark)]), seconds(0))
    const [first, ...rest] = withTail(count)
    const prediction = simulator.send(anthropicBody([user('first'), ...rest]), seconds(1))
    expect(first).toBeDefined()
    expect(prediction.hit?.path).toBe(hit)
    expect(prediction.misses.map(({ reason }) => reason).filter((reason) => reason !== 'appended')).toEqual(reasons)
  })

  it('steps over a run of tool results at once, and on Bedrock over each', () => {
    const calls = Array.from({ length: 12 }, (_, index) => ({
      type: 'tool_use',
      id: `t${index}`,
      name: 'x',
      input: {},
    }))
    const results = calls.map(({ id }, index) => ({
      type: 'tool_result',
      tool_use_id: id,
      content: 'ok',
      ...(index === 11 ? mark : {}),
    }))
    const next = [user('first'), { role: 'assistant', content: calls }, { role: 'user', content: results }]
    const reads = ['anthropic', 'bedrock'].map((provider) => {
      const simulator = simulate(provider)
      simulator.send(anthropicBody([user('first', mark)]), seconds(0))
      return simulator.send(anthropicBody(next), seconds(1)).hit?.path
    })
    expect(reads).toEqual(['messages[0].content[0]', 'system[0]'])
  })
})

describe('the minimum', () => {
  it.each([
    ['anthropic', 'claude-opus-5', 512],
    ['anthropic', 'claude-opus-4-7', 2_048],
    ['bedrock', 'anthropic.claude-opus-4-7-v1:0', 4_096],
    ['anthropic', 'claude-haiku-4-5', 4_096],
    ['anthropic', 'some-other-model', 4_096],
  ])('on %s for %s is %i tokens', (provider, model, minimum) => {
    const simulator = simulate(provider)
    const body = { model, max_tokens: 1, messages: [user(words('a', 200), mark)] }
    simulator.send(body, seconds(0))
    const prediction = simulator.send(body, seconds(1))
    expect(prediction.minimum).toBe(minimum)
    expect(prediction.misses).toEqual([expect.objectContaining({ reason: 'below-minimum', minimum })])
    expect(prediction.usage).toMatchObject({ read: 0, write5m: 0 })
  })
})

describe('requests at the same time', () => {
  const body = anthropicBody([user(words('a', 100), mark)])

  it('each pay a write until the first response has begun', () => {
    const simulator = simulate()
    const [first, second] = [0, 1].map(() => simulator.send(body, { ...seconds(0), pending: true })) as [
      Prediction,
      Prediction,
    ]
    expect([first, second].map(({ usage }) => usage.write5m)).toEqual([2_835, 2_835])
    expect(second.misses[0]?.reason).toBe('not-readable')
    simulator.begin(first)
    expect(simulator.send(body, seconds(1)).usage.read).toBe(2_835)
  })

  it('leave the entry of the other when one is given up', () => {
    const simulator = simulate()
    const [first, second] = [0, 1].map(() => simulator.send(body, { ...seconds(0), pending: true })) as [
      Prediction,
      Prediction,
    ]
    simulator.abandon(first)
    expect(simulator.send(body, { ...seconds(1), pending: true }).usage.read).toBe(0)
    simulator.begin(second)
    expect(simulator.send(body, seconds(2)).usage.read).toBe(2_835)
  })

  it('are taken to have begun 5 seconds into a stream', () => {
    const simulator = simulate()
    simulator.send(body, { ...seconds(0), endedAt: start + 60_000, stream: true })
    expect(simulator.send(body, seconds(4)).misses[0]?.reason).toBe('not-readable')
    expect(simulator.send(body, seconds(5)).usage.read).toBe(2_835)
  })

  it('are told apart by their times, whole responses beginning when they end', () => {
    const simulator = simulate()
    simulator.send(body, { ...seconds(0), endedAt: start + 20_000 })
    expect(simulator.send(body, seconds(10)).misses[0]?.reason).toBe('not-readable')
    expect(simulator.send(body, seconds(21)).usage.read).toBe(2_835)
  })
})

describe('reported usage', () => {
  const first = anthropicBody([user(words('a', 100), mark)])
  const second = anthropicBody([user(words('a', 100)), assistant('b'), user(words('c', 50), mark)])
  const usage = (input_tokens: number, read: number, write: number): object => ({
    usage: { input_tokens, cache_read_input_tokens: read, cache_creation_input_tokens: write, output_tokens: 5 },
  })

  it('corrects the next prediction to the token', () => {
    const simulator = simulate()
    const guess = simulator.send(first, seconds(0))
    expect(guess.estimated).toBe(true)
    simulator.observe(usage(7, 0, 3_333))
    const next = simulator.send(second, seconds(1))
    expect(next.usage.read).toBe(3_333)
    expect(next.estimated).toBe(false)
    expect(guess.usage.write5m).toBe(2_835)
  })

  it('teaches nothing when the server edited the request', () => {
    const simulator = simulate()
    simulator.send(first, seconds(0))
    simulator.observe({
      ...usage(7, 0, 3_333),
      context_management: { applied_edits: [{ type: 'clear_tool_uses_20250919' }] },
    })
    expect(simulator.send(second, seconds(1)).usage.read).toBe(2_835)
  })

  it('shows that a prefix was long enough after all', () => {
    const simulator = simulate()
    const short = { model: 'claude-opus-5', max_tokens: 1, messages: [user(words('a', 300), mark)] }
    expect(simulator.send(short, seconds(0)).usage.write5m).toBe(0)
    simulator.observe(usage(3, 0, 600))
    expect(simulator.send(short, seconds(1)).usage.read).toBe(600)
  })

  it('shows that a prefix was too short after all', () => {
    const simulator = simulate()
    const body = { model: 'claude-opus-5', max_tokens: 1, messages: [user(words('a', 400), mark)] }
    expect(simulator.send(body, seconds(0)).usage.write5m).toBe(540)
    simulator.observe(usage(450, 0, 0))
    expect(simulator.send(body, seconds(1))).toMatchObject({
      usage: { read: 0 },
      misses: [{ reason: 'below-minimum' }],
    })
  })
})
