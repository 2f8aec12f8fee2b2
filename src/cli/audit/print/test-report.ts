/** Reports for the tests of what is printed: made by hand, in every form that matters. */
import type {
  AuditCulprit,
  AuditReport,
  AuditStream,
  AuditTurn,
  Fidelity,
  Played,
  ReportText,
  VerdictKind,
} from '../../../audit/index.ts'

const fidelity: Fidelity = {
  level: 'body',
  breakpoints: true,
  tools: true,
  system: true,
  parameters: true,
  order: true,
  time: true,
  redacted: false,
}

const noTokens = { total: null, read: null, write5m: null, write30m: null, write1h: null, uncached: null, output: null }

/** A text that is shown. */
export function shown(text: string): ReportText {
  return { text, length: text.length, hash: '0011223344556677', preview: text }
}

/** A text that is masked. */
export function masked(length: number): ReportText {
  return { text: null, length, hash: '0011223344556677', preview: 'x'.repeat(Math.min(80, length)) }
}

/** Money and tokens as they were played. */
export function played(cost: number | null): Played {
  return {
    tokens: { total: 100_000, read: 50_000, write5m: 40_000, write30m: 0, write1h: 0, uncached: 10_000, output: 500 },
    cost,
  }
}

/** Turn `index`, which read all but 500 tokens unless `over` says otherwise. */
export function turn(index: number, verdict: VerdictKind, over: Partial<AuditTurn> = {}): AuditTurn {
  const total = 10_000 + 1000 * index
  return {
    index,
    requestId: null,
    responseId: null,
    source: { file: 'logs/agent.jsonl', line: index + 1 },
    parent: index === 0 ? null : index - 1,
    startedAt: null,
    gapSeconds: index === 0 ? null : 30,
    ttlSeconds: 300,
    model: 'claude-opus-5',
    verdict,
    reasons: [{ kind: verdict, tokens: 0, detail: '', parameters: [] }],
    confidence: 1,
    providerReason: null,
    divergence: null,
    culprits: [],
    tokens: { ...noTokens, total, read: total - 500, write5m: 500, uncached: 0, output: 100 },
    predicted: null,
    basis: 'simulated',
    reproduced: null,
    rewrittenTokens: 0,
    lost: { tokens: 0, cost: 0 },
    cost: { read: 0.004, write: 0.003, uncached: 0, output: 0.002 },
    missing: [],
    ...over,
  }
}

/** A turn of which `tokens` were sent again because of `culprits`. */
export function rewritten(index: number, tokens: number, ...culprits: string[]): AuditTurn {
  const total = 10_000 + 1000 * index
  return turn(index, 'rewritten', {
    culprits,
    tokens: { ...noTokens, total, read: total - tokens - 500, write5m: tokens + 500, uncached: 0, output: 100 },
    lost: { tokens, cost: tokens * 5.75e-6 },
    cost: { read: 0.001, write: 0.05, uncached: 0, output: 0.002 },
  })
}

/** A conversation. */
export function stream(turns: readonly AuditTurn[], over: Partial<AuditStream> = {}): AuditStream {
  return {
    id: 'stream-1',
    parent: null,
    family: 'family-1',
    provider: 'anthropic',
    model: 'claude-opus-5',
    session: null,
    fidelity,
    turns,
    culprits: [],
    notes: [],
    missing: [],
    counterfactual: { asSent: played(null), floor: played(null), steps: [], caveats: [] },
    ...over,
  }
}

/** A clock, unless `over` says otherwise. */
export function culprit(over: Partial<AuditCulprit> = {}): AuditCulprit {
  return {
    id: 'clock-1',
    kind: 'clock',
    path: 'system[0]',
    offset: 214,
    anchor: null,
    scope: 'within',
    values: ['14:03:59', '14:04:31', '14:05:02'].map(shown),
    occurrences: [1, 2, 3].map((index) => ({ stream: 'stream-1', turn: index })),
    tokensLost: 120_000,
    cost: 3.1,
    savesAlone: { tokens: 0, cost: 0 },
    savesLast: { tokens: 120_000, cost: 3.1 },
    confidence: 0.9,
    fix: 'Leave the time out of the prompt.',
    ...over,
  }
}

/** A report of nothing, unless `over` says otherwise. */
export function report(over: Partial<AuditReport> = {}): AuditReport {
  const streams = over.streams ?? []
  const turns = streams.flatMap((one) => one.turns)
  return {
    schema: 'indelible.audit/1',
    generator: { version: '0.1.0', rulesAsOf: '2026-11-20', pricesAsOf: '2026-11-09' },
    currency: 'USD',
    range: { from: null, to: null },
    inputs: [],
    totals: {
      turns: turns.length,
      streams: streams.length,
      failed: 0,
      tokens: noTokens,
      hitRate: null,
      cost: null,
      priced: 0,
      unpriced: 0,
      billed: null,
      avoidable: null,
      lost: { tokens: 0, cost: 0 },
      otherLosses: [],
      verdicts: [],
    },
    byModel: [],
    streams,
    families: [],
    culprits: [],
    counterfactual: { asSent: played(null), floor: played(null), steps: [], caveats: [] },
    reproduced: { warm: 0, of: 0 },
    anomalies: [],
    unpriced: [],
    unread: [],
    confusion: [],
    ...over,
  }
}

