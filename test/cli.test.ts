/**
 * The `indelible` command from end to end: the demo over real repositories, looking into what it leaves, and the emulator
 * as a process of its own.
 */
import { execFile, execFileSync, spawn, type ChildProcess } from 'node:child_process'
import { once } from 'node:events'
import {
  copyFileSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from 'node:fs'
import { request, type IncomingMessage } from 'node:http'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { setTimeout } from 'node:timers/promises'
import { promisify } from 'node:util'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it, vi } from 'vitest'
import packageJson from '../package.json' with { type: 'json' }
import type { DemoReport, WayReport } from '../src/cli/demo/report.ts'
import { projectRoot } from '../scripts/imports.ts'
import { bin, indelible, type CommandResult } from './support/run-command.ts'

/** Runs the demo in a process in which no SDK of a provider is installed. */
function demoWithoutSdks(...args: readonly string[]): Promise<{ readonly stdout: string }> {
  const hook = `import { registerHooks } from 'node:module'
    registerHooks({
      resolve(specifier, context, next) {
        if (!/^(?:openai|ai|@(?:anthropic-ai|google|ai-sdk)\\/.*)$/.test(specifier)) return next(specifier, context)
        throw Object.assign(new Error('not installed'), { code: 'ERR_MODULE_NOT_FOUND' })
      },
    })`
  const hidden = ['--import', `data:text/javascript,${encodeURIComponent(hook)}`]
  return promisify(execFile)(process.execPath, [...hidden, bin, 'demo', ...args])
}

let folder: string
let temporary: string
beforeAll(() => {
  mkdirSync(join(projectRoot, '.tmp'), { recursive: true })
  folder = mkdtempSync(join(projectRoot, '.tmp', 'cli-'))
  temporary = join(folder, 'tmp')
  mkdirSync(temporary)
})
beforeEach(() => {
  vi.stubEnv('TMPDIR', temporary)
  return () => vi.unstubAllEnvs()
})
afterAll(() => rmSync(folder, { recursive: true, force: true }))

