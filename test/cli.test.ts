/** The `indelible` command from end to end: the demo over real repositories, and looking into what it leaves. */
import { execFile, execFileSync } from 'node:child_process'
import { copyFileSync, existsSync, mkdirSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { promisify } from 'node:util'
import { afterAll, beforeAll, beforeEach, describe, expect, it, vi } from 'vitest'
import packageJson from '../package.json' with { type: 'json' }
import { main } from '../src/cli/main.ts'
import { projectRoot } from '../scripts/imports.ts'

interface Result {
  readonly code: number
  readonly out: string
  readonly err: string
}

/** Runs the command in this process, without colours unless asked. */
async function indelible(args: readonly string[], colors = false): Promise<Result> {
  let out = ''
  let err = ''
  const code = await main(args, {
    colors,
    write: (text) => {
      out += text
    },
    writeError: (text) => {
      err += text
    },
  })
  return { code, out, err }
}

interface Turn {
  readonly turn: number
  readonly total: number
  readonly reused: number
  readonly new: number
  readonly update: string | null
}

interface Report {
  readonly schema: string
  readonly ways: readonly { readonly name: string; readonly turns: readonly Turn[]; readonly totals: object }[]
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
  let text: Result
  let json: Result
  let report: Report
  const file = (name: string): string => join(folder, name)
  const way = (name: string): Report['ways'][number] => report.ways.find((one) => one.name === name)!

  beforeAll(async () => {
    vi.stubEnv('TMPDIR', temporary)
    text = await indelible(['demo', '--out', file('text.sqlite')])
    json = await indelible(['demo', '--json', '--out', file('json.sqlite')])
    report = JSON.parse(json.out) as Report
  })

  it('ends well, and says that what it claims holds', () => {
    expect([text.code, text.err]).toEqual([0, ''])
    expect(text.out.split('\n').filter((line) => /^[✓✗]/.test(line))).toEqual([
      '✓ With epochs, each request starts with the whole request before it.',
      '✓ The model was told of each change at its turn: 10 in all.',
      '✓ The last request holds each of these updates once.',
      '✓ The session in the file replays without a problem.',
    ])
  })

  it('prints the schema that others read, on one line and alone', () => {
    expect(json.code).toBe(0)
    expect(json.out.trimEnd()).not.toContain('\n')
    expect(Object.keys(report)).toEqual(['schema', 'ways'])
    expect(report.schema).toBe('indelible.demo/1')
    expect(report.ways.map(({ name }) => name)).toEqual(['anew', 'split', 'epochs'])
    for (const { turns, totals } of report.ways) {
      expect(turns.map(({ turn }) => turn)).toEqual([1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12])
      for (const turn of turns) {
        expect(Object.keys(turn)).toEqual(['turn', 'total', 'reused', 'new', 'update'])
        expect(turn.reused + turn.new).toBe(turn.total)
      }
      const sum = (key: 'total' | 'reused' | 'new'): number => turns.reduce((all, turn) => all + turn[key], 0)
      expect(totals).toEqual({ total: sum('total'), reused: sum('reused'), new: sum('new') })
    }
  })

  it('re-sends with epochs only what is new on every turn', () => {
    const { turns } = way('epochs')
    expect(turns.map(({ reused }) => reused)).toEqual([0, ...turns.slice(0, -1).map(({ total }) => total)])
  })

  it('pays again, each other way, for all that stands after what changed', () => {
    const changed = way('epochs').turns.flatMap(({ turn, update }) => (update === null ? [] : turn))
    expect(changed).toEqual([4, 5, 6, 7, 8, 9, 11])
    for (const name of ['anew', 'split']) {
      const { turns } = way(name)
      const cut = turns.filter(({ reused }, index) => index > 0 && reused !== turns[index - 1]!.total)
      expect(cut.map(({ turn }) => turn)).toEqual(changed)
      expect(turns.every(({ update }) => update === null)).toBe(true)
    }
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
    expect(readdirSync(join(found, '..'))).toEqual(['session.sqlite'])
    rmSync(join(found, '..'), { recursive: true })
  })

  it('colours what was sent before green and what is new red', async () => {
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

  describe('and then indelible inspect', () => {
    it('lists the session', async () => {
      const { code, out } = await indelible(['inspect', file('text.sqlite')])
      expect(code).toBe(0)
      expect(out).toMatch(/holds 1 session\.\n\nsession {2}events.*\ndemo {9}32 {2}2026-12-01 23:20:00/)
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

describe('indelible', () => {
  it('prints its version', async () => {
    expect(await indelible(['--version'])).toEqual({ code: 0, out: `${packageJson.version}\n`, err: '' })
  })

  it.each([[['--help']], [['demo', '--help']], [['inspect', '--help']]])('helps with examples: %j', async (args) => {
    const { code, out, err } = await indelible(args)
    expect([code, err]).toEqual([0, ''])
    expect(out).toContain('Examples:\n  indelible ')
    expect(Math.max(...out.split('\n').map((line) => line.length))).toBeLessThanOrEqual(80)
  })

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
    const bin = join(projectRoot, 'src/cli/bin.ts')
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
