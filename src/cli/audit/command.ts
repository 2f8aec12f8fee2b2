/** `indelible audit`: logs from files, what broke the cache in them, and what to change. */
import { audit } from '../../audit/index.ts'
import { loadTokenCounter } from '../../cache/index.ts'
import { createPaint, type Output } from '../output.ts'
import { printableJson } from '../printable.ts'
import { boundMemory } from './bounded-memory.ts'
import { findFiles } from './files.ts'
import { printReport } from './print/print-report.ts'
import { createProgress } from './progress.ts'
import { readPrices } from './read-prices.ts'

export interface AuditCommandOptions {
  readonly json?: boolean
  readonly all?: boolean
  readonly includeText?: boolean
  readonly updates?: 'values' | 'all'
  readonly provider?: string
  readonly model?: string
  /** A file. */
  readonly prices?: string
}

/** Audits what lies at `paths`, prints the report, and returns 0. `version` is that of the package. */
export async function runAudit(
  paths: readonly string[],
  options: AuditCommandOptions,
  version: string,
  output: Output,
): Promise<0> {
  const files = await findFiles(paths, process.stdin)
  const sizes = files.map(({ size }) => size)
  const total = sizes.every((size) => size !== undefined) ? sizes.reduce((sum, size) => sum + size, 0) : undefined
  const isBounded = boundMemory()
  const progress = createProgress(output, total, () => performance.now())
  const { includeText = false, updates = 'values', provider, model } = options
  try {
    const report = await audit(files, {
      prices: options.prices === undefined ? undefined : await readPrices(options.prices),
      onProgress: (bytes, file) => {
        isBounded()
        progress.report(bytes, file)
      },
      includeText,
      updates,
      provider,
      model,
      countTokens: await loadTokenCounter(),
      now: new Date(),
      version,
      salt: crypto.randomUUID(),
      secret: crypto.randomUUID(),
    })
    progress.end()
    output.write(
      options.json === true
        ? printableJson(report)
        : printReport(report, createPaint(output.colors), options.all === true),
    )
    return 0
  } finally {
    progress.end()
  }
}