describe('indelible demo', () => {
  let text: CommandResult
  let json: CommandResult
  let report: DemoReport
  const file = (name: string): string => join(folder, name)
  const way = (name: string): WayReport => report.ways.find((one) => one.name === name)!

  beforeAll(async () => {
    vi.stubEnv('TMPDIR', temporary)
    text = await indelible(['demo', '--out', file('text.sqlite')])
    json = await indelible(['demo', '--json', '--out', file('json.sqlite')])
    report = JSON.parse(json.out) as DemoReport
  })

  it('ends well, and says that what it claims holds', () => {
    expect([text.code, text.err]).toEqual([0, ''])
    expect(text.out.split('\n').filter((line) => /^[✓✗]/.test(line))).toEqual([
      '✓ With epochs, each request starts with the whole request before it.',
      '✓ The model was told of each change at its turn: 10 in all.',
      '✓ The last request holds each of these updates once.',
      '✓ The session in the file replays without a problem.',
      '✓ All 36 bills are what the simulator says without HTTP.',
    ])
  })

  it('prints the schema that others read, on one line and alone', () => {
    expect(json.code).toBe(0)
    expect(json.out.trimEnd()).not.toContain('\n')
    expect(report).toEqual({
      schema: 'indelible.demo/3',
      provider: 'anthropic',
      model: 'claude-opus-5',
      minimum: 512,
      head: expect.any(Number),
      tokens: 'estimated',
      prices: {
        basis: 'list',
        day: '2026-12-01',
        source: 'https://platform.claude.com/docs/en/about-claude/pricing',
      },
      ways: [expect.anything(), expect.anything(), expect.anything()],
    })
    expect(report.ways.map(({ name }) => name)).toEqual(['anew', 'split', 'epochs'])
    const buckets = ['read', 'write5m', 'write30m', 'write1h', 'uncached', 'output', 'total', 'usd'] as const
    for (const { turns, totals } of report.ways) {
      expect(turns.map(({ turn }) => turn)).toEqual([1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12])
      for (const turn of turns) {
        expect(Object.keys(turn)).toEqual(['turn', ...buckets, 'update'])
        expect(turn.read + turn.write5m + turn.write30m + turn.write1h + turn.uncached).toBe(turn.total)
      }
      for (const bucket of buckets) {
        expect(totals[bucket]).toBeCloseTo(
          turns.reduce((all, turn) => all + turn[bucket], 0),
          9,
        )
      }
    }
  })

  it('comes to the same tokens and dollars on every machine', () => {
    const rest = { write30m: 0, write1h: 0, uncached: 36, output: 313 }
    expect(way('anew').totals).toEqual({ ...rest, read: 10_540, write5m: 24_996, total: 35_572, usd: 0.1695 })
    expect(way('split').totals).toEqual({ ...rest, read: 16_803, write5m: 18_747, total: 35_586, usd: 0.13357525 })
    expect(way('epochs').totals).toEqual({ ...rest, read: 36_704, write5m: 4_972, total: 41_712, usd: 0.057432 })
    expect(way('epochs').turns.map(({ read }) => read)).toEqual([
      0, 1_689, 1_798, 2_656, 2_954, 3_112, 3_300, 3_511, 3_814, 4_312, 4_701, 4_857,
    ])
    expect(way('epochs').turns.map(({ usd }) => usd)).toEqual([
      0.01104625, 0.00231575, 0.0067515, 0.0046805, 0.0035045, 0.003446, 0.00315875, 0.00418925, 0.0055595, 0.00527725,
      0.0039655, 0.00353725,
    ])
  })

  it('reads with epochs, on every turn, all that was cached on the one before', () => {
    const { turns } = way('epochs')
    expect(turns.map(({ read }) => read)).toEqual([0, ...turns.slice(0, -1).map(({ read, write5m }) => read + write5m)])
  })

  it('pays again, each other way, for all that stands after what changed', () => {
    const changed = way('epochs').turns.flatMap(({ turn, update }) => (update === null ? [] : turn))
    expect(changed).toEqual([4, 5, 6, 7, 8, 9, 11])
    for (const [name, head] of [
      ['anew', 0],
      ['split', 894],
    ] as const) {
      const { turns } = way(name)
      const cut = turns.filter(({ read }, index) => {
        const { read: before, write5m } = turns[index - 1] ?? { read: 0, write5m: 0 }
        return read !== before + write5m
      })
      expect(cut.map(({ turn }) => turn)).toEqual(changed)
      expect(cut.every(({ read }) => read === head)).toBe(true)
      expect(turns.every(({ update }) => update === null)).toBe(true)
    }
  })

  it('is billed the same without the SDK, which need not be installed', async () => {
    const outputs = await Promise.all([
      demoWithoutSdks('--json', '--out', file('fetch.sqlite')),
      demoWithoutSdks('--turns', '1', '--out', file('fetch-text.sqlite')),
    ])
    expect(outputs[0].stdout).toBe(json.out)
    expect(outputs[1].stdout).toContain('over HTTP (fetch)')
    expect(text.out).toContain('over HTTP (@anthropic-ai/sdk)')
  })

  it('tells the model of commits, the branch, the mode, its own edit, the rules and the date', () => {
    const told = way('epochs').turns.map(({ update }) => update ?? '')
    expect(told[3]).toMatch(/on branch "main" at commit [0-9a-f]{12}\./)
    expect(told[4]).toContain('The mode is now "build".')
    expect(told[4]).toContain('on branch "review-1"')
    expect(told[5]).toContain('?? "REVIEW.md"')
    expect(told[6]).toContain('The git work tree is now clean.')
    expect(told[7]).toContain('- A review names the files that it left out.')
    expect(told[8]).toBe('The current date is now Wednesday, 2026-12-02 (UTC).')
    expect(told[10]).toContain('Instruction file "AGENTS.md" no longer applies.')
  })

  it('prints the same on every run, but for the path of the file', async () => {
    const again = await indelible(['demo', '--out', file('again.sqlite')])
    expect(again.out.replace('again.sqlite', 'text.sqlite')).toBe(text.out)
  })

  it('keeps to 80 columns, but for the path of the file', () => {
    const lines = text.out.split('\n').filter((line) => !line.includes('text.sqlite'))
    expect(Math.max(...lines.map((line) => Array.from(line).length))).toBeLessThanOrEqual(80)
    expect(text.out).not.toContain('\u001b')
  })

  it('leaves nothing behind but the file that it was asked for', () => {
    expect(readdirSync(temporary)).toEqual([])
    expect(readdirSync(folder).filter((name) => name.startsWith('text'))).toEqual(['text.sqlite'])
  })

  it('puts the file in a temporary folder when it is not asked for one, and says where', async () => {
    const { out } = await indelible(['demo', '--turns', '1'])
    const [, found = ''] = /npx indelible inspect (\S+) demo/.exec(out) ?? []
    expect(existsSync(found)).toBe(true)
    expect(readdirSync(join(found, '..')).toSorted()).toEqual(['logs', 'session.sqlite'])
    expect(readdirSync(join(found, '..', 'logs')).toSorted()).toEqual(['anew.jsonl', 'epochs.jsonl', 'split.jsonl'])
    rmSync(join(found, '..'), { recursive: true })
  })

  it('colours what was read green and the rest red', async () => {
    const { out } = await indelible(['demo', '--turns', '2', '--out', file('colors.sqlite')], true)
    expect(out).toContain('█\u001b[39m\u001b[31m░\u001b[39m')
    expect(out).toContain('\u001b[32m█')
  })

  it('goes on in another round, in which everything is still told once', async () => {
    const { code, out } = await indelible(['demo', '--turns', '14', '--out', file('long.sqlite')])
    expect(code).toBe(0)
    expect(out).toContain('of each change at its turn: 12 in all.')
    expect(out).toContain('The mode is now "plan".')
  })

  it('works on a clone of a repository, and leaves that as it was', async () => {
    const origin = join(folder, 'origin')
    const git = (...args: string[]): string => execFileSync('git', ['-C', origin, ...args], { encoding: 'utf8' })
    mkdirSync(origin)
    git('init', '--quiet', '--initial-branch=trunk')
    writeFileSync(join(origin, 'notes.txt'), 'hello\n')
    git('add', '--all')
    git('-c', 'user.name=X', '-c', 'user.email=x@example.com', 'commit', '--quiet', '--message=Start')
    const { code, out } = await indelible(['demo', '--repo', origin, '--turns', '8', '--out', file('clone.sqlite')])
    expect(code).toBe(0)
    expect(out).toContain('Please review notes.txt')
    expect(out).toContain('on branch "trunk"')
    expect(git('status', '--porcelain', '--branch')).toBe('## trunk\n')
    expect(git('log', '--all', '--format=%s')).toBe('Start\n')
    expect(readdirSync(temporary)).toEqual([])
  })

  it.each(['review-1', 'review-1/x'])('works on a clone that is on a branch %s', async (branch) => {
    const origin = join(folder, 'taken')
    mkdirSync(origin, { recursive: true })
    const git = (...args: string[]) => execFileSync('git', ['-C', origin, ...args])
    git('init', '--quiet', `--initial-branch=${branch}`)
    git('-c', 'user.name=X', '-c', 'user.email=x@example.com', 'commit', '--quiet', '--allow-empty', '--message=Start')
    const { code, out } = await indelible([
      'demo',
      '--repo',
      origin,
      '--turns',
      '6',
      '--out',
      file(`${branch[7]}${branch.length}.sqlite`),
    ])
    rmSync(origin, { recursive: true })
    expect(code).toBe(0)
    expect(out).toContain('on branch "indelible-review-1"')
  })

  it('does not write to a file that is there', async () => {
    const { code, err } = await indelible(['demo', '--out', file('text.sqlite')])
    expect([code, err]).toEqual([2, expect.stringContaining('text.sqlite is there already.')])
  })

  it('leaves nothing behind when it cannot start', async () => {
    const { code, err } = await indelible(['demo', '--repo', file('none'), '--out', file('never.sqlite')])
    expect([code, err]).toEqual([2, expect.stringMatching(/^indelible: git .*cannot change to/s)])
    expect(existsSync(file('never.sqlite'))).toBe(false)
    expect(readdirSync(temporary)).toEqual([])
  })

  it('says what is missing where there is no git', async () => {
    vi.stubEnv('PATH', temporary)
    const { code, err } = await indelible(['demo'])
    expect([code, err]).toEqual([
      2,
      'indelible: The demo needs git, and there is none on the path. Install git and try again.\n',
    ])
  })

  it.each(['0', '201', '1.5', 'many', '-1'])('refuses %s turns', async (turns) => {
    const { code, err } = await indelible(['demo', '--turns', turns])
    expect([code, err]).toEqual([2, expect.stringContaining('Give a whole number from 1 to 200.')])
  })

  it('says in its help how many turns there are unless told', async () => {
    const { out } = await indelible(['demo', '--help'])
    expect(out.replaceAll(/\s+/g, ' ')).toContain('(default: 12; 36 with google, which caches no short prompts)')
  })

  it('does not know a provider that there is not', async () => {
    const { code, err } = await indelible(['demo', '--provider', 'nobody'])
    expect([code, err]).toEqual([2, expect.stringContaining('Allowed choices are anthropic, openai-chat,')])
  })

  describe('and then indelible inspect', () => {
    it('lists the session', async () => {
      const { code, out } = await indelible(['inspect', file('text.sqlite')])
      expect(code).toBe(0)
      expect(out).toMatch(/holds 1 session\.\n\nsession {2}events.*\ndemo {9}32 {2}2026-12-01 23:43:00/)
    })

    it('shows its epoch, its updates and its events, and replays it', async () => {
      const { code, out } = await indelible(['inspect', file('text.sqlite'), 'demo', '--verify'])
      expect(code).toBe(0)
      expect(out).toMatch(/^ +1 +2 {2}initial /m)
      expect(out).toContain('| The current date is now Wednesday, 2026-12-02 (UTC).')
      expect(out).toMatch(/^ +32 {2}answer /m)
      expect(out.trimEnd().split('\n').at(-1)).toBe('✓ session demo: 32 events replayed, no problems')
    })

    it('prints whole texts as JSON, in which nothing is left that a terminal acts on', async () => {
      const { code, out } = await indelible(['inspect', file('text.sqlite'), 'demo', '--verify', '--json'])
      expect(code).toBe(0)
      const { schema, sessions } = JSON.parse(out) as { schema: string; sessions: Record<string, unknown>[] }
      expect(schema).toBe('indelible.inspect/1')
      expect(sessions).toHaveLength(1)
      expect(Object.keys(sessions[0]!)).toEqual([
        'id',
        'revision',
        'createdAt',
        'updatedAt',
        'epochs',
        'updates',
        'events',
        'verification',
      ])
      expect(sessions[0]).toMatchObject({ id: 'demo', revision: 32, verification: { ok: true, problems: [] } })
      // oxlint-disable-next-line no-control-regex
      expect(out.trimEnd()).not.toMatch(/[\u0000-\u001f\u007f-\u009f]/)
    })

    it('finds a byte that was changed behind the back of the store, and ends with 1', async () => {
      const place = file('changed.sqlite')
      copyFileSync(file('text.sqlite'), place)
      const database = new DatabaseSync(place)
      database.exec(
        `update indelible_events set body = replace(body, 'Wednesday', 'Thursday') || ' ' where revision = 4`,
      )
      database.close()
      const { code, out } = await indelible(['inspect', place, '--verify'])
      expect(code).toBe(1)
      expect(out).toContain('✗ session demo: 1 problem\n  at revision 4, integrity: ')
    })

    it('does not know a session that is not there', async () => {
      const { code, err } = await indelible(['inspect', file('text.sqlite'), 'other'])
      expect([code, err]).toEqual([2, expect.stringContaining('holds no session "other".')])
    })

    it('makes no file where there is none', async () => {
      const { code, err } = await indelible(['inspect', file('none.sqlite')])
      expect([code, err]).toEqual([2, expect.stringContaining('There is no file')])
      expect(existsSync(file('none.sqlite'))).toBe(false)
    })

    it('refuses a file that is no database', async () => {
      writeFileSync(file('text.txt'), 'hello')
      const { code, err } = await indelible(['inspect', file('text.txt')])
      expect([code, err]).toEqual([2, expect.stringContaining('is not a SQLite database')])
    })
  })
})

