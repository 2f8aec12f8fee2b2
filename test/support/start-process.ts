/** Node processes that run a TypeScript module of the tests and talk with their parent. */
import { fork, type ChildProcess } from 'node:child_process'
import { once } from 'node:events'
import { flushCompileCache } from 'node:module'
import { fileURLToPath } from 'node:url'

// Most of the time of a start goes into stripping and compiling the sources, which is the same for all.
const compileCache = fileURLToPath(new URL('../../.tmp/compile-cache', import.meta.url))

/**
 * Starts `module`, and resolves when it has said {@link ready}. What it writes to its standard output arrives in `stdout`
 * of the child. It gets the parent's `process.execPath`, and none of its Node options.
 */
export async function startProcess(module: URL): Promise<ChildProcess> {
  const child = fork(module, {
    execArgv: ['--disable-warning=ExperimentalWarning'],
    env: { ...process.env, NODE_OPTIONS: '', NODE_COMPILE_CACHE: compileCache },
    stdio: ['ignore', 'pipe', 'inherit', 'ipc'],
  })
  const ended = once(child, 'exit').then(([code, signal]) => {
    throw new Error(`${module.pathname} ended before it was ready (${signal ?? `exit code ${code}`})`)
  })
  await Promise.race([once(child, 'message'), ended])
  return child
}

/** For the module that was started: it has loaded, and `receive` gets the one message that the parent sends it. */
export function ready<T>(receive: (message: T) => void): void {
  // A process that is killed never gets to write its cache on the way out.
  flushCompileCache()
  process.once('message', receive as (message: unknown) => void)
  process.send!('ready')
}
