import { describe, expect, it } from 'vitest'
import { assistant, startAgent, user, World } from '../../test/support/session.ts'
import { formatReport, report } from './index.ts'
import type { SessionReport } from './index.ts'

async function reportOf(over: Partial<SessionReport> = {}): Promise<SessionReport> {
  const { session, world } = startAgent()
  const usages = [
    { total: 6000, read: 0, write5m: 5900, write1h: 0, uncached: 100, output: 40 },
    { total: 6200, read: 5900, write5m: 200, write1h: 0, uncached: 100, output: 60 },
  ]
  for (const usage of usages) {
    await session.submit(user('?'))
    await (await session.turn()).answer([assistant('!')], { usage })
  }
  await session.submit(user('?'))
  await session.turn()
  await session.submit(user('again'))
  await session.turn()
  world.set('app/branch', 'dev')
  const made = await report(session, { model: 'claude-sonnet-4-5', context: world.context() })
  return { ...made, ...over }
}

describe('a report as text', () => {
  it('says in a few lines what a host wants to know', async () => {
    expect(formatReport(await reportOf())).toMatchInlineSnapshot(`
      "Session one: 4 turns, 2 answered, 2 with usage, 1 epoch
      Tokens  5,900 of 12,200 read (48.4%), 6,100 written, 200 uncached, 100 out
      Cost    $0.0267 for 2 turns
              read $0.0018, write5m $0.0229, uncached $0.0006, output $0.0015
      Saved   not known: lower was not given
      Stale   app/branch: told "main", is "dev", since 2026-01-01 00:09
      Odd     turn 8: No answer was recorded before the conversation went on.
      "
    `)
  })

  it('says what was saved, missed and fell short', async () => {
    const { turns, anew: _, ...rest } = await reportOf()
    const usage = { total: 6200, read: 5900, write5m: 200, write30m: 0, write1h: 0, uncached: 100 }
    const miss = { reason: 'expired', from: 'system[0]', to: 'messages[0]', tokens: 5900, seconds: 30 } as const
    const expected = { usage, range: { least: 5900, most: 5900 }, misses: [miss], estimated: false }
    const shortfall = { tokens: 5900, reason: 'nothing-read', writtenBy: 2, message: '' } as const
    const cost = { amount: 1, currency: 'USD', priced: 1, unpriced: 0, parts: [] } as const
    const played = { tokens: { total: 1, read: 0, written: 0, uncached: 1 }, cost }
    const text = formatReport({
      ...rest,
      turns: turns.map((turn) => ({ ...turn, expected, shortfall })),
      anew: { type: 'estimate', turns: 1, kept: played, anew: played, saved: { tokens: 12_345, amount: 0.5 } },
    })
    expect(text.split('\n').slice(4)).toMatchInlineSnapshot(`
      [
        "Saved   about 12,345 fewer tokens processed, $0.5000 cheaper",
        "        than with each change rendered into the system prompt (estimate)",
        "Unread  by the rules: expired 23,600",
        "Short   turn 2: 5,900 tokens less than expected (nothing-read, left by turn 2)",
        "        turn 5: 5,900 tokens less than expected (nothing-read, left by turn 2)",
        "        turn 8: 5,900 tokens less than expected (nothing-read, left by turn 2)",
        "        turn 10: 5,900 tokens less than expected (nothing-read, left by turn 2)",
        "Stale   app/branch: told "main", is "dev", since 2026-01-01 00:09",
        "Odd     turn 8: No answer was recorded before the conversation went on.",
        "",
      ]
    `)
  })

  it('of an empty session says that nothing is known', async () => {
    expect(formatReport(await report(startAgent().session))).toMatchInlineSnapshot(`
      "Session one: 0 turns, 0 answered, 0 with usage, 0 epochs
      Tokens  not known: no usage was reported
      Cost    not known: no usage was reported
      Saved   not known: lower was not given
      "
    `)
  })

  it('stays within 25 lines of 80 characters, and shows nothing that a terminal would act on', async () => {
    const { turns, staleness, anomalies, ...rest } = await reportOf()
    const many = <T>(item: T): T[] => Array.from({ length: 50 }, () => item)
    const shortfall = { tokens: 5900, reason: 'nothing-read', writtenBy: 2, message: '' } as const
    const text = formatReport({
      ...rest,
      session: '\u001b[2J\u202eone\u0085',
      turns: many({ ...turns[0]!, shortfall }),
      staleness: many({ ...staleness[0]!, key: `app/${'x'.repeat(100)}` }),
      anomalies: many({ ...anomalies[0]!, message: 'new\nline' }),
    })
    const lines = text.split('\n')
    expect(lines.length).toBeLessThanOrEqual(25)
    expect(Math.max(...lines.map((line) => line.length))).toBeLessThanOrEqual(80)
    expect(text).not.toMatch(/[^\P{C}\n]/u)
    expect(text).toContain('and 47 more turns')
  })

  it('shows values that no session would hold', async () => {
    const world = new World({ 'app/branch': '\u202etxt.exe' })
    const { session } = startAgent({ world })
    await session.submit(user('?'))
    await session.turn()
    world.set('app/branch', '\u001b]0;title\u0007')
    const text = formatReport(await report(session, { context: world.context() }))
    expect(text).toContain(String.raw`Stale   app/branch: told "\u{202e}txt.exe", is "\u001b]0;title\u00…, since `)
  })
})
