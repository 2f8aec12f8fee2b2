/** `indelible emulate`: runs the emulator until it is told to stop. */
import { lookup } from 'node:dns/promises'
import { isIP } from 'node:net'
import { loadTokenCounter } from '../../cache/index.ts'
import { startEmulator, type Emulator } from '../../emulator/index.ts'
import { CommandError } from '../errors.ts'
import type { Output } from '../output.ts'
import { printable } from '../printable.ts'
import { explainListenError } from './explain-listen-error.ts'
import { createLog, type RequestLog } from './log.ts'
import { readScript } from './script.ts'
import { untilStopped } from './stop.ts'

export interface EmulateOptions {
  /** 0 takes a free one. */
  readonly port: number
  readonly host: string
  readonly strict?: boolean
  /** Path of a JSON file with the answers; the last text of the user is repeated otherwise. */
  readonly script?: string
  /** Path of a file that requests are appended to; they are written to standard error otherwise. */
  readonly log?: string
  /** Megabytes that a body may have. */
  readonly maxBody: number
}

const MEGABYTE = 1_024 * 1_024

/** Serves until the process is told to stop, finishes what runs, and returns 0. */
export async function runEmulate(options: EmulateOptions, output: Output): Promise<0> {
  const { host, port, strict = false, maxBody } = options
  const countTokens = await loadTokenCounter()
  const script = options.script === undefined ? {} : { respond: await readScript(options.script) }
  const log = await createLog(options.log, output)
  try {
    const address = await orExplain(resolveHost(host), host, port)
    const maxBodyBytes = Math.floor(maxBody * MEGABYTE)
    const settings = {
      port,
      host: address,
      hosts: [host],
      strict,
      maxBodyBytes,
      countTokens,
      log: log.write,
      ...script,
    }
    const emulator = await orExplain(startEmulator(settings), host, port)
    // Before anything is printed: whoever reads it may send a signal at once.
    const stopped = untilStopped()
    if (!isLoopback(address)) {
      output.writeError(
        `indelible: ${host} can be reached from other machines, and whoever reaches it can read what was sent here. ` +
          'Leave --host out to listen on this machine alone.\n',
      )
    }
    output.write(printAddresses(emulator, log))
    await stopped
    await emulator.close()
    return 0
  } finally {
    await log.close()
  }
}

/** The address that a host stands for, so that what is judged is what is listened on: a name may mean every address. */
async function resolveHost(host: string): Promise<string> {
  return isIP(host) === 0 ? (await lookup(host)).address : host
}

/** Throws {@link CommandError} where the reason is one that the user can do something about. */
async function orExplain<T>(work: Promise<T>, host: string, port: number): Promise<T> {
  try {
    return await work
  } catch (cause) {
    const message = explainListenError((cause as NodeJS.ErrnoException).code, host, port)
    if (message === undefined) throw cause
    throw new CommandError(message, { cause })
  }
}

/** True where no other machine gets to. */
function isLoopback(address: string): boolean {
  return address === '::1' || (isIP(address) === 4 && address.startsWith('127.'))
}

/** Where it listens, and what to set for the SDKs. */
function printAddresses({ url }: Emulator, { file }: RequestLog): string {
  return printable(
    [
      `Listening on ${url}. Stop with Ctrl-C.`,
      '',
      `  export ANTHROPIC_BASE_URL=${url}`,
      `  export OPENAI_BASE_URL=${url}/v1`,
      `  export GOOGLE_GEMINI_BASE_URL=${url}`,
      '',
      'Any API key will do. Each is an account, with caches of its own.',
      `What arrived: ${url}/__indelible/requests`,
      `What is cached: ${url}/__indelible/caches`,
      file === undefined ? 'Requests are listed below, tokens by estimate.' : `Requests are logged to ${file}.`,
      '',
      '',
    ].join('\n'),
  )
}
