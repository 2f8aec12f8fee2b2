/** Parts of a report for tests: turns through the real recorder, verdicts and culprits by hand. */
import { turnsOf } from '../test-turns.ts'
import type { Alignment, Changes, Culprit } from '../changes/types.ts'
import type { Counterfactual, Played } from '../counterfactuals/types.ts'
import type { Exchange } from '../exchange.ts'
import type { Turn } from '../record/types.ts'
import type { Stream } from '../streams/types.ts'
import type { Verdict } from '../verdicts/types.ts'
import { assemble, type ReportOptions, type ReportParts } from './assemble.ts'
import type { AuditReport } from './types.ts'

/** A conversation of `count` turns whose system prompt holds the time. */
export function clockTurns(count: number, over: (index: number) => Partial<Exchange> = () => ({})): Turn[] {
  const bodies = Array.from({ length: count }, (_, index) => ({
    model: 'claude-opus-5',
    tools: [{ name: 'read_file', input_schema: { type: 'object' } }],
    system: [{ type: 'text', text: `It is 14:0${index % 10}. Be brief.`, cache_control: { type: 'ephemeral' } }],
    messages: Array.from({ length: 2 * index + 1 }, (_unused, message) => ({
      role: message % 2 === 0 ? 'user' : 'assistant',
      content: `message ${message}`,
    })),
  }))
  return turnsOf(bodies, (index) => ({
    ids: { request: `req_${index}`, session: 's-1' },
    usage: { total: 1000, read: 0, write5m: 900, uncached: 100, output: 50 },
    ...over(index),
  }))
}

/** The turns as one stream, each continuing the one before. */
export function streamOf(turns: readonly Turn[], id = 'stream-1', family = 'family-1'): Stream {
  return {
    id,
    parent: null,
    family,
    turns: turns.map((turn, index) => ({ turn, parent: turns[index - 1] ?? null, repeats: false })),
  }
}

/** A verdict in which nothing was lost, unless `over` says otherwise. */
export function verdictOf(turn: Turn, over: Partial<Verdict> = {}): Verdict {
  const verdict = over.verdict ?? 'appended'
  return {
    turn,
    parent: null,
    verdict,
    reasons: [{ kind: verdict, tokens: over.lostTokens ?? 0, detail: 'because' }],
    confidence: 1,
    providerReason: null,
    divergence: null,
    prediction: null,
    predicted: null,
    basis: 'simulated',
    rewrittenTokens: null,
    lostTokens: 0,
    uncorrected: null,
    gapSeconds: null,
    ttlSeconds: null,
    reproduced: null,
    missing: [],
    ...over,
  }
}

/** A clock in the system prompt that counts, unless `over` says otherwise. */
export function culpritOf(turns: readonly Turn[], over: Partial<Culprit> = {}): Culprit {
  return {
    id: 'clock-1',
    kind: 'clock',
    section: 'system',
    path: 'system[0]',
    offset: 6,
    anchor: { before: 'It is ', after: '. Be brief.' },
    scope: 'within',
    values: ['14:00', '14:01'],
    occurrences: turns.map((turn) => ({ turn, before: '14:00', after: '14:01' })),
    confidence: 0.9,
    counts: true,
    ...over,
  }
}

/** Changes of one stream. */
export function changesOf(culprits: readonly Culprit[], alignments: readonly Alignment[] = []): Changes {
  return { culprits, alignments: new Map(alignments.map((alignment) => [alignment.turn.number, alignment])) }
}

/** A played log that costs `cost`. */
export function playedOf(cost: number | null): Played {
  return {
    tokens: { total: 1000, read: 500, write5m: 400, write30m: 0, write1h: 0, uncached: 100, output: 50 },
    cost,
  }
}

/** A counterfactual without steps, unless `over` says otherwise. */
export function counterfactualOf(over: Partial<Counterfactual> = {}): Counterfactual {
  return { asSent: playedOf(10), floor: playedOf(4), steps: [], savings: new Map(), caveats: [], ...over }
}

/** Parts over `streams` in which every turn of `verdicts` is judged, and nothing else was found. */
export function partsOf(
  streams: readonly Stream[],
  verdicts: readonly Verdict[],
  over: Partial<ReportParts> = {},
): ReportParts {
  return {
    inputs: [],
    unread: [],
    streams,
    verdicts: new Map(verdicts.map((verdict) => [verdict.turn.number, verdict])),
    confusion: [],
    changes: new Map(),
    counterfactuals: new Map(),
    total: counterfactualOf(),
    ...over,
  }
}

/** How the tests report. */
export const reportOptions: ReportOptions = {
  includeText: false,
  salt: 'salt',
  version: '1.2.3',
  now: new Date('2026-11-15T12:00:00Z'),
}

/** Four turns with a clock, of which all but the first are rewritten. */
export function clockReport(over: Partial<ReportOptions> = {}): AuditReport {
  const turns = clockTurns(4)
  const verdicts = turns.map((turn, index) =>
    index === 0
      ? verdictOf(turn, { verdict: 'first' })
      : verdictOf(turn, {
          verdict: 'rewritten',
          lostTokens: 800,
          rewrittenTokens: 850,
          divergence: {
            kind: 'changed',
            path: 'system[0]',
            section: 'system',
            offset: 10,
            before: 'It is 14:00. Be brief.',
            after: 'It is 14:01. Be brief.',
          },
          reproduced: index < 3,
          missing: ['times'],
        }),
  )
  const clock = culpritOf(turns.slice(1))
  const savings = new Map([['clock-1', { alone: { tokens: 2400, cost: 0.01 }, last: { tokens: 2400, cost: 0.01 } }]])
  const steps = [
    { remedy: { type: 'culprits', ids: ['clock-1'] }, saves: { tokens: 2400, cost: 0.01 }, after: playedOf(5) },
  ] as const
  return assemble(
    partsOf([streamOf(turns)], verdicts, {
      changes: new Map([
        [
          'stream-1',
          changesOf(
            [clock, culpritOf(turns.slice(2), { id: 'header-1', kind: 'header-block', counts: false })],
            [{ turn: turns[1]!, parent: turns[0]!, steps: [], parameters: [], notes: ['A string is now a list.'] }],
          ),
        ],
      ]),
      counterfactuals: new Map([['stream-1', counterfactualOf({ savings, steps })]]),
      total: counterfactualOf({ savings, steps }),
      inputs: [
        {
          file: 'a.jsonl',
          format: 'generic-jsonl',
          exchanges: 4,
          bytes: 1,
          fidelity: turns[0]!.exchange.fidelity,
          hint: null,
        },
      ],
      unread: [{ file: 'a.jsonl', line: 7, kind: 'broken', message: 'No JSON.' }],
      confusion: [{ provider: 'system_changed', ours: 'rewritten', count: 3 }],
    }),
    { ...reportOptions, ...over },
  )
}
