import { describe, expect, it } from 'vitest'
import type { Comparison } from './comparisons.ts'
import { addSettled, settle, type Exception, type Settled } from './exceptions.ts'
import { turnsOf } from './test-turn.ts'

const [turn] = turnsOf([{ texts: ['Hello'] }])
const line: Exception<'shown' | 'not-shown'> = {
  file: 'recording.json',
  call: 0,
  ours: 'APPEND',
  rule: 'shown',
  why: 'because',
}

function settled(table: string, ours: string, ...exceptions: readonly (typeof line)[]): Settled {
  if (turn === undefined) throw new Error('no turn')
  const comparison: Comparison = { table, ours, turn, earlier: undefined }
  return settle('divergence', [comparison], exceptions, { shown: () => true, 'not-shown': () => false })
}

const differs = 'folder/recording.json #0: divergence: usage.csv has system, the audit APPEND'

describe('a row of the table', () => {
  it('agrees where both say the same', () => {
    expect(settled('APPEND', 'APPEND')).toEqual({ compared: 1, agreeing: 1, listed: [], problems: [] })
  })

  it('is a problem where they differ and it is not listed', () => {
    expect(settled('system', 'APPEND')).toMatchObject({ agreeing: 0, problems: [`${differs}; it is not listed`] })
    const elsewhere = settled('system', 'APPEND', { ...line, file: 'other.json' }, { ...line, call: 1 })
    expect(elsewhere.problems).toContain(`${differs}; it is not listed`)
  })

  it('may differ where it is listed and the recording shows the rule', () => {
    expect(settled('system', 'APPEND', line)).toEqual({
      compared: 1,
      agreeing: 0,
      listed: [`${differs} (shown: because)`],
      problems: [],
    })
    expect(settled('system', 'APPEND', { ...line, rule: 'not-shown' }).problems).toEqual([
      `${differs}; the recording does not show "not-shown"`,
    ])
  })

  it('may not be listed where both agree, or where the audit says something else by now', () => {
    expect(settled('APPEND', 'APPEND', line).problems).toEqual([
      'folder/recording.json #0: divergence: usage.csv has APPEND, the audit APPEND; they agree, and it is listed',
    ])
    expect(settled('system', 'TRUNCATED', line).problems).toEqual([
      'folder/recording.json #0: divergence: usage.csv has system, the audit TRUNCATED; APPEND is listed',
    ])
  })

  it('has to be there where it is listed', () => {
    expect(settled('APPEND', 'APPEND', { ...line, call: 5 }).problems).toEqual([
      'recording.json #5: divergence: it is listed, and was not compared',
    ])
  })

  it('counts once over all recordings', () => {
    const all = addSettled([
      settled('APPEND', 'APPEND'),
      settled('system', 'APPEND', line),
      settled('system', 'APPEND'),
    ])
    expect([all.compared, all.agreeing, all.listed.length, all.problems.length]).toEqual([3, 1, 1, 1])
  })
})
