/**
 * What is said of calls that are repeated, failed, of several accounts and scopes, without times, and of records that hold
 * less than the body.
 */
import { describe, expect, it } from 'vitest'
import { conversation, environmentOf, rulesOf } from './support/audit/coding-agent.ts'
import { auditLines, auditLogs, linesOf, logStart, type Call } from './support/audit/log.ts'
import { toChat } from './support/audit/other-apis.ts'
import { expectSound, lengthsOf, namesOf, onlyCulprit, turnsOf, verdictsOf } from './support/audit/readings.ts'
import { audited, byTime, calls } from './support/audit/scenes.ts'

describe('calls that are no ordinary turns', () => {
  const bodies = conversation({ turns: 5 })

  it('that failed are not billed, and not gone on from', async () => {
    const limited = { type: 'error', error: { type: 'rate_limit_error', message: 'Slow down.' } }
    const log = calls(bodies).flatMap((call, turn) =>
      turn === 2
        ? [
            { ...call, status: 429, response: limited },
            { ...call, status: 429, response: limited, at: call.at + 5 },
            { ...call, at: call.at + 20 },
          ]
        : [call],
    )
    const report = await audited(log)
    expect(verdictsOf(report)).toEqual(['first', 'appended', 'failed', 'failed', 'appended', 'appended', 'appended'])
    expect(turnsOf(report)[4]?.parent).toBe(1)
    expect(report.totals).toMatchObject({ failed: 2, lost: { tokens: 0 } })
    expect(turnsOf(report)[2]).toMatchObject({ cost: null, tokens: { total: null } })
  })

  it('that are sent again after an answer are billed, and keep the entry alive', async () => {
    const log = calls(bodies, (turn) => ({ at: turn < 3 ? turn * 60 : turn * 60 + 420 }))
    const again = { ...log[2]!, at: 350 }
    const report = await audited([...log.slice(0, 3), again, ...log.slice(3)])
    expect(verdictsOf(report)).toEqual(['first', 'appended', 'appended', 'repeat', 'appended', 'appended'])
    expect(turnsOf(report)[3]?.cost?.read).toBeGreaterThan(0)
    expect(turnsOf(report)[4]).toMatchObject({ verdict: 'appended', lost: { tokens: 0 } })
  })

  it('that the provider edited on its side are told as that', async () => {
    const edited = {
      id: 'msg_2',
      model: 'claude-opus-5',
      usage: { input_tokens: 900, cache_read_input_tokens: 3000, cache_creation_input_tokens: 500, output_tokens: 20 },
      context_management: {
        applied_edits: [{ type: 'clear_tool_uses_20250919', cleared_tool_uses: 3, cleared_input_tokens: 2500 }],
      },
    }
    const lost: Partial<Call> = {
      reported: (usage) => ({ ...usage, read: 3000, write5m: usage.write5m + usage.read - 3000 }),
    }
    const log = calls(bodies, (turn) => (turn === 2 ? { response: edited } : turn === 3 ? lost : {}))
    const report = await audited(log)
    expect(verdictsOf(report)).toEqual(['first', 'appended', 'appended', 'server-edited', 'appended'])
    expect(report.culprits).toEqual([])
  })

  it('that were sent before the answer to the one before are not yet readable', async () => {
    const report = await audited(bodies.map((body, index) => ({ body, at: index * 2, took: 10 })))
    expect(verdictsOf(report)).toEqual(['first', ...Array.from({ length: 4 }, () => 'not-yet-readable')])
    expect(report.culprits).toEqual([])
  })

  it('that only count tokens touch nothing', async () => {
    const counting = { url: 'https://api.anthropic.com/v1/messages/count_tokens', response: { input_tokens: 4692 } }
    const log = calls(bodies, (turn) => ({ at: turn * 250 }))
    const counts = log.map((call) => ({ ...call, ...counting, at: call.at - 2 }))
    const report = await audited(byTime([...counts, ...log]))
    expect(lengthsOf(report)).toEqual([5])
    expect(verdictsOf(report)).toEqual(['first', 'appended', 'appended', 'appended', 'appended'])
  })

  it.each([0, 1])('that ask for %i tokens warm the cache', async (max_tokens) => {
    const report = await audited([{ body: { ...bodies[0]!, max_tokens }, at: -20 }, ...calls(bodies)])
    expect(verdictsOf(report)).toEqual(['prewarm', 'repeat', 'appended', 'appended', 'appended', 'appended'])
    expect(turnsOf(report)[1]?.tokens.read).toBeGreaterThan(4000)
  })

  it('are not judged by a change that the log names and the requests do not have', async () => {
    const log = calls(bodies, (turn) =>
      turn === 3 ? { record: { cache_event: 'model_changed', model_before: 'a', model_after: 'b' } } : {},
    )
    const report = await audited(log)
    expect(new Set(verdictsOf(report).slice(1))).toEqual(new Set(['appended']))
  })
})

