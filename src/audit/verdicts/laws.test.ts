import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { claude, judged, user, answer, mark, rules, type Call } from './test-log.ts'

/** A conversation in which each turn may change anything, and each report says anything. */
const call = fc.record({
  clock: fc.integer({ min: 0, max: 2 }),
  edited: fc.integer({ min: 0, max: 4 }),
  marked: fc.boolean(),
  model: fc.constantFrom('claude-opus-5', 'claude-sonnet-5'),
  tool_choice: fc.constantFrom('auto', 'any'),
  seconds: fc.constantFrom(0, 1, 30, 400),
  account: fc.constantFrom(undefined, 'one', 'two'),
  usage: fc.option(fc.tuple(fc.nat(4000), fc.nat(4000), fc.nat(100)), { nil: undefined }),
  shorter: fc.nat(2),
})

const log = fc.array(call, { minLength: 1, maxLength: 7 }).map((turns): Call[] => {
  let at = 0
  return turns.map(({ clock, edited, marked, model, tool_choice, seconds, account, usage, shorter }, index) => {
    at += seconds
    const count = Math.max(1, index + 1 - shorter)
    const messages = Array.from({ length: count }, (_, place) => [
      ...(place === 0 ? [] : [answer(`Answer ${place}`)]),
      user(
        `Question ${place} ${place === edited ? index : ''} ${'and more '.repeat(50)}`,
        marked && place === count - 1,
      ),
    ]).flat()
    const system = [{ type: 'text', text: `${clock} ${rules}`, ...mark }]
    return {
      body: claude(messages, { model, system, tool_choice: { type: tool_choice } }),
      at,
      ...(usage && { usage }),
      over: { account },
    }
  })
})

describe('verdicts of any log', () => {
  it('are one of their reasons, whose tokens add up to what was lost', () => {
    fc.assert(
      fc.property(log, (calls) => {
        for (const { verdict, reasons, lostTokens, turn, prediction, confidence } of judged(calls).list) {
          expect(reasons.map(({ kind }) => kind)).toContain(verdict)
          expect(new Set(reasons.map(({ kind }) => kind)).size).toBe(reasons.length)
          expect(reasons.every(({ tokens }) => tokens >= 0 && Number.isInteger(tokens))).toBe(true)
          expect(reasons.reduce((sum, { tokens }) => sum + tokens, 0)).toBe(lostTokens)
          expect(Math.max(...reasons.map(({ tokens }) => tokens))).toBe(
            reasons.find(({ kind }) => kind === verdict)?.tokens,
          )
          const most = Math.max(turn.usage?.total ?? 0, prediction?.usage.total ?? 0)
          expect(lostTokens).toBeLessThanOrEqual(most)
          expect(confidence).toBeGreaterThan(0)
          expect(confidence).toBeLessThanOrEqual(1)
        }
      }),
      { numRuns: 60 },
    )
  })

  it('are the same each time', () => {
    fc.assert(
      fc.property(log, (calls) => {
        const [one, other] = [judged(calls), judged(calls)].map(({ list }) =>
          list.map(({ verdict, reasons, lostTokens, predicted }) => ({ verdict, reasons, lostTokens, predicted })),
        )
        expect(one).toEqual(other)
      }),
      { numRuns: 20 },
    )
  })
})
