/**
 * Gates over whole audits: what a provider does with a request never changes what they count, and what the caller did
 * always does.
 */
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { checkGates, type AuditReport, type GatesResult } from '../src/audit/index.ts'
import type { PredictedUsage } from '../src/cache/index.ts'
import { conversation, environmentOf, rulesOf, type Scene } from './support/audit/coding-agent.ts'
import { auditOf, type Call } from './support/audit/log.ts'
import { toChat } from './support/audit/other-apis.ts'
import { calls } from './support/audit/scenes.ts'

const TURNS = 6
const numRuns = Number(process.env['LAWS_RUNS'] ?? 20)

/** What a provider can report in place of what its rules come to; the size is always right. */
const reports: Readonly<Record<string, (usage: PredictedUsage) => PredictedUsage>> = {
  asRuled: (usage) => usage,
  missed: (usage) => ({ ...usage, read: 0, write5m: usage.write5m + usage.read }),
  missedHalf: (usage) => {
    const read = Math.floor(usage.read / 2)
    return { ...usage, read, write5m: usage.write5m + usage.read - read }
  },
  wroteNothing: (usage) => ({ ...usage, read: 0, write5m: 0, uncached: usage.total }),
  readMore: (usage) => ({ ...usage, read: usage.read + usage.write5m, write5m: 0 }),
}

/** Strict limits over a scene; what is reported is what the rules come to, unless said. */
async function gated(scene: Scene, over: (turn: number) => Partial<Call> = () => ({})): Promise<GatesResult> {
  return strict(await auditOf(calls(conversation(scene), over)))
}

function strict(report: AuditReport): GatesResult {
  return checkGates(report, { maxRewrittenTokens: 0, minHitRate: 1 })
}

const clock: Scene = {
  turns: TURNS,
  environment: (turn) => environmentOf({ more: [`It is 09:0${turn}:3${turn}.`] }),
}

describe('what gates count', () => {
  it('is the same, whatever a provider reports as read and written', async () => {
    const honest = [await gated({ turns: TURNS }), await gated(clock)] as const
    expect(honest.map(({ outcome }) => outcome)).toEqual(['passed', 'failed'])
    await fc.assert(
      fc.asyncProperty(reporting(Object.keys(reports)), fc.boolean(), async (names, broken) => {
        const reported = (turn: number): Partial<Call> => ({ reported: reports[names[turn] ?? ''] ?? (() => null) })
        const result = await gated(broken ? clock : { turns: TURNS }, reported)
        expect(figuresOf(result)).toEqual(figuresOf(honest[broken ? 1 : 0]))
      }),
      { numRuns },
    )
  })

  it('is the same where a provider caches by itself and promises nothing', async () => {
    const missing: typeof reports = {
      asRuled: (usage) => usage,
      missed: (usage) => ({ ...usage, read: 0, uncached: usage.total }),
      readMore: (usage) => ({ ...usage, read: usage.total - 1, uncached: 1 }),
    }
    const chat = async (scene: Scene, names: readonly string[]): Promise<GatesResult> => {
      const bodies = conversation(scene).map((body) => toChat(body))
      const log = calls(bodies, (turn) => ({ reported: missing[names[turn] ?? ''] ?? ((usage) => usage) }))
      return strict(await auditOf(log, { api: 'chat' }))
    }
    const honest = [await chat({ turns: TURNS }, []), await chat(clock, [])] as const
    expect(honest.map(({ outcome }) => outcome)).toEqual(['passed', 'failed'])
    await fc.assert(
      fc.asyncProperty(reporting(Object.keys(missing)), fc.boolean(), async (names, broken) => {
        const result = await chat(broken ? clock : { turns: TURNS }, names)
        expect(figuresOf(result)).toEqual(figuresOf(honest[broken ? 1 : 0]))
      }),
      { numRuns },
    )
  })

  it('is there without any report', async () => {
    const silent = (): Partial<Call> => ({ reported: () => null })
    expect(await gated({ turns: TURNS }, silent)).toMatchObject({ outcome: 'passed', comparableTurns: TURNS - 1 })
    expect(await gated(clock, silent)).toMatchObject({ outcome: 'failed', worstTurns: { length: TURNS - 1 } })
  })

  it.each<[string, Scene, string]>([
    ['rules that change', { turns: TURNS, rules: (turn) => `${rulesOf()} ${turn}` }, 'rewritten'],
    [
      'another tool choice',
      { turns: TURNS, over: (turn) => ({ tool_choice: { type: turn % 2 === 0 ? 'auto' : 'any' } }) },
      'scope',
    ],
    [
      'no breakpoints',
      {
        turns: TURNS,
        marksMessages: false,
        over: (_, { system }) => ({ system: system.map(({ type, text }) => ({ type, text })) }),
      },
      'unmarked',
    ],
  ])('is lost with %s', async (_name, scene, reason) => {
    const { outcome, worstTurns } = await gated(scene)
    expect(outcome).toBe('failed')
    expect(new Set(worstTurns.flatMap(({ losses }) => losses.map((loss) => loss.reason)))).toEqual(new Set([reason]))
  })

  it.each<[string, Scene, (turn: number) => Partial<Call>]>([
    ['a pause that is too long', { turns: TURNS }, (turn) => ({ at: turn < 3 ? turn * 60 : turn * 60 + 3600 })],
    ['calls before the first was answered', { turns: TURNS }, (turn) => ({ at: turn, took: 30 })],
    [
      'a prompt that is too short',
      { turns: TURNS, rules: (turn) => `It is turn ${turn}.`, tools: () => [], environment: () => 'Be brief.' },
      () => ({}),
    ],
  ])('is not lost by %s', async (name, scene, over) => {
    const short = name.includes('short')
    const bodies = conversation(short ? { ...scene, turns: 3, history: (messages) => messages.slice(0, 1) } : scene)
    const result = strict(await auditOf(calls(bodies, over)))
    expect(result).toMatchObject({ outcome: 'passed', worstTurns: [] })
  })
})

/** What is reported on each turn, by name. */
function reporting(names: readonly string[]): fc.Arbitrary<string[]> {
  return fc.array(fc.constantFrom(...names), { minLength: TURNS, maxLength: TURNS })
}

/** What it came to, how much was lost, and where. */
function figuresOf({ outcome, checks, worstTurns }: GatesResult): unknown {
  return [outcome, checks, worstTurns.map(({ turn, tokens, losses }) => [turn, tokens, losses])]
}
