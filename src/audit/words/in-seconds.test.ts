import { describe, expect, it } from 'vitest'
import { exampleReport } from '../../cli/audit/print/test-report.ts'
import type { AuditTurn } from '../report/types.ts'
import { inSeconds } from './in-seconds.ts'

const secondsOf = ({ cost }: AuditTurn): number | null => cost?.uncached ?? null

/** One turn of the example, changed. */
function turnWith(over: Partial<AuditTurn>): AuditTurn {
  const report = exampleReport()
  const [stream] = report.streams
  const [turn] = stream?.turns ?? []
  if (stream === undefined || turn === undefined) throw new TypeError('The example has no turn.')
  const changed = inSeconds({ ...report, streams: [{ ...stream, turns: [{ ...turn, ...over }] }] }, 100)
  return changed.streams[0]?.turns[0] ?? turn
}

const none = { total: null, read: null, write5m: null, write30m: null, write1h: null, uncached: null, output: null }

describe('a report in seconds', () => {
  it('has tokens by the rate in place of money, wherever money is', () => {
    const report = exampleReport()
    const timed = inSeconds(report, 250)
    for (const culprit of timed.culprits) {
      expect(culprit.cost).toBe(culprit.tokensLost / 250)
      if (culprit.savesAlone !== null) expect(culprit.savesAlone.cost).toBe(culprit.savesAlone.tokens / 250)
    }
    for (const played of [timed.counterfactual.asSent, timed.counterfactual.floor]) {
      expect(played.cost).toBe((played.tokens.total - played.tokens.read) / 250)
    }
    for (const { saves } of timed.counterfactual.steps) expect(saves.cost).toBe(saves.tokens / 250)
    expect(timed.totals.lost.cost).toBe(timed.totals.lost.tokens / 250)
    expect(timed.totals.billed).toBeNull()
  })

  it('changes nothing but money', () => {
    const moneyless = (value: unknown): unknown =>
      JSON.parse(
        JSON.stringify(value, (key, inner: unknown) =>
          ['cost', 'billed', 'avoidable', 'unpriced'].includes(key) ? undefined : inner,
        ),
      )
    expect(moneyless(inSeconds(exampleReport(), 7))).toEqual(moneyless(exampleReport()))
  })

  it('sums up turns, over all and by model', () => {
    const { totals, byModel, streams } = inSeconds(exampleReport(), 100)
    const turns = streams.flatMap((stream) => stream.turns)
    const sum = turns.reduce((seconds, turn) => seconds + (secondsOf(turn) ?? 0), 0)
    expect(totals.cost).toBeCloseTo(sum)
    for (const { provider, model, cost } of byModel) {
      const its = streams.filter((stream) => stream.provider === provider).flatMap((stream) => stream.turns)
      const own = its.filter((turn) => turn.model === model).map(secondsOf)
      expect(cost ?? 0).toBeCloseTo(own.reduce<number>((seconds, one) => seconds + (one ?? 0), 0))
    }
  })

  it.each<[string, Partial<AuditTurn>, number | null]>([
    ['what was reported', { tokens: { ...none, total: 1000, read: 400 }, predicted: null }, 6],
    [
      'the rules where no read is reported',
      { tokens: { ...none, total: 1000 }, predicted: { read: 900, write: 0, uncached: 50, byRulesAlone: null } },
      1,
    ],
    [
      'the rules where nothing is reported',
      { tokens: none, predicted: { read: 900, write: 20, uncached: 50, byRulesAlone: null } },
      0.7,
    ],
    ['all input where neither says more', { tokens: { ...none, total: 1000 }, predicted: null }, 10],
    ['nothing where nothing is known', { tokens: none, predicted: null }, null],
    ['nothing for a call that failed', { verdict: 'failed', tokens: { ...none, total: 1000, read: 0 } }, null],
  ])('takes %s', (_, over, seconds) => {
    expect(secondsOf(turnWith({ verdict: 'appended', ...over }))).toBe(seconds)
  })
})
