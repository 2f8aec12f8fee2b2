import { stripVTControlCharacters } from 'node:util'
import { describe, expect, it } from 'vitest'
import { linesFile, rolloutLines, sessionLines, sessionStart, sumUp } from '../../../../audit/spending/test-sessions.ts'
import type { SpendingReport } from '../../../../audit/spending/types.ts'
import { dollars, secondsOfPrefill, type Unit } from '../../../../audit/words/unit.ts'
import { createPaint } from '../../../output.ts'
import { printSpending } from './print-spending.ts'

const first = { read: 0, write: 20_000 }
const second = { read: 20_000, write: 1000 }
const lost = { read: 0, write: 22_000 }

async function example(by?: 'model' | 'project' | 'day'): Promise<SpendingReport> {
  const names = ['a', 'b', 'c', 'd', 'e', 'f', 'g']
  const files = names.map((name, number) => {
    const cwd = `/home/ada/code/a-project-with-a-long-name/packages/${name}`
    const turns = [first, second, { ...lost, after: number === 0 ? 7200 : 30 }].map((turn) => ({ ...turn, cwd }))
    return linesFile(`${name}.jsonl`, sessionLines(name, turns, sessionStart + number * 86_400_000))
  })
  const calls = [
    [20_000, 0],
    [21_000, 4096],
  ] as const
  return sumUp([...files, linesFile('rollout-1.jsonl', rolloutLines('r', calls))], { by })
}

const print = (report: SpendingReport, { all = false, unit = dollars }: { all?: boolean; unit?: Unit } = {}): string =>
  printSpending(report, createPaint(false), { all, unit })

function expectToFit(text: string): void {
  const wide = text.split('\n').filter((line) => Array.from(line).length > 80 && !line.startsWith('CLAUDE_CODE_ENABLE'))
  expect(wide).toEqual([])
}

describe('what was spent, printed', () => {
  it('tells the bill, what was avoidable, the worst sessions, why, and what would tell the rest', async () => {
    expect(print(await example())).toMatchInlineSnapshot(`
      "8 sessions of Claude Code and Codex, 2026-11-10 09:00 to 2026-11-16 09:01 UTC
      23 turns in 8 projects; since 2026-11-10 08:00 UTC

      bill            $2.14  at list prices, which a subscription does not charge
      hit rate       29.9 %  of 482,000 tokens of input were read
      avoidable       $0.80  37.1 % of the bill: it was cached, and sent again
      expired         $0.12  more after pauses that were longer than entries live

      The worst sessions
      project     from (UTC)   turns   bill  avoidable  cause
      packages/b  11-11 09:00      3  $0.28      $0.12  nothing read
      packages/c  11-12 09:00      3  $0.28      $0.12  nothing read
      packages/d  11-13 09:00      3  $0.28      $0.12  nothing read
      packages/e  11-14 09:00      3  $0.28      $0.12  nothing read
      packages/f  11-15 09:00      3  $0.28      $0.12  nothing read

      Likely causes
      unknown: nothing read  $0.72 on 6 turns
         Not even the start was read: tools or the system prompt changed, which the
         log does not hold, or the provider missed.
      unknown: start read  $0.072 on 1 turn
         The start was read, and not what follows: the system prompt changed further
         on, or earlier messages did.
      expired  $0.12 on 1 turn, not counted as avoidable
         The pause was longer than entries live. A lifetime of an hour keeps them
         (Claude Code: ENABLE_PROMPT_CACHING_1H=1).

      What changed, only whole requests tell: npx indelible record -- claude
      Or let Claude Code (2.1.111 or newer) write its requests, and audit that folder:
      CLAUDE_CODE_ENABLE_TELEMETRY=1 OTEL_LOGS_EXPORTER=otlp OTEL_LOG_RAW_API_BODIES=file:/absolute/folder claude
      "
    `)
  })

  it.each(['model', 'project', 'day'] as const)('by %s fits into 80 columns, in part and as a whole', async (by) => {
    const report = await example(by)
    expectToFit(print(report))
    expectToFit(print(report, { all: true }))
    expect(print(report)).toContain(`By ${by}`)
  })

  it('lists all sessions when all is asked for', async () => {
    const report = await example()
    const count = (text: string): number => text.split('\n').filter((line) => line.includes('packages/')).length
    expect([count(print(report)), count(print(report, { all: true }))]).toEqual([5, 7])
  })

  it('in seconds has no dollars, and counts what was not read', async () => {
    const text = print(await example('model'), { unit: secondsOfPrefill(1000) })
    expect(text).not.toContain('$')
    expect(text).toMatch(/^prefill +338 s +for reported tokens that were not read$/m)
    expectToFit(text)
  })

  it('has colours only where there are some, and the same words', async () => {
    const report = await example()
    const painted = printSpending(report, createPaint(true), { all: false, unit: dollars })
    expect(painted).toContain('\u001B[')
    expect(stripVTControlCharacters(painted)).toBe(print(report))
  })

  it('keeps hostile names one line of text', async () => {
    const cwd = '/srv/\u001B[2J\u001B]0;owned\u0007\n<script>\u202Eevil'
    const model = `claude-\u001B[31m${'x'.repeat(5000)}`
    const lines = sessionLines('\u001B[H', [
      { ...first, cwd, model },
      { ...lost, cwd, model, miss: '\u001B[2Jx\ny' },
    ])
    for (const by of ['model', 'project'] as const) {
      const text = print(await sumUp([linesFile('\u001B[2J\n.jsonl', [...lines, '{'])], { by }), { all: true })
      expect(text.replaceAll('\n', '')).not.toMatch(/\p{Cc}|\u202E/u)
      expectToFit(text)
    }
  })

  it('says so where nothing was sent again', async () => {
    const text = print(await sumUp([linesFile('a.jsonl', sessionLines('a', [first, second]))]))
    expect(text).toContain('Nothing that was cached was sent again.')
    expect(text).toContain('$0.00  0.0 % of the bill')
  })

  it('says so where no price is known, and counts tokens', async () => {
    const turns = [first, second, lost].map((turn) => ({ ...turn, model: 'house-model' }))
    const text = print(await sumUp([linesFile('a.jsonl', sessionLines('a', turns))]))
    expect(text).toMatch(/^bill +\? +no price is known/m)
    expect(text).toMatch(/^avoidable +21,000 tokens +it was cached/m)
    expect(text).toContain('No price is known for house-model')
  })
})