describe('scopes', () => {
  it('keep two accounts apart, each with a cache of its own', async () => {
    const keys = ['sk-ant-api03-alpha', 'sk-ant-api03-beta']
    const log = keys.flatMap((key, account) =>
      calls(conversation({ turns: 5, seed: account + 1 }), (turn) => ({
        at: account * 20 + turn * 60,
        headers: { 'x-api-key': key },
      })),
    )
    const report = await audited(byTime(log))
    expect(lengthsOf(report)).toEqual([5, 5])
    expect(report.culprits).toEqual([])
    for (const stream of report.streams) {
      expect(stream.turns[0]?.tokens.read).toBe(0)
      expect(stream.turns[0]?.predicted?.read).toBe(0)
      expect(new Set(stream.turns.slice(1).map(({ verdict }) => verdict))).toEqual(new Set(['appended']))
    }
    expect(JSON.stringify(report)).not.toMatch(/alpha|beta/)
  })

  it('tell that a conversation went to another account', async () => {
    const log = calls(conversation({ turns: 6 }), (turn) => ({
      headers: { 'x-api-key': turn < 3 ? 'sk-one-a1b2' : 'sk-two-c3d4' },
    }))
    const report = await audited(log)
    expect(lengthsOf(report)).toEqual([6])
    expect(verdictsOf(report)).toEqual(['first', 'appended', 'appended', 'scope', 'appended', 'appended'])
    expect(turnsOf(report)[3]?.reasons[0]).toMatchObject({ kind: 'scope', parameters: ['account'] })
    expect(report.totals.otherLosses).toMatchObject([{ reason: 'scope', turns: 1 }])
  })

  it('tell that another model answered than was asked', async () => {
    const bodies = conversation({ turns: 6 })
    const usage = (read: number, written: number): object => ({
      input_tokens: 3,
      cache_read_input_tokens: read,
      cache_creation_input_tokens: written,
      output_tokens: 9,
    })
    const response = [
      { model: 'claude-opus-5', usage: usage(0, 4689) },
      { model: 'claude-opus-5', usage: usage(4689, 592) },
      { model: 'claude-sonnet-5', usage: usage(0, 5881) },
      { model: 'claude-sonnet-5', usage: usage(5881, 594) },
      { model: 'claude-sonnet-5', usage: usage(6475, 673) },
      { model: 'claude-sonnet-5', usage: usage(7148, 596) },
    ]
    const report = await audited(calls(bodies, (turn) => ({ response: { id: `msg_${turn}`, ...response[turn] } })))
    expect(verdictsOf(report)).toEqual(['first', 'appended', 'scope', 'appended', 'appended', 'appended'])
    expect(turnsOf(report)[2]?.reasons[0]?.parameters).toEqual(['served model'])
  })

  it.each<[string, (turn: number) => Partial<Call>, object, string]>([
    ['the cache key', () => ({}), { prompt_cache_key: 'two' }, 'prompt_cache_key'],
    ['the service tier', () => ({}), { service_tier: 'priority' }, 'service_tier'],
    [
      'the organisation',
      (turn) => ({ headers: { 'openai-organization': turn < 3 ? 'org-a' : 'org-b' } }),
      {},
      'organization',
    ],
  ])('tell that %s changed, and reads were lost with it', async (_, call, then, name) => {
    const bodies = conversation({ turns: 6 }).map((body, turn) => ({
      ...toChat(body),
      prompt_cache_key: 'one',
      service_tier: 'default',
      ...(turn < 3 ? {} : then),
    }))
    const missed: Partial<Call> = { reported: (usage) => ({ ...usage, read: 0, uncached: usage.total }) }
    const report = await audited(
      calls(bodies, (turn) => ({ ...call(turn), ...(turn === 3 && missed) })),
      { api: 'chat' },
    )
    expect(verdictsOf(report)).toEqual(['first', 'appended', 'appended', 'scope', 'appended', 'appended'])
    expect(turnsOf(report)[3]?.reasons[0]?.parameters).toContain(name)
  })

  it('go on under another address of the same cache only where reads show it', async () => {
    const bodies = conversation({ turns: 6 })
    const moved = calls(bodies, (turn) =>
      turn < 3 ? {} : { url: 'https://gateway.example.com/anthropic/v1/messages' },
    )
    expect(verdictsOf(await audited(moved))[3]).toBe('scope')
    const once = linesOf(calls(bodies)).map((line, turn) =>
      turn < 3
        ? line
        : line.replace('https://api.anthropic.com/v1/messages', 'https://gateway.example.com/anthropic/v1/messages'),
    )
    const report = await auditLines([{ name: 'moved.jsonl', lines: once }])
    expect(verdictsOf(report)).toEqual(['first', 'appended', 'appended', 'appended', 'appended', 'appended'])
    expect(report.totals.lost.tokens).toBe(0)
  })

  it('let streams of one account share what both begin with', async () => {
    const log = [1, 2, 3].flatMap((seed) =>
      calls(conversation({ turns: 3, seed }), (turn) => ({ at: seed * 100 + turn * 30 })),
    )
    const report = await audited(log)
    const [, second, third] = report.streams
    for (const stream of [second, third]) {
      expect(stream?.turns[0]).toMatchObject({ verdict: 'first', lost: { tokens: 0 } })
      expect(stream?.turns[0]?.tokens.read).toBeGreaterThan(3000)
      expect(stream?.turns[0]?.predicted?.read).toBe(stream?.turns[0]?.tokens.read)
    }
  })
})

