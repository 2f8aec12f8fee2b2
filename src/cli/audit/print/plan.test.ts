/** The plan and the list of culprits, which go together: what the one names, the other has. */
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import type { AuditCulprit, AuditReport, AuditStep } from '../../../audit/index.ts'
import { createPaint } from '../../output.ts'
import { printReport } from './print-report.ts'
import { culprit, exampleReport, played, report, rewritten, shown, stream } from './test-report.ts'

const plain = createPaint(false)

function step(ids: readonly string[], cost: number | null, tokens = 1000): AuditStep {
  return { remedy: { type: 'culprits', ids }, saves: { tokens, cost }, after: played(1), fix: 'Fix it.' }
}

function reportOf(culprits: readonly AuditCulprit[], steps: readonly AuditStep[]): AuditReport {
  return report({
    streams: [stream([rewritten(0, 5000)])],
    culprits,
    counterfactual: { asSent: played(9), floor: played(1), steps, caveats: [] },
  })
}

const places = [1473, 1492, 1511].map((offset, index) =>
  culprit({
    id: `git-${index}`,
    kind: 'git',
    offset,
    cost: 3 - index,
    occurrences: [{ stream: 'stream-1', turn: index }],
  }),
)
const date = culprit({ id: 'date', kind: 'date', offset: 12, cost: 5, savesAlone: { tokens: -90, cost: -0.0027 } })

function partOf(one: AuditReport, title: string, all = false): string[] {
  const parts = printReport(one, plain, all).trimEnd().split('\n\n')
  return parts.find((part) => part.startsWith(title))?.split('\n') ?? []
}

describe('culprits that one source would fix', () => {
  it('are one item, with what they cost together', () => {
    const [, first, , , second] = partOf(reportOf([date, ...places], []), 'What breaks')
    expect(first).toBe('1. git at system[0], 3 places  $6.00 on 3 turns')
    expect(second).toBe('2. date at system[0], character 12  $5.00 on 3 turns; alone costs $0.0027 more')
  })

  it('are one step, which says what fixing all of it saves', () => {
    const one = reportOf(
      [date, ...places],
      [step(['git-0', 'git-2'], 0.5), step(['git-1'], 1.25), step(['date'], 0.02)],
    )
    expect(partOf(one, 'What to change').slice(1)).toEqual([
      `1. Fix git (1).${'saves $1.75'.padStart(65)}`,
      `2. Then fix date (2).${'saves $0.020 more'.padStart(59)}`,
    ])
    expect(partOf(one, 'What breaks')[1]).toBe('1. git at system[0], 3 places  $6.00 on 3 turns; alone saves $1.75')
  })

  it('are told apart where only some of them are fixed', () => {
    const steps = [step(['git-1'], 0.5), step(['date'], 0.2), step(['git-0', 'git-2'], 0.1)]
    const text = partOf(reportOf([date, ...places], steps), 'What to change').join('\n')
    expect(text).toContain('1. Fix git (1) at character 1,492.')
    expect(text).toContain('3. Then fix git (1) at 2 of 3 places.')
  })

  it('are several items where each needs a source of its own, or they stand in other blocks', () => {
    const unknown = [1, 2].map((offset) => culprit({ id: `unknown-${offset}`, kind: 'unknown', offset }))
    const elsewhere = culprit({ id: 'clock-2', path: 'system[1]' })
    const lines = partOf(reportOf([...unknown, culprit(), elsewhere], []), 'What breaks', true)
    expect(lines.filter((line) => /^\d+\. /.test(line))).toHaveLength(4)
  })

  it('show the values of each place with all of it', () => {
    const lines = partOf(reportOf(places, []), 'What breaks', true)
    expect(lines.filter((line) => line.startsWith('   character 1,'))).toHaveLength(3)
  })
})

describe('a step', () => {
  it('is on top of those before it', () => {
    const lines = partOf(reportOf([culprit(), date], [step(['clock-1'], 1), step(['date'], 0.038)]), 'What to change')
    expect(lines[1]).toMatch(/^1\. Fix clock \(2\)\. +saves \$1\.00$/)
    expect(lines[2]).toMatch(/^2\. Then fix date \(1\)\. +saves \$0\.038 more$/)
  })

  it('that needs several says so, whatever the first alone would do without the steps before', () => {
    const found = [culprit({ id: 'a', path: 'system[1]' }), culprit({ id: 'b', kind: 'id' })]
    const [, , second] = partOf(
      reportOf([date, ...found], [step(['date'], 1), step(['a', 'b'], 0.5)]),
      'What to change',
    )
    expect(second).toMatch(/^2\. Then fix clock \(2\) and id \(3\) together\. +saves \$0\.50 more$/)
  })
})

