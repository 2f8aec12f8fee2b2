import { execFileSync } from 'node:child_process'
import { lstatSync, mkdirSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { cloneRepository, createRepository } from './repository.ts'

const at = new Date('2026-12-01T12:00:00Z')

let folder: string
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'indelible-test-'))
})
afterEach(() => {
  vi.unstubAllEnvs()
  rmSync(folder, { recursive: true, force: true })
})

/** A repository of the user's, on branch `trunk`, with these files in one commit. */
function origin(files: Record<string, string>): string {
  const place = join(folder, 'origin')
  mkdirSync(place)
  const git = (...args: string[]): unknown => execFileSync('git', ['-C', place, ...args], { stdio: 'pipe' })
  git('init', '--quiet', '--initial-branch=trunk')
  for (const [path, text] of Object.entries(files)) {
    mkdirSync(join(place, path, '..'), { recursive: true })
    writeFileSync(join(place, path), text)
  }
  if (Object.keys(files).length > 0) {
    git('add', '--all')
    git('-c', 'user.name=X', '-c', 'user.email=x@example.com', 'commit', '--quiet', '--message=Start')
  }
  return place
}

describe('createRepository', () => {
  it('makes the same commits each time, whatever the configuration of the user', async () => {
    const config = join(folder, 'gitconfig')
    writeFileSync(
      config,
      '[init]\ndefaultBranch = other\n[commit]\ngpgSign = true\n[core]\nhooksPath = /nowhere\nautocrlf = true\n',
    )
    const first = await createRepository(join(folder, 'first'))
    vi.stubEnv('GIT_CONFIG_GLOBAL', config)
    vi.stubEnv('GIT_AUTHOR_NAME', 'Somebody')
    vi.stubEnv('GIT_DIR', join(folder, 'nowhere'))
    const second = await createRepository(join(folder, 'second'))
    expect(await second.log(9)).toBe(await first.log(9))
    expect((await first.log(1)).slice(0, 12)).toBe('50c4696c0b92')
    expect(await second.git(['status', '--porcelain'])).toBe('')
  })

  it('has the files that it says are worth reading, and rules', async () => {
    const repository = await createRepository(join(folder, 'made'))
    for (const path of [...repository.reviewed, 'AGENTS.md']) expect(await repository.read(path)).not.toBe('')
  })
})

describe('Repository', () => {
  it('writes a file in place of a link, and not where the link leads', async () => {
    const repository = await createRepository(join(folder, 'made'))
    const outside = join(folder, 'outside.md')
    writeFileSync(outside, 'mine\n')
    symlinkSync(outside, join(repository.folder, 'RULES.md'))
    await repository.write('RULES.md', (before) => `${before}more\n`)
    expect(readFileSync(outside, 'utf8')).toBe('mine\n')
    expect(lstatSync(join(repository.folder, 'RULES.md')).isFile()).toBe(true)
    expect(await repository.read('RULES.md')).toBe('mine\nmore\n')
  })

  it('commits one file, that it is gone too, and leaves the others alone', async () => {
    const repository = await createRepository(join(folder, 'made'))
    await repository.write('other.md', () => 'x\n')
    await repository.remove('AGENTS.md')
    await repository.commit('AGENTS.md', 'Remove the rules', { name: 'Ada', at })
    expect(await repository.git(['status', '--porcelain'])).toBe('?? other.md\n')
    expect(await repository.git(['show', '--format=%an <%ae> %cI', '--name-status'])).toBe(
      'Ada <ada@example.com> 2026-12-01T12:00:00+00:00\n\nD\tAGENTS.md\n',
    )
  })
})

describe('cloneRepository', () => {
  it('works on a copy, and leaves the repository that it came from as it was', async () => {
    const place = origin({ 'a.txt': 'one\n' })
    const clone = await cloneRepository(place, join(folder, 'clone'))
    await clone.git(['checkout', '--quiet', '-b', 'review-1'])
    await clone.write('a.txt', (before) => `${before}two\n`)
    await clone.commit('a.txt', 'Change', { name: 'Ada', at })
    const git = (...args: string[]): string => execFileSync('git', ['-C', place, ...args], { encoding: 'utf8' })
    expect(git('branch', '--all')).toBe('* trunk\n')
    expect(git('status', '--porcelain')).toBe('')
    expect(readFileSync(join(place, 'a.txt'), 'utf8')).toBe('one\n')
  })

  it('finds the repository around a folder, and returns to its branch', async () => {
    const place = origin({ 'src/a.txt': 'one\n' })
    expect((await cloneRepository(join(place, 'src'), join(folder, 'clone'))).home).toBe('trunk')
  })

  it('gives the agent text files to read: no hidden, binary, empty or long ones', async () => {
    const place = origin({
      '.hidden': 'x\n',
      '.github/x.yml': 'x\n',
      'binary.bin': 'x\0',
      'empty.txt': '',
      'long.txt': 'x'.repeat(10_000),
      'src/a.py': 'x\n',
    })
    expect((await cloneRepository(place, join(folder, 'clone'))).reviewed).toEqual(['src/a.py'])
  })

  it('runs no hook of a template and no filter of the user', async () => {
    const place = origin({ '.gitattributes': '*.txt filter=evil\n', 'a.txt': 'one\n' })
    const template = join(folder, 'template')
    mkdirSync(join(template, 'hooks'), { recursive: true })
    writeFileSync(join(template, 'hooks/post-checkout'), `#!/bin/sh\ntouch '${folder}/hook-ran'\n`, { mode: 0o755 })
    const config = join(folder, 'gitconfig')
    writeFileSync(
      config,
      `[init]\ntemplateDir = ${template}\n[filter "evil"]\nsmudge = touch '${folder}/filter-ran'; cat\n`,
    )
    vi.stubEnv('GIT_CONFIG_GLOBAL', config)
    const clone = await cloneRepository(place, join(folder, 'clone'))
    await clone.git(['checkout', '--quiet', '-b', 'other'])
    expect(lstatSync(join(folder, 'hook-ran'), { throwIfNoEntry: false })).toBeUndefined()
    expect(lstatSync(join(folder, 'filter-ran'), { throwIfNoEntry: false })).toBeUndefined()
  })

  it('says so where there is no commit to start from', async () => {
    await expect(cloneRepository(origin({}), join(folder, 'clone'))).rejects.toThrow('has no commit yet')
  })

  it('passes on what git says of a folder that is no repository', async () => {
    await expect(cloneRepository(folder, join(folder, 'clone'))).rejects.toThrow('not a git repository')
  })
})

describe('without git', () => {
  it('says what is missing', async () => {
    vi.stubEnv('PATH', folder)
    await expect(createRepository(join(folder, 'made'))).rejects.toThrow('The demo needs git')
  })
})
