import { describe, expect, it } from 'vitest'
import { compareReports, type AuditComparison } from '../../../audit/index.ts'
import { secondsOfPrefill } from '../../../audit/words/unit.ts'
import { createPaint, type Paint } from '../../output.ts'
import { printable } from '../../printable.ts'
import { culprit, exampleReport } from '../print/test-report.ts'
import { printComparison } from './print-comparison.ts'

const plain: Paint = createPaint(false)
const report = exampleReport()

function lines(comparison: AuditComparison, all = false): string[] {
  const printed = printComparison(comparison, plain, all).trimEnd().split('\n')
  expect(Math.max(...printed.map((line) => Array.from(line).length))).toBeLessThanOrEqual(80)
  return printed
}

describe('two logs side by side', () => {
  const same = compareReports(report, report)

  it('show each figure with its change', () => {
    const { before } = same
    const better = { ...before, hitRate: 0.95, perTurn: { ...before.perTurn, cost: 0.01, lostTokens: 0 } }
    const worse = { ...before, hitRate: 0.25, perTurn: { ...before.perTurn, cost: 0.02, lostTokens: 1234.4 } }
    const printed = lines({ ...same, before: worse, after: better })
    expect(printed).toContain('hit rate, as reported                   25.0 %        95.0 %  +70.0 points')
    expect(printed).toContain('  bill, as reported                     $0.020        $0.010       -50.0 %')
    expect(printed).toContain('  tokens lost                            1,234             0      -100.0 %')
    const back = lines({ ...same, before: better, after: worse })
    expect(back).toContain('  tokens lost                                0         1,234')
  })

  it('show seconds of prefill in place of dollars', () => {
    const seconds = printComparison(same, plain, false, secondsOfPrefill(1000)).split('\n')
    expect(seconds.find((line) => line.startsWith('  prefill, as reported'))).toMatch(/ \d\S* s +\d\S* s$/)
    expect(seconds.join('\n')).not.toContain('$')
  })

  it('are green where it is better, and red where it is worse', () => {
    const after = { ...same.before, hitRate: (same.before.hitRate ?? 0) / 2 }
    const hitRateOf = (comparison: AuditComparison): string | undefined =>
      printComparison(comparison, createPaint(true), false)
        .split('\n')
        .find((line) => line.startsWith('hit rate, as reported'))
    expect(hitRateOf({ ...same, after })).toContain('\u001b[31m')
    expect(hitRateOf({ ...same, before: after, after: same.before })).toContain('\u001b[32m')
  })

  it('have no change where nothing changed, and a question mark where nothing is known', () => {
    const unknown = { ...same.before, hitRate: null }
    const printed = lines({ ...same, before: unknown })
    expect(printed.find((line) => line.startsWith('hit rate, as reported'))).toMatch(/ \? +\d+\.\d %$/)
    expect(printed.join('\n')).not.toMatch(/[+-]\d/)
  })

  it('list which culprits are gone, new and left', () => {
    const [gone, left, found] = ['date', 'git', 'path'].map((kind) => culprit({ id: kind, kind: kind as 'date' }))
    if (gone === undefined || left === undefined || found === undefined) throw new Error('There are three.')
    const before = { ...report, culprits: [gone, left] }
    const after = { ...report, culprits: [{ ...left, id: 'git-2', tokensLost: 1300 }, found] }
    const printed = lines(compareReports(before, after))
    expect(printed.slice(printed.indexOf('Culprits gone: 1'))).toEqual([
      'Culprits gone: 1',
      '  date at system[0]                             9,231 tokens a turn',
      'New: 1',
      '  path at system[0]                             9,231 tokens a turn',
      'Left: 1',
      '  git at system[0]                              9,231 tokens → 100 tokens a turn',
      '    by its kind and place: the text around it was edited',
    ])
    expect(lines(compareReports({ ...report, culprits: [] }, { ...report, culprits: [] })).slice(-3)).toEqual([
      'Culprits gone: none',
      'New: none',
      'Left: none',
    ])
  })

  it('list eight culprits of each, or all', () => {
    const culprits = Array.from({ length: 11 }, (_, index) => culprit({ id: `c-${index}`, path: `system[${index}]` }))
    const comparison = compareReports({ ...report, culprits }, { ...report, culprits: [] })
    expect(lines(comparison)).toContain('  … and 3 more (--all)')
    expect(lines(comparison, true).filter((line) => line.startsWith('  clock at'))).toHaveLength(11)
  })

  it('are text, whatever a log or a saved report calls things', () => {
    const hostile = `\u001b[2J\u202e${'system[0]\n'.repeat(3000)}`
    const bad = { ...report, culprits: [culprit({ path: hostile, kind: hostile as 'clock' })] }
    const inputs = bad.inputs.map((input) => ({ ...input, file: hostile }))
    const text = lines(compareReports({ ...bad, inputs }, { ...bad, inputs })).join('\n')
    expect(printable(text)).toBe(text)
  })
})
