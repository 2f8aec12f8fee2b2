import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import type { LogFile } from '../read/types.ts'
import { linesFile, rolloutLines, sessionLines, sessionStart, sumUp, type TestTurn } from './test-sessions.ts'
import { groupings } from './types.ts'

const session = (name: string, turns: readonly TestTurn[], start?: number): LogFile =>
  linesFile(`${name}.jsonl`, sessionLines(name, turns, start))

const first: TestTurn = { read: 0, write: 20_000 }
const second: TestTurn = { read: 20_000, write: 1000 }

const sumOf = (values: readonly (number | null)[]): number =>
  values.reduce<number>((sum, value) => sum + (value ?? 0), 0)

/** USD per million tokens of Claude Opus 4.5. */
const rates = { write: 6.25, read: 0.5, output: 25 }

describe('spending', () => {
  it('bills what was reported, once, at list prices', async () => {
    const { totals } = await sumUp([session('one', [first, second])])
    expect(totals).toMatchObject({ turns: 2, sessions: 1, projects: 1, failed: 0, unpriced: 0 })
    expect(totals.tokens).toMatchObject({ total: 41_000, read: 20_000, write5m: 21_000, uncached: 0, output: 20 })
    expect(totals.cost).toBeCloseTo((21_000 * rates.write + 20_000 * rates.read + 20 * rates.output) / 1e6, 10)
    expect(totals.hitRate).toBeCloseTo(20 / 41)
    expect(totals.lost).toEqual({ tokens: 0, cost: 0 })
  })

  it('calls avoidable what the turn before had in the cache and this one wrote again', async () => {
    const { totals, causes } = await sumUp([session('one', [first, second, { read: 14_000, write: 9000 }])])
    expect(totals.avoidable.tokens).toBe(7000)
    expect(totals.avoidable.cost).toBeCloseTo((7000 * (rates.write - rates.read)) / 1e6, 10)
    expect(causes).toMatchObject([{ kind: 'unknown', names: ['start read'], avoidable: true, turns: 1, tokens: 7000 }])
  })

  it('does not call avoidable what had outlived its lifetime, whatever else changed meanwhile', async () => {
    const late: TestTurn = { after: 3600, read: 0, write: 22_000, version: '2.1.271' }
    const { totals, causes } = await sumUp([session('one', [first, second, late])])
    expect(totals.lost.tokens).toBe(21_000)
    expect(totals.avoidable).toEqual({ tokens: 0, cost: 0 })
    expect(causes).toMatchObject([{ kind: 'expired', avoidable: false, turns: 1 }])
  })

  it.each<[string, TestTurn, object]>([
    ['the model', { read: 0, write: 22_000, model: 'claude-sonnet-4-5-20250929' }, { kind: 'scope', names: ['model'] }],
    ['the client', { read: 0, write: 22_000, version: '2.1.271' }, { kind: 'rewritten', names: ['client-version'] }],
    ['the folder', { read: 9000, write: 13_000, cwd: '/srv/other' }, { kind: 'rewritten', names: ['directory'] }],
    [
      'nothing that is logged, and the provider says why',
      { read: 0, write: 22_000, miss: 'tools_changed' },
      { kind: 'unknown', names: ['tools_changed'] },
    ],
  ])('names the cause where %s changed', async (_, turn, cause) => {
    const { causes, sessions } = await sumUp([session('one', [first, second, turn])])
    expect(causes).toMatchObject([{ ...cause, avoidable: true }])
    expect(sessions[0]?.cause).toMatchObject(cause)
  })

  it('has advice for every cause, whatever word a provider has for it', async () => {
    for (const miss of ['constructor', '__proto__', 'toString', 'previous_message_not_found']) {
      const { causes } = await sumUp([session('one', [first, second, { read: 0, write: 22_000, miss }])])
      expect(causes.map(({ names, advice }) => [names, typeof advice])).toEqual([[[miss], 'string']])
    }
  })

  it('bills the calls of a session that was copied to go on once', async () => {
    const original = sessionLines('one', [first, second])
    const goesOn = sessionLines('one', [first, second, { read: 21_000, write: 500 }]).map((line) => ({
      ...line,
      sessionId: 'two',
    }))
    const { totals, sessions } = await sumUp([linesFile('one.jsonl', original), linesFile('two.jsonl', goesOn)])
    expect(totals.turns).toBe(3)
    expect(totals.lost.tokens).toBe(0)
    expect(sessions.map(({ session: name, turns }) => [name, turns])).toEqual([
      ['one', 2],
      ['two', 1],
    ])
  })

  it('holds a turn after a rewind against the turn that it goes on from', async () => {
    const long: TestTurn = { read: 21_000, write: 30_000 }
    const rewound: TestTurn = { below: 'one-a1', read: 21_000, write: 40_000 }
    const { totals } = await sumUp([session('one', [first, second, long, rewound])])
    expect(totals.lost.tokens).toBe(0)
  })

  it('keeps sub-agents apart that share a file with their session, and counts them in it', async () => {
    const main = sessionLines('one', [first, second])
    const agents = ['x', 'y'].map((name) =>
      sessionLines(
        name,
        [
          { sidechain: true, below: null, read: 0, write: 9000 },
          { sidechain: true, read: 9000, write: 300 },
        ],
        sessionStart + 5000,
      ).map((line) => ({ ...line, sessionId: 'one' })),
    )
    const [x = [], y = []] = agents
    const mixed = [
      ...main.slice(0, 2),
      ...x.slice(0, 2),
      ...y.slice(0, 2),
      ...x.slice(2),
      ...y.slice(2),
      ...main.slice(2),
    ]
    const { totals, sessions } = await sumUp([linesFile('one.jsonl', mixed)])
    expect(totals).toMatchObject({ turns: 6, subagents: 4, sessions: 1, lost: { tokens: 0 } })
    expect(sessions).toMatchObject([{ session: 'one', turns: 6 }])
  })

  it('counts sub-agents that have files of their own in their session', async () => {
    const agent = sessionLines('agent', [first]).map((line) => ({
      ...line,
      sessionId: 'one',
      isSidechain: true,
      agentId: 'a1',
    }))
    const { sessions } = await sumUp([
      session('one', [first, second]),
      linesFile('one/subagents/agent-a1.jsonl', agent),
    ])
    expect(sessions).toMatchObject([{ session: 'one', turns: 3, subagents: 1 }])
  })

  it('leaves out turns before the span, and still holds the first ones in it against them', async () => {
    const turns = [first, second, { read: 0, write: 22_000 }]
    const { totals, range } = await sumUp([session('one', turns)], { since: sessionStart + 50_000 })
    expect(totals).toMatchObject({ turns: 1, avoidable: { tokens: 21_000 } })
    expect(range).toEqual({
      since: '2026-11-10T09:00:50.000Z',
      from: '2026-11-10T09:01:00.000Z',
      to: '2026-11-10T09:01:04.000Z',
    })
  })

  it('counts a compaction as lost and not as avoidable', async () => {
    const boundary = {
      type: 'system',
      subtype: 'compact_boundary',
      uuid: 'boundary',
      parentUuid: null,
      sessionId: 'one',
      timestamp: new Date(sessionStart + 40_000).toISOString(),
      compactMetadata: { trigger: 'auto' },
    }
    const lines = sessionLines('one', [first, second, { below: 'boundary', read: 4000, write: 3000 }])
    const { totals, causes } = await sumUp([
      linesFile('one.jsonl', [...lines.slice(0, 4), boundary, ...lines.slice(4)]),
    ])
    expect(causes).toMatchObject([{ kind: 'compacted', tokens: 3000, avoidable: false }])
    expect(totals.avoidable.tokens).toBe(0)
  })

  it('reads rollouts of Codex, whose input includes what was cached', async () => {
    const calls = [
      [20_000, 0],
      [21_000, 19_968],
      [22_000, 4096],
    ] as const
    const { totals, sessions } = await sumUp([linesFile('rollout-1.jsonl', rolloutLines('c1', calls))])
    expect(totals).toMatchObject({ turns: 3, tokens: { total: 63_000, read: 24_064 }, avoidable: { tokens: 16_904 } })
    expect(totals.cost).toBeGreaterThan(0)
    expect(sessions).toMatchObject([{ format: 'codex', session: 'c1', project: '/srv/api', model: 'gpt-5.5' }])
  })

  it('puts the session with the most that could have been avoided first', async () => {
    const worst = session('worst', [first, second, { read: 0, write: 22_000 }])
    const dear = session('dear', [{ read: 0, write: 150_000 }])
    const { sessions } = await sumUp([dear, worst])
    expect(sessions.map((one) => one.session)).toEqual(['worst', 'dear'])
  })

  it('sums up by model, project and day, in UTC', async () => {
    const lateStart = Date.UTC(2026, 10, 10, 23, 59, 45)
    const files = [
      session('one', [first, second], lateStart),
      session('two', [{ ...first, model: 'claude-sonnet-4-5-20250929', cwd: '/srv/b' }]),
    ]
    const rows = async (by: 'model' | 'project' | 'day'): Promise<unknown> =>
      (await sumUp(files, { by })).groups?.rows.map(({ name, turns }) => [name, turns])
    expect(await rows('model')).toEqual([
      ['claude-opus-4-5-20251101', 2],
      ['claude-sonnet-4-5-20250929', 1],
    ])
    expect(await rows('project')).toEqual([
      ['/srv/app', 2],
      ['/srv/b', 1],
    ])
    expect(await rows('day')).toEqual([
      ['2026-11-11', 1],
      ['2026-11-10', 2],
    ])
  })

  it('says which models have no price, and what could not be read', async () => {
    const lines = sessionLines('one', [{ ...first, model: 'house-model-1' }])
    const { totals, unpriced, unread } = await sumUp([linesFile('one.jsonl', [...lines, '{"type":"assistant","mess'])])
    expect(totals).toMatchObject({ cost: null, unpriced: 1 })
    expect(unpriced).toEqual([{ model: 'house-model-1', reason: 'model', turns: 1 }])
    expect(unread).toMatchObject([{ kind: 'broken', records: 1, first: { file: 'one.jsonl', line: 3 } }])
  })

  it('goes by the rules of the provider that it is given, where the log names none', async () => {
    const pause: TestTurn = { after: 1800, read: 0, write: 22_000, model: 'house-model' }
    const files = [session('one', [{ ...first, model: 'house-model' }, pause])]
    expect((await sumUp(files)).causes).toMatchObject([{ kind: 'expired' }])
    // An hour at least, and as long as there is room.
    expect((await sumUp(files, { provider: 'vllm' })).causes).toMatchObject([{ kind: 'unknown' }])
  })

  it('sums up to the same over sessions, causes and groups, whatever is copied', async () => {
    const turn = fc.record({
      after: fc.integer({ min: 1, max: 1000 }),
      read: fc.integer({ min: 0, max: 50_000 }),
      write: fc.integer({ min: 0, max: 50_000 }),
      model: fc.constantFrom('claude-opus-4-5-20251101', 'claude-sonnet-4-5-20250929'),
    })
    const turnLists = fc.array(fc.array(turn, { minLength: 1, maxLength: 6 }), { minLength: 1, maxLength: 4 })
    await fc.assert(
      fc.asyncProperty(turnLists, fc.constantFrom(...groupings), async (lists, by) => {
        const files = lists.map((turns, number) => session(`s${number}`, turns))
        const copies = lists.map((turns, number) =>
          linesFile(
            `copy${number}.jsonl`,
            sessionLines(`s${number}`, turns).map((line) => ({ ...line, sessionId: 'x' })),
          ),
        )
        const { totals, sessions, causes, groups } = await sumUp([...files, ...copies], { by })
        expect(totals.turns).toBe(lists.flat().length)
        for (const parts of [sessions, groups?.rows ?? []]) {
          expect(sumOf(parts.map(({ cost }) => cost))).toBeCloseTo(totals.cost ?? 0, 8)
          expect(sumOf(parts.map(({ lost }) => lost.tokens))).toBe(totals.lost.tokens)
          expect(sumOf(parts.map(({ avoidable }) => avoidable.tokens))).toBe(totals.avoidable.tokens)
        }
        expect(sumOf(causes.map(({ tokens }) => tokens))).toBe(totals.lost.tokens)
        expect(totals.avoidable.cost).toBeLessThanOrEqual((totals.cost ?? 0) + 1e-9)
      }),
      { numRuns: Number(process.env['LAWS_RUNS'] ?? 50) },
    )
  })

  it('masks what looks like a key in a name', async () => {
    const { sessions } = await sumUp([session('one', [{ ...first, cwd: '/srv/sk-ant-api03-abcdefgh12345678' }])])
    expect(JSON.stringify(sessions)).not.toContain('abcdefgh')
  })

  it('says so where no file holds a call', async () => {
    await expect(
      sumUp([linesFile('a.jsonl', [{ type: 'summary', leafUuid: 'x', summary: 'Nothing.' }])]),
    ).rejects.toThrow(/No call to a model was found/)
  })
})
