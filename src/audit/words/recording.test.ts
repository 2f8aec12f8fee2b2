import { describe, expect, it } from 'vitest'
import type { AuditInput, AuditTurn, Fidelity } from '../index.ts'
import { recordingRemarks } from './recording.ts'
import { exampleReport, report, stream, turn } from '../../cli/audit/print/test-report.ts'

function remarksOf(level: Fidelity['level'], turns: readonly AuditTurn[], missing: readonly string[] = []): string[] {
  const [input] = exampleReport().inputs as readonly [AuditInput]
  return recordingRemarks(
    report({
      streams: [stream(turns, { missing })],
      inputs: [{ ...input, fidelity: { ...input.fidelity!, level } }],
    }),
  )
}

describe('what to record', () => {
  it('is nothing where the log lacked nothing', () => {
    expect(remarksOf('body', [turn(0, 'first'), turn(1, 'appended')])).toEqual([])
    expect(remarksOf('wire', [turn(0, 'first'), turn(1, 'provider-miss')])).toEqual([])
  })

  it('says what it would give', () => {
    expect(remarksOf('usage', [turn(0, 'first')])).toEqual([
      'To record more (generic-jsonl), for culprits and what fixing them saves: Log the whole response.',
    ])
    expect(remarksOf('prompt', [turn(0, 'first'), turn(1, 'unknown'), turn(2, 'unknown')])).toEqual([
      'To record more (generic-jsonl), for breakpoints and parameters as they were sent and for the cause of 2 losses: Log the whole response.',
    ])
    expect(remarksOf('body', [turn(0, 'unknown')])[0]).toContain('for the cause of a loss:')
  })

  it('names what is missing first', () => {
    const missing = ['No times are in the log.']
    expect(remarksOf('body', [turn(0, 'first', { missing })], missing)).toEqual([
      'No times are in the log.',
      'To record more (generic-jsonl), for surer verdicts on 1 turn: Log the whole response.',
    ])
  })

  it('is said of the files in which it is missing', () => {
    const elsewhere = turn(0, 'unknown', { source: { file: 'other.jsonl', line: 1 } })
    expect(remarksOf('body', [elsewhere])).toEqual([])
  })
})
