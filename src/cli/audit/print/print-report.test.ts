import { stripVTControlCharacters } from 'node:util'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import type { AuditReport } from '../../../audit/index.ts'
import { createPaint } from '../../output.ts'
import { printReport } from './print-report.ts'
import { culprit, exampleReport, masked, played, report, rewritten, shown, stream, turn } from './test-report.ts'

const plain = createPaint(false)
const linesOf = (one: AuditReport, all = false): string[] => printReport(one, plain, all).trimEnd().split('\n')
const widest = (lines: readonly string[]): number => Math.max(...lines.map((line) => Array.from(line).length))

describe('a report', () => {
  it('on 80 columns, without colours', () => {
    expect(printReport(exampleReport(), plain, false)).toMatchInlineSnapshot(`
      "13 turns in 2 conversations, 2026-11-01 08:12 to 11:40 UTC
      claude-opus-5 (11 turns, $12.40), gpt-6-sol (2 turns)

      hit rate       35.1 %  of 171,000 tokens of input were read from the cache
      bill           $12.40  for reported tokens, at list prices; 1 turn without one
      charged        $11.90  as reported for 11 turns
      as sent        $12.10  by the rules of the provider, for 11 of 12 turns
      floor           $4.02  with each segment written once and read afterwards
      avoidable       $8.08  between the two: 66.8 % of the dollars as sent
      reproduced     8 of 9  warm turns read what the rules say (the others: --all)
      failed              1  calls were not answered, and not billed

      Turns   █ read  ░ sent again  ▒ new: written or uncached
      claude-opus-5, 11 turns, $0.36  logs/agent.jsonl:1
           1     10,000 ▒▒▒▒▒▒▒▒          $0.0090 first
           2     11,000 █░░░░░░░▒          $0.053 rewritten: clock
           ⋮ 4 turns more, rewritten: clock, $0.26 for what was sent again
           7     16,000 █░░░░░░░░░░░▒      $0.053 rewritten: clock
           8     17,000 █████████████▒    $0.0090 appended
           9     18,000 █████████████▒    $0.0090 appended
          10     19,000 ░░░░░░░░░░░░░░▒   $0.0090 expired, 90 min later (lifetime 1 h)
          11     20,000 ███████████████▒  $0.0090 scope: tool_choice
      … and 1 more conversation (--all)

      What breaks the cache, by money
      1. clock at system[0], character 214  $3.10 on 3 turns; alone saves $0.00
         "14:03:59" → "14:04:31" → "14:05:02"
         Leave the time out of the prompt.
      2. rules-text at messages[*].content[0], character 214  4,000 tokens on 1 turn
         xxxxxxxxxxxxxxxxxxxxxxxxxxxx… [1,200] → xxxxxxxxxxxxxxxxxxxxxxxxxxxx… [1,300]
         Leave the time out of the prompt.
      3. git at system[1], also between sessions  $0.00 on 1 turn; alone saves $0.00
         "main" → "feature/zürich"   (Branch: … Status)
         Make it a source, git() of indelible/sources: branch and status are told by
         updates, and what stands before them stays.
      Lost otherwise: expired $0.10 on 1 turn

      What to change first: from $12.10 to $8.92
      1. Fixing clock (1) alone saves nothing while git (3) behind it      saves $3.10
         changes; both save $3.10.
      2. Then ask for a lifetime of an hour (ttl: "1h").             saves $0.080 more
         The updates add 310 tokens.

      What is not known
      - Not read: 3 records (broken 2, truncated 1). The first: logs/agent.jsonl:7: It
        is no JSON.
      … and 6 more remarks (--all)
      "
    `)
  })

  it('is the same in colours, but for the colours', () => {
    const painted = printReport(exampleReport(), createPaint(true), false)
    expect(stripVTControlCharacters(painted)).toBe(printReport(exampleReport(), plain, false))
    const turns = painted.replaceAll('\u001b', '^').split('\n').slice(13, 18)
    expect(turns).toMatchInlineSnapshot(`
      [
        "^[1mclaude-opus-5, 11 turns, $0.36^[22m^[2m  logs/agent.jsonl:1^[22m",
        "     1     10,000 ^[33m▒▒▒▒▒▒▒▒^[39m          $0.0090 first",
        "     2     11,000 ^[32m█^[39m^[31m░░░░░░░^[39m^[33m▒^[39m          $0.053 rewritten: clock",
        "^[2m     ⋮ 4 turns more, rewritten: clock, $0.26 for what was sent again^[22m",
        "     7     16,000 ^[32m█^[39m^[31m░░░░░░░░░░░^[39m^[33m▒^[39m      $0.053 rewritten: clock",
      ]
    `)
  })

  it('with all of it has every turn, culprit and remark', () => {
    expect(printReport(exampleReport(), plain, true)).toMatchInlineSnapshot(`
      "13 turns in 2 conversations, 2026-11-01 08:12 to 11:40 UTC
      claude-opus-5 (11 turns, $12.40), gpt-6-sol (2 turns)

      hit rate       35.1 %  of 171,000 tokens of input were read from the cache
      bill           $12.40  for reported tokens, at list prices; 1 turn without one
      charged        $11.90  as reported for 11 turns
      as sent        $12.10  by the rules of the provider, for 11 of 12 turns
      floor           $4.02  with each segment written once and read afterwards
      avoidable       $8.08  between the two: 66.8 % of the dollars as sent
      reproduced     8 of 9  warm turns read what the rules say
      failed              1  calls were not answered, and not billed

      Turns   █ read  ░ sent again  ▒ new: written or uncached
      gpt-6-sol, 2 turns  logs/title.jsonl
           1       ~900 ▒▒▒▒▒▒▒▒▒▒▒▒▒▒▒▒▒▒▒▒▒▒▒▒▒▒▒▒          first
           2          ?                                       unknown
      claude-opus-5, 11 turns, $0.36  logs/agent.jsonl:1
           1     10,000 ▒▒▒▒▒▒▒▒          $0.0090 first
           2     11,000 █░░░░░░░▒          $0.053 rewritten: clock
           3     12,000 █░░░░░░░░▒         $0.053 rewritten: clock
           4     13,000 █░░░░░░░░▒         $0.053 rewritten: clock
           5     14,000 █░░░░░░░░░▒        $0.053 rewritten: clock
           6     15,000 █░░░░░░░░░░▒       $0.053 rewritten: clock
           7     16,000 █░░░░░░░░░░░▒      $0.053 rewritten: clock
           8     17,000 █████████████▒    $0.0090 appended
           9     18,000 █████████████▒    $0.0090 appended
          10     19,000 ░░░░░░░░░░░░░░▒   $0.0090 expired, 90 min later (lifetime 1 h)
          11     20,000 ███████████████▒  $0.0090 scope: tool_choice

      What breaks the cache, by money
      1. clock at system[0], character 214  $3.10 on 3 turns; alone saves $0.00
         "14:03:59" → "14:04:31" → "14:05:02"
         Leave the time out of the prompt.
      2. rules-text at messages[*].content[0], character 214  4,000 tokens on 1 turn
         xxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxx
         xxx [1,200]
         → xxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxx
         xxxxx [1,300]
         Leave the time out of the prompt.
      3. git at system[1], also between sessions  $0.00 on 1 turn; alone saves $0.00
         "main" → "feature/zürich"   (Branch: … Status)
         Make it a source, git() of indelible/sources: branch and status are told by
         updates, and what stands before them stays.
      Lost otherwise: expired $0.10 on 1 turn

      What to change first: from $12.10 to $8.92
      1. Fixing clock (1) alone saves nothing while git (3) behind it      saves $3.10
         changes; both save $3.10.
      2. Then ask for a lifetime of an hour (ttl: "1h").             saves $0.080 more
         The updates add 310 tokens.

      What is not known
      - Not read: 3 records (broken 2, truncated 1). The first: logs/agent.jsonl:7: It
        is no JSON.
      - No price is known for gpt-6-sol (1 turn): give a list with --prices FILE.
      - Usage that does not add up, on 1 turn (uncached-differs 1): Misses are 3 and
        should be 4.
      - No times: whether a lifetime was over cannot be said.
      - To record more (generic-jsonl), for the cause of a loss: Log the whole
        response.
      - Not reproduced in logs/agent.jsonl:1: turn 10 (read 0, by the rules 18,000).
      - No break, on 2 turns: header-block at system[0]: Reads go on past it.
      - Reasons that were logged: system_changed is rewritten here 5 times.
      "
    `)
  })

  it('of nothing says so', () => {
    expect(printReport(report(), plain, false)).toMatchInlineSnapshot(`
      "0 turns in 0 conversations, no times

      hit rate            ?  no turn reports what it read
      bill                ?  no turn reports usage of a model that is named
      reproduced          -  no warm turn can be checked against the rules
      "
    `)
  })

  it('of one turn is short', () => {
    const one = report({ streams: [stream([turn(0, 'first')])] })
    expect(printReport(one, plain, false)).toMatchInlineSnapshot(`
      "1 turn in 1 conversation, no times

      hit rate            ?  no turn reports what it read
      bill                ?  no turn reports usage of a model that is named
      as sent        50,000  tokens not read, by the rules, for the same requests
      floor          50,000  tokens not read, with each segment written once
      avoidable           0  between the two: 0.0 % of the tokens as sent
      reproduced          -  no warm turn can be checked against the rules

      Turns   █ read  ░ sent again  ▒ new: written or uncached
      claude-opus-5, 1 turn, $0.0090  logs/agent.jsonl:1
           1     10,000 ███████████████████████████▒  $0.0090 first

      Nothing breaks the cache.
      "
    `)
  })
})

