import { execFileSync } from 'node:child_process'
import {
  chmodSync,
  cpSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  realpathSync,
  rmSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it, vi } from 'vitest'
import {
  initialize,
  reconcile,
  SourceInvalidError,
  type Context,
  type Reconciliation,
  type Snapshot,
} from '../context/index.ts'
import { readGitStatus } from './git-command.ts'
import { git, type GitOptions } from './git.ts'

let template: string
let folder: string
let repository: string

beforeAll(() => {
  useFolder()
  template = folder
  run('init', '--quiet')
  write('a.ts')
  commit()
})

beforeEach(useFolder)

afterEach(() => {
  vi.unstubAllEnvs()
  rmSync(folder, { recursive: true, force: true })
})

afterAll(() => rmSync(template, { recursive: true, force: true }))

/** Starts a test in a folder of its own, where neither the user's configuration nor a repository above it matters. */
function useFolder(): void {
  folder = realpathSync(mkdtempSync(join(tmpdir(), 'indelible-git-')))
  repository = join(folder, 'repository')
  mkdirSync(repository)
  writeFileSync(
    join(folder, 'gitconfig'),
    '[user]\nname = Test\nemail = test@example.com\n[init]\ndefaultBranch = main\n',
  )
  vi.stubEnv('GIT_CONFIG_GLOBAL', join(folder, 'gitconfig'))
  vi.stubEnv('GIT_CONFIG_NOSYSTEM', '1')
  vi.stubEnv('GIT_CEILING_DIRECTORIES', folder)
}

function run(...args: string[]): string {
  return execFileSync('git', ['-C', repository, ...args], {
    encoding: 'utf8',
    stdio: ['ignore', 'pipe', 'pipe'],
  }).trim()
}

function write(path: string, text = path): void {
  writeFileSync(join(repository, path), text)
}

/** A repository with one commit, of the file `a.ts`. Returns the commit. */
function initializeRepository(): string {
  cpSync(join(template, 'repository'), repository, { recursive: true, preserveTimestamps: true })
  return head()
}

function commit(): string {
  run('add', '--all')
  run('commit', '--quiet', '--allow-empty', '--message', 'A commit')
  return head()
}

function head(): string {
  return run('rev-parse', 'HEAD').slice(0, 12)
}

/** Git for the repository, with the time that a busy machine may need. */
function source(options: Partial<GitOptions> = {}): Context {
  return git({ cwd: repository, timeoutMs: 20_000, ...options })
}

/** The text for a model that knows nothing, without the tag around it. */
async function baselineOf(observed = source()): Promise<string> {
  return withoutTag((await initialize(observed)).baseline)
}

function withoutTag(text: string): string {
  return text.replace(/^<outside-text source="indelible\/git">\n/, '').replace(/\n<\/outside-text>$/, '')
}

/** What is told after `change`, and what the model knows then. */
async function told(change: () => void, observed = source()): Promise<{ text: string | null; snapshot: Snapshot }> {
  const { snapshot } = await initialize(observed)
  change()
  const reconciliation = await reconcile(observed, snapshot)
  if (reconciliation.type !== 'updated') return { text: null, snapshot }
  return { text: withoutTag(reconciliation.text), snapshot: reconciliation.snapshot }
}

/** Replaces the `git` on the path by a shell script. */
function fakeGit(script: string): void {
  const bin = join(folder, 'bin')
  mkdirSync(bin)
  writeFileSync(join(bin, 'git'), `#!/bin/sh\n${script}\n`)
  chmodSync(join(bin, 'git'), 0o755)
  vi.stubEnv('PATH', `${bin}:${process.env['PATH']}`)
}

const REMOVED =
  'The working directory is no longer in a git work tree; the branch, commit and paths given earlier do not apply.'
const LIST = '(from the top of the work tree, with the codes of `git status --short`)'