describe('a culprit', () => {
  it('has a space behind its number, its whole place and an advice, whatever there is room for', () => {
    const many = Array.from({ length: 12 }, (_, index) =>
      culprit({
        id: `rules-${index}`,
        kind: 'rules-text',
        path: `messages[${index}].content[0].a_long_place`,
        offset: 1338,
        scope: 'both',
        fix: "Give tools to createSessions({ tools, onToolAdded: 'append' }), or 'hold' where the model takes none.",
      }),
    )
    for (const all of [false, true]) {
      const lines = partOf(reportOf(many, []), 'What breaks', all)
      const heads = lines.flatMap((line, index) => (/^\d+\. /.test(line) ? [index] : []))
      expect(heads.length).toBeGreaterThan(2)
      for (const at of heads) {
        expect(lines[at]).toMatch(
          /^\d+\. +rules-text at messages\[\d+\]\.content\[0\]\.a_long_place, also between sessions$/,
        )
        expect(lines[at + 1]).toBe('   at character 1,338: $3.10 on 3 turns; alone saves $0.00')
      }
      const advice = lines.filter((line) =>
        line.startsWith("   Give tools to createSessions({ tools, onToolAdded: 'append' })"),
      )
      expect(advice).toHaveLength(heads.length)
      if (all) expect(lines.some((line) => line.startsWith('10. rules-text'))).toBe(true)
    }
  })

  it('is listed where the plan names it', () => {
    const counts = fc.record({
      culprits: fc.integer({ min: 1, max: 40 }),
      steps: fc.nat(8),
      ids: fc.integer({ min: 1, max: 8 }),
    })
    fc.assert(
      fc.property(counts, ({ culprits, steps, ids }) => {
        const found = Array.from({ length: culprits }, (_, index) =>
          culprit({ id: `id-${index}`, kind: 'id', path: `system[${index}].${'x'.repeat(index)}`, cost: 40 - index }),
        )
        const one = reportOf(
          found,
          Array.from({ length: steps }, (_, at) =>
            step(
              Array.from({ length: ids }, (_id, index) => `id-${(culprits * 3 - at * ids - index + 400) % culprits}`),
              1,
            ),
          ),
        )
        const listed = new Set(partOf(one, 'What breaks').flatMap((line) => /^(\d+)\. /.exec(line)?.[1] ?? []))
        const plan = partOf({ ...exampleReport(), ...one }, 'What to change').join(' ')
        for (const [, number = ''] of plan.matchAll(/id \((\d+)\)/g)) expect(listed).toContain(number)
        expect(printReport(one, plain, false).split('\n').length).toBeLessThanOrEqual(49)
      }),
      { numRuns: 60 },
    )
  })
})

describe('a row', () => {
  it('has its whole verdict, and a bar that is shorter for it', () => {
    const one = reportOf([culprit({ id: 'order', kind: 'tool-reordered' })], [])
    const rows = (id: string): string[] =>
      partOf({ ...one, streams: [stream([rewritten(0, 5000, id), rewritten(1, 500, id)])] }, 'Turns').slice(2)
    expect(rows('order').every((row) => row.endsWith(' rewritten: tool-reordered'))).toBe(true)
    expect(rows('order')[1]?.length).toBe(rows('order')[0]?.length)
  })

  it('of a conversation without much room keeps the project rather than the model', () => {
    const source = { file: `/logs/projects/-home-ana-shop/${'0a1b2c3d-'.repeat(5)}.jsonl`, line: 1 }
    const fork = stream([{ ...rewritten(0, 5000), source }], {
      model: 'us.anthropic.claude-sonnet-4-5-20250929-v1:0',
      parent: { stream: 'stream-0', turn: 1 },
    })
    const [, title = ''] = partOf({ ...reportOf([], []), streams: [fork] }, 'Turns')
    expect(title).toMatch(/^us\.anthropic.*…, 1 turn, \$0\.053, a fork {2}…\/-home-ana-shop\/0a1b.*:1$/)
    expect(title.length).toBeLessThanOrEqual(80)
  })
})

describe('values of a culprit', () => {
  it('are in full with all of it', () => {
    const long = [1, 2].map((day) => shown(`${'The rules of the house. '.repeat(7)}Day ${day}.`))
    const one = reportOf([culprit({ values: long })], [])
    const text = partOf(one, 'What breaks', true)
      .map((line) => line.slice(3))
      .join('')
    for (const { text: value } of long) expect(text).toContain(JSON.stringify(value))
    expect(partOf(one, 'What breaks')[2]).toBe('   …"1." → …"2."')
  })
})
