/**
 * `indelible audit` without a path from end to end, in a home of its own: where it looks, what it opens, and what it says
 * where there is nothing.
 */
import { chmodSync, mkdirSync, mkdtempSync, rmSync, utimesSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { zstdCompressSync } from 'node:zlib'
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { rolloutLines, sessionLines } from '../src/audit/spending/test-sessions.ts'
import type { SpendingReport } from '../src/audit/spending/types.ts'
import { main } from '../src/cli/main.ts'

const DAY = 86_400_000
const first = { read: 0, write: 20_000 }
const second = { read: 20_000, write: 1000 }
const lost = { read: 0, write: 22_000 }

let home: string
beforeEach(() => {
  home = mkdtempSync(join(tmpdir(), 'indelible-home-'))
  vi.stubEnv('HOME', home)
  vi.stubEnv('USERPROFILE', home)
  for (const name of ['CLAUDE_CONFIG_DIR', 'CODEX_HOME', 'XDG_CONFIG_HOME']) vi.stubEnv(name, undefined)
})
afterEach(() => {
  vi.unstubAllEnvs()
  rmSync(home, { recursive: true, force: true })
})

/** Writes a file below the home, last written `daysAgo`. */
function put(path: string, lines: readonly object[], daysAgo = 0): string {
  const file = join(home, path)
  mkdirSync(dirname(file), { recursive: true })
  const text = lines.map((line) => `${JSON.stringify(line)}\n`).join('')
  writeFileSync(file, path.endsWith('.zst') ? zstdCompressSync(text) : text)
  const written = Date.now() / 1000 - daysAgo * 86_400
  utimesSync(file, written, written)
  return file
}

const daysAgo = (days: number): number => Date.now() - days * DAY

async function run(...args: string[]): Promise<{ code: number; out: string; err: string }> {
  const result = { out: '', err: '' }
  const code = await main(['audit', ...args], {
    colors: false,
    write: (text) => void (result.out += text),
    writeError: (text) => void (result.err += text),
  })
  return { code, ...result }
}

interface Found extends SpendingReport {
  readonly places: readonly { format: string; folder: string; state: string; files: number; older: number }[]
}

async function found(...args: string[]): Promise<Found> {
  const { code, out, err } = await run('--json', ...args)
  expect([code, err]).toEqual([0, ''])
  return JSON.parse(out) as Found
}

describe('indelible audit without a path', () => {
  it('sums up what Claude Code and Codex keep, and says what would tell the rest', async () => {
    put('.claude/projects/-srv-app/one.jsonl', sessionLines('one', [first, second, lost], daysAgo(2)))
    put('.config/claude/projects/-srv-app/two.jsonl', sessionLines('two', [first], daysAgo(3)))
    put('.codex/archived_sessions/rollout-1.jsonl', rolloutLines('r', [[20_000, 0]]))
    const { code, out, err } = await run('--since', '2026-01-01')
    expect([code, err]).toEqual([0, ''])
    expect(out).toMatch(/^3 sessions of Claude Code and Codex, /)
    expect(out).toMatch(/^avoidable +\$0\.12 /m)
    expect(out).toContain('npx indelible record -- claude')
  })

  it('looks where the environment says, too', async () => {
    vi.stubEnv('CLAUDE_CONFIG_DIR', join(home, 'moved'))
    vi.stubEnv('CODEX_HOME', join(home, 'codex'))
    put('moved/projects/-srv-app/one.jsonl', sessionLines('one', [first], daysAgo(2)))
    put('codex/sessions/2026/11/10/rollout-1.jsonl', rolloutLines('r', [[20_000, 0]]))
    put('.claude/projects/-srv-app/two.jsonl', sessionLines('two', [first], daysAgo(2)))
    const { totals, places } = await found('--since', '2026-01-01')
    expect(totals).toMatchObject({ sessions: 3, turns: 3 })
    expect(places.map(({ state, files }) => [state, files])).toEqual([
      ['found', 1],
      ['found', 1],
      ['absent', 0],
      ['found', 1],
      ['absent', 0],
      ['absent', 0],
      ['absent', 0],
    ])
  })

  it('counts the last 30 days, or since when it is told', async () => {
    put('.claude/projects/-srv-app/one.jsonl', sessionLines('one', [first], daysAgo(40)))
    put('.claude/projects/-srv-app/two.jsonl', sessionLines('two', [first, second], daysAgo(3)))
    expect((await found()).totals.turns).toBe(2)
    expect((await found('--since', '60d')).totals.turns).toBe(3)
    expect((await run('--since', '12h')).code).toBe(2)
  })

  it('does not open files that were last written before the span', async () => {
    const old = put('.claude/projects/-srv-app/old.jsonl', sessionLines('old', [first], daysAgo(40)), 40)
    chmodSync(old, 0)
    put('.claude/projects/-srv-app/new.jsonl', sessionLines('new', [first], daysAgo(3)))
    const { places, unread } = await found()
    expect(places[0]).toMatchObject({ files: 1, older: 1 })
    expect(unread).toEqual([])
  })

  it('reads rollouts that Codex has packed, and names those that are damaged', async () => {
    put('.codex/sessions/2026/11/10/rollout-1.jsonl.zst', rolloutLines('r', [[20_000, 0]]))
    writeFileSync(join(home, '.codex/sessions/2026/11/10/rollout-2.jsonl.zst'), 'not packed at all')
    const { totals, unread } = await found('--since', '2026-01-01')
    expect(totals).toMatchObject({ turns: 1, tokens: { total: 20_000 } })
    expect(unread).toMatchObject([
      { kind: 'broken', records: 1, first: { file: expect.stringContaining('rollout-2') } },
    ])
  })

  it('keeps hostile logs text, however long their lines are', async () => {
    const [user, ...rest] = sessionLines('one', [first, second], daysAgo(2))
    const content = `\u001B]0;owned\u0007<script>\${7*7}{{7*7}}${'x'.repeat(10_000_000)}`
    const hostile = { ...user, message: { role: 'user', content }, cwd: `/srv/\u001B[2J\n${'y'.repeat(100_000)}` }
    put('.claude/projects/-srv-app/one.jsonl', [hostile, ...rest, { type: 'assistant', message: [], sessionId: {} }])
    const { code, out } = await run('--all', '--by', 'project')
    expect(code).toBe(0)
    expect(out.replaceAll('\n', '')).not.toMatch(/\p{Cc}/u)
    expect(out).not.toContain('<script>')
    expect((await found()).totals.turns).toBe(2)
  })

  it.each(['model', 'project', 'day'])('sums up by %s when asked to', async (by) => {
    put('.claude/projects/-srv-app/one.jsonl', sessionLines('one', [first, second], daysAgo(2)))
    const { groups } = await found('--by', by)
    expect(groups).toMatchObject({ by })
    expect(groups?.rows.reduce((sum, { turns }) => sum + turns, 0)).toBe(2)
    expect((await run('--by', by)).out).toContain(`By ${by}`)
  })

  it('shows seconds of prefill in place of dollars', async () => {
    put('.claude/projects/-srv-app/one.jsonl', sessionLines('one', [first, second, lost], daysAgo(2)))
    const { out } = await run('--prefill', '1000')
    expect(out).toMatch(/^prefill +43 s +for/m)
    expect(out).toMatch(/^avoidable +21 s +48\.8 % of it/m)
    expect(out).not.toContain('$')
  })

  it('ends with 2 where there is nothing, says where it looked and what to do', async () => {
    const { code, out, err } = await run()
    expect([code, out]).toEqual([2, ''])
    expect(err).toMatch(/^indelible: No session of Claude Code or Codex was found since /)
    for (const place of ['~/.claude/projects', '~/.config/claude/projects', '~/.codex/sessions']) {
      expect(err).toContain(`${place}: there is no such folder`)
    }
    expect(err).toContain('npx indelible record -- claude')
  })

  it('ends with 2 where files hold no call', async () => {
    put('.claude/projects/-srv-app/one.jsonl', [{ type: 'summary', leafUuid: 'x', summary: 'Nothing.' }])
    const { code, err } = await run()
    expect(code).toBe(2)
    expect(err).toContain('1 file, and no call in the span that can be read')
  })

  it.each([
    [['--since', 'yesterday'], 'Give a day'],
    [['--by', 'colour'], "'colour' is invalid"],
    [['--prefill', '0'], 'tokens a second'],
    [['--include-text'], 'needs logs to be named'],
    [['--since', '7d', 'x.jsonl'], 'without a path'],
  ])('ends with 2 for %j', async (args, message) => {
    const { code, err } = await run(...args)
    expect(code).toBe(2)
    expect(err).toContain(message)
  })

  it('says the same in any time zone and locale', async () => {
    put('.claude/projects/-srv-app/one.jsonl', sessionLines('one', [first, second], daysAgo(2)))
    const outputs = []
    for (const [zone, locale] of [
      ['UTC', 'C'],
      ['Pacific/Kiritimati', 'de_DE.UTF-8'],
    ]) {
      vi.stubEnv('TZ', zone)
      vi.stubEnv('LC_ALL', locale)
      outputs.push((await run('--since', '2026-01-01', '--by', 'day')).out)
    }
    expect(outputs[1]).toBe(outputs[0])
  })
})