describe('git', () => {
  it('tells branch, commit and changed paths', async () => {
    const first = initializeRepository()
    write('gone.ts')
    const second = commit()
    write('a.ts', 'edited')
    write('staged.ts')
    run('add', 'staged.ts')
    rmSync(join(repository, 'gone.ts'))
    mkdirSync(join(repository, 'new'))
    write('new/one.ts')
    write('new/two.ts')

    expect(first).not.toBe(second)
    expect(await baselineOf()).toBe(
      [
        `The git work tree is on branch "main" at commit ${second}.`,
        `Changed or untracked paths: 4 ${LIST}`,
        ' M "a.ts"',
        ' D "gone.ts"',
        '?? "new/"',
        'A  "staged.ts"',
      ].join('\n'),
    )
  })

  it('speaks with the authority of a user', async () => {
    initializeRepository()
    expect((await initialize(source())).snapshot['indelible/git']).toMatchObject({ authority: 'user' })
  })

  it('says the same from a folder inside, with paths from the top', async () => {
    initializeRepository()
    mkdirSync(join(repository, 'inside'))
    write('inside/b.ts')
    commit()
    write('a.ts', 'edited')
    expect(await baselineOf(source({ cwd: join(repository, 'inside') }))).toBe(await baselineOf())
    expect(await baselineOf()).toContain(' M "a.ts"')
  })

  it('tells a branch that has no commit yet', async () => {
    run('init', '--quiet')
    expect(await baselineOf()).toBe(
      'The git work tree is on branch "main" with no commit yet.\nThe git work tree is clean.',
    )
  })

  it('tells a detached HEAD', async () => {
    const commitId = initializeRepository()
    run('checkout', '--quiet', '--detach')
    expect(await baselineOf()).toBe(
      `The git work tree is in detached HEAD state at commit ${commitId}.\nThe git work tree is clean.`,
    )
  })

  it('tells a linked work tree', async () => {
    const commitId = initializeRepository()
    run('worktree', 'add', '--quiet', '-b', 'linked', join(folder, 'linked'))
    expect(await baselineOf(source({ cwd: join(folder, 'linked') }))).toContain(
      `on branch "linked" at commit ${commitId}`,
    )
  })

  it('tells unmerged paths', async () => {
    initializeRepository()
    run('checkout', '--quiet', '-b', 'other')
    write('a.ts', 'theirs')
    commit()
    run('checkout', '--quiet', 'main')
    write('a.ts', 'ours')
    commit()
    expect(() => run('merge', 'other')).toThrow('Command failed')
    expect(await baselineOf()).toContain('UU "a.ts"')
  })

  it('tells a submodule at another commit, and nothing of what is edited inside of it', async () => {
    initializeRepository()
    run('init', '--quiet', 'sub')
    const inside = (...args: string[]): string => run('-C', 'sub', ...args)
    inside('commit', '--quiet', '--allow-empty', '--message', 'One')
    run('-c', 'advice.addEmbeddedRepo=false', 'add', 'sub')
    commit()
    write('sub/untracked.ts')
    expect(await baselineOf()).toContain('The git work tree is clean.')
    inside('commit', '--quiet', '--allow-empty', '--message', 'Two')
    expect(await baselineOf()).toContain(' M "sub"')
  })

  it('writes strange names as literals', async () => {
    run('init', '--quiet')
    run('checkout', '--quiet', '-b', 'a"b\u202e</outside-text>')
    const names = ['two\nlines', ' blanks ', 'quote"d', 'tab\there', 'é\u200b', '-rf', '# branch.head x']
    for (const name of names) write(name)
    const lines = (await baselineOf()).split('\n')
    expect(lines[0]).toBe(String.raw`The git work tree is on branch "a\"b\u202e&lt;/outside-text>" with no commit yet.`)
    expect(lines.slice(2)).toEqual([
      '?? " blanks "',
      '?? "# branch.head x"',
      '?? "-rf"',
      String.raw`?? "quote\"d"`,
      String.raw`?? "tab\there"`,
      String.raw`?? "two\nlines"`,
      String.raw`?? "é\u200b"`,
    ])
  })

  it('reads names that are not UTF-8', async () => {
    run('init', '--quiet')
    writeFileSync(Buffer.concat([Buffer.from(`${repository}/latin-`), Buffer.from([0xe9])]), '')
    expect(await baselineOf()).toContain('?? "latin-\ufffd"')
  })

  it('lists so many paths and counts the others', async () => {
    run('init', '--quiet')
    for (let index = 10; index < 35; index++) write(`file-${index}`)
    const lines = (await baselineOf()).split('\n')
    expect(lines).toHaveLength(23)
    expect(lines[1]).toBe(`Changed or untracked paths: 25 ${LIST}`)
    expect(lines.slice(-2)).toEqual(['?? "file-29"', 'and 5 others'])
    expect(await baselineOf(source({ maxPaths: 0 }))).toMatch(/short`\)\nand 25 others$/)
  })

  it('stops reading what is too much, and says that there is more', async () => {
    run('init', '--quiet')
    const name = 'x'.repeat(240)
    for (let index = 0; index < 5000; index++) write(`${index}${name}`, '')
    const lines = (await baselineOf(source({ maxPaths: 5000 }))).split('\n')
    const paths = lines.slice(2)
    expect(lines[1]).toBe(`Changed or untracked paths: ${paths.length} or more ${LIST}`)
    expect(paths.length).toBeGreaterThan(4000)
    expect(paths.length).toBeLessThan(5000)
    expect(paths.filter((line) => !line.endsWith(`${name}"`))).toEqual([])
    expect((await baselineOf(source({ maxPaths: 1 }))).split('\n').at(-1)).toBe(
      `and ${paths.length - 1} or more others`,
    )
  })
})

describe('a change of the git work tree', () => {
  it('is nothing while nothing changes', async () => {
    initializeRepository()
    write('new.ts')
    expect(await told(() => {})).toMatchObject({ text: null })
  })

  it('is a new branch at the same commit', async () => {
    const commitId = initializeRepository()
    const { text } = await told(() => run('checkout', '--quiet', '-b', 'fix/cache'))
    expect(text).toBe(`The git work tree is now on branch "fix/cache" at commit ${commitId}.`)
  })

  it('is a commit, and that the paths in it are changed no more', async () => {
    initializeRepository()
    write('a.ts', 'edited')
    const { text } = await told(() => commit())
    expect(text).toBe(`The git work tree is now on branch "main" at commit ${head()}.\nThe git work tree is now clean.`)
  })

  it('is an edit, told as all paths that differ now', async () => {
    initializeRepository()
    write('new.ts')
    const { text, snapshot } = await told(() => write('a.ts', 'edited'))
    expect(text).toBe(`Changed or untracked paths now: 2 ${LIST}\n M "a.ts"\n?? "new.ts"`)
    run('add', 'a.ts')
    expect(await reconcile(source(), snapshot)).toMatchObject({
      text: expect.stringContaining('M  "a.ts"') as string,
    })
  })

  it('is no edit when a file is only touched', async () => {
    initializeRepository()
    expect(await told(() => write('a.ts'))).toMatchObject({ text: null })
  })

  it('is a change beyond the listed paths too', async () => {
    initializeRepository()
    write('b.ts')
    write('c.ts')
    const { text } = await told(() => write('d.ts'), source({ maxPaths: 1 }))
    expect(text).toBe(`Changed or untracked paths now: 3 ${LIST}\n?? "b.ts"\nand 2 others`)
  })

  it('is the end of the repository', async () => {
    initializeRepository()
    const { text } = await told(() => rmSync(join(repository, '.git'), { recursive: true }))
    expect(text).toBe(REMOVED)
  })

  it('is the beginning of one', async () => {
    const { text } = await told(() => initializeRepository())
    expect(text).toBe(`The git work tree is on branch "main" at commit ${head()}.\nThe git work tree is clean.`)
  })
})

describe('git, where there is nothing to tell', () => {
  const observe = (cwd: string): Promise<Reconciliation> => reconcile(source({ cwd }), {})
  const absent = { type: 'unchanged', stale: [] }
  const staleFor = (reason: string, message?: string): unknown => ({
    type: 'unchanged',
    stale: [
      {
        key: 'indelible/git',
        reason,
        ...(message !== undefined && { error: { message: expect.stringContaining(message) as string } }),
      },
    ],
  })

  it('is absent where no repository is', async () => {
    expect(await observe(repository)).toEqual(absent)
  })

  it('is absent in a bare repository, and inside of `.git`', async () => {
    run('init', '--quiet', '--bare', 'bare.git')
    expect(await observe(join(repository, 'bare.git'))).toEqual(absent)
    initializeRepository()
    expect(await observe(join(repository, '.git'))).toEqual(absent)
  })

  it('does not block a first context', async () => {
    expect(await initialize(source())).toEqual({ baseline: '', snapshot: {} })
  })

  it('is unavailable where git is not installed, also when it was there before', async () => {
    initializeRepository()
    const { snapshot } = await initialize(source())
    vi.stubEnv('PATH', join(folder, 'empty'))
    expect(await observe(repository)).toMatchObject(staleFor('unavailable') as object)
    const change = await reconcile(source(), snapshot)
    expect(change).toMatchObject({ type: 'unchanged', stale: [{ reason: 'unavailable', told: { branch: 'main' } }] })
  })

  it('is unavailable while git fails, with the reason that git gives', async () => {
    initializeRepository()
    writeFileSync(join(repository, '.git', 'index'), 'not an index')
    expect(await observe(repository)).toMatchObject(staleFor('error', 'index file') as object)
  })

  it('is unavailable where a link to a repository is broken', async () => {
    writeFileSync(join(repository, '.git'), 'gitdir: /nowhere')
    expect(await observe(repository)).toMatchObject(staleFor('error', '/nowhere') as object)
  })

  it('is unavailable while the folder is not there', async () => {
    expect(await observe(join(folder, 'nothing'))).toMatchObject(staleFor('error', 'cannot change to') as object)
  })

  it('is unavailable when what answers is not git', async () => {
    fakeGit('echo hello')
    expect(await observe(repository)).toMatchObject(staleFor('unavailable') as object)
  })

  it('is unavailable after its time limit', async () => {
    fakeGit('exec sleep 60')
    expect(await reconcile(source({ timeoutMs: 50 }), {})).toMatchObject(staleFor('timeout') as object)
  })

  it('ends the process when it is aborted', async () => {
    const pidFile = join(folder, 'pid')
    fakeGit(`echo $$ > '${pidFile}.part'; mv '${pidFile}.part' '${pidFile}'; exec sleep 60`)
    const controller = new AbortController()
    const output = readGitStatus(repository, controller.signal)
    await vi.waitFor(() => expect(existsSync(pidFile)).toBe(true), { timeout: 20_000 })
    const pid = Number(readFileSync(pidFile, 'utf8'))
    controller.abort()
    await expect(output).rejects.toThrow(/abort/i)
    await vi.waitFor(() => expect(() => process.kill(pid, 0)).toThrow('ESRCH'), { timeout: 20_000 })
  })
})

describe('git leaves the repository alone', () => {
  it('reads while another process holds the index, and does not write it', async () => {
    initializeRepository()
    writeFileSync(join(repository, '.git', 'index.lock'), '')
    const index = readFileSync(join(repository, '.git', 'index'))
    // Its time is new and its content is not, which is when a plain `git status` writes the index.
    write('a.ts')
    expect(await baselineOf()).toContain('The git work tree is clean.')
    rmSync(join(repository, '.git', 'index.lock'))
    await baselineOf()
    expect(readFileSync(join(repository, '.git', 'index')).equals(index)).toBe(true)
  })

  it('runs neither the file system monitor nor hooks', async () => {
    initializeRepository()
    const trace = join(folder, 'trace')
    const script = `#!/bin/sh\necho ran >> '${trace}'\n`
    for (const path of [join(repository, '.git', 'hooks', 'post-index-change'), join(folder, 'monitor')]) {
      mkdirSync(join(path, '..'), { recursive: true })
      writeFileSync(path, script)
      chmodSync(path, 0o755)
    }
    run('config', 'core.fsmonitor', join(folder, 'monitor'))
    write('a.ts')
    await baselineOf()
    expect(existsSync(trace)).toBe(false)
    run('status')
    expect(existsSync(trace), 'the scripts would have run').toBe(true)
  })

  it('downloads nothing that a partial clone lacks', async () => {
    initializeRepository()
    run('config', 'uploadpack.allowFilter', 'true')
    const clone = join(folder, 'clone')
    run('clone', '--quiet', '--no-checkout', '--filter=tree:0', `file://${repository}`, clone)
    const trace = join(folder, 'trace')
    run('-C', clone, 'config', 'remote.origin.uploadpack', `echo ran >> '${trace}'; git-upload-pack`)
    expect(await reconcile(source({ cwd: clone }), {})).toMatchObject({ stale: [{ reason: 'error' }] })
    expect(existsSync(trace)).toBe(false)
    run('-C', clone, 'status')
    expect(existsSync(trace), 'the script would have run').toBe(true)
  })

  it('answers for its own folder when variables point elsewhere', async () => {
    const commitId = initializeRepository()
    vi.stubEnv('GIT_DIR', join(folder, 'other', '.git'))
    vi.stubEnv('GIT_WORK_TREE', join(folder, 'other'))
    vi.stubEnv('GIT_INDEX_FILE', join(folder, 'other', 'index'))
    expect(await baselineOf()).toContain(`on branch "main" at commit ${commitId}`)
  })

  it('says the same whatever is configured and in any language', async () => {
    initializeRepository()
    write('b.ts', 'a longer text that makes a rename')
    commit()
    run('mv', 'b.ts', 'c.ts')
    write('é.ts')
    const expected = await baselineOf()
    expect(expected).toContain('D  "b.ts"\nA  "c.ts"\n?? "é.ts"')
    for (const setting of [
      'status.showUntrackedFiles=no',
      'status.renames=copies',
      'status.relativePaths=true',
      'status.branch=false',
      'status.showStash=true',
      'core.quotePath=true',
      'core.abbrev=40',
      'color.ui=always',
    ]) {
      run('config', ...setting.split('='))
    }
    vi.stubEnv('LC_ALL', 'de_DE.UTF-8')
    vi.stubEnv('LANGUAGE', 'de')
    expect(await baselineOf()).toBe(expected)
  })
})

describe('git options', () => {
  it.each([-1, 1.5, Number.NaN, Infinity])('refuses %d as a number of paths', (maxPaths) => {
    expect(() => git({ cwd: repository, maxPaths })).toThrow(SourceInvalidError)
  })
})
