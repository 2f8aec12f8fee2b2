/**
 * `indelible audit` with limits, and of two logs side by side, from end to end: on logs of a coding agent, with reports of
 * a provider that keeps its rules or does not. The example for CI is run as its page has it.
 */
import { execFile } from 'node:child_process'
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join, relative } from 'node:path'
import { promisify } from 'node:util'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { parse } from 'yaml'
import { z } from 'zod'
import schema from '../schema/indelible.audit-1.schema.json' with { type: 'json' }
import { projectRoot } from '../scripts/imports.ts'
import type { AuditComparison, AuditReport, AuditTurn, GatedReport } from '../src/audit/index.ts'
import { conversation, environmentOf, type Scene } from './support/audit/coding-agent.ts'
import { linesOf, type Call } from './support/audit/log.ts'
import { calls } from './support/audit/scenes.ts'
import { bin, indelible, type CommandResult } from './support/run-command.ts'

const TURNS = 6
const strict = ['--max-rewritten-tokens', '0', '--min-hit-rate', '100%']

let folder: string
beforeAll(() => {
  mkdirSync(join(projectRoot, '.tmp'), { recursive: true })
  folder = relative(process.cwd(), mkdtempSync(join(projectRoot, '.tmp', 'cli-gates-')))
})
afterAll(() => rmSync(folder, { recursive: true, force: true }))

function file(name: string, content: string): string {
  const path = join(folder, name)
  writeFileSync(path, content)
  return path
}

/** A log of a conversation, as a file. */
function log(
  name: string,
  scene: Omit<Scene, 'turns'> = {},
  over: (turn: number) => Partial<Call> = () => ({}),
): string {
  return file(name, `${linesOf(calls(conversation({ turns: TURNS, ...scene }), over)).join('\n')}\n`)
}

/** The time in the environment. */
const clock: Omit<Scene, 'turns'> = {
  environment: (turn) => environmentOf({ more: [`It is 09:0${turn}:3${turn}.`] }),
}

/** A clock, and a branch that changes on the way. */
const clockAndBranch: Omit<Scene, 'turns'> = {
  environment: (turn) =>
    environmentOf({ branch: turn < 3 ? 'main' : 'fix-totals', more: [`It is 09:0${turn}:3${turn}.`] }),
}

/** The report on a log, saved as JSON after `change`. */
async function saved(
  name: string,
  path: string,
  change: (report: AuditReport) => unknown = (same) => same,
): Promise<string> {
  const { code, out } = await indelible(['audit', path, '--json'])
  expect(code).toBe(0)
  return file(name, JSON.stringify(change(JSON.parse(out) as AuditReport)))
}

/** The report with each loss that gates count times `factor`. */
const scaled =
  (factor: number) =>
  (report: AuditReport): AuditReport => ({
    ...report,
    streams: report.streams.map((stream) => ({
      ...stream,
      turns: stream.turns.map((turn) => scaledTurn(turn, factor)),
    })),
  })

function scaledTurn(turn: AuditTurn, factor: number): AuditTurn {
  const { predicted } = turn
  const alone = predicted?.byRulesAlone ?? null
  if (predicted === null || alone === null) return turn
  const { read, lost } = alone
  const losses = lost.map((loss) => ({ ...loss, tokens: loss.tokens * factor }))
  return { ...turn, predicted: { ...predicted, byRulesAlone: { read, lost: losses } } }
}

/** A session as Claude Code keeps it: usage, and no requests. */
function claudeCodeSession(turns: number): readonly string[] {
  return Array.from({ length: turns }, (_, turn) => turn).flatMap((turn) => {
    const line = { isSidechain: false, sessionId: 's1', version: '2.2.0', cwd: '/w' }
    const usage = { input_tokens: 4, cache_read_input_tokens: 0, cache_creation_input_tokens: 9000, output_tokens: 20 }
    const at = (seconds: number): string => `2026-11-02T09:0${turn}:0${seconds}.000Z`
    return [
      {
        ...line,
        type: 'user',
        uuid: `u${turn}`,
        parentUuid: turn === 0 ? null : `a${turn - 1}`,
        timestamp: at(0),
        message: { role: 'user', content: `Question ${turn}` },
      },
      {
        ...line,
        type: 'assistant',
        uuid: `a${turn}`,
        parentUuid: `u${turn}`,
        timestamp: at(5),
        message: {
          id: `msg_${turn}`,
          type: 'message',
          role: 'assistant',
          model: 'claude-opus-4-8',
          content: [{ type: 'text', text: `Answer ${turn}` }],
          stop_reason: 'end_turn',
          usage,
        },
      },
    ].map((record) => JSON.stringify(record))
  })
}

