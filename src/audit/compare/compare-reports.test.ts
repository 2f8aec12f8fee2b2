import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { culpritOf, reportOf } from '../gates/test-reports.ts'
import { clockReport } from '../report/test-parts.ts'
import type { AuditCulprit, AuditReport, AuditTurn } from '../report/types.ts'
import { compareReports } from './compare-reports.ts'

const numRuns = Number(process.env['LAWS_RUNS'] ?? 150)
const nothing = { read: null, write5m: null, write30m: null, write1h: null, uncached: null, output: null }

/** A turn that was billed: input, and what it cost. */
function billed(total: number | null, cost: number | null, lost = 0): { readonly over: Partial<AuditTurn> } {
  return {
    over: {
      verdict: 'appended',
      tokens: { ...nothing, total },
      cost: cost === null ? null : { read: cost / 2, write: null, uncached: cost / 4, output: cost / 4 },
      lost: { tokens: lost, cost: null },
    },
  }
}

/** A report without plays, unless `over` says otherwise. */
function unplayed(report: AuditReport): AuditReport {
  return { ...report, streams: report.streams.map((stream) => ({ ...stream, counterfactual: null })) }
}

describe('figures', () => {
  it('are averages per turn and per million tokens of input, each over the turns of which it is known', () => {
    const report = unplayed(
      reportOf([billed(1000, 0.02, 300), billed(3000, 0.04), billed(null, null), billed(4000, null, 100)]),
    )
    const { after } = compareReports(clockReport(), report)
    expect(after).toMatchObject({ turns: 4, streams: 1, comparableTurns: 3, files: ['a.jsonl'] })
    // The third has no report: its size is what the rules say.
    expect(after.inputTokensPerTurn).toBe((1000 + 3000 + 1100 + 4000) / 4)
    expect(after.perTurn).toMatchObject({ cost: 0.03, lostTokens: 100, asSent: null })
    expect(after.perMillion.cost).toBeCloseTo(15, 9)
    expect(after.perMillion.lostTokens).toBeCloseTo((400 / 9100) * 1e6, 6)
  })

  it('have the hit rate as it was reported, and as the rules say', () => {
    const report = reportOf([{}, { read: 900, lost: { rewritten: 100 } }, { read: 0, lost: { 'provider-miss': 500 } }])
    const { before, after } = compareReports(report, reportOf([{}, {}]))
    expect(before).toMatchObject({ hitRate: 0, predictedHitRate: 0.9 })
    expect(after.predictedHitRate).toBe(1)
    expect([before.perTurn.rewrittenTokens, after.perTurn.rewrittenTokens]).toEqual([50, 0])
  })

  it('leave calls out that were not answered', () => {
    const failed = { over: { ...billed(null, null).over, verdict: 'failed', predicted: null } } as const
    const { after } = compareReports(clockReport(), unplayed(reportOf([billed(1000, 0.02), failed])))
    expect(after).toMatchObject({ turns: 1, comparableTurns: 0, predictedHitRate: null })
    expect(after.perTurn).toEqual({ cost: 0.02, asSent: null, lostTokens: 0, rewrittenTokens: null })
  })

  it('have what the rules come to, of conversations that were played and have a price', () => {
    const report = clockReport()
    expect(compareReports(report, report).before.perTurn.asSent).toBe(10 / 4)
    expect(compareReports(report, report).before.perMillion.asSent).toBeCloseTo(10_000, 6)
  })

  it('are not known of a report without turns', () => {
    const { after } = compareReports(clockReport(), unplayed(reportOf([])))
    const unknown = { cost: null, asSent: null, lostTokens: null, rewrittenTokens: null }
    expect(after).toMatchObject({ inputTokensPerTurn: null, perTurn: unknown, perMillion: unknown })
  })
})