describe('what a log lacks', () => {
  it('in times takes no lifetime for over', async () => {
    const log = calls(conversation({ turns: 6 }), (turn) => ({ at: turn * 900 }))
    const report = await audited(log, { timed: false })
    expect(verdictsOf(report)).not.toContain('expired')
    for (const turn of turnsOf(report)) expect(turn.gapSeconds).toBeNull()
    expect(report.range).toEqual({ from: null, to: null })
    expect(turnsOf(report)[3]).toMatchObject({ verdict: 'unknown' })
    expect(turnsOf(report)[3]?.missing.join('\n')).toMatch(/times/)
    expect(report.culprits).toEqual([])
  })

  it('in times still names what changed', async () => {
    const bodies = conversation({
      turns: 6,
      environment: (turn) => environmentOf({ branch: turn < 3 ? 'main' : 'fix/tax' }),
    })
    const report = await audited(calls(bodies), { timed: false })
    expect(onlyCulprit(report)).toMatchObject({ kind: 'git', path: 'system[1]' })
    expect(verdictsOf(report)).toEqual(['first', 'appended', 'appended', 'rewritten', 'appended', 'appended'])
  })

  it('in usage is played by the rules', async () => {
    const bodies = conversation({
      turns: 6,
      environment: (turn) => environmentOf({ branch: turn < 3 ? 'main' : 'fix/tax' }),
    })
    const report = await audited(calls(bodies, () => ({ reported: () => null })))
    expect(verdictsOf(report)).toEqual(['first', 'appended', 'appended', 'rewritten', 'appended', 'appended'])
    expect(report.reproduced).toEqual({ warm: 0, of: 0 })
    expect(turnsOf(report)[3]?.confidence).toBeLessThan(0.95)
    expect(turnsOf(report)[3]?.missing.join('\n')).toMatch(/usage/)
  })

  it('in bodies leaves the reports to be compared', async () => {
    const opening = '2026-11-02T09:00:00.000Z'
    const entry = (index: number, usage: object): string[] => {
      const time = new Date(Date.parse(opening) + index * 60_000).toISOString()
      const base = { sessionId: 's-1', cwd: '/home/ana/shop', version: '2.1.0', gitBranch: 'main', isSidechain: false }
      const ids = { uuid: `a${index}`, parentUuid: `u${index}` }
      return [
        JSON.stringify({
          ...base,
          type: 'user',
          uuid: `u${index}`,
          parentUuid: index === 0 ? null : `a${index - 1}`,
          timestamp: time,
          message: { role: 'user', content: `Question ${index} about the carts.` },
        }),
        JSON.stringify({
          ...base,
          ...ids,
          type: 'assistant',
          timestamp: new Date(Date.parse(time) + 4000).toISOString(),
          requestId: `req_${index}`,
          message: {
            id: `msg_${index}`,
            type: 'message',
            role: 'assistant',
            model: 'claude-opus-5',
            content: [{ type: 'text', text: `Answer ${index}.` }],
            usage,
          },
        }),
      ]
    }
    const usage = (read: number, written: number): object => ({
      input_tokens: 4,
      cache_read_input_tokens: read,
      cache_creation_input_tokens: written,
      cache_creation: { ephemeral_5m_input_tokens: written, ephemeral_1h_input_tokens: 0 },
      output_tokens: 50,
    })
    const report = await auditLines([
      {
        name: 'session.jsonl',
        lines: [
          entry(0, usage(0, 15_000)),
          entry(1, usage(15_000, 500)),
          entry(2, usage(15_500, 500)),
          entry(3, usage(0, 16_500)),
        ].flat(),
      },
    ])
    expect(report.inputs[0]?.format).toBe('claude-code')
    expect(lengthsOf(report)).toEqual([4])
    const turns = turnsOf(report)
    expect(turns.map(({ verdict }) => verdict)).toEqual(['first', 'appended', 'appended', 'unknown'])
    expect(turns.map(({ basis }) => basis)).toEqual(['reported', 'reported', 'reported', 'reported'])
    expect(turns[3]?.lost.tokens).toBeGreaterThan(15_000)
    expect(turns[3]?.missing.join('\n')).toMatch(/body/)
    expect(report.culprits).toEqual([])
  })

  it('in marks gives no verdict on marks', async () => {
    const bodies = conversation({ turns: 5 }).map(
      (body) =>
        JSON.parse(
          JSON.stringify(body, (key, value: unknown) => (key === 'cache_control' ? undefined : value)),
        ) as object,
    )
    const report = await audited(
      calls(bodies, (turn) => ({
        reported: (usage) => ({ ...usage, read: turn * 1000, uncached: usage.total - turn * 1000 }),
      })),
    )
    // The log is of whole bodies: nothing was marked, and that is said.
    expect(verdictsOf(report).slice(1)).not.toContain('rewritten')
    expect(report.culprits).toEqual([])
  })

  it('in a half-written line is named with the line, and the rest is judged', async () => {
    const lines = linesOf(calls(conversation({ turns: 6 })))
    const report = await auditLines([{ name: 'cut.jsonl', lines: [...lines.slice(0, 5), lines[5]!.slice(0, 4000)] }])
    expect(report.unread).toMatchObject([{ file: 'cut.jsonl', line: 6 }])
    expect(verdictsOf(report)).toEqual(['first', 'appended', 'appended', 'appended', 'appended'])
  })
})

