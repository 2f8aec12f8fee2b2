import { describe, expect, it } from 'vitest'
import type { Update } from '../../context/index.ts'
import { createPaint } from '../output.ts'
import type { TurnRecord, WayTurn } from './conversation.ts'
import { printChecks, printHead, printTotals, printTurns, printWhereabouts } from './print.ts'
import { createReport } from './report.ts'

const plain = createPaint(false)
const colored = createPaint(true)

const way = (total: number, reused: number, update: Update | null = null): WayTurn => ({
  total,
  reused,
  new: total - reused,
  update,
  body: { model: 'any', max_tokens: 1, messages: [] },
})

function record(turn: number, ways: TurnRecord['ways'], about: Partial<TurnRecord> = {}): TurnRecord {
  return { turn, user: null, note: null, truth: {}, ways, ...about }
}

const told = (text: string): Update => ({ text, parts: [], changes: [] })

const records = [
  record(1, { anew: way(500, 0), split: way(500, 0), epochs: way(500, 0) }, { user: 'Hello?' }),
  record(
    2,
    { anew: way(900, 100), split: way(900, 450), epochs: way(1000, 999, told('The branch is now "b".')) },
    { note: 'a colleague commits' },
  ),
]

describe('printTurns', () => {
  it('tells sent from new by sign alone, and shows what is new however little it is', () => {
    expect(printTurns(records, plain).split('\n')).toEqual([
      'turn       anew                     split                    epochs',
      '   1    0% ░░░░░░░░░             0% ░░░░░░░░░             0% ░░░░░░░░░',
      '     user  Hello?',
      '   2   11% ██░░░░░░░░░░░░░░     50% ████████░░░░░░░░     99% █████████████████░',
      '           (a colleague commits)',
      '     told  The branch is now "b".',
      '',
      '',
    ])
  })

  it('colours what was sent before green and what is new red', () => {
    const [, , , second = ''] = printTurns(records, colored).split('\n')
    expect(second).toContain(`\u001b[32m${'█'.repeat(17)}\u001b[39m\u001b[31m░\u001b[39m`)
  })

  it('keeps to 80 columns and a few lines, and lets no control character through', () => {
    const text = `<outside-text source="x">\n${'line \u001b[2J\u202e'.repeat(40)}\n</outside-text>\n${'a\n'.repeat(30)}`
    const turns = [
      record(
        200,
        { anew: way(9, 0), split: way(9, 0), epochs: way(9, 0, told(text)) },
        { user: 'x'.repeat(200), note: 'y'.repeat(200) },
      ),
    ]
    const lines = printTurns(turns, plain).split('\n')
    expect(Math.max(...lines.map((line) => line.length))).toBe(80)
    expect(lines).toHaveLength(12)
    for (const unwanted of ['\u001b', '\u202e', 'outside-text']) expect(lines.join('')).not.toContain(unwanted)
    expect(lines.at(-3)).toBe('           … and 26 more lines')
  })
})

describe('printHead', () => {
  it('keeps to 80 columns', () => {
    const lines = printHead(200, `a clone of ${'x'.repeat(100)}`, plain).split('\n')
    expect(Math.max(...lines.map((line) => line.length))).toBe(80)
  })
})

describe('printTotals', () => {
  it('adds up, and sets what is new against rendering anew', () => {
    expect(printTotals(createReport(records), plain).split('\n')).toEqual([
      'characters    all  sent before    new  new / anew',
      'anew        1,400          100  1,300        1.00',
      'split       1,400          450    950        0.73',
      'epochs      1,500          999    501        0.39',
      '',
      '',
    ])
  })
})

describe('printChecks', () => {
  it('marks what holds and what does not', () => {
    const checks = [
      { ok: true, text: 'It holds.' },
      { ok: false, text: 'one\ntwo' },
    ]
    expect(printChecks(checks, plain)).toBe('✓ It holds.\n✗ one\n  two\n\n')
  })
})

describe('printWhereabouts', () => {
  it('names a command that a shell takes as it is', () => {
    expect(printWhereabouts("/tmp/it's here/a.sqlite", 'demo')).toContain(
      String.raw`npx indelible inspect '/tmp/it'\''s here/a.sqlite' demo`,
    )
  })
})