/** Two conversations with a clock in front of a git line, a pause, and a log that is broken in places. */
export function exampleReport(): AuditReport {
  const main = stream(
    [
      turn(0, 'first', { tokens: { ...noTokens, total: 10_000, read: 0, write5m: 9500, uncached: 500, output: 100 } }),
      ...Array.from({ length: 6 }, (_, index) => rewritten(index + 1, 9000 + 1000 * index, 'clock-1', 'git-1')),
      ...Array.from({ length: 2 }, (_, index) => turn(index + 7, 'appended')),
      turn(9, 'expired', {
        gapSeconds: 5406,
        ttlSeconds: 3600,
        reproduced: false,
        predicted: { read: 18_000, write: 1000, uncached: 0, byRulesAlone: null },
        lost: { tokens: 18_000, cost: 0.1 },
        tokens: { ...noTokens, total: 19_000, read: 0, write5m: 19_000, uncached: 0, output: 100 },
      }),
      turn(10, 'scope', { reasons: [{ kind: 'scope', tokens: 0, detail: '', parameters: ['tool_choice'] }] }),
    ],
    { counterfactual: { asSent: played(12.1), floor: played(4.02), steps: [], caveats: [] } },
  )
  const side = stream(
    [
      turn(11, 'first', {
        source: { file: 'logs/title.jsonl', line: null },
        tokens: noTokens,
        cost: null,
        predicted: { read: 0, write: 0, uncached: 900, byRulesAlone: null },
      }),
      turn(12, 'unknown', { tokens: noTokens, cost: null }),
    ],
    {
      id: 'stream-2',
      model: 'gpt-6-sol',
      provider: 'openai',
      notes: [{ kind: 'header-block', path: 'system[0]', text: 'Reads go on past it.', turns: [11, 12] }],
      missing: ['No times: whether a lifetime was over cannot be said.'],
    },
  )
  const git = culprit({
    id: 'git-1',
    kind: 'git',
    path: 'system[1]',
    offset: 12,
    anchor: { before: shown('Branch: '), after: shown('\nStatus') },
    values: [shown('main'), shown('feature/zürich')],
    occurrences: [{ stream: 'stream-1', turn: 4 }],
    tokensLost: 0,
    cost: 0,
    scope: 'both',
    fix: 'Make it a source, git() of indelible/sources: branch and status are told by updates, and what stands before them stays.',
  })
  const rules = culprit({
    id: 'rules-1',
    kind: 'rules-text',
    path: 'messages[*].content[0]',
    values: [masked(1200), masked(1300)],
    occurrences: [{ stream: 'stream-1', turn: 5 }],
    tokensLost: 4000,
    cost: null,
    savesAlone: null,
  })
  return report({
    range: { from: '2026-11-01T08:12:00.000Z', to: '2026-11-01T11:40:10.000Z' },
    streams: [side, main],
    culprits: [culprit(), git, rules],
    totals: {
      ...report().totals,
      turns: 13,
      streams: 2,
      failed: 1,
      tokens: { ...noTokens, total: 171_000, read: 60_000 },
      hitRate: 60_000 / 171_000,
      cost: 12.4,
      priced: 11,
      unpriced: 1,
      billed: { amount: 11.9, turns: 11 },
      avoidable: 8.08,
      otherLosses: [{ reason: 'expired', turns: 1, tokens: 18_000, cost: 0.1 }],
    },
    byModel: [
      { provider: 'anthropic', model: 'claude-opus-5', turns: 11, tokens: noTokens, hitRate: null, cost: 12.4 },
      { provider: 'openai', model: 'gpt-6-sol', turns: 2, tokens: noTokens, hitRate: null, cost: null },
    ],
    counterfactual: {
      asSent: played(12.1),
      floor: played(4.02),
      steps: [
        {
          remedy: { type: 'culprits', ids: ['clock-1', 'git-1'] },
          saves: { tokens: 120_000, cost: 3.1 },
          after: played(9),
          fix: 'Fix clock and git together: one alone saves little.',
        },
        {
          remedy: { type: 'ttl', ttl: '1h' },
          saves: { tokens: 18_000, cost: 0.08 },
          after: played(8.92),
          fix: 'Ask for a lifetime of an hour (ttl: "1h").',
        },
      ],
      caveats: ['The updates add 310 tokens.'],
    },
    reproduced: { warm: 8, of: 9 },
    inputs: [
      {
        file: 'logs/agent.jsonl',
        format: 'generic-jsonl',
        exchanges: 11,
        bytes: 4,
        fidelity,
        hint: 'Log the whole response.',
      },
    ],
    confusion: [{ provider: 'system_changed', ours: 'rewritten', count: 5 }],
    anomalies: [{ stream: 'stream-1', turn: 3, type: 'uncached-differs', message: 'Misses are 3 and should be 4.' }],
    unpriced: [{ model: 'gpt-6-sol', reason: 'model', message: 'No price is known for gpt-6-sol.', turns: 1 }],
    unread: [
      { file: 'logs/agent.jsonl', line: 7, kind: 'broken', message: 'It is no JSON.' },
      { file: 'logs/agent.jsonl', line: 9, kind: 'broken', message: 'It is no JSON.' },
      { file: 'logs/agent.jsonl', line: 10, kind: 'other-traffic', message: 'A call to /v1/models.' },
      { file: 'logs/cut.jsonl', line: 1, kind: 'truncated', message: 'The body is cut short.' },
    ],
  })
}
