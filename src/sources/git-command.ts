/**
 * One run of `git status` that neither changes the repository nor lets it run more than it must.
 *
 * A repository is input: its configuration names programs, and `git status` runs some of them. What is switched off
 * here is the file system monitor, downloads of missing objects, and the refresh of the index with the hook that
 * follows it (which also makes the run independent of index locks). What stays are the content filters of the
 * repository's own configuration, as of Git LFS: without them the answer would be wrong. Git itself refuses
 * repositories that belong to other users.
 */
import { execFile, type ExecFileException } from 'node:child_process'
import { promisify } from 'node:util'
import { absent, unavailable, type Observed } from '../context/index.ts'

export interface GitOutput {
  /** Without the NUL that ends each. */
  readonly records: readonly string[]
  /** `false` when there were more. */
  readonly complete: boolean
}

const run = promisify(execFile)

const MAX_OUTPUT_BYTES = 1024 * 1024

const STATUS = [
  // Empty rather than `false`, which versions before 2.36 would run as a command.
  '-c',
  'core.fsmonitor=',
  'status',
  '--porcelain=v2',
  '--branch',
  '-z',
  // What configuration could change, or what costs without being told: comparing contents for renames, the distance
  // to the upstream, a `git status` in each submodule.
  '--untracked-files=normal',
  '--no-renames',
  '--no-ahead-behind',
  '--ignore-submodules=dirty',
]

/**
 * The records of `git status --porcelain=v2 --branch -z` for the folder `cwd`, at most 1 MiB of them. Absent where
 * there is no work tree, unavailable where Git is not installed. Rejects with Git's own message when Git fails: a
 * corrupt index, a folder that is gone, a repository of another user. Aborting ends the process and rejects at once.
 */
export async function readGitStatus(cwd: string, signal: AbortSignal): Promise<Observed<GitOutput>> {
  try {
    // `-C` rather than the process's own folder, because a missing folder would look like a missing `git`.
    const { stdout } = await run('git', ['-C', cwd, ...STATUS], {
      env: gitEnvironment(),
      signal,
      maxBuffer: MAX_OUTPUT_BYTES,
      windowsHide: true,
    })
    return { records: splitRecords(stdout), complete: true }
  } catch (error) {
    const { code, stdout = '', stderr = '' } = error as ExecFileException
    if (code === 'ERR_CHILD_PROCESS_STDIO_MAXBUFFER') return { records: splitRecords(stdout), complete: false }
    if (code === 'ENOENT') return unavailable
    if (NO_WORK_TREE.test(stderr)) return absent
    throw error
  }
}

// No repository up to the top of the file system, or one without a work tree. A broken link to a repository reads
// "not a git repository: <path>" and is a failure.
const NO_WORK_TREE = /^fatal: (?:not a git repository \(or any|this operation must be run in a work tree)/m

function splitRecords(stdout: string): string[] {
  // Each record ends with a NUL, so what follows the last one is empty, or was cut.
  return stdout.split('\0').slice(0, -1)
}

// What Git lists by `git rev-parse --local-env-vars`, without configuration: set inside a hook or by a tool, it would
// point to another repository than the one around `cwd`.
const REPOSITORY_VARIABLES = [
  'GIT_ALTERNATE_OBJECT_DIRECTORIES',
  'GIT_COMMON_DIR',
  'GIT_DIR',
  'GIT_GRAFT_FILE',
  'GIT_IMPLICIT_WORK_TREE',
  'GIT_INDEX_FILE',
  'GIT_INTERNAL_SUPER_PREFIX',
  'GIT_NAMESPACE',
  'GIT_NO_REPLACE_OBJECTS',
  'GIT_OBJECT_DIRECTORY',
  'GIT_PREFIX',
  'GIT_REPLACE_REF_BASE',
  'GIT_SHALLOW_FILE',
  'GIT_WORK_TREE',
]

function gitEnvironment(): NodeJS.ProcessEnv {
  const environment = { ...process.env }
  for (const name of REPOSITORY_VARIABLES) delete environment[name]
  return {
    ...environment,
    LC_ALL: 'C',
    GIT_OPTIONAL_LOCKS: '0',
    // The first is known since version 2.44; the second leaves older ones no way to fetch.
    GIT_NO_LAZY_FETCH: '1',
    GIT_ALLOW_PROTOCOL: 'none',
  }
}
