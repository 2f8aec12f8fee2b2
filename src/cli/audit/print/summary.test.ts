import { describe, expect, it } from 'vitest'
import type { AuditReport } from '../../../audit/index.ts'
import { createPaint } from '../../output.ts'
import { summaryLines } from './summary.ts'
import { played, report, stream, turn } from './test-report.ts'

const plain = createPaint(false)
const turns = [0, 1, 2].map((index) => turn(index, 'appended'))
const rowsOf = (over: Partial<AuditReport>, all = false): Record<string, string> =>
  Object.fromEntries(
    summaryLines(report({ streams: [stream(turns)], ...over }), plain, all).map((line) => [
      line.slice(0, 12).trim(),
      line.slice(12).trim().replaceAll(/\s+/g, ' '),
    ]),
  )
const unpriced = (...models: readonly string[]): AuditReport['unpriced'] =>
  models.map((model) => ({ model, reason: 'model', message: 'No price is known.', turns: 1 }))

describe('a bill that nobody can write', () => {
  it('names the models that have no price, and what to do', () => {
    expect(rowsOf({ unpriced: unpriced('gpt-5.1') })['bill']).toBe('? no price is known for gpt-5.1 (--prices FILE)')
    expect(rowsOf({ unpriced: unpriced('a', 'b', 'c', 'd', 'e') })['bill']).toBe(
      '? no price is known for a, b, c and 2 more (--prices FILE)',
    )
    expect(rowsOf({ unpriced: unpriced('gpt-5.1-a-model-with-a-long-name', 'b') })['bill']).toBe(
      '? no price for gpt-5.1-…ong-name and 1 more (--prices FILE)',
    )
  })

  it('says so where nothing was reported', () => {
    expect(rowsOf({})['bill']).toBe('? no turn reports usage of a model that is named')
  })

  it('leaves tokens to compare', () => {
    const less = { ...played(null), tokens: { ...played(null).tokens, read: 80_000 } }
    const rows = rowsOf({ counterfactual: { asSent: played(null), floor: less, steps: [], caveats: [] } })
    expect(rows['as sent']).toBe('50,000 tokens not read, by the rules, for the same requests')
    expect(rows['floor']).toBe('20,000 tokens not read, with each segment written once')
    expect(rows['avoidable']).toBe('30,000 between the two: 60.0 % of the tokens as sent')
  })
})

describe('what was played', () => {
  const total = { asSent: played(12), floor: played(3), steps: [], caveats: [] }
  const priced = stream(turns, { counterfactual: total })

  it('is held against the dollars as sent', () => {
    const rows = rowsOf({ streams: [priced], counterfactual: total })
    expect(rows['as sent']).toBe('$12.00 by the rules of the provider, for the same requests')
    expect(rows['avoidable']).toBe('$9.00 between the two: 75.0 % of the dollars as sent')
  })

  it('is not known of a log without bodies, and not nothing', () => {
    const none = { ...played(0), tokens: { ...played(0).tokens, total: 0, read: 0 } }
    const rows = rowsOf({
      streams: [stream(turns, { counterfactual: null })],
      counterfactual: { asSent: none, floor: none, steps: [], caveats: [] },
    })
    expect(rows['avoidable']).toBe('? not known: the log has no bodies')
    expect(rows).not.toHaveProperty('floor')
  })

  it('says of how many turns it is, where some have no body or no price', () => {
    const failed = stream([turn(3, 'failed')], { id: 'stream-3', counterfactual: null })
    for (const counterfactual of [null, stream(turns).counterfactual]) {
      const other = stream(turns, { id: 'stream-2', counterfactual })
      const rows = rowsOf({
        streams: [priced, other, failed],
        counterfactual: total,
        totals: { ...report().totals, turns: 7, failed: 1 },
      })
      expect(rows['as sent']).toBe('$12.00 by the rules of the provider, for 3 of 6 turns')
    }
  })
})

describe('turns that are not reproduced', () => {
  it('are said to be listed with all of it', () => {
    const reproduced = { warm: 3, of: 6 }
    expect(rowsOf({ reproduced })['reproduced']).toBe('3 of 6 warm turns read what the rules say (the others: --all)')
    expect(rowsOf({ reproduced }, true)['reproduced']).toBe('3 of 6 warm turns read what the rules say')
  })
})