/** What is printed of the gates, behind the report. */
function gatesOf({ out }: CommandResult): string {
  const text = out.slice(out.lastIndexOf('\nGates:') + 1)
  expect(Math.max(...text.split('\n').map((line) => Array.from(line).length))).toBeLessThanOrEqual(80)
  return text
}

describe('gates', () => {
  it('are not there unless they are asked for', async () => {
    const { code, out } = await indelible(['audit', log('plain.jsonl', clock)])
    expect([code, out.includes('Gates')]).toEqual([0, false])
    const { out: json } = await indelible(['audit', join(folder, 'plain.jsonl'), '--json'])
    expect(JSON.parse(json)).not.toHaveProperty('gates')
  })

  it.each<[string, (turn: number) => Partial<Call>]>([
    ['that keeps the rules', () => ({})],
    [
      'whose own miss it is',
      (turn) =>
        turn === 3 ? { reported: (usage) => ({ ...usage, read: 0, write5m: usage.write5m + usage.read }) } : {},
    ],
    [
      'that wrote nothing, once',
      (turn) => (turn === 2 ? { reported: (usage) => ({ ...usage, read: 0, write5m: 0, uncached: usage.total }) } : {}),
    ],
    ['that reports nothing', () => ({ reported: () => null })],
    ['whose entry had expired', (turn) => ({ at: turn < 3 ? turn * 60 : turn * 60 + 3600 })],
  ])('are kept with a provider %s', async (name, over) => {
    const result = await indelible(['audit', log(`${name.replaceAll(/\W+/g, '-')}.jsonl`, {}, over), ...strict])
    expect(result.code).toBe(0)
    const lines = gatesOf(result).trimEnd().split('\n')
    expect(lines[0]).toBe('Gates: ok, by the rules of the provider, over 5 comparable turns')
    expect(lines[1]).toBe('ok      rewritten tokens  0; at most 0')
    expect(lines[2]).toMatch(/^ok {6}hit rate {10}100\.0 % of [\d,]+ reusable tokens; at least 100\.0 %$/)
  })

  it('fail with a clock in the prompt, and name turns and culprits', async () => {
    const path = log('clock.jsonl', clock)
    const result = await indelible(['audit', path, ...strict])
    expect(result.code).toBe(1)
    const text = gatesOf(result)
    expect(text).toMatch(/^Gates: FAILED, .* over 5 comparable turns$/m)
    expect(text).toMatch(/^FAILED {2}rewritten tokens {2}[\d,]+; at most 0$/m)
    expect(text).toMatch(/^FAILED {2}hit rate {10}\d+\.\d % of [\d,]+ reusable tokens; at least 100\.0 %$/m)
    expect(text).toMatch(/clock\.jsonl:6 +[\d,]+ tokens {2}rewritten: clock at system\[1\]$/m)
    const tokens = Number(/rewritten tokens {2}([\d,]+);/.exec(text)?.[1]?.replaceAll(',', ''))
    const limits = [tokens - 1, tokens].map((limit) => indelible(['audit', path, '--max-rewritten-tokens', `${limit}`]))
    expect((await Promise.all(limits)).map(({ code }) => code)).toEqual([1, 0])
  })

  it('stand in the JSON, with the text beside it', async () => {
    const { code, out, err } = await indelible(['audit', join(folder, 'clock.jsonl'), ...strict, '--json'])
    expect(code).toBe(1)
    expect(out.indexOf('\n')).toBe(out.length - 1)
    const report = JSON.parse(out) as GatedReport
    const parser = z.fromJSONSchema(schema as Parameters<typeof z.fromJSONSchema>[0])
    expect(parser.safeParse(report).error?.issues).toBeUndefined()
    expect(report.gates).toMatchObject({ outcome: 'failed', comparableTurns: 5, minTurns: 2 })
    expect(report.gates.checks.map(({ gate, passed }) => [gate, passed])).toEqual([
      ['max-rewritten-tokens', false],
      ['min-hit-rate', false],
    ])
    expect(report.gates.worstTurns).toHaveLength(5)
    expect(err).toMatch(/^Gates: FAILED, /)
    expect(parser.safeParse({ ...report, gates: { ...report.gates, minTurns: 0 } }).success).toBe(false)
  })

  it('say nothing with too few turns, or without requests', async () => {
    const one = log('one.jsonl', {}, (turn) => (turn > 1 ? { status: 500, response: {} } : {}))
    const result = await indelible(['audit', one, ...strict])
    expect(result.code).toBe(3)
    expect(gatesOf(result)).toMatch(/^Gates: nothing can be said: 1 comparable turn, and 2 are needed\. /)
    expect((await indelible(['audit', one, '--min-turns', '1'])).code).toBe(0)
    expect((await indelible(['audit', join(folder, 'clock.jsonl'), '--min-turns', '6'])).code).toBe(3)
    const path = file('session.jsonl', `${claudeCodeSession(4).join('\n')}\n`)
    const { code, out } = await indelible(['audit', path, ...strict])
    expect(out).toMatch(/^4 turns in 1 conversation/)
    expect(code).toBe(3)
  })
})

