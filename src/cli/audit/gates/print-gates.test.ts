import { describe, expect, it } from 'vitest'
import type { GatesResult, GateTurn } from '../../../audit/index.ts'
import { createPaint, type Paint } from '../../output.ts'
import { printable } from '../../printable.ts'
import { culprit } from '../print/test-report.ts'
import { printGates } from './print-gates.ts'

const plain: Paint = createPaint(false)
const result: GatesResult = {
  outcome: 'passed',
  comparableTurns: 11,
  minTurns: 2,
  checks: [{ gate: 'max-rewritten-tokens', passed: true, tokens: 12, limit: 1000 }],
  worstTurns: [],
}

function turn(over: Partial<GateTurn> = {}): GateTurn {
  return {
    stream: 'stream-1',
    turn: 4,
    source: { file: 'logs/agent.jsonl', line: 5 },
    tokens: 3775,
    losses: [{ reason: 'rewritten', tokens: 3775, parameters: ['system[0]'] }],
    culprits: ['clock-1'],
    ...over,
  }
}

function lines(over: Partial<GatesResult>, culprits = [culprit()]): string[] {
  const text = printGates({ ...result, ...over }, { culprits }, plain)
  expect(text.endsWith('\n')).toBe(true)
  const printed = text.trimEnd().split('\n')
  expect(Math.max(...printed.map((line) => Array.from(line).length))).toBeLessThanOrEqual(80)
  return printed
}

describe('what became of the gates', () => {
  it('is a line for each, with the figure and its limit', () => {
    const checks: GatesResult['checks'] = [
      { gate: 'max-rewritten-tokens', passed: true, tokens: 12, limit: 1000 },
      { gate: 'min-hit-rate', passed: true, hitRate: 0.981, limit: 0.95, read: 981, reusable: 1000 },
      { gate: 'baseline-culprits', passed: true, new: [] },
      { gate: 'baseline-loss', passed: true, tokensPerTurn: 110.4, baselineTokensPerTurn: 120 },
    ]
    expect(lines({ checks })).toEqual([
      'Gates: ok, by the rules of the provider, over 11 comparable turns',
      'ok      rewritten tokens  12; at most 1,000',
      'ok      hit rate          98.1 % of 1,000 reusable tokens; at least 95.0 %',
      'ok      culprits          none that the baseline does not have',
      'ok      loss per turn     110 tokens; 120 in the baseline (-8.0 %)',
    ])
  })

  it('names the worst turns and their culprits where too much was lost', () => {
    const scope = { reason: 'scope', tokens: 20, parameters: ['tool_choice'] } as const
    const printed = lines({
      outcome: 'failed',
      checks: [{ gate: 'max-rewritten-tokens', passed: false, tokens: 3795, limit: 0 }],
      worstTurns: [
        turn(),
        turn({ source: { file: 'b.jsonl', line: null }, tokens: 20, losses: [scope], culprits: [] }),
      ],
    })
    expect(printed).toEqual([
      'Gates: FAILED, by the rules of the provider, over 11 comparable turns',
      'FAILED  rewritten tokens  3,795; at most 0',
      'Worst turns:',
      '  logs/agent.jsonl:5  3,775 tokens  rewritten: clock at system[0]',
      '  b.jsonl                20 tokens  scope (tool_choice)',
    ])
  })

  it('names culprits that are new, and those that they may be', () => {
    const found = { id: 'clock-2', kind: 'clock', path: 'system[0]', resembles: 'clock-1' } as const
    const other = { ...found, id: 'path-1', kind: 'path', resembles: null } as const
    const many = Array.from({ length: 12 }, () => other)
    const failed = (list: readonly (typeof found | typeof other)[]): string[] =>
      lines({
        outcome: 'failed',
        checks: [{ gate: 'baseline-culprits', passed: false, new: list }],
        worstTurns: [turn()],
      })
    expect(failed([found, other]).slice(1)).toEqual([
      'FAILED  culprits          2 that the baseline does not have:',
      '        clock at system[0] (clock-2)',
      '          perhaps clock-1, with other text around: then save a new one',
      '        path at system[0] (path-1)',
    ])
    expect(failed(many).at(-1)).toBe('        … and 2 more')
  })

  it('tells a figure from its limit, in as many digits as it takes', () => {
    const rate = (hitRate: number, limit: number): string | undefined =>
      lines({
        checks: [{ gate: 'min-hit-rate', passed: false, hitRate, limit, read: 1, reusable: 1 }],
      })[1]?.replace(' of 1 reusable tokens', '')
    expect(rate(0.94999, 0.95)).toBe('FAILED  hit rate          94.999 %; at least 95.000 %')
    expect(rate(0.9496, 0.95)).toBe('FAILED  hit rate          94.96 %; at least 95.00 %')
    expect(rate(0.95, 0.95)).toBe('FAILED  hit rate          95.0 %; at least 95.0 %')
  })

  it('says that nothing could be read, and leaves out a change from nothing', () => {
    const checks: GatesResult['checks'] = [
      { gate: 'min-hit-rate', passed: true, hitRate: null, limit: 0.95, read: 0, reusable: 0 },
      { gate: 'baseline-loss', passed: false, tokensPerTurn: 3, baselineTokensPerTurn: 0 },
    ]
    expect(lines({ checks }).slice(1)).toEqual([
      'ok      hit rate          nothing could be read; at least 95.0 %',
      'FAILED  loss per turn     3 tokens; 0 in the baseline',
    ])
  })

  it('is that nothing can be said, with too few turns', () => {
    const printed = lines({ outcome: 'too-few-turns', comparableTurns: 1, worstTurns: [turn()] })
    expect(printed).toEqual([
      'Gates: nothing can be said: 1 comparable turn, and 2 are needed. A turn is',
      'comparable when it continues another one and the log has its whole request.',
    ])
  })

  it('lets nothing of a log or a baseline reach the terminal as more than text', () => {
    const hostile = '\u001b[2J\u202eevil\nOK  passed '
    const path = `system[0] ${hostile.repeat(2000)}`
    const named = { id: 'x', kind: hostile as 'clock', path, resembles: hostile }
    const text = lines(
      {
        outcome: 'failed',
        checks: [
          { gate: 'baseline-culprits', passed: false, new: [named] },
          { gate: 'max-rewritten-tokens', passed: false, tokens: 1e15, limit: 0 },
        ],
        worstTurns: [
          turn({ source: { file: path, line: 1 } }),
          turn({ losses: [{ reason: 'scope', tokens: 1, parameters: [path] }] }),
        ],
      },
      [culprit({ path })],
    ).join('\n')
    expect(printable(text)).toBe(text)
    expect(text).not.toMatch(/^OK/m)
  })

  it('has colours where they are wanted', () => {
    const text = printGates({ ...result, outcome: 'failed' }, { culprits: [] }, createPaint(true))
    expect(text).toContain('\u001b[31mFAILED')
    expect(text).toContain('\u001b[32mok')
  })
})
