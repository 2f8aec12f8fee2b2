/** Audits what lies at some paths, with progress on a terminal. */
import { audit, type AuditReport } from '../../audit/index.ts'
import { loadTokenCounter } from '../../cache/index.ts'
import type { Output } from '../output.ts'
import { boundMemory } from './bounded-memory.ts'
import { findFiles } from './files.ts'
import { createProgress } from './progress.ts'
import { readPrices } from './read-prices.ts'

/** What of the command line decides how logs are read. */
export interface AuditFilesOptions {
  readonly includeText?: boolean
  readonly updates?: 'values' | 'all'
  readonly provider?: string
  readonly model?: string
  /** A file. */
  readonly prices?: string
}

/** The report. `version` is that of the package. Rejects as `audit` does, and for paths that do not exist. */
export async function auditFiles(
  paths: readonly string[],
  options: AuditFilesOptions,
  version: string,
  output: Output,
): Promise<AuditReport> {
  const files = await findFiles(paths, process.stdin)
  const sizes = files.map(({ size }) => size)
  const total = sizes.every((size) => size !== undefined) ? sizes.reduce((sum, size) => sum + size, 0) : undefined
  const bound = boundMemory(total)
  const progress = createProgress(output, total, () => performance.now())
  const { includeText = false, updates = 'values', provider, model } = options
  try {
    return await audit(files, {
      prices: options.prices === undefined ? undefined : await readPrices(options.prices),
      onProgress: (bytes, file) => {
        bound()
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
  } finally {
    progress.end()
  }
}
