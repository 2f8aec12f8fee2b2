/**
 * The repository that the demo's agent works in: made from files that lie here, or a clone. It is there to be changed, and
 * the folder around it is removed in the end; the repository that a clone came from is only read.
 */
import { lstat, mkdir, readFile, rm, writeFile } from 'node:fs/promises'
import { devNull } from 'node:os'
import { dirname, join, resolve } from 'node:path'
import { CommandError } from '../errors.ts'
import { runGit, runGitAsUser, type Signature } from './git-command.ts'
import { history } from './repository-files.ts'

/** A file of a clone that is longer is not given to the agent, in bytes. */
const MAX_FILE_BYTES = 8 * 1024

/** How many files of a clone the agent is given to review. */
const REVIEWED_FILES = 6

export class Repository {
  /** Absolute. */
  readonly folder: string
  /** Where work starts and returns to: a branch, or a commit where none is checked out. */
  readonly home: string
  /** Paths of text files worth reading; at least one. */
  readonly reviewed: readonly string[]

  constructor(folder: string, home: string, reviewed: readonly string[]) {
    this.folder = folder
    this.home = home
    this.reviewed = reviewed
  }

  git(args: readonly string[], signature?: Signature): Promise<string> {
    return runGit(this.folder, args, signature)
  }

  /** The newest commits, one in a line. Whole hashes: git's abbreviation grows with the repository. */
  log(count: number): Promise<string> {
    return this.git(['log', `--max-count=${count}`, '--format=%H %ad %an: %s', '--date=short'])
  }

  /** The file's text. Rejects where there is none. */
  read(path: string): Promise<string> {
    return readFile(join(this.folder, path), 'utf8')
  }

  /** Writes the file at the top of the work tree; `text` is given what it held, if it was there. */
  async write(path: string, text: (before: string | undefined) => string): Promise<void> {
    const before = await this.read(path).catch(() => undefined)
    // A link in a clone may lead anywhere: it gives way to a file, and what it leads to is not written.
    await this.remove(path)
    await writeFile(join(this.folder, path), text(before), { flag: 'wx' })
  }

  remove(path: string): Promise<void> {
    return rm(join(this.folder, path), { force: true })
  }

  /** Commits the file at `path` as it now is, or that it is gone; ignored files too. */
  async commit(path: string, subject: string, signature: Signature): Promise<void> {
    await this.git(['add', '--all', '--force', '--', path])
    await this.git(['commit', '--quiet', '--no-verify', `--message=${subject}`], signature)
  }
}

/** Makes a small shop with some commits behind it, in `folder`, which must not be there yet. */
export async function createRepository(folder: string): Promise<Repository> {
  await mkdir(folder)
  await runGit(folder, ['init', '--quiet', '--template=', '--initial-branch=main', '--object-format=sha1'])
  await configure(folder)
  for (const { subject, name, at, files } of history) {
    for (const [path, text] of Object.entries(files)) {
      await mkdir(dirname(join(folder, path)), { recursive: true })
      await writeFile(join(folder, path), text)
    }
    await runGit(folder, ['add', '--all'])
    await runGit(folder, ['commit', '--quiet', `--message=${subject}`], { name, at: new Date(at) })
  }
  return new Repository(folder, 'main', ['src/cart.js', 'src/price.js', 'test/cart.test.js'])
}

/** Clones the repository at or around `source`, at the commit that it has checked out, into `folder`, which must not be there yet. */
export async function cloneRepository(source: string, folder: string): Promise<Repository> {
  const place = resolve(source)
  const git = (...args: string[]): Promise<string> => runGit(folder, args)
  const origin = (await runGitAsUser(place, ['rev-parse', '--absolute-git-dir'])).trimEnd()
  // Files come with the checkout below, by which time neither hooks nor filters of the user are there to run.
  await runGitAsUser(place, ['clone', '--quiet', '--template=', '--no-checkout', '--', origin, folder])
  await configure(folder)
  const commit = await git('rev-parse', '--verify', '--quiet', 'HEAD^{commit}').catch((cause: unknown) => {
    throw new CommandError(`${place} has no commit yet, so there is nothing to work on. Commit something first.`, {
      cause,
    })
  })
  await git('reset', '--quiet', '--hard')
  const branch = (await git('rev-parse', '--abbrev-ref', 'HEAD')).trimEnd()
  return new Repository(folder, branch === 'HEAD' ? commit.trimEnd() : branch, await findReviewed(folder))
}

/** Settings of the repository itself win over those of the user, by which the git source runs. */
async function configure(folder: string): Promise<void> {
  await runGit(folder, ['config', 'core.autocrlf', 'false'])
  await runGit(folder, ['config', 'core.excludesFile', devNull])
  await runGit(folder, ['config', 'core.attributesFile', devNull])
}

/** A file, or one in a folder, whose name begins with a dot. */
const HIDDEN = /(?:^|\/)\./

/** The first tracked files that are text of a readable size, in git's order; or one that is not there yet. */
async function findReviewed(folder: string): Promise<readonly string[]> {
  const found: string[] = []
  for (const path of (await runGit(folder, ['ls-files', '-z'])).split('\0')) {
    if (found.length === REVIEWED_FILES) break
    if (path !== '' && !HIDDEN.test(path) && (await isReadable(join(folder, path)))) found.push(path)
  }
  return found.length > 0 ? found : ['NOTES.md']
}

async function isReadable(file: string): Promise<boolean> {
  const stats = await lstat(file).catch(() => undefined)
  if (stats?.isFile() !== true || stats.size === 0 || stats.size > MAX_FILE_BYTES) return false
  return !(await readFile(file)).includes(0)
}
