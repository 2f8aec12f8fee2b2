/**
 * The git work tree that the agent works in: branch, commit, and which paths differ.
 *
 * Its value is what Git says about the folder, so each state of a repository is defined:
 * - no repository, a bare one, or the inside of `.git`: absent
 * - no branch checked out (detached HEAD), no commit yet: part of the value
 * - Git not installed: unavailable. Nothing has been observed, and what was told may still hold.
 * - Git fails or takes too long: unavailable
 *
 * Left out: changes inside submodules (a submodule at another commit counts), and ignored files.
 */
import { resolve } from 'node:path'
import { absent, defineSource, SourceInvalidError, unavailable, type Context, type Observed } from '../context/index.ts'
import { readGitStatus } from './git-command.ts'
import { parseGitStatus, type GitChange, type GitState } from './git-state.ts'
import { literal } from './literal.ts'
import { boolean, codecOf, list, nullable, number, object, string } from './shape.ts'

export interface GitOptions {
  /** A folder in the work tree. */
  cwd: string
  /** How many changed paths are listed, 20 unless said; the others are counted. */
  maxPaths?: number
  /** 2000 unless said. Past it the process is ended and the source counts as unavailable. */
  timeoutMs?: number
}

const KEY = 'indelible/git'

/**
 * The source `indelible/git`, not required and of `authority: 'user'`, since names of branches and files are outside
 * text. Runs `git status` once per boundary. Throws {@link SourceInvalidError} for a `maxPaths` that is no count.
 *
 * @example
 * ```ts
 * import { execFileSync } from 'node:child_process'
 * import { writeFileSync } from 'node:fs'
 * import { initialize, reconcile } from 'indelible'
 * import { git } from 'indelible/sources'
 *
 * execFileSync('git', ['init', '--quiet', '--initial-branch=main', 'project'])
 * const source = git({ cwd: 'project' })
 *
 * const { baseline, snapshot } = await initialize(source)
 * console.log(baseline.split('\n')[1]) // => The git work tree is on branch "main" with no commit yet.
 *
 * writeFileSync('project/notes.md', 'Hello')
 * const change = await reconcile(source, snapshot)
 * console.log(change.type === 'updated' && change.text.split('\n')[2]) // => ?? "notes.md"
 * ```
 */
export function git({ cwd, maxPaths = 20, timeoutMs }: GitOptions): Context {
  if (!Number.isSafeInteger(maxPaths) || maxPaths < 0) {
    throw new SourceInvalidError(
      KEY,
      `git() cannot list ${String(maxPaths)} paths: give a whole number from 0 as maxPaths`,
    )
  }
  const folder = resolve(cwd)
  return defineSource<GitState>({
    key: KEY,
    codec: codecOf(
      object({
        branch: nullable(string),
        head: nullable(string),
        changes: list(object<GitChange>({ code: string, path: string })),
        total: number,
        complete: boolean,
      }),
    ),
    load: ({ signal }) => observe(folder, maxPaths, signal),
    baseline: (current) => `The git work tree is ${describePlace(current)}.\n${describeChanges(current, '')}`,
    update: (previous, current) =>
      [
        ...(samePlace(previous, current) ? [] : [`The git work tree is now ${describePlace(current)}.`]),
        ...(sameChanges(previous, current) ? [] : [describeChanges(current, ' now')]),
      ].join('\n'),
    removed: () =>
      'The working directory is no longer in a git work tree; the branch, commit and paths given earlier do not apply.',
    required: false,
    authority: 'user',
    ...(timeoutMs !== undefined && { timeoutMs }),
  })
}

async function observe(cwd: string, maxPaths: number, signal: AbortSignal): Promise<Observed<GitState>> {
  const output = await readGitStatus(cwd, signal)
  if (output === absent || output === unavailable) return output
  return parseGitStatus(output.records, output.complete, maxPaths) ?? unavailable
}

function describePlace({ branch, head }: GitState): string {
  const place = branch === null ? 'in detached HEAD state' : `on branch ${literal(branch)}`
  return `${place} ${head === null ? 'with no commit yet' : `at commit ${head}`}`
}

function describeChanges({ changes, total, complete }: GitState, now: '' | ' now'): string {
  if (total === 0) return `The git work tree is${now} clean.`
  const lines = changes.map(({ code, path }) => `${code} ${literal(path)}`)
  if (total > changes.length) lines.push(`and ${total - changes.length}${complete ? '' : ' or more'} others`)
  return [
    `Changed or untracked paths${now}: ${total}${complete ? '' : ' or more'}` +
      ' (from the top of the work tree, with the codes of `git status --short`)',
    ...lines,
  ].join('\n')
}

function samePlace(a: GitState, b: GitState): boolean {
  return a.branch === b.branch && a.head === b.head
}

function sameChanges(a: GitState, b: GitState): boolean {
  return (
    a.total === b.total &&
    a.complete === b.complete &&
    a.changes.length === b.changes.length &&
    a.changes.every(({ code, path }, index) => code === b.changes[index]?.code && path === b.changes[index].path)
  )
}
