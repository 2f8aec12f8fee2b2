import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import type { AuditReport } from '../report/types.ts'
import { checkGates } from './check-gates.ts'
import { culpritOf, lossOf, reportOf, type PredictedTurn } from './test-reports.ts'
import type { GateCheck, Gates } from './types.ts'

/** Runs of each property. */
const numRuns = Number(process.env['LAWS_RUNS'] ?? 150)

/** The check of one gate. */
function check<Gate extends GateCheck['gate']>(
  report: AuditReport,
  gates: Gates,
  gate: Gate,
): Extract<GateCheck, { gate: Gate }> | undefined {
  const found = checkGates(report, gates).checks.find((one) => one.gate === gate)
  return found as Extract<GateCheck, { gate: Gate }> | undefined
}

/** Turns of which each loses `lost` tokens, behind a first one. */
const losing = (...lost: number[]): AuditReport =>
  reportOf([{}, ...lost.map((tokens): PredictedTurn => ({ lost: { rewritten: tokens } }))])

describe('rewritten tokens', () => {
  it('are what the rules lose as rewritten, scope and unmarked, over all turns', () => {
    const report = reportOf([
      {},
      { lost: { rewritten: 100, expired: 7000 } },
      { lost: { scope: 20, compacted: 7000, 'out-of-window': 7000 } },
      { lost: { unmarked: 3, 'not-yet-readable': 7000, 'below-minimum': 7000 } },
    ])
    expect(checkGates(report, { maxRewrittenTokens: 123 })).toMatchObject({ outcome: 'passed', comparableTurns: 3 })
    expect(checkGates(report, { maxRewrittenTokens: 122 })).toMatchObject({
      outcome: 'failed',
      checks: [{ gate: 'max-rewritten-tokens', passed: false, tokens: 123, limit: 122 }],
    })
  })

  it('are not what was reported as lost, nor what the reports of turns before made of the prediction', () => {
    const missed = { lost: { tokens: 5000, cost: 1 }, verdict: 'provider-miss' } as const
    expect(checkGates(reportOf([{}, { over: missed }, {}]), { maxRewrittenTokens: 0 }).outcome).toBe('passed')
  })

  it('are not those of a model that the provider let answer in place of the one that was asked for', () => {
    const lostTo = (...parameters: string[]): AuditReport => {
      const byRulesAlone = { read: 0, lost: [lossOf('scope', 500, parameters)] }
      const served = { predicted: { read: 0, write: 500, uncached: 0, byRulesAlone } }
      return reportOf([{}, { over: served }, {}])
    }
    expect(check(lostTo('served model'), { maxRewrittenTokens: 0 }, 'max-rewritten-tokens')?.tokens).toBe(0)
    expect(check(lostTo('model'), { maxRewrittenTokens: 0 }, 'max-rewritten-tokens')?.tokens).toBe(500)
    expect(check(lostTo('served model', 'tools'), { maxRewrittenTokens: 0 }, 'max-rewritten-tokens')?.tokens).toBe(500)
  })
})

describe('the hit rate', () => {
  it('is what is read of what is read or lost, over the turns that continue another', () => {
    const report = reportOf([{ read: 50_000 }, { read: 900, lost: { rewritten: 60, expired: 800 } }, { read: 40 }])
    expect(check(report, { minHitRate: 0.94 }, 'min-hit-rate')).toEqual({
      gate: 'min-hit-rate',
      passed: true,
      hitRate: 0.94,
      limit: 0.94,
      read: 940,
      reusable: 1000,
    })
    expect(check(report, { minHitRate: 0.9401 }, 'min-hit-rate')?.passed).toBe(false)
  })

  it('is no figure, and no failure, where nothing was there to be read', () => {
    const report = reportOf([{}, { read: 0, lost: { 'below-minimum': 300 } }, { read: 0 }])
    expect(check(report, { minHitRate: 1 }, 'min-hit-rate')).toMatchObject({ passed: true, hitRate: null, reusable: 0 })
  })
})

