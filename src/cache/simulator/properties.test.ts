/**
 * The simulator against a second writing of the rules that keeps no tree: every request is a list of segments, every
 * entry the text of a whole prefix, and everything is compared with everything. Its numbers are those of the rules for the
 * one model that it plays: a minimum of 512 tokens, a look-back of 20, 316 and 3 tokens of the provider's own.
 */
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { countWords, words } from '../../../test/support/requests.ts'
import { freezeDeep } from '../../base/json.ts'
import { layout } from '../layout/layout.ts'
import type { Segment } from '../layout/types.ts'
import { createSimulator } from './create-simulator.ts'
import type { Prediction, PredictedUsage } from './types.ts'

interface Step {
  readonly body: Record<string, unknown>
  /** Milliseconds. */
  readonly at: number
}

const RUNS = Number(process.env['LAWS_RUNS'] ?? 150)
const MODEL = 'claude-opus-5'
const RATIO = 1.35
const MINIMUM = 512

// Few texts, so that conversations meet, part and meet again.
const text = fc.integer({ min: 0, max: 2 }).map((name) => words(`t${name}`, 60 + 150 * name))
const ttl = fc.constantFrom('5m', '1h')

/** A user message and, unless it is the last, its answer: of text, or of tool calls and their results. */
const exchange = fc.oneof(
  { weight: 3, arbitrary: fc.tuple(text, text).map(([ask, answer]) => [said('user', ask), said('assistant', answer)]) },
  {
    weight: 1,
    arbitrary: fc.integer({ min: 1, max: 24 }).map((count) => {
      const calls = Array.from({ length: count }, (_, id) => ({ type: 'tool_use', id: `c${id}`, name: 'x', input: {} }))
      const results = calls.map(({ id }) => ({ type: 'tool_result', tool_use_id: id, content: 'ok' }))
      return [
        { role: 'assistant', content: calls },
        { role: 'user', content: results },
      ]
    }),
  },
)

function said(role: string, content: string): Message {
  return { role, content: [{ type: 'text', text: content }] }
}

interface Message {
  readonly role: string
  readonly content: readonly object[]
}

const scope = fc.record(
  {
    tool_choice: fc.constantFrom({ type: 'any' }, { type: 'auto' }),
    speed: fc.constantFrom('fast', 'standard'),
    output_config: fc.constantFrom({ effort: 'low' }, { effort: 'high' }),
  },
  { requiredKeys: [] },
)

/** A few turns over a few beginnings, at any distance in time, with marks anywhere. */
const steps: fc.Arbitrary<readonly Step[]> = fc
  .array(
    fc
      .record({
        tools: fc.boolean(),
        system: text,
        exchanges: fc.array(exchange, { maxLength: 4 }),
        ask: text,
        marks: fc.array(fc.tuple(fc.nat(60), ttl), { maxLength: 4 }),
        scope: fc.option(scope, { nil: {}, freq: 4 }),
        wait: fc.constantFrom(0, 1_000, 200_000, 299_999, 300_000, 3_599_999, 3_700_000),
      })
      .map(({ tools, system, exchanges, ask, marks, scope, wait }) => ({
        wait,
        body: marked(
          {
            model: MODEL,
            max_tokens: 1,
            ...(tools ? { tools: [{ name: 'x', input_schema: { type: 'object' } }] } : {}),
            system: [{ type: 'text', text: system }],
            messages: [...exchanges.flat(), said('user', ask)],
            ...scope,
          },
          marks,
        ),
      })),
    { minLength: 1, maxLength: 8 },
  )
  .map((turns) => {
    let at = Date.UTC(2026, 0, 1)
    return turns.map(({ wait, body }) => ({ body, at: (at += wait) }))
  })

/** Puts marks on blocks by number, the longer lifetime first, as the provider asks. */
function marked(body: Record<string, unknown>, marks: readonly (readonly [number, string])[]): Record<string, unknown> {
  const copy = structuredClone(body) as { system: object[]; messages: { content: object[] }[] }
  const blocks = [...copy.system, ...copy.messages.flatMap(({ content }) => content)]
  const places = [...new Set(marks.map(([place]) => place % blocks.length))].sort((one, other) => one - other)
  const ttls = marks.map(([, lifetime]) => lifetime).sort()
  for (const [index, place] of places.entries()) {
    Object.assign(blocks[place] as object, { cache_control: { type: 'ephemeral', ttl: ttls[index] } })
  }
  return copy
}

/** The second writing. */
class Reference {
  readonly #entries = new Map<string, { usedAt: number; lives: number; tokens: number }>()

