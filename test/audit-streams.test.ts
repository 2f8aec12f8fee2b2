/**
 * Which calls of a log belong together: conversations without ids, beside each other, over several files, forked, and
 * begun before the log.
 */
import { describe, expect, it } from 'vitest'
import type { AuditStream } from '../src/audit/index.ts'
import {
  blocksOf,
  conversation,
  environmentOf,
  mapBlocks,
  markedAtEnd,
  toolOf,
  toolsOf,
  type Body,
  type Message,
  type Scene,
} from './support/audit/coding-agent.ts'
import { auditLines, linesOf, type Call } from './support/audit/log.ts'
import {
  expectSound,
  lengthsOf,
  namesOf,
  onlyCulprit,
  turnsOf,
  turnsWith,
  verdictsOf,
} from './support/audit/readings.ts'
import { audited, byTime, calls, TURNS } from './support/audit/scenes.ts'
import { subAgent, titleBody } from './support/audit/side-agents.ts'
import { Random } from './support/random.ts'

const parents = ({ turns }: AuditStream): (number | null)[] => turns.map(({ parent }) => parent)

/** All but the first message of the user are one word. */
function continuing(messages: readonly Message[]): readonly Message[] {
  return messages.map((message, index) => ({
    role: message.role,
    content:
      message.role === 'assistant'
        ? blocksOf(message).filter(({ type }) => type === 'text')
        : [{ type: 'text', text: index === 0 ? String(blocksOf(message)[0]?.['text']) : 'Continue.' }],
  }))
}

/** Ids that a framework makes itself, and results that say no more than that all went well. */
function numbered(bodies: readonly Body[]): readonly Body[] {
  return bodies.map((body) => ({
    ...body,
    messages: mapBlocks(body.messages, (block, message) => ({
      ...block,
      ...(block['type'] === 'tool_use' && { id: `call_${message}`, name: 'run_tests', input: { path: '.' } }),
      ...(block['type'] === 'tool_result' && { tool_use_id: `call_${message - 1}`, content: 'Done.' }),
    })),
  }))
}