describe('a baseline', () => {
  const one = culpritOf('clock-1')

  it('fails on a culprit that it does not have, and on no other', () => {
    const before = reportOf([{}, {}, {}], [one, culpritOf('git-1', { kind: 'git' })])
    expect(check(before, { baseline: before }, 'baseline-culprits')).toMatchObject({ passed: true, new: [] })
    const fewer = reportOf([{}, {}, {}], [one])
    expect(check(fewer, { baseline: before }, 'baseline-culprits')).toMatchObject({ passed: true })
    const more = reportOf([{}, {}, {}], [one, culpritOf('path-1', { kind: 'path' })])
    expect(check(more, { baseline: before }, 'baseline-culprits')).toEqual({
      gate: 'baseline-culprits',
      passed: false,
      new: [{ id: 'path-1', kind: 'path', path: 'system[0]', resembles: null }],
    })
  })

  it('names the culprit that a new one may be, where the text around it was edited', () => {
    const before = reportOf([{}, {}, {}], [one])
    const after = reportOf([{}, {}, {}], [culpritOf('clock-2')])
    expect(check(after, { baseline: before }, 'baseline-culprits')).toMatchObject({
      passed: false,
      new: [{ id: 'clock-2', resembles: 'clock-1' }],
    })
  })

  it.each([
    ['9 % more', [545, 545], true],
    ['10 % more', [550, 550], false],
    ['a token less than 10 % more', [550, 549], true],
    ['less', [10, 0], true],
  ])('with %s loss per turn: %j passes: %s', (_name, lost, passed) => {
    const found = check(losing(...lost), { baseline: losing(500, 500) }, 'baseline-loss')
    expect(found).toMatchObject({ passed, baselineTokensPerTurn: 500 })
  })

  it('is held against turns, however many there are of them', () => {
    const baseline = losing(100, 0, 0, 0)
    expect(check(losing(50, 0), { baseline }, 'baseline-loss')).toMatchObject({ passed: true, tokensPerTurn: 25 })
    expect(check(losing(55, 0), { baseline }, 'baseline-loss')?.passed).toBe(false)
  })

  it('that lost nothing lets nothing be lost', () => {
    expect(check(losing(0, 0), { baseline: losing(0, 0) }, 'baseline-loss')?.passed).toBe(true)
    expect(check(losing(1, 0), { baseline: losing(0, 0) }, 'baseline-loss')?.passed).toBe(false)
  })

  it('has to have a turn that can be compared', () => {
    expect(() => checkGates(losing(1, 1), { baseline: reportOf([{}]) })).toThrow(
      expect.objectContaining({ code: 'option_invalid', message: expect.stringMatching(/^The baseline has no turn/) }),
    )
  })
})

describe('turns', () => {
  it('that are too few leave open whether a limit is kept', () => {
    const gates = { maxRewrittenTokens: 0 }
    expect(checkGates(reportOf([{}]), gates).outcome).toBe('too-few-turns')
    expect(checkGates(losing(5), gates)).toMatchObject({ outcome: 'too-few-turns', comparableTurns: 1, minTurns: 2 })
    expect(checkGates(losing(5), { ...gates, minTurns: 1 }).outcome).toBe('failed')
    expect(checkGates(losing(0, 0, 0), { ...gates, minTurns: 4 }).outcome).toBe('too-few-turns')
  })

  it('compare where they continue another one and were played', () => {
    const unplayed = { over: { predicted: null } }
    expect(checkGates(reportOf([{}, unplayed, unplayed, {}]), {}).comparableTurns).toBe(1)
  })

  it('are named by what they lost, the worst first and five at most', () => {
    const { worstTurns } = checkGates(losing(0, 20, 10, 70, 20, 60, 50), { maxRewrittenTokens: 0 })
    expect(worstTurns.map(({ turn, tokens }) => [turn, tokens])).toEqual([
      [4, 70],
      [6, 60],
      [7, 50],
      [2, 20],
      [5, 20],
    ])
    expect(worstTurns[0]).toEqual({
      stream: 'stream-1',
      turn: 4,
      source: { file: 'a.jsonl', line: 5 },
      tokens: 70,
      losses: [{ reason: 'rewritten', tokens: 70, parameters: [] }],
      culprits: [],
    })
  })
})

describe('limits', () => {
  it.each<[Gates, RegExp]>([
    [{ maxRewrittenTokens: -1 }, /^maxRewrittenTokens is -1\. Give a number, 0 or more\.$/],
    [{ maxRewrittenTokens: Number.NaN }, /^maxRewrittenTokens is NaN/],
    [{ minHitRate: 1.2 }, /^minHitRate is 1\.2\. Give a number, from 0 to 1\.$/],
    [{ minTurns: 0 }, /^minTurns is 0/],
  ])('that are none are refused: %j', (gates, message) => {
    expect(() => checkGates(losing(1, 1), gates)).toThrow(
      expect.objectContaining({ code: 'option_invalid', message: expect.stringMatching(message) }),
    )
  })

  const turns = fc
    .array(fc.record({ read: fc.nat(5000), lost: fc.record({ rewritten: fc.nat(500), scope: fc.nat(90) }) }), {
      minLength: 3,
      maxLength: 8,
    })
    .map((list) => reportOf(list))

  it('let no more through when they are stricter', () => {
    const rates = fc.double({ min: 0, max: 1, noNaN: true })
    fc.assert(
      fc.property(turns, fc.nat(4000), fc.nat(4000), rates, rates, (report, n, m, r, s) => {
        const passes = (gates: Gates): boolean => checkGates(report, gates).outcome === 'passed'
        const [least, most] = [Math.min(n, m), Math.max(n, m)]
        if (passes({ maxRewrittenTokens: least })) expect(passes({ maxRewrittenTokens: most })).toBe(true)
        const [low, high] = [Math.min(r, s), Math.max(r, s)]
        if (passes({ minHitRate: high })) expect(passes({ minHitRate: low })).toBe(true)
        expect(passes({ minHitRate: 0 })).toBe(true)
      }),
      { numRuns },
    )
  })

  it('are kept by every report that is its own baseline', () => {
    fc.assert(
      fc.property(turns, fc.uniqueArray(fc.stringMatching(/^[a-z]{1,4}$/), { maxLength: 4 }), (report, ids) => {
        const same = { ...report, culprits: ids.map((id) => culpritOf(id)) }
        expect(checkGates(same, { baseline: same }).outcome).toBe('passed')
      }),
      { numRuns },
    )
  })
})
