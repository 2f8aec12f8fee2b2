import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { newestRule, type PriceTable } from '../../cache/index.ts'
import type { Verdict, VerdictKind } from '../verdicts/types.ts'
import type { Culprit } from '../changes/types.ts'
import type { Saving } from '../counterfactuals/types.ts'
import { assemble } from './assemble.ts'
import { joinCulprits } from './culprits.ts'
import {
  changesOf,
  clockReport,
  clockTurns,
  counterfactualOf,
  culpritOf,
  partsOf,
  playedOf,
  reportOptions as options,
  streamOf,
  verdictOf,
} from './test-parts.ts'

describe('a report', () => {
  const report = clockReport()

  it('says what made it, and from when to when', () => {
    expect(report.schema).toBe('indelible.audit/1')
    expect(report.generator.version).toBe('1.2.3')
    expect(report.generator.rulesAsOf).toBe(newestRule)
    expect(report.generator.pricesAsOf).toMatch(/^2026-(?:0\d|1[01])-\d\d$/)
    expect(report.range).toEqual({ from: '2026-11-01T00:00:00.000Z', to: '2026-11-01T00:01:30.000Z' })
  })

  it('hands what was lost to the culprit, and what it saves comes from the plays', () => {
    expect(report.culprits).toHaveLength(1)
    expect(report.culprits[0]).toMatchObject({
      id: 'clock-1',
      kind: 'clock',
      path: 'system[0]',
      tokensLost: 2400,
      occurrences: [1, 2, 3].map((turn) => ({ stream: 'stream-1', turn })),
      savesAlone: { tokens: 2400, cost: 0.01 },
      fix: expect.stringContaining('value()'),
    })
    expect(report.culprits[0]?.values.map(({ text }) => text)).toEqual(['14:00', '14:01'])
    expect(report.culprits[0]?.anchor?.before.text).toBeNull()
    expect(report.totals.lost).toEqual({ tokens: 2400, cost: report.culprits[0]?.cost })
    expect(report.totals.otherLosses).toEqual([])
    expect(report.streams[0]?.culprits).toEqual(report.culprits)
  })

  it('keeps what costs nothing apart', () => {
    expect(report.streams[0]?.notes).toEqual([
      { kind: 'header-block', path: 'system[0]', text: expect.any(String), turns: [2, 3] },
      { kind: 'raw', path: null, text: 'A string is now a list.', turns: [1] },
    ])
  })

  it('has each turn with its tokens and money, and null for what was not reported', () => {
    const [first, second] = report.streams[0]?.turns ?? []
    expect(first).toMatchObject({
      index: 0,
      parent: null,
      requestId: 'req_0',
      responseId: null,
      source: { file: 'test.jsonl', line: 1 },
      verdict: 'first',
      tokens: { total: 1000, read: 0, write5m: 900, write30m: null, write1h: null, uncached: 100, output: 50 },
      predicted: null,
      lost: { tokens: 0, cost: 0 },
    })
    expect(second).toMatchObject({ index: 1, parent: 0, culprits: ['clock-1'], rewrittenTokens: 850 })
    // USD per million tokens: 6.25 written, 5 uncached, 25 out.
    expect(first?.cost?.read).toBe(0)
    expect(first?.cost?.write).toBeCloseTo(0.005625, 12)
    expect(first?.cost?.uncached).toBeCloseTo(0.0005, 12)
    expect(first?.cost?.output).toBeCloseTo(0.00125, 12)
  })

  it('adds up', () => {
    expect(report.totals).toMatchObject({
      turns: 4,
      streams: 1,
      failed: 0,
      hitRate: 0,
      priced: 4,
      unpriced: 0,
      billed: null,
      avoidable: 6,
      tokens: { total: 4000, write1h: null },
      verdicts: [
        { verdict: 'rewritten', turns: 3 },
        { verdict: 'first', turns: 1 },
      ],
    })
    expect(report.totals.cost).toBeCloseTo(4 * 0.007375, 12)
    expect(report.byModel).toEqual([
      {
        provider: 'anthropic',
        model: 'claude-opus-5',
        turns: 4,
        tokens: report.totals.tokens,
        hitRate: 0,
        cost: report.totals.cost,
      },
    ])
    expect(report.reproduced).toEqual({ warm: 2, of: 3 })
  })

  it('masks texts unless they are asked for', () => {
    expect(JSON.stringify(report)).not.toContain('Be brief')
    const open = clockReport({ includeText: true })
    expect(open.streams[0]?.turns[1]?.divergence?.after?.text).toBe('It is 14:01. Be brief.')
  })

  it('survives JSON', () => {
    expect(JSON.parse(JSON.stringify(report))).toEqual(report)
  })
})

