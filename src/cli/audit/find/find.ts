/**
 * `indelible audit` without a path: looks where clients keep their logs, and tells what they spent, what of it a cache
 * would have spared, and how to learn the rest.
 */
import { homedir } from 'node:os'
import { LogUnreadableError } from '../../../audit/read/errors.ts'
import { spending } from '../../../audit/spending/spending.ts'
import type { Grouping, SpendingReport } from '../../../audit/spending/types.ts'
import { CommandError } from '../../errors.ts'
import { createPaint, type Environment, type Output } from '../../output.ts'
import { printableJson } from '../../printable.ts'
import { unitFor } from '../../../audit/words/unit.ts'
import { createProgress } from '../progress.ts'
import { readPrices } from '../read-prices.ts'
import { whyNothing } from './nothing-found.ts'
import { logPlaces } from './places.ts'
import { printSpending } from './print/print-spending.ts'
import { findSessionFiles, type FoundFiles } from './session-files.ts'
import { parseSince } from './since.ts'

/** What of the command line it takes. */
export interface FindOptions {
  readonly since?: string
  readonly by?: Grouping
  readonly json?: boolean
  readonly all?: boolean
  readonly provider?: string
  readonly model?: string
  readonly prices?: string
  /** Tokens per second. */
  readonly prefill?: number
}

/** What is asked of the machine. */
export interface Surroundings {
  readonly environment: Environment
  readonly home: string
  /** Milliseconds since the epoch. */
  readonly now: number
}

/** Prints what was found. Throws {@link CommandError} where there is nothing. `version` is that of the package. */
export async function runFind(
  options: FindOptions,
  version: string,
  output: Output,
  { environment, home, now }: Surroundings = { environment: process.env, home: homedir(), now: Date.now() },
): Promise<0> {
  const since = parseSince(options.since, now)
  const found = await findSessionFiles(logPlaces(environment, home), since)
  const report = found.files.length === 0 ? undefined : await sumUp(found, { ...options, since }, version, output, now)
  if (report === undefined || report.totals.turns === 0) throw new CommandError(whyNothing(found, since, home))
  const places = found.places.map(({ client, folder, state, files, older }) => ({
    format: client.format,
    folder,
    state,
    files,
    older,
  }))
  output.write(
    options.json === true
      ? printableJson({ ...report, places })
      : printSpending(report, createPaint(output.colors), {
          all: options.all === true,
          unit: unitFor(options.prefill),
        }),
  )
  return 0
}

/** Undefined where no file holds a call. */
async function sumUp(
  { files }: FoundFiles,
  options: Omit<FindOptions, 'since'> & { readonly since: number },
  version: string,
  output: Output,
  now: number,
): Promise<SpendingReport | undefined> {
  const size = files.reduce((sum, file) => sum + (file.size ?? 0), 0)
  const progress = createProgress(output, size, () => performance.now())
  const { since, by, provider, model, prices } = options
  try {
    return await spending(files, {
      since,
      by,
      provider,
      model,
      prices: prices === undefined ? undefined : await readPrices(prices),
      onProgress: progress.report,
      now: new Date(now),
      version,
    })
  } catch (error) {
    if (error instanceof LogUnreadableError) return undefined
    throw error
  } finally {
    progress.end()
  }
}