describe('streams', () => {
  const changing: Scene = {
    turns: 12,
    environment: (turn) =>
      environmentOf({ more: [`Current time: 2026-11-02T09:${String(turn).padStart(2, '0')}:00Z`] }),
    tools: (turn) => (turn < 5 ? toolsOf() : [...toolsOf(), toolOf('mcp__jira__search')]),
    over: (turn) => (turn < 8 ? {} : { model: 'claude-sonnet-5' }),
  }

  it('are one without ids, with a clock, a tool that was added, and another model', async () => {
    const report = await audited(calls(conversation(changing)))
    expect(lengthsOf(report)).toEqual([12])
    expect(parents(report.streams[0]!)).toEqual([null, 0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10])
    expect(report.culprits.map(({ kind }) => kind).toSorted()).toEqual(['clock', 'parameter', 'tool-added'])
    expect(report.culprits.find(({ kind }) => kind === 'tool-added')?.path).toBe('tools[mcp__jira__search]')
    expect(turnsWith(report.culprits.find(({ kind }) => kind === 'parameter')!)).toEqual([8])
    // Each loss is borne by what the provider reads first.
    expect(report.culprits[0]?.kind).toBe('clock')
  })

  it.each<[string, Call['record'], (agent: string) => object]>([
    ['one id of the log', { session_id: 'f3a1' }, () => ({})],
    [
      'one id of the client',
      undefined,
      () => ({ metadata: { user_id: 'user_9_account__session_5a5ed1c2-77aa-4e1b-8c57-0a4a5d3c1b2e' } }),
    ],
  ])('are a main loop, two sub-agents and titles under %s', async (_, record, over) => {
    const main = conversation({ turns: TURNS, over: () => over('main') })
    const log = byTime([
      ...calls(main),
      ...calls(subAgent(31, over('sub')), (turn) => ({ at: 130 + turn * 9 })),
      ...calls(subAgent(32, over('sub')), (turn) => ({ at: 132 + turn * 11 })),
      ...[0, 1, 2].map((turn) => ({ body: titleBody(turn, over('title')), at: 15 + turn * 110 })),
    ]).map((call) => (record === undefined ? call : { ...call, record }))
    const report = await audited(log)
    expect(lengthsOf(report)).toEqual([3, 4, 4, TURNS])
    expect(report.culprits).toEqual([])
    expect(verdictsOf(report)).not.toContain('rewritten')
  })

  it('are told apart without ids too', async () => {
    const log = byTime([
      ...calls(conversation({ turns: TURNS })),
      ...calls(subAgent(31), (turn) => ({ at: 130 + turn * 9 })),
      ...calls(subAgent(32), (turn) => ({ at: 132 + turn * 11 })),
      ...[0, 1, 2].map((turn) => ({ body: titleBody(turn), at: 15 + turn * 110 })),
    ])
    const report = await audited(log)
    expect(lengthsOf(report).slice(-3)).toEqual([4, 4, TURNS])
    expect(report.culprits).toEqual([])
    expect(verdictsOf(report)).not.toContain('rewritten')
  })

  it.each<[string, (bodies: readonly Body[]) => readonly Body[]]>([
    ['were made at the same time', (bodies) => bodies],
    [
      'always ask to continue',
      (bodies) => bodies.map((body) => ({ ...body, messages: markedAtEnd(continuing(body.messages)) })),
    ],
    ['number their calls from nought', numbered],
  ])('follow twenty conversations that %s', async (_, change) => {
    const random = new Random(5)
    const log = Array.from({ length: 20 }, (_, seed) => {
      const start = random.below(300)
      const bodies = change(conversation({ turns: 6, seed: seed + 40 }))
      return calls(bodies, (turn) => ({ at: start + turn * (40 + (seed % 7) * 5) }))
    })
    const report = await audited(byTime(log.flat()))
    expect(lengthsOf(report)).toEqual(Array.from({ length: 20 }, () => 6))
    expect(report.culprits).toEqual([])
    for (const stream of report.streams) {
      expect(stream.turns.slice(1).map(({ verdict }) => verdict)).toEqual(Array.from({ length: 5 }, () => 'appended'))
    }
  })

  it('follow them where each has a clock of its own', async () => {
    const log = Array.from({ length: 6 }, (_, seed) =>
      calls(
        conversation({
          turns: 5,
          seed: seed + 70,
          environment: (turn) => environmentOf({ more: [`Time: 2026-11-02T09:${10 + turn}:${10 + seed * 7}Z`] }),
        }),
        (turn) => ({ at: seed * 8 + turn * 60 }),
      ),
    )
    const report = await audited(byTime(log.flat()))
    expect(lengthsOf(report)).toEqual([5, 5, 5, 5, 5, 5])
    expect(namesOf(report)).toEqual(['clock at system[1]'])
  })

  it('go on over several files', async () => {
    const log = calls(conversation({ turns: TURNS }))
    const whole = linesOf(log)
    const report = await auditLines([
      { name: 'monday.jsonl', lines: whole.slice(0, 4) },
      { name: 'tuesday.jsonl', lines: whole.slice(4) },
    ])
    expect(lengthsOf(report)).toEqual([TURNS])
    expect(report.culprits).toEqual([])
    expect(turnsOf(report)[4]).toMatchObject({
      parent: 3,
      source: { file: 'tuesday.jsonl', line: 1 },
      verdict: 'appended',
    })
  })

  it('fork where a question is asked in another way', async () => {
    const bodies = conversation({ turns: 6 })
    const other = conversation({ turns: 6, seed: 2 })
    const branch = [3, 4, 5].map((turn) => {
      const { messages } = other[turn] as Body
      return { ...bodies[turn]!, messages: [...bodies[2]!.messages, ...messages.slice(5)] }
    })
    const report = await audited(calls([...bodies, ...branch]))
    expect(lengthsOf(report)).toEqual([3, 6])
    expect(report.streams[1]?.parent).toEqual({ stream: report.streams[0]?.id, turn: 2 })
    expect(report.culprits).toEqual([])
  })
})

describe('a log that begins in the middle of a warm conversation', () => {
  const bodies = conversation({ turns: 14 })

  it('starts warm, and accuses nobody of what was there before', async () => {
    // The usage is that of the whole conversation; the log has lost its first part.
    const lines = linesOf(calls(bodies)).slice(6)
    const report = await auditLines([{ name: 'middle.jsonl', lines }])
    expectSound(report)
    expect(verdictsOf(report)).toEqual(['warm-start', ...Array.from({ length: 7 }, () => 'appended')])
    expect(report.totals.lost.tokens).toBe(0)
    expect(report.culprits).toEqual([])
    expect(report.reproduced.warm).toBe(report.reproduced.of)
  })

  it('still sees what changes later', async () => {
    const changed = conversation({
      turns: 14,
      environment: (turn) => environmentOf({ branch: turn < 10 ? 'main' : 'fix/tax' }),
    })
    const report = await auditLines([{ name: 'middle.jsonl', lines: linesOf(calls(changed)).slice(6) }])
    expectSound(report)
    expect(onlyCulprit(report)).toMatchObject({ kind: 'git' })
    expect(verdictsOf(report)).toEqual([
      'warm-start',
      'appended',
      'appended',
      'appended',
      'rewritten',
      'appended',
      'appended',
      'appended',
    ])
  })

  it('is judged alike where sub-agents were warm too', async () => {
    const agents = subAgent(31)
    const log = byTime([...calls(bodies), ...calls(agents, (turn) => ({ at: 345 + turn * 20 }))])
    const report = await auditLines([{ name: 'middle.jsonl', lines: linesOf(log).slice(8) }])
    expectSound(report)
    expect(report.culprits).toEqual([])
    expect(report.totals.lost.tokens).toBe(0)
    expect(new Set(verdictsOf(report))).toEqual(new Set(['warm-start', 'appended']))
  })
})