describe('odd logs', () => {
  it('of nothing give a report of nothing', () => {
    const report = assemble(partsOf([], [], { total: counterfactualOf({ asSent: playedOf(null) }) }), options)
    expect(report.range).toEqual({ from: null, to: null })
    expect(report.totals).toMatchObject({ turns: 0, hitRate: null, cost: null, avoidable: null })
    expect(report.totals.tokens.total).toBeNull()
    expect(report.streams).toEqual([])
  })

  it('without usage have no bill, and say what a loss is worth by what the rules predict', () => {
    const turns = clockTurns(2, () => ({ usage: undefined }))
    const usage = { total: 1000, read: 0, write5m: 1000, write30m: 0, write1h: 0, uncached: 0 }
    const prediction = { usage } as Verdict['prediction']
    const verdicts = turns.map((turn) => verdictOf(turn, { verdict: 'rewritten', lostTokens: 500, prediction }))
    const { totals, streams } = assemble(partsOf([streamOf(turns)], verdicts), options)
    expect(totals).toMatchObject({ cost: null, priced: 0, unpriced: 2, lost: { tokens: 1000 } })
    expect(totals.lost.cost).toBeGreaterThan(0)
    expect(streams[0]?.turns[0]).toMatchObject({ cost: null, tokens: { total: null } })
    expect(totals.otherLosses).toEqual([
      { reason: 'rewritten', turns: 2, tokens: 1000, cost: expect.closeTo(totals.lost.cost ?? 0, 12) },
    ])
  })

  it('of models without a price say so, and count what has one', () => {
    const turns = clockTurns(3).map((turn, index) => (index === 0 ? turn : { ...turn, model: 'nobody-1' }))
    const report = assemble(
      partsOf(
        [streamOf(turns)],
        turns.map((turn) => verdictOf(turn)),
      ),
      options,
    )
    expect(report.totals).toMatchObject({ priced: 1, unpriced: 2 })
    expect(report.unpriced).toEqual([
      { model: 'nobody-1', reason: 'model', message: expect.stringContaining('nobody-1'), turns: 2 },
    ])
    expect(report.streams[0]?.model).toBe('nobody-1')
  })

  it('with calls that failed bill nothing for them', () => {
    const turns = clockTurns(2).map((turn) => ({ ...turn, failed: true }))
    const report = assemble(
      partsOf(
        [streamOf(turns)],
        turns.map((turn) => verdictOf(turn, { verdict: 'failed' })),
      ),
      options,
    )
    expect(report.totals).toMatchObject({ failed: 2, cost: null, priced: 0, unpriced: 0 })
  })

  it('with charges and anomalies of the provider keep them beside the list prices', () => {
    const turns = clockTurns(2, () => ({
      usage: {
        total: 10,
        uncached: 10,
        cost: { amount: 2, currency: 'USD', field: 'usage.cost' },
        anomalies: [{ type: 'other-model', message: 'key sk-ant-abcdef' }],
      },
    }))
    const report = assemble(
      partsOf(
        [streamOf(turns)],
        turns.map((turn) => verdictOf(turn)),
      ),
      options,
    )
    expect(report.totals.billed).toEqual({ amount: 4, turns: 2 })
    expect(report.totals.cost).toBeLessThan(1)
    expect(report.anomalies).toEqual(
      [0, 1].map((turn) => ({ stream: 'stream-1', turn, type: 'other-model', message: 'key [key]' })),
    )
  })

  it('show no key in the names that they have', () => {
    const turns = clockTurns(1, () => ({ ids: { request: 'sk-ant-api03-abcdef', session: 'x'.repeat(1_000_000) } }))
    const report = assemble(
      partsOf(
        [streamOf(turns)],
        turns.map((turn) => verdictOf(turn, { providerReason: 'Bearer abcdefgh1234' })),
      ),
      options,
    )
    expect(report.streams[0]?.turns[0]).toMatchObject({ requestId: '[key]', providerReason: 'Bearer [key]' })
    expect(report.streams[0]?.session).toHaveLength(200)
  })
})