describe('other providers', () => {
  it('that promise no hit are not accused of a miss', async () => {
    const bodies = conversation({ turns: 6 }).map((body) => toChat(body))
    const report = await audited(
      calls(bodies, (turn) =>
        turn === 3 ? { reported: (usage) => ({ ...usage, read: 0, uncached: usage.total }) } : {},
      ),
      { api: 'chat' },
    )
    expect(report.culprits).toEqual([])
    expect(verdictsOf(report)).not.toContain('rewritten')
    expect(turnsOf(report)[3]?.divergence).toBeNull()
  })

  it('are in streams of their own, with caches of their own', async () => {
    const bodies = conversation({ turns: 5 })
    const report = await auditLogs([
      { calls: calls(bodies) },
      { calls: calls(bodies.map((body) => toChat(body))), options: { api: 'chat' } },
    ])
    expectSound(report)
    expect(lengthsOf(report)).toEqual([5, 5])
    expect(report.streams.map(({ provider }) => provider).toSorted()).toEqual(['anthropic', 'openai'])
    expect(report.culprits).toEqual([])
    expect(report.range.from).toBe(new Date(logStart).toISOString())
    expect(report.byModel.map(({ turns }) => turns)).toEqual([5, 5])
  })
})

describe('several reasons at once', () => {
  it('all hold, and the verdict is the one that would restore most', async () => {
    const bodies = conversation({ turns: 6, rules: (turn) => (turn < 3 ? rulesOf() : `Be quick. ${rulesOf()}`) })
    const report = await audited(calls(bodies, (turn) => ({ at: turn * 60 + (turn < 3 ? 0 : 1000) })))
    const turn = turnsOf(report)[3]
    expect(turn?.reasons.map(({ kind }) => kind).toSorted()).toEqual(['expired', 'rewritten'])
    expect(turn?.verdict).toBe('rewritten')
    expect(onlyCulprit(report).kind).toBe('rules-text')
  })

  it('of which one lost only the conversation and one all', async () => {
    const bodies = conversation({
      turns: 6,
      over: (turn) => ({
        ...(turn === 3 && { tool_choice: { type: 'any' } }),
        ...(turn > 3 && { model: 'claude-sonnet-5' }),
      }),
    })
    const report = await audited(calls(bodies))
    expect(verdictsOf(report)).toEqual(['first', 'appended', 'appended', 'scope', 'scope', 'appended'])
    expect(namesOf(report).toSorted()).toEqual(['parameter at parameter model', 'parameter at parameter tool_choice'])
  })
})
