import { describe, expect, it } from 'vitest'
import { guessTokens } from '../../cache/index.ts'
import type { Update } from '../../context/index.ts'
import { createPaint } from '../output.ts'
import type { TurnRecord, WayTurn } from './conversation.ts'
import { printChecks, printHead, printTotals, printTurns, printWhereabouts, type Head } from './print.ts'
import { createReport, type DemoReport } from './report.ts'

const plain = createPaint(false)
const colored = createPaint(true)

/** A request of which all but 3 tokens that were not read is written, at a tenth of a cent per token, or a tenth of that when read. */
const way = (total: number, read: number, update: Update | null = null): WayTurn => ({
  bill: {
    read,
    write5m: total - read - 3,
    write30m: 0,
    write1h: 0,
    uncached: 3,
    output: 20,
    total,
    usd: (10 * total - 9 * read) / 10_000,
  },
  update,
  response: {},
  body: { model: 'any', max_tokens: 1, system: [{ type: 'text', text: 'x'.repeat(100) }], messages: [] },
})

function record(turn: number, ways: TurnRecord['ways'], about: Partial<TurnRecord> = {}): TurnRecord {
  return { turn, at: new Date('2026-12-01'), user: null, note: null, truth: {}, ways, ...about }
}

const told = (text: string): Update => ({ text, parts: [], changes: [] })

const records = [
  record(1, { anew: way(500, 0), split: way(500, 0), epochs: way(500, 0) }, { user: 'Hello?' }),
  record(
    2,
    { anew: way(900, 100), split: way(900, 450), epochs: way(1000, 990, told('The branch is now "b".')) },
    { note: 'a colleague commits' },
  ),
]

const provider = { name: 'anthropic', model: 'claude-opus-5', format: 'anthropic', simulator: 'anthropic' } as const
const report: DemoReport = { ...createReport(records, provider, guessTokens), minimum: 20 }
const head: Head = { turns: 2, source: 'a git repository', client: 'fetch', caching: 'All mark.', report }

describe('printTurns', () => {
  it('tells read from the rest by sign alone, and shows the rest however little it is', () => {
    expect(printTurns(records, plain).split('\n')).toEqual([
      'turn      anew                     split                    epochs',
      '        read written uncached    read written uncached    read written uncached',
      '     user  Hello?',
      '   1   0% ░░░░░░      $0.5000   0% ░░░░░░      $0.5000   0% ░░░░░░      $0.5000',
      '           0     497        3       0     497        3       0     497        3',
      '           (a colleague commits)',
      '     told  The branch is now "b".',
      '   2  11% █░░░░░░░░░  $0.8100  50% █████░░░░░  $0.4950  99% ██████████░ $0.1090',
      '         100     797        3     450     447        3     990       7        3',
      '',
      '',
    ])
  })

  it('colours what was read green and the rest red', () => {
    const second = printTurns(records, colored).split('\n').at(-4)
    expect(second).toContain(`\u001b[32m${'█'.repeat(10)}\u001b[39m\u001b[31m░\u001b[39m`)
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
    expect(lines).toHaveLength(14)
    for (const unwanted of ['\u001b', '\u202e', 'outside-text']) expect(lines.join('')).not.toContain(unwanted)
    expect(lines.at(-5)).toBe('           … and 26 more lines')
  })
})

describe('printHead', () => {
  it('keeps to 80 columns', () => {
    const long = 'x'.repeat(100)
    const about = { turns: 200, source: `a clone of ${long}`, client: long, caching: long }
    const lines = printHead({ ...about, report: { ...report, model: long } }, plain).split('\n')
    expect(Math.max(...lines.map((line) => line.length))).toBe(80)
  })

  it('says what the numbers rest on', () => {
    const text = printHead(head, plain)
    expect(text).toContain('over HTTP (fetch) to a strict emulator')
    expect(text.replaceAll('\n', ' ')).toContain(
      'tokens estimated, dollars by the list prices of 2026-12-01 (https://platform.claude.com/',
    )
    expect(text).not.toContain('…')
    expect(text).not.toContain('caches nothing shorter')
  })

  it('says so when nothing is sent', () => {
    expect(printHead({ ...head, client: null }, plain)).toContain('Nothing is sent: ')
  })

  it.each([
    [30, 'Tools and instructions alone are shorter'],
    [501, 'Up to turn 1, requests are shorter.'],
    [2_000, 'All requests are shorter'],
  ])('says what is shorter than a minimum of %i tokens', (minimum, text) => {
    const lines = printHead({ ...head, report: { ...report, minimum } }, plain).replaceAll('\n', ' ')
    expect(lines).toContain(
      `claude-opus-5 caches nothing shorter than ${minimum === 2_000 ? '2,000' : minimum} tokens. `,
    )
    expect(lines).toContain(text)
  })
})

describe('printTotals', () => {
  it('adds up, and sets dollars against rendering anew', () => {
    expect(printTotals(report, plain).split('\n')).toEqual([
      'tokens  read  written  uncached  output  dollars  dollars / anew',
      'anew     100    1,294         6      40  $1.3100            1.00',
      'split    450      944         6      40  $0.9950            0.76',
      'epochs   990      504         6      40  $0.6090            0.46',
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
    expect(printWhereabouts({ file: "/tmp/it's here/a.sqlite", logs: undefined }, 'demo')).toContain(
      String.raw`npx indelible inspect '/tmp/it'\''s here/a.sqlite' demo`,
    )
  })

  it('names the log to look at, where logs are kept', () => {
    const kept = { file: '/tmp/a.sqlite', logs: '/tmp/my logs' }
    expect(printWhereabouts(kept, 'demo')).toContain(`npx indelible audit '/tmp/my logs/anew.jsonl'`)
  })
})
