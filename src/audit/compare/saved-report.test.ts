import { describe, expect, it } from 'vitest'
import { culpritOf, reportOf } from '../gates/test-reports.ts'
import { clockReport } from '../report/test-parts.ts'
import { readReport } from './saved-report.ts'

/** A report as JSON, with the value at `path` replaced; left out where there is none. */
function changed(path: readonly (string | number)[], value?: unknown): unknown {
  const report = JSON.parse(JSON.stringify(reportOf([{}, { lost: { rewritten: 5 } }], [culpritOf('a')]))) as unknown
  let at = report as Record<string | number, unknown>
  for (const step of path.slice(0, -1)) at = at[step] as Record<string | number, unknown>
  const last = path.at(-1) ?? ''
  if (value === undefined) delete at[last]
  else at[last] = value
  return report
}

describe('a report that was saved', () => {
  it('is read as it was, whatever it has besides', () => {
    const report = clockReport()
    expect(readReport(JSON.parse(JSON.stringify(report)))).toEqual(report)
    const more = { ...reportOf([{}, {}]), later: 1, gates: { outcome: 'passed' } }
    expect(readReport(more)).toBe(more)
  })

  it.each([
    [
      'nothing',
      null,
      /^The report is no report of an audit: it has no schema\. Save one with indelible audit LOG --json\.$/,
    ],
    ['a list', [], /it has no schema/],
    ['a body of a request', { model: 'claude-opus-5', messages: [] }, /it has no schema/],
    ['another schema', { schema: 'indelible.demo/3' }, /its schema is "indelible\.demo\/3"/],
    ['a report to come', { schema: 'indelible.audit/2' }, /its schema is "indelible\.audit\/2"/],
    ['a schema that it inherits', Object.create({ schema: 'indelible.audit/1' }), /it has no schema/],
    ['nothing but its schema', { schema: 'indelible.audit/1' }, /inputs is not there/],
  ])('is not %s', (_name, json, message) => {
    expect(() => readReport(json)).toThrow(
      expect.objectContaining({ code: 'option_invalid', message: expect.stringMatching(message) }),
    )
  })

  it.each<readonly [readonly (string | number)[], unknown]>([
    [['streams'], 'none'],
    [['streams', 0, 'turns', 1], null],
    [['streams', 0, 'turns', 1, 'predicted', 'read'], '12'],
    [['streams', 0, 'turns', 1, 'predicted', 'byRulesAlone', 'lost'], {}],
    [['streams', 0, 'turns', 1, 'source', 'file'], { toString: 1 }],
    [['streams', 0, 'turns', 1, 'lost', 'tokens'], -1],
    [['culprits', 0, 'id'], 7],
    [['culprits', 0, 'path'], undefined],
    [['totals', 'hitRate'], Number.POSITIVE_INFINITY],
  ])('with something else at %j is named there', (path, value) => {
    const name = path.map((step) => (typeof step === 'number' ? `[${step}]` : `.${step}`)).join('')
    expect(() => readReport(changed(path, value), 'base.json')).toThrow(
      `base.json cannot be read: ${name.slice(1)} is not there, or not what it should be.`,
    )
  })

  it('of an older release has to be saved anew', () => {
    const older = changed(['streams', 0, 'turns', 0, 'predicted', 'byRulesAlone'])
    expect(() => readReport(older)).toThrow(
      'streams[0].turns[0].predicted.byRulesAlone is not there, or not what it should be. It may be of an older release. Save it anew',
    )
  })
})
