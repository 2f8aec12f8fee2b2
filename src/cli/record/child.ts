/**
 * The command that is recorded: its streams are ours, it hears the signals that we hear, and its end is ours.
 *
 * The odd case is Ctrl-C. A terminal sends it to the command as well, and passing it on would make it two, at which many
 * agents stop at once; so where there is a terminal it is only waited out.
 */
import { spawn, type ChildProcess } from 'node:child_process'
import { constants } from 'node:os'
import { CommandError } from '../errors.ts'

/** Signals that a terminal sends to all that runs in it. */
const fromTerminal = new Set<NodeJS.Signals>(['SIGINT', 'SIGQUIT'])
const passed: readonly NodeJS.Signals[] = ['SIGINT', 'SIGTERM', 'SIGHUP', 'SIGQUIT']

/** What is needed of this process. */
export interface Surroundings {
  readonly environment: NodeJS.ProcessEnv
  /** True where Ctrl-C reaches the command without us. */
  readonly hasTerminal: boolean
}

/** Runs the command with more variables. Resolves with its exit code, 128 and the signal's number for one that ended it. */
export async function runChild(
  [command = '', ...args]: readonly string[],
  variables: Readonly<Record<string, string>>,
  { environment, hasTerminal }: Surroundings,
): Promise<number> {
  const child = spawn(command, args, { stdio: 'inherit', env: { ...environment, ...variables } })
  const release = passSignals(child, hasTerminal)
  try {
    return await ended(child, command)
  } finally {
    release()
  }
}

function ended(child: ChildProcess, command: string): Promise<number> {
  return new Promise((resolve, reject) => {
    child.once('error', (cause: NodeJS.ErrnoException) => {
      const why = cause.code === 'ENOENT' ? 'there is no such program' : cause.message
      reject(new CommandError(`${JSON.stringify(command)} cannot be started: ${why}.`, { cause }))
    })
    child.once('exit', (code, signal) => resolve(code ?? 128 + (signal === null ? 0 : constants.signals[signal])))
  })
}

/** Until the function that it returns is called, signals do not end this process. */
function passSignals(child: ChildProcess, hasTerminal: boolean): () => void {
  const listeners = passed.map((signal) => {
    const pass = (): void => {
      if (!hasTerminal || !fromTerminal.has(signal)) child.kill(signal)
    }
    process.on(signal, pass)
    return () => process.off(signal, pass)
  })
  return () => {
    for (const remove of listeners) remove()
  }
}