describe('a baseline', () => {
  it('is kept by the same log, and by a better one', async () => {
    const broken = log('before.jsonl', clock)
    const baseline = await saved('before.json', broken)
    for (const path of [broken, log('clean.jsonl')]) {
      const result = await indelible(['audit', path, '--baseline', baseline])
      expect([path, result.code]).toEqual([path, 0])
      expect(gatesOf(result)).toMatch(/^ok {6}culprits {10}none that the baseline does not have$/m)
    }
  })

  it('is not kept with one culprit more, which is named', async () => {
    const result = await indelible([
      'audit',
      log('more.jsonl', clockAndBranch),
      '--baseline',
      await saved('clock.json', log('clock.jsonl', clock)),
    ])
    expect(result.code).toBe(1)
    expect(gatesOf(result)).toMatch(/^FAILED {2}culprits {10}1 that the baseline does not have:$/m)
    expect(gatesOf(result)).toMatch(/^ {8}git at system\[1\] \(\S+\)$/m)
  })

  it.each([
    [1.08, 0],
    [1.09, 0],
    [1.11, 1],
  ])('with %d times its loss ends with %d', async (times, expected) => {
    const path = log('clock.jsonl', clock)
    const result = await indelible(['audit', path, '--baseline', await saved('scaled.json', path, scaled(1 / times))])
    expect(result.code).toBe(expected)
    expect(gatesOf(result)).toContain(`(+${(100 * (times - 1)).toFixed(1)} %)`)
  })

  it('that cannot be read ends with 2, before anything is audited', async () => {
    const path = log('clock.jsonl', clock)
    const whole = await saved('whole.json', path)
    const broken: readonly (readonly [string, RegExp])[] = [
      [join(folder, 'none.json'), /none\.json cannot be read: ENOENT/],
      [folder, /cannot be read: EISDIR/],
      [file('cut.json', readFileSync(whole, 'utf8').slice(0, -100)), /cut\.json is no JSON\. Save a report with/],
      [path, /clock\.jsonl is no JSON/],
      [
        file('other.json', '{"schema":"indelible.demo/3"}'),
        /is no report of an audit: its schema is "indelible\.demo\/3"/,
      ],
      [
        await saved('old.json', path, (report) =>
          JSON.parse(JSON.stringify(report).replaceAll('byRulesAlone', 'older')),
        ),
        /predicted\.byRulesAlone is not there.* It may be of an older release\./,
      ],
      [
        await saved('short.json', path, (report) => ({ ...report, streams: [] })),
        /has no turn that continues another one/,
      ],
    ]
    for (const [baseline, message] of broken) {
      const { code, out, err } = await indelible(['audit', path, '--baseline', baseline])
      expect([code, out, err]).toEqual([2, '', expect.stringMatching(message)])
      expect(err).toMatch(/^indelible: The baseline /)
    }
  })
})