  send({ body, at }: Step): Omit<PredictedUsage, 'total'> {
    const { segments, scope } = layout(body, { countTokens: countWords })
    const hasTools = segments.some(({ section }) => section === 'tools')
    const keyOf = (through: number): string => {
      const { section } = segments[through] as Segment
      const parameters = scope.filter(({ invalidates }) => invalidates.includes(section))
      const content = segments.slice(0, through + 1).map(({ role, type, content: inner }) => [role, type, inner])
      return JSON.stringify([parameters.map(({ name, value }) => [name, value]), content])
    }
    const tokensAt = (through: number): number => {
      if (through < 0) return 0
      const sum = segments.slice(0, through + 1).reduce((total, { tokens }) => total + tokens, 0)
      const preamble = hasTools && segments[through]?.section === 'messages' ? 316 : 0
      return Math.round(preamble + sum * RATIO)
    }
    const isRun = (index: number): boolean => {
      const [before, here] = [segments[index - 1], segments[index]]
      return before?.type === here?.type && before?.role === here?.role && /^tool_(use|result)$/.test(here?.type ?? '')
    }
    const marks = segments.flatMap(({ breakpoint }, index) =>
      breakpoint === null ? [] : [{ index, ttl: breakpoint.ttl }],
    )
    let hit = -1
    for (const { index } of marks) {
      let positions = 1
      for (let place = index; place >= 0; place--) {
        if (positions > 20) break
        const entry = this.#entries.get(keyOf(place))
        if (entry !== undefined && at - entry.usedAt < entry.lives) {
          hit = Math.max(hit, place)
          entry.usedAt = at
          break
        }
        if (!isRun(place)) positions++
      }
    }
    const read = tokensAt(hit)
    const writes = { '5m': 0, '30m': 0, '1h': 0 }
    let through = read
    for (const { index, ttl: lifetime } of marks) {
      const tokens = tokensAt(index)
      if (tokens < MINIMUM) continue
      if (tokens > through) {
        writes[lifetime] += tokens - through
        through = tokens
      }
      const standing = this.#entries.get(keyOf(index))
      if (standing !== undefined && at - standing.usedAt < standing.lives) continue
      this.#entries.set(keyOf(index), { usedAt: at, lives: lifetime === '1h' ? 3_600_000 : 300_000, tokens })
    }
    const total = tokensAt(segments.length - 1) + 3
    return {
      read,
      write5m: writes['5m'],
      write30m: 0,
      write1h: writes['1h'],
      uncached: total - read - writes['5m'] - writes['1h'],
    }
  }
}

function playAll(
  turns: readonly Step[],
  { provider = 'anthropic', ...options }: { provider?: string; maxSegments?: number } = {},
): readonly Prediction[] {
  const simulator = createSimulator({ provider, countTokens: countWords, ...options })
  return turns.map(({ body, at }) => simulator.send(bodyFor(provider, body), { startedAt: at }))
}

/** Providers whose entries end at places, each asked in a format that it takes. */
const withPlaces = ['anthropic', 'bedrock', 'openai']

/** The same conversation as the provider takes it. */
function bodyFor(provider: string, body: Record<string, unknown>): Record<string, unknown> {
  if (provider === 'bedrock') return { ...body, anthropic_version: 'bedrock-2023-05-31' }
  if (provider !== 'openai') return body
  const { system, messages } = body as { system: object[]; messages: { role: string; content: Block[] }[] }
  const parts = (blocks: readonly Block[]): object[] =>
    blocks.map(({ type, text: said, cache_control: mark }) => ({
      type: 'text',
      text: said ?? type,
      ...(mark === undefined ? {} : { prompt_cache_breakpoint: { mode: 'explicit' } }),
    }))
  return {
    model: 'gpt-5.6-sol',
    messages: [
      { role: 'developer', content: parts(system as Block[]) },
      ...messages.map(({ role, content }) => ({ role, content: parts(content) })),
    ],
  }
}

interface Block {
  readonly type: string
  readonly text?: string
  readonly cache_control?: object
}

describe('the simulator', () => {
  it('reads and writes what the second writing of the rules does', () => {
    fc.assert(
      fc.property(steps, (turns) => {
        const reference = new Reference()
        const expected = turns.map((turn) => reference.send(turn))
        const found = playAll(turns).map(({ usage: { total: _total, ...buckets } }) => buckets)
        expect(found).toEqual(expected)
      }),
      { numRuns: RUNS },
    )
  })

  it.each(withPlaces)(
    'of %s never reads more than an earlier request began with, and accounts for every token',
    (provider) => {
      const tail = provider === 'openai' ? 8 : 3
      fc.assert(
        fc.property(steps, (turns) => {
          for (const { usage, common, misses, range } of playAll(turns, { provider })) {
            const { total, read, write5m, write30m, write1h, uncached } = usage
            expect(read).toBeLessThanOrEqual(common.tokens)
            expect(read + write5m + write30m + write1h + uncached).toBe(total)
            expect(uncached).toBeGreaterThanOrEqual(0)
            expect(range.least).toBeLessThanOrEqual(read)
            expect(range.most).toBeGreaterThanOrEqual(read)
            // All but the tokens that belong to no block.
            expect(misses.reduce((sum, { tokens }) => sum + tokens, read)).toBe(total - tail)
          }
        }),
        { numRuns: RUNS },
      )
    },
  )

  it.each(withPlaces)('of %s compares the same content wherever the breakpoints stand', (provider) => {
    fc.assert(
      fc.property(steps, (turns) => {
        const unmarked = turns.map(({ body, at }) => ({ body: marked(stripMarks(body), []), at }))
        const commons = (all: readonly Prediction[]): readonly unknown[] =>
          all.map(({ common, segments }) => [common.segments, segments])
        expect(commons(playAll(turns, { provider }))).toEqual(commons(playAll(unmarked, { provider })))
      }),
      { numRuns: RUNS },
    )
  })

  it('leaves requests as they are, and plays them the same each time', () => {
    fc.assert(
      fc.property(steps, (turns) => {
        const frozen = freezeDeep(structuredClone(turns) as unknown as Step[])
        expect(playAll(frozen)).toEqual(playAll(turns))
      }),
      { numRuns: RUNS },
    )
  })

  it('reads no more when it remembers less', () => {
    fc.assert(
      fc.property(steps, fc.integer({ min: 1, max: 30 }), (turns, maxSegments) => {
        const all = playAll(turns)
        for (const [index, { usage }] of playAll(turns, { maxSegments }).entries()) {
          expect(usage.read).toBeLessThanOrEqual(all[index]?.usage.read ?? 0)
          expect(usage.total).toBe(all[index]?.usage.total)
        }
      }),
      { numRuns: RUNS },
    )
  })
})

