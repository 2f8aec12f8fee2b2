/**
 * Git as the demo runs it: without the user's configuration, hooks and environment, so that the same steps make the same
 * commits on every machine.
 */
import { execFile, type ExecFileException } from 'node:child_process'
import { devNull } from 'node:os'
import { promisify } from 'node:util'
import { CommandError } from '../errors.ts'

const run = promisify(execFile)

const MAX_OUTPUT_BYTES = 16 * 1024 * 1024

/** Who commits, and when: half of what the hash of a commit is made of. */
export interface Signature {
  readonly name: string
  readonly at: Date
}

/** Runs git in `folder` and returns what it prints. Throws {@link CommandError} with git's own message when it fails. */
export function runGit(folder: string, args: readonly string[], signature?: Signature): Promise<string> {
  return execute(folder, args, {
    ...plainEnvironment(),
    GIT_CONFIG_GLOBAL: devNull,
    GIT_CONFIG_NOSYSTEM: '1',
    ...(signature !== undefined && identify(signature)),
  })
}

/** Like {@link runGit}, with the user's configuration: it says which repositories of other users they trust. */
export function runGitAsUser(folder: string, args: readonly string[]): Promise<string> {
  return execute(folder, args, plainEnvironment())
}

async function execute(folder: string, args: readonly string[], env: NodeJS.ProcessEnv): Promise<string> {
  try {
    const { stdout } = await run('git', ['-C', folder, ...args], {
      env,
      maxBuffer: MAX_OUTPUT_BYTES,
      windowsHide: true,
    })
    return stdout
  } catch (cause) {
    const { code, stderr } = cause as ExecFileException
    if (code === 'ENOENT') {
      throw new CommandError('The demo needs git, and there is none on the path. Install git and try again.', { cause })
    }
    const problem = (stderr ?? '').trim() || (cause as Error).message
    throw new CommandError(`git ${args[0] ?? ''} failed in ${folder}: ${problem}`, { cause })
  }
}

/** The environment of this process without git's own variables; nothing is fetched and nobody is asked. */
function plainEnvironment(): NodeJS.ProcessEnv {
  const own = Object.entries(process.env).filter(([name]) => !name.startsWith('GIT_'))
  return {
    ...Object.fromEntries(own),
    LC_ALL: 'C',
    GIT_ALLOW_PROTOCOL: 'file',
    GIT_NO_LAZY_FETCH: '1',
    GIT_TERMINAL_PROMPT: '0',
  }
}

function identify({ name, at }: Signature): NodeJS.ProcessEnv {
  const email = `${name.toLowerCase()}@example.com`
  const date = `@${Math.floor(at.getTime() / 1000)} +0000`
  return {
    GIT_AUTHOR_NAME: name,
    GIT_AUTHOR_EMAIL: email,
    GIT_AUTHOR_DATE: date,
    GIT_COMMITTER_NAME: name,
    GIT_COMMITTER_EMAIL: email,
    GIT_COMMITTER_DATE: date,
  }
}
