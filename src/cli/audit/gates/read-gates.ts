/** The limits of a command line, with the baseline read from its file. */
import { comparableTurns } from '../../../audit/gates/counted.ts'
import type { AuditReport, Gates } from '../../../audit/index.ts'
import { CommandError } from '../../errors.ts'
import { readSavedReport } from '../compare/read-saved-report.ts'

/** What of the command line sets limits. */
export interface GateOptions {
  readonly maxRewrittenTokens?: number
  readonly minHitRate?: number
  /** A file with a report as JSON. */
  readonly baseline?: string
  readonly minTurns?: number
}

/** Names of the options that were given, as they are written. */
function namesOfGates(options: GateOptions): readonly string[] {
  const { maxRewrittenTokens, minHitRate, baseline, minTurns } = options
  const given = {
    '--max-rewritten-tokens': maxRewrittenTokens,
    '--min-hit-rate': minHitRate,
    '--baseline': baseline,
    '--min-turns': minTurns,
  }
  return Object.entries(given).flatMap(([name, value]) => (value === undefined ? [] : [name]))
}

/** Throws {@link CommandError} for limits beside `--compare`: of two logs, nobody knows which is meant. */
export function checkGateOptions(options: GateOptions & { readonly compare?: boolean }): void {
  const [name] = namesOfGates(options)
  if (name === undefined || options.compare !== true) return
  throw new CommandError(`${name} cannot stand beside --compare. Save a report with --json, and give it as --baseline.`)
}

/** The limits; null where none is set. Throws {@link CommandError} for a baseline that is none. */
export async function readGates(options: GateOptions): Promise<Gates | null> {
  if (namesOfGates(options).length === 0) return null
  const { maxRewrittenTokens, minHitRate, baseline, minTurns } = options
  return {
    maxRewrittenTokens,
    minHitRate,
    baseline: baseline === undefined ? undefined : await readBaseline(baseline),
    minTurns,
  }
}

async function readBaseline(file: string): Promise<AuditReport> {
  const report = await readSavedReport(file, `The baseline ${file}`)
  if (comparableTurns(report).length > 0) return report
  throw new CommandError(
    `The baseline ${file} has no turn that continues another one and has a prediction. Save it anew, from a log with whole requests.`,
  )
}