describe('two logs', () => {
  it('stand side by side, as logs or as reports', async () => {
    const [before, after] = [log('before.jsonl', clockAndBranch), log('after.jsonl', clock)]
    const { code, out, err } = await indelible(['audit', '--compare', before, after])
    expect([code, err]).toEqual([0, ''])
    expect(Math.max(...out.split('\n').map((line) => Array.from(line).length))).toBeLessThanOrEqual(80)
    expect(out).toMatch(/^Before {2}6 turns in 1 conversation, .*before\.jsonl$/m)
    expect(out).toMatch(
      /^Culprits gone: 1\n {2}git at system\[1\] +[\d,]+ tokens? a turn\nNew: none\nLeft: 1\n {2}clock at /m,
    )
    const reports = [await saved('b.json', before), await saved('a.json', after)]
    for (const paths of [reports, [before, reports[1] ?? ''], [reports[0] ?? '', after]]) {
      expect((await indelible(['audit', ...paths, '--compare'])).out).toBe(out)
    }
  })

  it('have no difference where they are one', async () => {
    const path = log('clock.jsonl', clock)
    const { out } = await indelible(['audit', '--compare', path, path, '--json'])
    expect(out.indexOf('\n')).toBe(out.length - 1)
    const comparison = JSON.parse(out) as AuditComparison
    expect(comparison.schema).toBe('indelible.compare/1')
    expect(comparison.before).toEqual(comparison.after)
    expect(comparison.culprits).toMatchObject({ gone: [], new: [], left: [{ kind: 'clock', idBefore: null }] })
  })

  it('show what a fix is worth', async () => {
    const paths = [log('clock.jsonl', clock), log('clean.jsonl')]
    const { out } = await indelible(['audit', '--compare', ...paths, '--json'])
    const { before, after, culprits } = JSON.parse(out) as AuditComparison
    expect(before.predictedHitRate).toBeLessThan(0.7)
    expect(after.predictedHitRate).toBe(1)
    expect(after.perTurn.cost).toBeLessThan(before.perTurn.cost ?? 0)
    expect(after.perMillion).toMatchObject({ lostTokens: 0, rewrittenTokens: 0 })
    expect(culprits).toMatchObject({ gone: [{ kind: 'clock' }], new: [], left: [] })
  })
})

describe('wrong usage ends with 2', () => {
  it.each([
    ['no hit rate', ['a.jsonl', '--min-hit-rate', '95'], /Give a share from 0 to 1/],
    ['no tokens', ['a.jsonl', '--max-rewritten-tokens', 'few'], /Give a whole number of tokens/],
    ['no turns', ['a.jsonl', '--min-turns', '0'], /Give a whole number of turns, 1 or more/],
    ['no log', ['--min-hit-rate', '95%'], /--min-hit-rate needs logs to be named/],
    [
      'one log to compare',
      ['--compare', 'a.jsonl'],
      /--compare takes two logs, folders or saved reports, and was given 1/,
    ],
    ['three logs to compare', ['--compare', 'a', 'b', 'c'], /was given 3: indelible audit --compare BEFORE AFTER/],
    [
      'gates beside --compare',
      ['--compare', 'a', 'b', '--min-turns', '3'],
      /--min-turns cannot stand beside --compare/,
    ],
    ['a log that is not there', ['--compare', 'none-1.jsonl', 'none-2.jsonl'], /none-1\.jsonl: There is no such file/],
  ])('for %s', async (_name, args, message) => {
    const { code, out, err } = await indelible(['audit', ...args])
    expect([code, out]).toEqual([2, ''])
    expect(err).toMatch(message)
  })

  it('for a report to compare that is broken, and is not taken for a log', async () => {
    const cut = file('cut.json', '{"schema":"indelible.audit/1","inputs":[')
    const { code, err } = await indelible(['audit', '--compare', cut, log('clean.jsonl')])
    expect([code, err]).toEqual([2, expect.stringMatching(/cut\.json is no JSON\. Save a report/)])
  })
})