/** What the ways cost, in dollars and beside the first of them, and what the head says of one provider alone. */
const providers = [
  {
    provider: 'openai-chat',
    costs: ['$0.0433 1.00', '$0.0433 1.00', '$0.0123 0.28'],
    says: 'Tools and instructions alone are shorter',
  },
  {
    provider: 'openai-responses',
    costs: ['$0.0434 1.00', '$0.0434 1.00', '$0.0123 0.28'],
    says: 'goes over HTTP (openai)',
  },
  {
    provider: 'google',
    costs: ['$0.0893 1.00', '$0.0893 1.00', '$0.0466 0.52'],
    says: 'shorter than 4,096 tokens. Up to turn 14, requests are shorter.',
  },
  { provider: 'bedrock', costs: ['$0.1495 1.00', '$0.1333 0.89', '$0.0566 0.38'], says: 'Nothing is sent' },
  { provider: 'ai-sdk', costs: ['$0.1695 1.00', '$0.1335 0.79', '$0.0574 0.34'], says: '(ai, @ai-sdk/anthropic)' },
] as const

describe.each(providers)('indelible demo --provider $provider', ({ provider, costs, says }) => {
  it('keeps what it claims, says what it rests on, and leaves a session that replays', async () => {
    const file = join(folder, `${provider}.sqlite`)
    const { code, out, err } = await indelible(['demo', '--provider', provider, '--out', file])
    expect([code, err]).toEqual([0, ''])
    expect(out).toMatch(provider === 'google' ? /^A conversation of 36 turns/ : /^A conversation of 12 turns/)
    expect(out.match(/^✓/gm)).toHaveLength(5)
    expect(out.replaceAll('\n', ' ')).toContain(says)
    const lines = out.split('\n')
    const totals = lines.filter((line) => /^(?:anew|split|epochs) .*\$/.test(line))
    expect(totals.map((line) => line.trim().split(/ +/).slice(-2).join(' '))).toEqual(costs)
    const widths = lines.filter((line) => !line.includes(file)).map((line) => Array.from(line).length)
    expect(Math.max(...widths)).toBeLessThanOrEqual(80)
    expect((await indelible(['inspect', file, 'demo', '--verify'])).code).toBe(0)
  })
})