describe('culprits', () => {
  const lists = ({ culprits: { gone, new: found, left } }: ReturnType<typeof compareReports>): unknown => ({
    gone: gone.map(({ id }) => id),
    new: found.map(({ id }) => id),
    left: left.map(({ id, idBefore }) => (idBefore === null ? id : `${idBefore} > ${id}`)),
  })
  const compare = (before: readonly AuditCulprit[], after: readonly AuditCulprit[]): unknown =>
    lists(compareReports(reportOf([{}, {}], before), reportOf([{}, {}], after)))

  it('are gone, new or left by their ids', () => {
    const date = culpritOf('date-1', { kind: 'date' })
    const git = culpritOf('git-1', { kind: 'git' })
    const path = culpritOf('path-1', { kind: 'path' })
    expect(compare([date, git], [git, path])).toEqual({ gone: ['date-1'], new: ['path-1'], left: ['git-1'] })
  })

  it('whose id changed are left by kind and path, place by place', () => {
    const before = [culpritOf('b-2', { offset: 90 }), culpritOf('b-1', { offset: 5 }), culpritOf('same')]
    const after = [culpritOf('same'), culpritOf('a-1', { offset: 7 })]
    expect(compare(before, after)).toEqual({ gone: ['b-2'], new: [], left: ['same', 'b-1 > a-1'] })
    expect(compare(after, before)).toEqual({ gone: [], new: ['b-2'], left: ['a-1 > b-1', 'same'] })
  })

  it('of another kind or path are others', () => {
    expect(
      compare([culpritOf('a')], [culpritOf('b', { kind: 'date' }), culpritOf('c', { path: 'system[1]' })]),
    ).toEqual({ gone: ['a'], new: ['b', 'c'], left: [] })
  })

  it('have what they lost per turn, of either side', () => {
    const before = reportOf([{}, {}], [culpritOf('a', { tokensLost: 100, cost: 1 }), culpritOf('b', { kind: 'git' })])
    const after = reportOf([{}, {}, {}, {}], [culpritOf('a', { tokensLost: 100, cost: null })])
    const { left, gone } = compareReports(before, after).culprits
    expect(left).toEqual([
      {
        id: 'a',
        kind: 'clock',
        path: 'system[0]',
        scope: 'within',
        idBefore: null,
        before: { tokensPerTurn: 50, costPerTurn: 0.5 },
        after: { tokensPerTurn: 25, costPerTurn: null },
      },
    ])
    expect(gone[0]).toMatchObject({ id: 'b', kind: 'git', loss: { tokensPerTurn: 1200 } })
  })

  it('are each in one list, and a report held against itself has none that is new or gone', () => {
    const culprit = fc.record({
      kind: fc.constantFrom('clock' as const, 'git' as const),
      path: fc.constantFrom('system[0]', 'tools[a]'),
      offset: fc.option(fc.nat(50)),
    })
    const some = fc
      .uniqueArray(fc.nat(30), { maxLength: 8 })
      .chain((ids) => fc.array(culprit, { minLength: ids.length, maxLength: ids.length }).map((all) => ({ ids, all })))
      .map(({ ids, all }) => all.map((over, index) => culpritOf(`id-${ids[index]}`, over)))
    fc.assert(
      fc.property(some, some, (before, after) => {
        const self = compareReports(reportOf([{}, {}], before), reportOf([{}, {}], before))
        expect(self.culprits).toMatchObject({
          gone: [],
          new: [],
          left: before.map(({ id }) => ({ id, idBefore: null })),
        })
        expect(self.before).toEqual(self.after)
        const { gone, new: found, left } = compareReports(reportOf([{}], before), reportOf([{}], after)).culprits
        const earlier = [...gone.map(({ id }) => id), ...left.map(({ id, idBefore }) => idBefore ?? id)]
        expect(earlier.toSorted()).toEqual(before.map(({ id }) => id).toSorted())
        const later = [...found, ...left].map(({ id }) => id)
        expect(later.toSorted()).toEqual(after.map(({ id }) => id).toSorted())
      }),
      { numRuns },
    )
  })
})
