/**
 * `indelible audit --source`: the changes as code, printed in place of the report or written to a file beside it.
 *
 * A file that is there is never written over: it may hold loaders that somebody wrote, or be a log that was meant as a path.
 */
import { stat, writeFile } from 'node:fs/promises'
import { dirname } from 'node:path'
import type { AuditReport } from '../../audit/index.ts'
import { sourceFor } from '../../audit/source/source-file.ts'
import { CommandError } from '../errors.ts'
import type { Output } from '../output.ts'

/** What of the command line decides where the code goes. */
export interface SourceOptions {
  /** A file; true to print. */
  readonly source?: string | true
  readonly json?: boolean
  readonly compare?: boolean
}

/** Throws {@link CommandError} where the code could not be written or printed, before an audit is made for it. */
export async function checkSource({ source, json, compare }: SourceOptions): Promise<void> {
  if (source === undefined) return
  if (compare === true) throw new CommandError('--source is of one log, and cannot stand beside --compare.')
  if (source === true) {
    if (json === true) throw new CommandError('--source and --json would both be printed. Give --source a file.')
    return
  }
  if (await exists(source)) throw alreadyThere(source)
  const folder = dirname(source)
  if (!(await exists(folder))) {
    throw new CommandError(`${source} cannot be written, because there is no folder ${folder}. Make the folder first.`)
  }
}

async function exists(path: string): Promise<boolean> {
  return stat(path).then(
    () => true,
    () => false,
  )
}

/** The code for `report`, printed or written. True where it was printed, and so is all that is to be printed. */
export async function giveSource(report: AuditReport, { source }: SourceOptions, output: Output): Promise<boolean> {
  if (source === undefined) return false
  const { code } = sourceFor(report)
  if (source === true) {
    output.write(code)
    return true
  }
  await write(source, code)
  output.writeError(`The changes are in ${source}, as code.\n`)
  return false
}

async function write(file: string, code: string): Promise<void> {
  try {
    await writeFile(file, code, { flag: 'wx' })
  } catch (cause) {
    if ((cause as NodeJS.ErrnoException).code === 'EEXIST') throw alreadyThere(file)
    throw new CommandError(`The code cannot be written to ${file}: ${(cause as Error).message}`, { cause })
  }
}

function alreadyThere(file: string): CommandError {
  return new CommandError(
    `${file} is there already, and --source writes over nothing. Name a new file; or, to print the code, put --source behind the paths.`,
  )
}
