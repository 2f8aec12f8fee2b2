import { describe, expect, it } from 'vitest'
import type { Exchange } from '../exchange.ts'
import { wholeFidelity } from '../test-turns.ts'
import { claude, conversation, judged, user, type Call } from './test-log.ts'
import type { Verdict } from './types.ts'

const fidelity = {
  ...wholeFidelity,
  level: 'usage',
  breakpoints: false,
  tools: false,
  system: false,
  parameters: false,
} as const

/** A turn of a log without bodies. */
function turn(usage: Call['usage'], over: Partial<Exchange> = {}, at?: number): Call {
  return {
    ...(usage && { usage }),
    ...(at !== undefined && { at }),
    over: { fidelity, provider: 'anthropic', model: 'claude-opus-5', ...over },
  }
}

const second = (...calls: readonly Call[]): Verdict | undefined => judged(calls).list[1]

describe('a log without bodies', () => {
  it('is judged by what was reported', () => {
    const { list } = judged([turn([0, 9000, 5]), turn([9000, 500, 5]), turn([9500, 500, 5])])
    expect(list.map(({ verdict }) => verdict)).toEqual(['first', 'appended', 'appended'])
    expect(list[1]).toMatchObject({
      basis: 'reported',
      prediction: null,
      predicted: null,
      rewrittenTokens: null,
      reproduced: null,
      lostTokens: 0,
      ttlSeconds: 300,
    })
    expect(list[1]?.missing.join(' ')).toContain('OTEL_LOG_RAW_API_BODIES')
  })

  it('starts warm where the first turn read', () => {
    expect(judged([turn([9000, 500, 5])]).list[0]?.verdict).toBe('warm-start')
  })

  it.each<[string, Verdict['verdict'], Partial<Exchange>, number]>([
    ['a pause longer than what was paid for', 'expired', {}, 301],
    ['another model', 'scope', { model: 'claude-sonnet-5' }, 30],
    ['another effort', 'scope', { events: [{ type: 'effort', before: 'high', after: 'low' }] }, 30],
    ['a recorded compaction', 'compacted', { events: [{ type: 'compaction' }] }, 30],
    ['another date, which clients put into the prompt', 'rewritten', { events: [{ type: 'date' }] }, 30],
  ])('explains a loss by %s', (_, kind, over, at) => {
    const verdict = second(turn([0, 9000, 5]), turn([0, 9500, 5], over, at))
    expect(verdict).toMatchObject({ verdict: kind, lostTokens: 9000 })
    expect(verdict?.reasons[0]).toMatchObject({ kind, tokens: 9000 })
  })

  it('leaves it unknown where nothing explains it, and says what to record', () => {
    const verdict = second(turn([0, 9000, 5]), turn([0, 9500, 5]))
    expect(verdict).toMatchObject({ verdict: 'unknown', lostTokens: 9000 })
    expect(verdict?.missing.join(' ')).toContain('bodies')
    expect(verdict?.confidence).toBeLessThan(0.5)
  })

  it('knows the lifetime that was paid for last', () => {
    const paid = (usage: object): Partial<Exchange> => ({ response: { usage: { input_tokens: 5, ...usage } } })
    const hour = paid({ cache_read_input_tokens: 0, cache_creation: { ephemeral_1h_input_tokens: 9000 } })
    const { list } = judged([
      turn(undefined, hour, 0),
      turn([9000, 0, 5], {}, 600),
      turn([0, 9000, 5], {}, 1200),
      turn([0, 9000, 5], {}, 6000),
    ])
    expect(list.map(({ verdict }) => verdict)).toEqual(['first', 'appended', 'unknown', 'expired'])
    expect(list[2]?.ttlSeconds).toBe(3600)
  })

  it('is unknown where neither a body nor usage is there', () => {
    const verdict = second(turn(undefined), turn(undefined))
    expect(verdict).toMatchObject({ verdict: 'unknown', lostTokens: 0 })
    expect(verdict?.missing.join(' ')).toContain('usage')
  })

  it('is no event that both values of are the same', () => {
    const events = [{ type: 'model', before: 'a', after: 'a' }] as const
    expect(second(turn([0, 9000, 5]), turn([0, 9500, 5], { events }))?.verdict).toBe('unknown')
  })
})

describe('bodies without breakpoints', () => {
  const over = { fidelity: { ...wholeFidelity, level: 'prompt', breakpoints: false } } as const
  const bodies = conversation(2)

  it('tell a rewrite where reads fell', () => {
    const edited = claude([user('Something else.')])
    const verdict = second({ body: bodies[0], over, usage: [0, 2800, 5] }, { body: edited, over, usage: [0, 2700, 5] })
    expect(verdict).toMatchObject({ verdict: 'rewritten', basis: 'reported', lostTokens: 2705 })
    expect(verdict?.divergence?.path).toBe('messages[0].content[0]')
  })

  it('tell no more than that where they agree', () => {
    const verdict = second(
      { body: bodies[0], over, usage: [0, 2800, 5] },
      { body: bodies[1], over, usage: [0, 3000, 5] },
    )
    expect(verdict).toMatchObject({ verdict: 'unknown', divergence: null, rewrittenTokens: 0 })
  })
})