describe('the example for GitHub Actions', () => {
  const page = readFileSync(join(projectRoot, 'docs/ci.md'), 'utf8')
  const [, source = ''] = /```yaml\n(.*?)```/s.exec(page) ?? []
  const workflow = parse(source) as { jobs: Record<string, { steps: readonly { run?: string; uses?: string }[] }> }
  const steps = Object.values(workflow.jobs).flatMap((job) => job.steps)
  const commands = steps.flatMap(({ run = '' }) => (run.startsWith('npx indelible ') ? [run] : []))

  /** An agent of four turns; with a clock, its system prompt has the time. */
  const agent = (hasClock: boolean): string => `
    const messages = []
    for (let turn = 0; turn < 4; turn++) {
      const now = ${hasClock ? '`It is ${new Date().toISOString()}. `' : "''"}
      const text = now + 'You keep the till of a shop. '.repeat(300)
      messages.push({ role: 'user', content: 'What is in the till after sale ' + turn + '?' })
      const response = await fetch(process.env.ANTHROPIC_BASE_URL + '/v1/messages', {
        method: 'POST',
        headers: { 'content-type': 'application/json', 'x-api-key': 'none', 'anthropic-version': '2023-06-01' },
        body: JSON.stringify({
          model: 'claude-opus-5',
          max_tokens: 100,
          cache_control: { type: 'ephemeral' },
          system: [{ type: 'text', text, cache_control: { type: 'ephemeral' } }],
          messages,
        }),
      })
      const { content } = await response.json()
      messages.push({ role: 'assistant', content })
    }`

  /** Runs a command of the page as a shell does, in `place`. */
  async function run(command: string, place: string): Promise<{ readonly code: number; readonly err: string }> {
    const line = command.replace(
      'npx indelible',
      `"${process.execPath}" --disable-warning=ExperimentalWarning "${bin}"`,
    )
    const ran = promisify(execFile)('sh', ['-c', line], { cwd: place })
    return ran.then(
      ({ stderr }) => ({ code: 0, err: stderr }),
      (error: { code: number; stderr: string }) => ({ code: error.code, err: error.stderr }),
    )
  }

  it('is YAML with steps that a runner knows, and two commands of ours', () => {
    expect(
      steps.every(({ run: command, uses }) => command !== undefined || /^actions\/[\w-]+@v\d+$/.test(uses ?? '')),
    ).toBe(true)
    expect(commands.map((command) => command.split(' ').slice(1, 3).join(' '))).toEqual([
      'indelible record',
      'indelible audit',
    ])
  })

  it('is green for an agent that keeps its prefix, and red for one with a clock', async () => {
    const [record = '', audit = ''] = commands
    const place = mkdtempSync(join(folder, 'ci-'))
    writeFileSync(join(place, 'agent.mjs'), agent(false))
    expect(await run(record, place)).toMatchObject({ code: 0 })
    const { code, out } = await indelible(['audit', join(place, 'agent.jsonl'), '--json'])
    expect(code).toBe(0)
    writeFileSync(join(place, 'audit-baseline.json'), out)
    expect(await run(audit, place)).toMatchObject({ code: 0, err: expect.stringMatching(/^Gates: ok, /) })

    rmSync(join(place, 'agent.jsonl'))
    writeFileSync(join(place, 'agent.mjs'), agent(true))
    expect(await run(record, place)).toMatchObject({ code: 0 })
    const red = await run(audit, place)
    expect(red).toMatchObject({ code: 1, err: expect.stringContaining('rewritten: clock at system[0]') })
    expect(JSON.parse(readFileSync(join(place, 'audit.json'), 'utf8'))).toMatchObject({ gates: { outcome: 'failed' } })
    // What the page shows, but for the figures.
    const [, shown = ''] = /says where:\n\n```text\n(.*?)```/s.exec(page) ?? []
    const figures = (text: string): string => text.replaceAll(/\d[\d,.]*/g, '0')
    const first = red.err.split('\n').slice(0, 3).map(figures)
    expect(figures(shown).split('\n').slice(0, 3)).toEqual(first)
  })
})
