import type { ToolUnion } from '@anthropic-ai/sdk/resources/messages'
import * as fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { conversations, play, type Request } from '../../../test/support/anthropic-rules-conversations.ts'
import { anthropicProblems, anthropicSegments } from '../../../test/support/anthropic-rules.ts'
import { toAnthropicMessages, type AnthropicOptions, type AnthropicParams } from './index.ts'

const models = [
  { model: 'claude-opus-4-8', native: true },
  { model: 'claude-opus-5-5', native: true },
  { model: 'claude-sonnet-4-6', native: false },
  { model: 'an-unknown-model', native: false },
]

const ttl = fc.constantFrom('5m' as const, '1h' as const)
const options: fc.Arbitrary<AnthropicOptions> = fc.record(
  { ttl: fc.oneof(ttl, fc.record({ head: ttl, tail: ttl })) },
  { requiredKeys: [] },
)
const callersMark = fc.option(fc.record({ type: fc.constant('ephemeral' as const), ttl }), { nil: undefined })

/** A caller's parameters with its own marks in a legal order. */
const settings: fc.Arbitrary<Omit<AnthropicParams, 'model'>> = fc
  .record({ marks: fc.array(callersMark, { maxLength: 4 }), automatic: callersMark })
  .map(({ marks, automatic }) => {
    const tools: ToolUnion[] = []
    let short = false
    for (const [index, mark] of marks.entries()) {
      short ||= mark?.ttl === '5m'
      const own = mark && { cache_control: { ...mark, ttl: short ? ('5m' as const) : mark.ttl } }
      tools.push({ name: `tool${index}`, input_schema: { type: 'object' }, ...own })
    }
    const room = marks.filter((mark) => mark !== undefined).length < 4
    const last = automatic && room && { cache_control: { ...automatic, ttl: short ? ('5m' as const) : automatic.ttl } }
    return { max_tokens: 100, tools, ...last }
  })

describe.each(models)('any conversation, lowered for $model', ({ model, native }) => {
  const bodyOf = ({ turn }: Request, params: Omit<AnthropicParams, 'model'>, given: AnthropicOptions) =>
    toAnthropicMessages(turn, { model, ...params }, given).body

  it('gives requests that break no rule, whatever the caller marks', () => {
    fc.assert(
      fc.property(conversations, settings, options, (steps, params, given) => {
        for (const request of play(steps)) {
          expect(anthropicProblems(bodyOf(request, params, given), { native })).toEqual([])
        }
      }),
      { numRuns: 300 },
    )
  })

  it('gives every request the segments of the one answered before it as a prefix', () => {
    fc.assert(
      fc.property(conversations, settings, options, options, (steps, params, given, later) => {
        for (const request of play(steps)) {
          if (request.before === undefined) continue
          const before = anthropicSegments(bodyOf(request.before, params, given))
          const after = anthropicSegments(bodyOf(request, params, later))
          expect(after.slice(0, before.length)).toEqual(before)
        }
      }),
      { numRuns: 300 },
    )
  })

  it('gives the same bytes for the same turn, and edits nothing that it was given', () => {
    fc.assert(
      fc.property(conversations, settings, options, (steps, params, given) => {
        for (const request of play(steps)) {
          const before = JSON.stringify([request.turn, params])
          const reversed = Object.fromEntries(Object.entries(params).reverse()) as typeof params
          const body = JSON.stringify(bodyOf(request, params, given))
          expect(JSON.stringify(bodyOf(request, reversed, given))).toBe(body)
          expect(JSON.stringify([request.turn, params])).toBe(before)
        }
      }),
      { numRuns: 100 },
    )
  })
})