describe('whatever is reported', () => {
  const count = fc.oneof(fc.nat(5_000), fc.constantFrom(-1, 0, 1e12, Number.NaN, 'many', null, undefined))
  const report = fc.record(
    {
      input_tokens: count,
      cache_read_input_tokens: count,
      cache_creation_input_tokens: count,
      prompt_tokens: count,
      prompt_tokens_details: fc.record({ cached_tokens: count }, { requiredKeys: [] }),
      completion_tokens: count,
      output_tokens: count,
    },
    { requiredKeys: [] },
  )

  it.each([...withPlaces, 'deepseek', 'xai', 'mistral', 'groq', 'vllm', 'llama.cpp', 'openrouter', 'generic'])(
    'the accounts of %s stay straight',
    (provider) => {
      fc.assert(
        fc.property(steps, fc.array(fc.tuple(fc.nat(8), report), { maxLength: 12 }), (turns, reports) => {
          const simulator = createSimulator({ provider, countTokens: countWords })
          const predictions: Prediction[] = []
          for (const [index, { body, at }] of turns.entries()) {
            const prediction = simulator.send(bodyFor(provider, body), { startedAt: at, pending: index % 3 === 1 })
            predictions.push(prediction)
            if (index % 3 === 1 && index % 2 === 0) simulator.abandon(prediction)
            else simulator.begin(prediction)
            for (const [place, usage] of reports) {
              if (place <= index) simulator.observe({ usage }, predictions[place])
            }
          }
          for (const { usage, range, common, misses, written } of predictions) {
            const { total, ...buckets } = usage
            for (const bucket of Object.values(buckets)) expect(bucket).toBeGreaterThanOrEqual(0)
            expect(Object.values(buckets).reduce((sum, bucket) => sum + bucket, 0)).toBe(total)
            expect(range.least).toBeLessThanOrEqual(usage.read)
            expect(range.most).toBeGreaterThanOrEqual(usage.read)
            expect(range.most).toBeLessThanOrEqual(total)
            expect(common.tokens).toBeGreaterThanOrEqual(0)
            for (const { tokens } of misses) expect(tokens).toBeGreaterThan(0)
            expect(written.map(({ tokens }) => tokens)).toEqual(
              written.map(({ tokens }) => tokens).sort((a, b) => a - b),
            )
          }
        }),
        { numRuns: RUNS },
      )
    },
  )
})

function stripMarks(body: Record<string, unknown>): Record<string, unknown> {
  return JSON.parse(JSON.stringify(body, (key, value: unknown) => (key === 'cache_control' ? undefined : value)))
}

describe('an appended request', () => {
  const turns = fc.array(fc.tuple(text, text), { minLength: 1, maxLength: 12 })

  it.each([
    ['anthropic', MODEL],
    ['anthropic', 'claude-haiku-4-5'],
    ['bedrock', 'anthropic.claude-sonnet-4-6-v1:0'],
    ['openai', 'gpt-5.6-sol'],
    ['openai', 'gpt-6.2-astra'],
  ])('on %s reads, with %s, all that was written before', (provider, model) => {
    fc.assert(
      fc.property(turns, (exchanges) => {
        const simulator = createSimulator({ provider, countTokens: countWords })
        let written = 0
        const history: object[] = []
        for (const [ask, answer] of exchanges) {
          const last = { role: 'user', content: [{ type: 'text', text: ask, cache_control: { type: 'ephemeral' } }] }
          const messages = [{ role: 'user', content: words('start', 900) }, ...history, last]
          const { usage } = simulator.send({ model, max_tokens: 1, messages })
          expect(usage.read).toBe(written)
          written = usage.read + usage.write5m + usage.write30m
          history.push({ role: 'user', content: ask }, { role: 'assistant', content: answer })
        }
      }),
      { numRuns: RUNS },
    )
  })
})