describe('culprits of several streams', () => {
  const turns = clockTurns(4)
  const [one, other] = [turns.slice(0, 2), turns.slice(2)]
  const report = assemble(
    partsOf(
      [streamOf(one, 'a'), streamOf(other, 'b')],
      turns.map((turn) => verdictOf(turn, { verdict: 'rewritten', lostTokens: 100 })),
      {
        changes: new Map([
          ['a', changesOf([culpritOf(one, { values: ['14:00'] })])],
          ['b', changesOf([culpritOf(other, { scope: 'between', values: ['15:00'] })])],
        ]),
      },
    ),
    options,
  )

  it('with one id are one', () => {
    expect(report.culprits).toHaveLength(1)
    expect(report.culprits[0]).toMatchObject({ scope: 'both', tokensLost: 400 })
    expect(report.culprits[0]?.values.map(({ text }) => text)).toEqual(['14:00', '15:00'])
    expect(report.culprits[0]?.occurrences.map(({ stream }) => stream)).toEqual(['a', 'a', 'b', 'b'])
  })

  it('have each value once in a row, in the order of the turns', () => {
    const turns = clockTurns(6)
    const at = (...numbers: readonly (readonly [turn: number, before: string, after: string])[]): Culprit =>
      culpritOf([], {
        values: [...new Set(numbers.flatMap(([, before, after]) => [before, after]))],
        occurrences: numbers.map(([turn, before, after]) => ({ turn: turns[turn]!, before, after })),
      })
    const valuesOf = (...culprits: readonly Culprit[]): (string | null)[] =>
      [...joinCulprits(culprits.map((culprit) => changesOf([culprit]))).values()].flatMap(({ values }) => values)
    expect(valuesOf(at([2, 'ben', 'eva']), at([1, 'ana', 'ben']))).toEqual(['ana', 'ben', 'eva'])
    expect(valuesOf(at([2, '09:00', '09:01']), at([4, '09:01', '09:02']))).toEqual(['09:00', '09:01', '09:02'])
    expect(
      valuesOf(at([2, '09:00', '09:02'], [4, '09:02', '09:04']), at([3, '09:01', '09:03'], [5, '09:03', '09:05'])),
    ).toEqual(['09:00', '09:02', '09:01', '09:03', '09:04', '09:05'])
    expect(valuesOf(at([1, 'a', 'b']), { ...at([2, 'c', 'd']), values: ['c', 'x', 'y'] })).toEqual([
      'a',
      'b',
      'c',
      'x',
      'y',
    ])
  })

  it('are in each stream with what they are there', () => {
    const [a, b] = report.streams
    expect(a?.culprits[0]).toMatchObject({ scope: 'within', tokensLost: 200 })
    expect(b?.culprits[0]).toMatchObject({ scope: 'between', tokensLost: 200 })
    expect(a?.culprits[0]?.occurrences.every(({ stream }) => stream === 'a')).toBe(true)
  })

  it('stand in the order of their money, which between sessions is what sharing would save', () => {
    const saving = (cost: number): Saving => ({ tokens: 1, cost })
    const names = ['within', 'between', 'idle'] as const
    const ordered = assemble(
      partsOf(
        [streamOf(turns)],
        turns.map((turn, index) => verdictOf(turn, { verdict: 'rewritten', lostTokens: index === 1 ? 100 : 0 })),
        {
          changes: new Map([
            [
              'stream-1',
              changesOf([
                culpritOf([turns[2]!], { id: 'idle' }),
                culpritOf([turns[1]!], { id: 'within' }),
                culpritOf([turns[0]!], { id: 'between', scope: 'between' }),
              ]),
            ],
          ]),
          total: counterfactualOf({
            savings: new Map(names.map((id) => [id, { alone: saving(0), last: saving(id === 'idle' ? 9 : 2) }])),
          }),
        },
      ),
      options,
    )
    expect(ordered.culprits.map(({ id }) => id)).toEqual(['between', 'within', 'idle'])
  })

  it('that are alike are one family', () => {
    expect(report.families).toEqual([{ id: 'family-1', streams: ['a', 'b'] }])
  })
})

it('what culprits and other reasons lost adds up to what was lost, in tokens and in money', () => {
  const turns = clockTurns(6)
  const kinds = fc.constantFrom<VerdictKind>('rewritten', 'scope', 'expired', 'unmarked', 'provider-miss')
  const culprits = [
    culpritOf([], { id: 'a' }),
    culpritOf([], { id: 'b', kind: 'parameter' }),
    culpritOf([], { id: 'c', kind: 'breakpoint-wasted' }),
  ]
  const lossOf = fc.record({ lostTokens: fc.nat(1200), verdict: kinds, on: fc.subarray([0, 1, 2]) })
  fc.assert(
    fc.property(fc.array(lossOf, { minLength: 6, maxLength: 6 }), (losses) => {
      const verdicts = turns.map((turn, index) => verdictOf(turn, losses[index]))
      const found = culprits.map((culprit, which) => ({
        ...culprit,
        occurrences: turns
          .filter((_, index) => losses[index]!.on.includes(which))
          .map((turn) => ({ turn, before: null, after: null })),
      }))
      const report = assemble(
        partsOf([streamOf(turns)], verdicts, { changes: new Map([['stream-1', changesOf(found)]]) }),
        options,
      )
      const parts = [
        ...report.culprits.map(({ tokensLost: tokens, cost }) => ({ tokens, cost })),
        ...report.totals.otherLosses,
      ]
      const sum = (of: (part: (typeof parts)[number]) => number | null): number =>
        parts.reduce((total, part) => total + (of(part) ?? 0), 0)
      expect(sum(({ tokens }) => tokens)).toBe(report.totals.lost.tokens)
      expect(sum(({ cost }) => cost)).toBeCloseTo(report.totals.lost.cost ?? 0, 10)
      const byTurn = report.streams[0]!.turns.reduce((total, { lost }) => total + lost.tokens, 0)
      expect(byTurn).toBe(report.totals.lost.tokens)
    }),
    { numRuns: 50 },
  )
})

it('a table of prices without days has none', () => {
  const prices: PriceTable = { rows: [] }
  expect(assemble(partsOf([], []), { ...options, prices }).generator.pricesAsOf).toBeNull()
})