describe.each(['openai-chat', 'openai-responses', 'google'])('indelible demo --provider %s', (provider) => {
  it('is billed the same without the SDK', async () => {
    const args = ['--provider', provider, '--turns', '2', '--json', '--out']
    const bare = await demoWithoutSdks(...args, join(folder, `${provider}-bare.sqlite`))
    const { out } = await indelible(['demo', ...args, join(folder, `${provider}-sdk.sqlite`)])
    expect(JSON.parse(bare.stdout)).toEqual(JSON.parse(out))
  })
})

describe('indelible demo --provider ai-sdk', () => {
  it('says what is missing where the SDK is not installed, and leaves nothing behind', async () => {
    const file = join(folder, 'missing.sqlite')
    const failure: unknown = await demoWithoutSdks('--provider', 'ai-sdk', '--out', file).catch(
      (error: unknown) => error,
    )
    expect(failure).toMatchObject({ code: 2, stdout: '' })
    expect((failure as { stderr: string }).stderr).toContain('indelible: The demo with ai-sdk needs the SDK itself.')
    expect(existsSync(file)).toBe(false)
    expect(readdirSync(temporary)).toEqual([])
  })
})

describe('indelible explain', () => {
  const rules = 'Be brief, be right, say what you did. '.repeat(100)
  const body = (day: string, ...said: string[]) => ({
    model: 'claude-opus-5',
    system: [{ type: 'text', text: `Today is ${day}. ${rules}`, cache_control: { type: 'ephemeral' } }],
    messages: said.map((content) => ({ role: 'user', content })),
  })
  let folder: string
  const put = (name: string, value: unknown): string => {
    const path = join(folder, name)
    writeFileSync(path, typeof value === 'string' ? value : JSON.stringify(value))
    return path
  }

  beforeEach(() => {
    folder = mkdtempSync(join(projectRoot, '.tmp', 'explain-'))
  })
  afterEach(() => rmSync(folder, { recursive: true, force: true }))

  it('shows what is read, the first difference, and every reason why the rest is not', async () => {
    const before = put('a.json', body('Monday', 'Hello'))
    const after = put('b.json', { request: { body: JSON.stringify(body('Tuesday', 'Hello')) } })
    const { code, out } = await indelible(['explain', before, after])
    expect(code).toBe(0)
    expect(out).toContain('claude-opus-5, by the rules of anthropic, 60 s later:')
    expect(out).toContain('First difference: changed at system[0], character 9')
    expect(out).toMatch(/^ {2}\+ Today is Tuesday\. Be brief/m)
    expect(out).toMatch(/system\[0\] +the first request had something else there/)
    for (const line of out.split('\n')) expect(line.length).toBeLessThanOrEqual(80)
  })

  it('says when all of it is read, and after how long no more', async () => {
    const path = put('a.json', body('Monday', 'Hello'))
    expect((await indelible(['explain', path, path, '--gap', '400'])).out).toContain('its lifetime is over (for 100 s)')
    const { out } = await indelible(['explain', path, path, '--json'])
    expect(JSON.parse(out)).toMatchObject({ schema: 'indelible.explain/1', provider: 'anthropic', divergence: null })
  })

  it('shows hostile text as text', async () => {
    const hostile = put('a.json', body('\u001b[31mMon\u202eday', 'x'))
    const { out } = await indelible(['explain', hostile, put('b.json', body('Tuesday', 'x'))])
    for (const character of ['\u001b', '\u202e']) expect(out).not.toContain(character)
  })

  it.each([
    ['no JSON', '{', /is not JSON/],
    ['no request', '{}', /holds no request/],
    ['an empty file', '', /is not JSON/],
  ])('says what is wrong with %s', async (_, text, message) => {
    const { code, err } = await indelible(['explain', put('a.json', text), put('b.json', body('Monday', 'x'))])
    expect(code).toBe(2)
    expect(err).toMatch(message)
  })

  it('says which file is missing', async () => {
    const { code, err } = await indelible(['explain', join(folder, 'none.json'), join(folder, 'none.json')])
    expect(code).toBe(2)
    expect(err).toContain('none.json')
  })
})