describe('two screens', () => {
  const conversation = (name: string, count: number): ReturnType<typeof stream> =>
    stream(
      Array.from({ length: count }, (_, index) =>
        index % 3 === 0 ? rewritten(index, 5000, `clock-${index}`) : turn(index, 'appended'),
      ),
      { id: name },
    )
  const culprits = Array.from({ length: 500 }, (_, index) =>
    culprit({ id: `clock-${index}`, fix: 'One two three four five six seven. '.repeat(5) }),
  )
  const large = report({
    ...exampleReport(),
    streams: Array.from({ length: 3000 }, (_, index) => conversation(`s${index}`, 5 + (index % 40))),
    culprits,
    counterfactual: {
      asSent: played(100),
      floor: played(1),
      steps: Array.from({ length: 8 }, (_, index) => ({
        remedy: { type: 'culprits', ids: [`clock-${index}`, `clock-${index + 1}`] } as const,
        saves: { tokens: 1, cost: 1 },
        after: played(50),
        fix: 'Fix it.',
      })),
      caveats: ['Something costs more. '.repeat(20)],
    },
    unread: Array.from({ length: 5000 }, (_, line) => ({
      file: 'a',
      line,
      kind: 'broken' as const,
      message: 'No JSON.',
    })),
  })

  it('hold the worst of a log of thousands of conversations', () => {
    const lines = linesOf(large)
    expect(lines.length).toBeLessThanOrEqual(48)
    expect(lines.length).toBeGreaterThan(40)
    expect(widest(lines)).toBeLessThanOrEqual(80)
    expect(lines.filter((line) => line.endsWith('(--all)')).length).toBeGreaterThanOrEqual(3)
    expect(lines.some((line) => line.includes('rewritten: clock'))).toBe(true)
  })

  it('are not a limit with --all', () => {
    const lines = linesOf({ ...large, streams: large.streams.slice(0, 50) }, true)
    expect(lines.length).toBeGreaterThan(1000)
    expect(lines.some((line) => line.includes('(--all)'))).toBe(false)
  })

  it('are enough for any report', () => {
    const counts = fc.record({
      streams: fc.nat(12),
      turns: fc.nat(30),
      culprits: fc.nat(12),
      steps: fc.nat(8),
      remarks: fc.nat(12),
      models: fc.nat(6),
    })
    fc.assert(
      fc.property(counts, ({ streams, turns, culprits: found, steps, remarks, models }) => {
        const one = report({
          streams: Array.from({ length: streams }, (_, index) => conversation(`s${index}`, turns)),
          culprits: culprits.slice(0, found),
          byModel: Array.from({ length: models }, (_, index) => ({
            ...large.byModel[0]!,
            model: `a-model-with-quite-a-long-name-${index}`,
          })),
          counterfactual: { ...large.counterfactual, steps: large.counterfactual.steps.slice(0, steps) },
          unpriced: Array.from({ length: remarks }, (_, index) => ({
            model: `model-${index}`,
            reason: 'model',
            message: 'No price is known for this one, whatever it is called and wherever it runs. '.repeat(3),
            turns: 1,
          })),
        })
        const lines = linesOf(one)
        expect(lines.length).toBeLessThanOrEqual(48)
        expect(widest(lines)).toBeLessThanOrEqual(80)
        // Some turn is always there.
        expect(lines.some((line) => /^ {5}1 /.test(line))).toBe(streams > 0 && turns > 0)
      }),
      { numRuns: 100 },
    )
  })
})

