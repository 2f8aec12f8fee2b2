/** What stands on a page, as far as its text tells; test/report-page.browser.test.ts looks at it in a browser. */
import { createHash } from 'node:crypto'
import { describe, expect, it } from 'vitest'
import { culprit, exampleReport, masked, played, report, stream, turn } from '../../cli/audit/print/test-report.ts'
import type { AuditReport } from '../report/types.ts'
import { clockReport } from '../report/test-parts.ts'
import { inSeconds } from '../words/in-seconds.ts'
import { unitFor } from '../words/unit.ts'
import { reportPage } from './report-page.ts'

/** The words of a page, without its elements. */
function wordsOf(page: string): string {
  return page
    .slice(page.indexOf('<main>'), page.indexOf('</main>'))
    .replaceAll(/<[^>]*>/g, ' ')
    .replaceAll(/\s+/g, ' ')
}

describe('a page', () => {
  const page = reportPage(exampleReport())
  const words = wordsOf(page)

  it('has the figures, the plan, the culprits, the turns and what is not known', () => {
    for (const part of [
      '13 turns in 2 conversations, 2026-11-01 08:12 to 11:40 UTC',
      'hit rate 35.1 % of 171,000 tokens of input',
      'charged $11.90 as reported for 11 turns',
      'avoidable $8.08',
      'What to change first: from $12.10 to $8.92',
      'Fixing clock (1) alone saves nothing while git (3) behind it changes; both save $3.10.',
      'The updates add 310 tokens.',
      '1. clock at system[0]',
      '14:03:59 14:04:31 14:05:02',
      'Leave the time out of the prompt.',
      'masked, 1,200 characters, #001122',
      'conversation 1: turn 5',
      'Of that, not due to culprits: expired $0.10 on 1 turn.',
      'Conversation 1: claude-opus-5, 11 turns',
      'expired, 90 min later (lifetime 1 h)',
      'read 0, written 0, uncached 900',
      'No break: header-block at system[0]: Reads go on past it. (conversation 2: turns 1, 2)',
      'No times: whether a lifetime was over cannot be said.',
      'Not read: 3 logs/agent.jsonl:7: broken.',
      'Other calls, which are no problem: 1',
      'logs/cut.jsonl:1: truncated. The body is cut short.',
      'gpt-6-sol, 1 turn: No price is known for gpt-6-sol.',
      'uncached-differs: Misses are 3 and should be 4. (conversation 1: turn 4)',
      'conversation 1: turn 10: read 0, by the rules 18,000',
      'system_changed is rewritten here, 5 times',
      'logs/agent.jsonl generic-jsonl 11',
      'Made by indelible 0.1.0 with rules of 2026-11-20, prices of 2026-11-09.',
    ]) {
      expect(words).toContain(part)
    }
  })

  it('shows of a real report what it shows, and nothing that it masks', () => {
    const shown = wordsOf(reportPage(clockReport({ includeText: true })))
    expect(shown).toContain('It is 14:00. Be brief.')
    const hidden = wordsOf(reportPage(clockReport()))
    expect(hidden).not.toContain('Be brief')
    expect(hidden).toContain('xx xx 00:00. xx xxxxx.')
  })

  it('permits its own style and script by their hashes, and nothing else', () => {
    const hashOf = (tag: string): string => {
      const [, text = ''] = new RegExp(`<${tag}>([^]*?)</${tag}>`).exec(page) ?? []
      return `'sha256-${createHash('sha256').update(text).digest('base64')}'`
    }
    const [, policy = ''] = /http-equiv="Content-Security-Policy" content="([^"]*)"/.exec(page) ?? []
    expect(policy.replaceAll('&#39;', "'").split('; ')).toEqual([
      "default-src 'none'",
      `style-src ${hashOf('style')}`,
      `script-src ${hashOf('script')}`,
      "base-uri 'none'",
      "form-action 'none'",
      "require-trusted-types-for 'script'",
    ])
    expect(page).not.toMatch(/ (?:src|href|style|on\w+)=|@import|unsafe-|https?:\/\/(?!www\.w3\.org\/2000\/svg)/)
  })

  it('counts in seconds where there are no dollars', () => {
    const rate = 1000
    const text = wordsOf(reportPage(inSeconds(exampleReport(), rate), unitFor(rate)))
    for (const part of [
      'as sent 50 s',
      'clock at system[0] 120 s on 3 turns',
      'lost 9,000 tokens, 9.0 s more',
      'prefill 9.5 s',
    ]) {
      expect(text).toContain(part)
    }
    expect(text).not.toContain('$')
  })

  it('is the same each time', () => {
    expect(reportPage(exampleReport())).toBe(page)
  })
})

describe('a page of a report', () => {
  const turns = [0, 1, 2].map((index) => turn(index, 'appended'))
  it.each<[string, Partial<AuditReport>, string]>([
    ['without a turn', {}, 'There is no turn.'],
    ['in which nothing is wrong', { streams: [stream(turns)] }, 'Nothing breaks the cache.'],
    [
      'without prices',
      { streams: [stream(turns.map((one) => ({ ...one, cost: null })))], culprits: [culprit({ cost: null })] },
      '120,000 tokens on 3 turns',
    ],
    ['with values that are all masked', { culprits: [culprit({ values: [masked(9), masked(0)] })] }, '#001122 empty'],
    [
      'whose plan costs more',
      {
        culprits: [culprit()],
        counterfactual: {
          asSent: played(1),
          floor: played(1),
          steps: [
            {
              remedy: { type: 'culprits', ids: ['clock-1'] },
              saves: { tokens: -5, cost: -0.5 },
              after: played(1.5),
              fix: '',
            },
          ],
          caveats: [],
        },
      },
      'Fix clock (1). costs $0.50 more',
    ],
  ])('%s says so', (_name, over, words) => {
    const text = wordsOf(reportPage(report(over)))
    expect(text).toContain(words)
    expect(text).not.toMatch(/\bNaN\b|\bundefined\b|\bInfinity\b|\[object|\bnull\b/)
  })

  it('with more turns than a browser can hold says what it leaves out', () => {
    const many = (count: number): AuditReport['streams'][number] =>
      stream(Array.from({ length: count }, () => turn(0, 'appended')))
    const page = reportPage(report({ streams: [many(15_000), many(5_001), many(3)] }))
    expect(page).toContain('2 more conversations are not on this page; JSON has them.')
  })
})
