/** `indelible audit --compare BEFORE AFTER`: two logs, or reports that were saved, side by side. */
import { compareReports, type AuditReport } from '../../../audit/index.ts'
import { inSeconds } from '../../../audit/words/in-seconds.ts'
import { unitFor } from '../../../audit/words/unit.ts'
import { CommandError } from '../../errors.ts'
import { createPaint, type Output, type Paint } from '../../output.ts'
import { printableJson } from '../../printable.ts'
import { auditFiles, type AuditFilesOptions } from '../audit-files.ts'
import { looksLikeReport, readSavedReport } from './read-saved-report.ts'
import { printComparison } from './print-comparison.ts'

/** What of the command line decides how two logs are compared. */
export interface CompareOptions extends AuditFilesOptions {
  readonly json?: boolean
  readonly all?: boolean
  /** Tokens a second: seconds are shown in place of dollars. */
  readonly prefill?: number
}

/** Audits both unless they are reports, prints the comparison, and returns 0. Throws {@link CommandError} unless there are two. */
export async function runCompare(
  paths: readonly string[],
  options: CompareOptions,
  version: string,
  output: Output,
): Promise<0> {
  const [before, after, ...more] = paths
  if (before === undefined || after === undefined || more.length > 0) {
    throw new CommandError(
      `--compare takes two logs, folders or saved reports, and was given ${paths.length}: indelible audit --compare BEFORE AFTER.`,
    )
  }
  const reportOf = async (path: string): Promise<AuditReport> =>
    (await looksLikeReport(path)) ? readSavedReport(path, path) : auditFiles([path], options, version, output)
  const reports = [await reportOf(before), await reportOf(after)] as const
  output.write(
    options.json === true
      ? printableJson(compareReports(...reports))
      : printed(reports, options, createPaint(output.colors)),
  )
  return 0
}

/** The comparison as text: in dollars or, at a rate of prefill, in seconds. */
function printed(
  [before, after]: readonly [AuditReport, AuditReport],
  { prefill, all = false }: CompareOptions,
  paint: Paint,
): string {
  const shown = (report: AuditReport): AuditReport => (prefill === undefined ? report : inSeconds(report, prefill))
  return printComparison(compareReports(shown(before), shown(after)), paint, all, unitFor(prefill))
}