describe('indelible emulate', () => {
  /** Emulators that run; each is ended by its test, or here. */
  const running = new Set<ChildProcess>()
  afterEach(() => {
    for (const child of running) child.kill('SIGKILL')
    running.clear()
  })

  interface Emulator {
    readonly url: string
    readonly child: ChildProcess
    out(): string
    err(): string
    /** The exit code. */
    readonly ended: Promise<number | null>
  }

  /** Starts the command on a free port, and waits for it to listen. */
  async function emulate(...args: readonly string[]): Promise<Emulator> {
    const child = spawn(process.execPath, [bin, 'emulate', '--port', '0', ...args])
    running.add(child)
    let out = ''
    let err = ''
    child.stderr.setEncoding('utf8').on('data', (text: string) => (err += text))
    child.stdout.setEncoding('utf8')
    const ended = once(child, 'close').then(([code]) => {
      running.delete(child)
      return code as number | null
    })
    const url = await new Promise<string>((resolve, reject) => {
      child.stdout.on('data', (text: string) => {
        out += text
        const [, found] = /^Listening on (\S+)\. /m.exec(out) ?? []
        if (found !== undefined && out.endsWith('.\n\n')) resolve(found)
      })
      void ended.then((code) => reject(new Error(`It ended with ${code}: ${err}`)))
    })
    return { url, child, out: () => out, err: () => err, ended }
  }

  const hello = { model: 'claude-opus-5', max_tokens: 10, messages: [{ role: 'user', content: 'Hello.' }] }
  const send = (url: string, body: object = hello, path = '/v1/messages'): Promise<Response> =>
    fetch(url + path, {
      method: 'POST',
      headers: { 'content-type': 'application/json', 'x-api-key': 'secret-key' },
      body: JSON.stringify(body),
    })

  it('says where it listens and what to set for the SDKs, and answers there', async () => {
    const { url, out, child, ended, err } = await emulate()
    expect(url).toMatch(/^http:\/\/127\.0\.0\.1:\d+$/)
    expect(out()).toContain(
      [
        `  export ANTHROPIC_BASE_URL=${url}`,
        `  export OPENAI_BASE_URL=${url}/v1`,
        `  export GOOGLE_GEMINI_BASE_URL=${url}`,
        '',
      ].join('\n'),
    )
    expect(await (await send(url)).json()).toMatchObject({ content: [{ type: 'text', text: 'Hello.' }] })
    child.kill('SIGTERM')
    expect(await ended).toBe(0)
    const [line] = err().split('\n')
    expect(line).toMatch(/^\d{4}-\S+Z anthropic claude-opus-5 200 (\d+) tokens: 0 read, 0 written, \1 uncached$/)
    expect(err()).not.toContain('secret')
  })

  it('refuses what the provider refuses when it is strict, and says why', async () => {
    const { url, child, ended, err } = await emulate('--strict')
    expect((await send(url, { ...hello, max_tokens: undefined })).status).toBe(400)
    child.kill('SIGINT')
    expect(await ended).toBe(0)
    expect(err()).toMatch(/^\S+ anthropic claude-opus-5 400 max_tokens: Field required\n$/)
  })

  it('answers what a script holds, in order, and says when it is used up', async () => {
    const path = join(folder, 'script.json')
    writeFileSync(path, JSON.stringify([{ toolCalls: [{ name: 'look', input: { at: 1 } }] }, { text: 'Done.' }]))
    const { url } = await emulate('--script', path)
    expect(await (await send(url)).json()).toMatchObject({ content: [{ type: 'tool_use', name: 'look' }] })
    expect(await (await send(url)).json()).toMatchObject({ content: [{ type: 'text', text: 'Done.' }] })
    const used = await send(url)
    expect([used.status, await used.text()]).toEqual([500, expect.stringContaining('The script has 2 answers')])
  })

  it.each([
    ['{ "text": ', /^indelible: The script .*script\.json is not JSON: .* It holds one answer or a list of them/],
    ['[{ "txt": "Done." }]', /^indelible: respond\[0\] is an object with txt; an answer is \{ text\?, toolCalls\?, /],
  ])('says what is wrong with the script %s', async (script, message) => {
    const path = join(folder, 'script.json')
    writeFileSync(path, script)
    const { code, err } = await indelible(['emulate', '--port', '0', '--script', path])
    expect(code).toBe(2)
    expect(err).toMatch(message)
  })

  it('appends a line of JSON for each request to a log', async () => {
    const path = join(folder, 'requests.jsonl')
    writeFileSync(path, '{"earlier":true}\n')
    const { url, out, child, ended, err } = await emulate('--log', path)
    expect(out()).toContain(`Requests are logged to ${path}.\n`)
    const long = {
      ...hello,
      system: [{ type: 'text', text: 'Word '.repeat(1_000), cache_control: { type: 'ephemeral' } }],
    }
    await (await send(url, long)).json()
    await (await send(url, long)).json()
    child.kill('SIGTERM')
    expect([await ended, err()]).toEqual([0, ''])
    const content = readFileSync(path, 'utf8')
    const [earlier, first, second, ...rest] = content
      .trimEnd()
      .split('\n')
      .map((line) => JSON.parse(line) as Record<string, unknown>)
    expect([earlier, rest]).toEqual([{ earlier: true }, []])
    const about = { schema: 'indelible.emulate/1', endpoint: 'anthropic', model: 'claude-opus-5', status: 200 }
    expect(first).toMatchObject({ ...about, number: 1, read: 0, written: expect.any(Number) })
    expect(second).toMatchObject({ ...about, number: 2, read: first!['written'], written: 0, total: first!['total'] })
    expect(content).not.toMatch(/secret|Word|Hello/)
  })

  it.skipIf(!existsSync('/dev/full'))('warns once of a log that can no longer be written, and goes on', async () => {
    const { url, child, ended, err } = await emulate('--log', '/dev/full')
    for (let count = 0; count < 3; count++) expect((await send(url)).status).toBe(200)
    child.kill('SIGTERM')
    expect(await ended).toBe(0)
    expect(err()).toMatch(/^indelible: The log \/dev\/full is not complete: ENOSPC.*\. Requests are answered\.\n$/)
  })

  it('refuses bodies that are larger than was said', async () => {
    const { url } = await emulate('--max-body', '0.001')
    expect((await send(url)).status).toBe(200)
    expect((await send(url, { ...hello, system: 'x'.repeat(2_000) })).status).toBe(413)
  })

  it.each(['SIGTERM', 'SIGINT'] as const)('finishes what runs before it ends on %s', async (signal) => {
    const { url, child, ended } = await emulate()
    const body = JSON.stringify(hello)
    const pending = request(`${url}/v1/messages`, {
      method: 'POST',
      headers: { 'content-type': 'application/json', 'content-length': body.length, expect: '100-continue' },
    })
    const responded = once(pending, 'response') as Promise<[IncomingMessage]>
    pending.flushHeaders()
    // The request is being answered: it was asked to go on.
    await once(pending, 'continue')
    child.kill(signal)
    while (await send(url).catch(() => null)) await setTimeout(10)
    pending.end(body)
    const [response] = await responded
    expect(response.statusCode).toBe(200)
    response.resume()
    expect(await ended).toBe(0)
  })

  it('says in one line that a port is in use', async () => {
    const { url } = await emulate()
    const { port } = new URL(url)
    expect(await indelible(['emulate', '--port', port])).toEqual({
      code: 2,
      out: '',
      err: `indelible: Port ${port} of 127.0.0.1 is in use. Give another with --port, or 0 for a free one.\n`,
    })
  })

  it('says in one line that an address is none of this machine', async () => {
    expect(await indelible(['emulate', '--port', '0', '--host', '192.0.2.1'])).toEqual({
      code: 2,
      out: '',
      err: 'indelible: 192.0.2.1 is no address of this machine. Give one that is with --host, or leave it out.\n',
    })
  })

  it('says in one line that a log cannot be written', async () => {
    const path = join(folder, 'none', 'requests.jsonl')
    const { code, out, err } = await indelible(['emulate', '--port', '0', '--log', path])
    expect([code, out]).toEqual([2, ''])
    expect(err).toMatch(
      /^indelible: The log .*requests\.jsonl cannot be written: ENOENT.*\. Give another with --log\.\n$/,
    )
  })

  it.each(['0.0.0.0', '0'])('warns where other machines get to it, by the address that %s stands for', async (host) => {
    const { url, child, err, ended } = await emulate('--host', host)
    expect((await send(url)).status).toBe(200)
    child.kill('SIGTERM')
    expect(await ended).toBe(0)
    expect(err()).toContain(`indelible: ${host} can be reached from other machines`)
  })

  it.each(['127.0.0.2', 'localhost'])('does not warn of %s', async (host) => {
    const { child, err, ended } = await emulate('--host', host)
    child.kill('SIGTERM')
    expect([await ended, err()]).toEqual([0, ''])
  })

  it.each([
    ['--port', '65536', 'from 0 to 65535'],
    ['--port', 'x', 'from 0 to 65535'],
    ['--host', '', 'Give an address'],
    ['--max-body', '0', 'above 0'],
    ['--max-body', 'x', 'above 0'],
  ])('refuses %s %j', async (option, value, message) => {
    const { code, err } = await indelible(['emulate', option, value])
    expect([code, err]).toEqual([2, expect.stringContaining(message)])
  })
})

describe('indelible', () => {
  it('prints its version', async () => {
    expect(await indelible(['--version'])).toEqual({ code: 0, out: `${packageJson.version}\n`, err: '' })
  })

  it.each(['', 'audit', 'record', 'demo', 'inspect', 'emulate', 'explain'])(
    'helps with examples: %s',
    async (command) => {
      const { code, out, err } = await indelible([...(command === '' ? [] : [command]), '--help'])
      expect([code, err]).toEqual([0, ''])
      expect(out).toContain(`Examples:\n  indelible ${command}`)
      expect(Math.max(...out.split('\n').map((line) => line.length))).toBeLessThanOrEqual(80)
    },
  )

  it.each([
    ['nothing', [], 'Usage: indelible'],
    ['an unknown command', ['frobnicate'], `unknown command 'frobnicate'`],
    ['an unknown option', ['demo', '--frobnicate'], `unknown option '--frobnicate'`],
    ['a missing argument', ['inspect'], `missing required argument 'file'`],
    ['too many arguments', ['demo', 'extra'], 'too many arguments'],
  ])('ends with 2 when it is given %s', async (_case, args, message) => {
    const { code, out, err } = await indelible(args)
    expect([code, out, err]).toEqual([2, '', expect.stringContaining(message)])
  })

  it('passes its exit code on to the shell, and its message without a stack', async () => {
    const failure: unknown = await promisify(execFile)(process.execPath, [
      bin,
      'inspect',
      join(folder, 'none.sqlite'),
    ]).catch((error: unknown) => error)
    expect(failure).toMatchObject({ code: 2, stdout: '' })
    const { stderr } = failure as { stderr: string }
    expect(stderr).toMatch(/^indelible: There is no file .*$/m)
    expect(stderr).not.toMatch(/^ +at /m)
  })
})
