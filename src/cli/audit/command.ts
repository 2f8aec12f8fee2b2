/** `indelible audit`: logs from files, what broke the cache in them, and what to change. */
import { checkGates, type AuditReport } from '../../audit/index.ts'
import { inSeconds } from '../../audit/words/in-seconds.ts'
import { unitFor } from '../../audit/words/unit.ts'
import { createPaint, type Output, type Paint } from '../output.ts'
import { printableJson } from '../printable.ts'
import { auditFiles, type AuditFilesOptions } from './audit-files.ts'
import type { FindOptions } from './find/find.ts'
import { checkGateOptions, readGates, type GateOptions } from './gates/read-gates.ts'
import { tellGates, type GatesExitCode } from './gates/tell-gates.ts'
import { checkHtml, giveHtml, type HtmlOptions } from './html.ts'
import { printReport } from './print/print-report.ts'
import { checkSource, giveSource, type SourceOptions } from './source.ts'

export interface AuditCommandOptions
  extends AuditFilesOptions, GateOptions, HtmlOptions, SourceOptions, Pick<FindOptions, 'since' | 'by' | 'prefill'> {
  readonly compare?: boolean
  readonly json?: boolean
  readonly all?: boolean
}

/**
 * Audits what lies at `paths` or, without any, sums up what clients keep; prints the report, and returns 0, or what
 * the gates that were set come to. `version` is that of the package.
 */
export async function runAudit(
  paths: readonly string[],
  options: AuditCommandOptions,
  version: string,
  output: Output,
): Promise<GatesExitCode> {
  checkGateOptions(options)
  await checkSource(options)
  await checkHtml(options)
  if (options.compare === true) {
    const { runCompare } = await import('./compare/command.ts')
    return runCompare(paths, options, version, output)
  }
  if (paths.length === 0) {
    const { runFind } = await import('./find/find.ts')
    return runFind(options, version, output)
  }
  const gates = await readGates(options)
  const report = await auditFiles(paths, options, version, output)
  const result = gates === null ? null : checkGates(report, gates)
  const code = await giveSource(report, options, output)
  if (!code) {
    output.write(
      options.json === true
        ? printableJson(result === null ? report : { ...report, gates: result })
        : printed(report, createPaint(output.colors), options),
    )
  }
  await giveHtml(report, options, output)
  return result === null ? 0 : tellGates(result, report, options.json === true || code, output)
}

/** The report as text: in dollars or, at a rate of prefill, in seconds. */
function printed(report: AuditReport, paint: Paint, { all = false, prefill }: AuditCommandOptions): string {
  return printReport(prefill === undefined ? report : inSeconds(report, prefill), paint, all, unitFor(prefill))
}