describe('hostile text', () => {
  const hostile = '\u001b[2J\u001b]0;title\u0007\u202eevil\u2066\n\r\t\u0000'
  const huge = `${hostile}${'m'.repeat(10_000_000)}`

  it.each([
    ['short', hostile],
    ['of ten megabytes', huge],
  ])('that is %s does nothing to the terminal', (_name, text) => {
    const one = report({
      ...exampleReport(),
      streams: [
        stream([turn(0, 'first', { source: { file: text, line: 1 }, model: text }), rewritten(1, 500, text)], {
          model: text,
          missing: [text],
        }),
      ],
      byModel: [{ ...exampleReport().byModel[0]!, model: text }],
      culprits: [culprit({ id: text, path: text, values: [shown(text), masked(10)], fix: 'Fix it.' })],
      unpriced: [{ model: text, reason: 'model', message: text, turns: 1 }],
      unread: [{ file: text, line: 1, kind: 'broken', message: text }],
    })
    for (const all of [false, true]) {
      const printed = printReport(one, plain, all)
      expect(printed).not.toMatch(/(?!\n)\p{Cc}|\p{Bidi_Control}/u)
      expect(widest(printed.split('\n'))).toBeLessThanOrEqual(80)
      expect(printed.split('\n').length).toBeLessThan(200)
    }
  })
})
