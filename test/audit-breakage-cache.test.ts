/** Requests that did not change, and a cache that did not serve them: what an audit says of each reason. */
import { describe, expect, it } from 'vitest'
import type { AuditReport } from '../src/audit/index.ts'
import type { PredictedUsage } from '../src/cache/index.ts'
import { blocksOf, conversation, mapBlocks, mark, rulesOf, toolOf, toolsOf } from './support/audit/coding-agent.ts'
import type { Call, LogOptions } from './support/audit/log.ts'
import { toChat } from './support/audit/other-apis.ts'
import { onlyCulprit, turnsOf, turnsWith, verdictsOf } from './support/audit/readings.ts'
import { calls, auditScene, audited, from, TURNS } from './support/audit/scenes.ts'

describe('L: breakpoints', () => {
  const isMarked = (value: unknown): boolean => JSON.stringify(value).includes('cache_control')

  it('names one that stands on a message which only this call has', async () => {
    const report = await auditScene({
      marksMessages: false,
      history: (messages, turn) => [
        ...messages,
        {
          role: 'user',
          content: [{ type: 'text', text: `Reminder ${turn * 31 + 7}: be quick about the carts.`, ...mark }],
        },
      ],
    })
    const culprit = onlyCulprit(report)
    expect(culprit.kind).toBe('breakpoint-wasted')
    expect(culprit.path).toMatch(/^messages\[/)
    expect(turnsWith(culprit)).toEqual(from(1))
    expect(culprit.tokensLost).toBe(report.totals.lost.tokens)
    expect(culprit.savesAlone?.cost).toBeGreaterThan(0)
    expect(culprit.fix).toMatch(/behind the last block that comes again/)
  })

  it('says what one that was frozen early leaves out', async () => {
    const report = await auditScene({
      turns: 12,
      marksMessages: false,
      history: (messages) => mapBlocks(messages, (block, message) => (message === 0 ? { ...block, ...mark } : block)),
    })
    const turns = turnsOf(report)
    expect(turns.slice(2).map(({ verdict }) => verdict)).toEqual(turns.slice(2).map(() => 'unmarked'))
    expect(new Set(turns.slice(1).map(({ tokens }) => tokens.read)).size).toBe(1)
    expect(turns[9]?.reasons[0]?.detail).toMatch(/messages\[1\].*messages\[\d+\]/)
    const step = report.counterfactual.steps.find(({ remedy }) => remedy.type === 'breakpoints')
    expect(step?.saves.cost).toBeGreaterThan(0)
  })

  it('says that an entry is more than the window behind', async () => {
    // Calls and results next to each other are one position, pasted files are one each.
    const files = from(1, 24).map((file) => ({
      type: 'text',
      text: `File ${file}: it is about the cart, part ${file}.`,
    }))
    const report = await auditScene({
      history: (messages) =>
        messages.map((message, index) =>
          index === 8 ? { ...message, content: [...blocksOf(message), ...files] } : message,
        ),
    })
    const turn = turnsOf(report)[4]
    expect(turn).toMatchObject({ verdict: 'out-of-window', divergence: null })
    expect(turn?.reasons[0]?.detail).toContain('20')
    expect(turn?.lost.tokens).toBeGreaterThan(1000)
    expect(verdictsOf(report).filter((verdict) => verdict === 'appended')).toHaveLength(TURNS - 2)
    expect(report.counterfactual.steps[0]?.remedy.type).toBe('breakpoints')
  })

  it('says that more of them than are allowed are an error', async () => {
    const bodies = conversation({
      turns: 3,
      tools: () => toolsOf().map((tool) => ({ ...tool, ...mark })),
    })
    expect(bodies[0]?.tools.filter(isMarked).length).toBeGreaterThan(4)
    const error = {
      type: 'error',
      error: {
        type: 'invalid_request_error',
        message: 'A maximum of 4 blocks with cache_control may be provided. Found 8.',
      },
    }
    const report = await audited(calls(bodies, () => ({ status: 400, response: error })))
    expect(verdictsOf(report)).toEqual(['failed', 'failed', 'failed'])
    expect(report.totals).toMatchObject({ failed: 3, cost: null, lost: { tokens: 0 } })
    expect(turnsOf(report)[0]?.reasons[0]?.detail).toMatch(/8.*breakpoints|breakpoints.*8/)
  })
})

describe('M: a prefix that is too short', () => {
  it('is below the minimum, with both numbers', async () => {
    const report = await auditScene({
      rules: () => 'Be brief.',
      environment: () => 'You work in /home/ana/shop.',
      tools: () => [toolOf('read_file')],
      over: () => ({ model: 'claude-haiku-4-5' }),
      turns: 4,
    })
    for (const turn of turnsOf(report).slice(1)) {
      expect(turn.verdict).toBe('below-minimum')
      expect(turn.tokens).toMatchObject({ read: 0, write5m: 0 })
      expect(turn.reasons[0]?.detail).toContain('4096')
      expect(turn.reasons[0]?.detail).toContain(String(turn.tokens.total))
    }
    expect(report.culprits).toEqual([])
  })
})

describe('N: lifetimes', () => {
  const pauses = (bodies: readonly object[], pause: number): Call[] =>
    calls(bodies, (index) => ({ at: index * 60 + (index < 4 ? 0 : pause) }))
  const forAnHour = (body: object): object =>
    JSON.parse(JSON.stringify(body).replaceAll('{"type":"ephemeral"}', '{"type":"ephemeral","ttl":"1h"}')) as object

  it('are over after a pause of ten minutes', async () => {
    const report = await audited(pauses(conversation({ turns: TURNS }), 600))
    expect(turnsOf(report)[4]).toMatchObject({ verdict: 'expired', gapSeconds: 660, ttlSeconds: 300, divergence: null })
    expect(turnsOf(report)[4]?.lost.tokens).toBeGreaterThan(5000)
    expect(verdictsOf(report).filter((verdict) => verdict === 'appended')).toHaveLength(TURNS - 2)
    expect(report.culprits).toEqual([])
    expect(report.totals.otherLosses).toMatchObject([{ reason: 'expired', turns: 1 }])
  })

  it('say what keeping it alive would save', async () => {
    const bodies = conversation({ turns: 12, rules: () => `${rulesOf()} ${rulesOf()}` })
    const report = await audited(calls(bodies, (index) => ({ at: index * 60 + Math.floor(index / 3) * 600 })))
    expect(verdictsOf(report).filter((verdict) => verdict === 'expired')).toHaveLength(3)
    const step = report.counterfactual.steps.find(({ remedy }) => remedy.type === 'keep-alive' || remedy.type === 'ttl')
    expect(step?.saves.cost).toBeGreaterThan(0)
    expect(step?.fix).toMatch(/ping|lifetime/)
  })

  it('of an hour outlast ten minutes, and no more than an hour', async () => {
    const bodies = conversation({ turns: TURNS }).map(forAnHour)
    expect(verdictsOf(await audited(pauses(bodies, 600)))[4]).toBe('appended')
    const report = await audited(pauses(bodies, 3900))
    expect(turnsOf(report)[4]).toMatchObject({ verdict: 'expired', gapSeconds: 3960, ttlSeconds: 3600 })
  })

  it('that went from an hour to five minutes are told by the shorter one', async () => {
    const bodies = conversation({ turns: TURNS }).map((body, index) => (index < 2 ? forAnHour(body) : body))
    const report = await audited(pauses(bodies, 1200))
    expect(turnsOf(report)[4]).toMatchObject({ verdict: 'expired', ttlSeconds: 300 })
    expect(turnsOf(report)[1]).toMatchObject({ verdict: 'appended', ttlSeconds: 3600 })
    expect(report.culprits).toEqual([])
  })
})

describe('O: first requests at the same time', () => {
  it('write one prefix several times', async () => {
    const starts = from(1, 4).flatMap((seed) => conversation({ turns: 1, seed }))
    const report = await audited(starts.map((body, index) => ({ body, at: index * 0.2, took: 6 })))
    expect(report.streams).toHaveLength(4)
    expect(verdictsOf(report)).toEqual(['first', 'not-yet-readable', 'not-yet-readable', 'not-yet-readable'])
    expect(turnsOf(report)[1]?.lost.tokens).toBeGreaterThan(3000)
    expect(report.culprits).toEqual([])
    expect(report.totals.otherLosses).toMatchObject([{ reason: 'not-yet-readable', turns: 3 }])
  })

  it('are no loss where one goes first', async () => {
    const starts = from(1, 4).flatMap((seed) => conversation({ turns: 1, seed }))
    const report = await audited(
      starts.map((body, index) => ({ body, at: index === 0 ? 0 : 8 + index * 0.2, took: 6 })),
    )
    expect(verdictsOf(report)).toEqual(['first', 'first', 'first', 'first'])
    expect(report.totals.lost.tokens).toBe(0)
  })
})

describe('P: a miss of the provider', () => {
  const missed = (usage: PredictedUsage): PredictedUsage => ({ ...usage, read: 0, write5m: usage.write5m + usage.read })
  const log = (over: (index: number) => Partial<Call> = () => ({})): Call[] =>
    calls(conversation({ turns: TURNS }), (index) => ({ ...(index === 4 && { reported: missed }), ...over(index) }))

  it('is the provider’s where all is known and nothing changed', async () => {
    const report = await audited(log())
    const turn = turnsOf(report)[4]
    expect(turn).toMatchObject({ verdict: 'provider-miss', divergence: null, missing: [] })
    expect(turn?.lost.tokens).toBe(turn?.predicted?.read)
    expect(report.culprits).toEqual([])
    expect(verdictsOf(report).filter((verdict) => verdict === 'appended')).toHaveLength(TURNS - 2)
    expect(report.totals.otherLosses).toMatchObject([{ reason: 'provider-miss', turns: 1 }])
  })

  it.each<[string, (index: number) => Partial<Call>, RegExp]>([
    ['whose key it was', (index) => (index === 4 ? { headers: { 'x-api-key': '[REDACTED]' } } : {}), /key/],
    ['what was written before', (index) => (index === 3 ? { reported: () => null } : {}), /usage|response/],
  ])('is unknown where the log does not say %s', async (_, over, sentence) => {
    const turn = turnsOf(await audited(log(over)))[4]
    expect(turn?.verdict).toBe('unknown')
    expect(turn?.missing.join('\n')).toMatch(sentence)
  })

  it.each<[string, LogOptions, RegExp]>([
    ['when', { timed: false }, /times/],
    ['where', { addressed: false }, /host/],
  ])('is unknown in a log that does not say %s calls were made', async (_, options, sentence) => {
    const turn = turnsOf(await audited(log(), options))[4]
    expect(turn?.verdict).toBe('unknown')
    expect(turn?.missing.join('\n')).toMatch(sentence)
  })

  it('is unknown near the end of a lifetime', async () => {
    const report = await audited(log((index) => ({ at: index * 60 + (index < 4 ? 0 : 225) })))
    expect(turnsOf(report)[4]).toMatchObject({ verdict: 'unknown', gapSeconds: 285 })
  })

  it('is another scope where headers differ', async () => {
    const report = await audited(
      log((index) => ({ headers: { 'anthropic-beta': index < 4 ? 'context-1m' : 'effort-2' } })),
    )
    expect(turnsOf(report)[4]?.verdict).toBe('scope')
    expect(turnsOf(report)[4]?.reasons[0]?.parameters).toEqual(['anthropic-beta'])
  })

  it('is another scope where the key differs', async () => {
    const report = await audited(
      log((index) => ({ headers: { 'x-api-key': index < 4 ? 'sk-ant-one-1' : 'sk-ant-two-2' } })),
    )
    expect(turnsOf(report)[4]?.verdict).toBe('scope')
    expect(turnsOf(report)[4]?.reasons[0]?.parameters).toEqual(['account'])
    expect(JSON.stringify(report)).not.toMatch(/sk-ant-(?:one|two)/)
  })

  it('keeps the reason that the provider gave beside ours', async () => {
    const report = await audited(
      log((index) =>
        index === 4
          ? {
              reported: missed,
              response: {
                id: 'msg_4',
                model: 'claude-opus-5',
                usage: { input_tokens: 9, cache_read_input_tokens: 0, cache_creation_input_tokens: 7142 },
                diagnostics: { cache_miss_reason: { type: 'previous_message_not_found' } },
              },
            }
          : {},
      ),
    )
    expect(turnsOf(report)[4]?.providerReason).toBe('previous_message_not_found')
    expect(report.confusion).toEqual([{ provider: 'previous_message_not_found', ours: 'provider-miss', count: 1 }])
  })
})

describe('Q: usage that is misread', () => {
  const reporting = (usage: object, api: 'anthropic' | 'chat' = 'anthropic'): Promise<AuditReport> => {
    const bodies = conversation({ turns: 2 }).map((body) => (api === 'chat' ? toChat(body) : body))
    return audited(
      calls(bodies, (index) => (index === 1 ? { response: { id: 'x', usage } } : {})),
      { api },
    )
  }

  it.each<[string, 'anthropic' | 'chat', object, string]>([
    [
      'a total that leaves out what was read',
      'chat',
      { prompt_tokens: 700, completion_tokens: 20, total_tokens: 5520, prompt_tokens_details: { cached_tokens: 4800 } },
      'total-excludes-cached',
    ],
    [
      'more read than there was',
      'chat',
      {
        prompt_tokens: 900,
        completion_tokens: 20,
        prompt_tokens_details: { cached_tokens: 800, cache_write_tokens: 700 },
      },
      'cached-exceeds-total',
    ],
    [
      'writes whose parts do not add up',
      'anthropic',
      {
        input_tokens: 9,
        cache_read_input_tokens: 4689,
        cache_creation_input_tokens: 600,
        cache_creation: { ephemeral_5m_input_tokens: 100, ephemeral_1h_input_tokens: 100 },
        output_tokens: 12,
      },
      'write-split-differs',
    ],
  ])('notes %s', async (_, api, usage, type) => {
    const report = await reporting(usage, api)
    expect(report.anomalies).toMatchObject([{ turn: 1, type }])
  })

  it('notes a stream without its end, and does not take its output for none', async () => {
    const start = {
      type: 'message_start',
      message: {
        id: 'msg_1',
        usage: { input_tokens: 9, cache_read_input_tokens: 4689, cache_creation_input_tokens: 590, output_tokens: 1 },
      },
    }
    const bodies = conversation({ turns: 2 })
    const report = await audited(
      calls(bodies, (index) =>
        index === 1 ? { response: `event: message_start\ndata: ${JSON.stringify(start)}\n\n` } : {},
      ),
    )
    expect(report.anomalies).toMatchObject([{ turn: 1, type: 'stream-incomplete' }])
    expect(turnsOf(report)[1]?.tokens).toMatchObject({ read: 4689, output: null })
  })

  it('takes what is not reported for nothing else', async () => {
    const report = await audited(calls(conversation({ turns: 3 }), () => ({ reported: () => null })))
    for (const { tokens, cost } of turnsOf(report)) {
      expect(tokens).toEqual({
        total: null,
        read: null,
        write5m: null,
        write30m: null,
        write1h: null,
        uncached: null,
        output: null,
      })
      expect(cost).toBeNull()
    }
    expect(report.totals).toMatchObject({ hitRate: null, cost: null })
    expect(verdictsOf(report)).toEqual(['first', 'appended', 'appended'])
  })

  it('prices writes for an hour as such', async () => {
    const written = (long: boolean): object => ({
      input_tokens: 9,
      cache_read_input_tokens: 0,
      cache_creation_input_tokens: 5280,
      cache_creation: { ephemeral_5m_input_tokens: long ? 0 : 5280, ephemeral_1h_input_tokens: long ? 5280 : 0 },
      output_tokens: 12,
    })
    const [short, long] = [await reporting(written(false)), await reporting(written(true))]
    expect(turnsOf(long)[1]?.tokens).toMatchObject({ write5m: 0, write1h: 5280 })
    expect((turnsOf(long)[1]?.cost?.write ?? 0) / (turnsOf(short)[1]?.cost?.write ?? 1)).toBeCloseTo(1.6, 5)
  })

  it('does not take writes of an hour for shorter ones where the report does not tell them apart', async () => {
    const usage = { input_tokens: 9, cache_read_input_tokens: 0, cache_creation_input_tokens: 5280, output_tokens: 12 }
    const bodies = conversation({ turns: 2 }).map(
      (body) =>
        JSON.parse(
          JSON.stringify(body).replaceAll('{"type":"ephemeral"}', '{"type":"ephemeral","ttl":"1h"}'),
        ) as object,
    )
    const report = await audited(calls(bodies, () => ({ response: { id: 'x', model: 'claude-opus-5', usage } })))
    const [turn] = turnsOf(report)
    expect(
      turn?.tokens.write1h === 5280 || report.anomalies.some(({ type }) => type === 'write-lifetime-unknown'),
    ).toBe(true)
  })
})
