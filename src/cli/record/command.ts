/**
 * `indelible record`: passes requests through, writes them down, and audits what it has written when the command that it
 * was given ends, or when it is told to stop.
 *
 * Nothing of the audit changes how the command ended: its exit code is ours, whatever was recorded.
 */
import { mkdtemp } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { isatty } from 'node:tty'
import { IndelibleError } from '../../base/error.ts'
import { loadTokenCounter } from '../../cache/index.ts'
import { startEmulator, type Emulator } from '../../emulator/index.ts'
import { explainListenError } from '../emulate/explain-listen-error.ts'
import { readScript } from '../emulate/script.ts'
import { untilStopped } from '../emulate/stop.ts'
import { CommandError } from '../errors.ts'
import type { Output } from '../output.ts'
import { runChild } from './child.ts'
import { placeholderKeys, planFor, planForEmulator, variablesFor, type Plan } from './environment.ts'
import { createRecordLog, type RecordLog } from './log.ts'
import { printAddresses, printOutcome } from './print.ts'
import { startProxy, type Proxy } from './proxy.ts'
import { Recorder } from './recorder.ts'

export interface RecordOptions {
  /** Where everything goes; by provider otherwise. */
  readonly upstream?: string
  /** A new file; otherwise one in a temporary folder. */
  readonly out?: string
  /** Answers from the emulator. */
  readonly emulate?: boolean
  /** Its answers: the path of a JSON file. */
  readonly script?: string
  /** 0 takes a free one. */
  readonly port: number
}

/** Milliseconds for what still runs when the end has come. */
const WITHIN = 5_000

/** Records `command`, or whatever arrives until the process is told to stop. Returns the exit code of the command, or 0. */
export async function runRecord(
  command: readonly string[],
  options: RecordOptions,
  version: string,
  output: Output,
): Promise<number> {
  expectSense(options)
  const environment = process.env
  const warn = once((message) => output.writeError(`indelible: ${message}\n`))
  const emulator = options.emulate === true ? await startAnswers(options.script) : undefined
  try {
    const plan = emulator === undefined ? planFor(environment, options.upstream) : planForEmulator(emulator.url)
    for (const name of plan.unusable) warn(`${name} is set to no address that can be passed on, and is left as it is.`)
    const log = await createRecordLog(options.out ?? (await temporaryFile()), warn)
    const recorder = new Recorder({ log, now: Date.now })
    let code: number
    try {
      const proxy = await listen(options.port, plan, recorder, warn)
      try {
        const variables = {
          ...variablesFor(plan, proxy.url, environment),
          ...(emulator === undefined ? {} : placeholderKeys(environment)),
        }
        code = await run(command, variables, proxy, log, output)
      } finally {
        await proxy.close(WITHIN)
      }
    } finally {
      await log.close()
    }
    output.writeError(await reportOn(log, recorder, version, output))
    return code
  } finally {
    await emulator?.close({ within: 0 })
  }
}

async function run(
  command: readonly string[],
  variables: Readonly<Record<string, string>>,
  proxy: Proxy,
  log: RecordLog,
  output: Output,
): Promise<number> {
  if (command.length > 0) {
    // Asked of the descriptors: a stream of our own on the terminal would be in the command's way.
    const hasTerminal = [0, 1, 2].some((descriptor) => isatty(descriptor))
    return runChild(command, variables, { environment: process.env, hasTerminal })
  }
  // Before anything is printed: whoever reads it may send a signal at once.
  const stopped = untilStopped()
  output.write(printAddresses(proxy.url, variables, log.file))
  await stopped
  return 0
}

/** The report in short, or why there is none. */
async function reportOn(log: RecordLog, recorder: Recorder, version: string, output: Output): Promise<string> {
  const outcome = printOutcome({ file: log.file, lines: log.lines, lost: log.lost, cut: recorder.cut })
  if (log.lines === 0) return `\nNothing was recorded: no request came to a base URL of this run.\n${outcome}`
  // Loaded when it is needed: the command should not wait for it.
  const { auditFiles } = await import('../audit/audit-files.ts')
  const { printShortReport } = await import('./print-report.ts')
  try {
    return `\n${printShortReport(await auditFiles([log.file], {}, version, output))}${outcome}`
  } catch (error) {
    const isKnown = error instanceof CommandError || IndelibleError.isInstance(error)
    if (!isKnown && !(error instanceof Error && 'syscall' in error)) throw error
    return `\nThere is nothing to audit: ${error.message}\n${outcome}`
  }
}

function expectSense({ upstream, emulate = false, script }: RecordOptions): void {
  if (emulate && upstream !== undefined) {
    throw new CommandError('Give --upstream or --emulate: the emulator answers in place of an upstream.')
  }
  if (script !== undefined && !emulate) throw new CommandError('--script has the answers of --emulate: give both.')
}

async function startAnswers(script: string | undefined): Promise<Emulator> {
  const countTokens = await loadTokenCounter()
  const respond = script === undefined ? {} : { respond: await readScript(script) }
  // The log has the bodies already.
  return startEmulator({ countTokens, maxJournalBytes: 0, ...respond })
}

async function listen(port: number, plan: Plan, recorder: Recorder, warn: (message: string) => void): Promise<Proxy> {
  try {
    return await startProxy({ port, routes: plan.routes, recorder, warn })
  } catch (cause) {
    const message = explainListenError((cause as NodeJS.ErrnoException).code, '127.0.0.1', port)
    if (message === undefined) throw cause
    throw new CommandError(message, { cause })
  }
}

async function temporaryFile(): Promise<string> {
  return join(await mkdtemp(join(tmpdir(), 'indelible-record-')), 'requests.jsonl')
}

/** Shows each message one time. */
function once(show: (message: string) => void): (message: string) => void {
  const shown = new Set<string>()
  return (message) => {
    if (shown.has(message)) return
    shown.add(message)
    show(message)
  }
}
