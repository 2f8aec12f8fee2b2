/**
 * `npm run test:corpus -- PATH [--verbose]`: audits the recordings in a folder, compares what was predicted with what the
 * providers reported, and what the audit found with the folder's `usage.csv`. Exits with 1 when too few warm turns are
 * right, when a file neither reads nor says why not, and when usage, a divergence, a parent or a line of one of the
 * checked-in lists does not check out.
 */
import { stat } from 'node:fs/promises'
import { parseArgs } from 'node:util'
import { loadTokenCounter } from '../../src/cache/tokens/count-tokens.ts'
import { auditWith } from './audited-calls.ts'
import { divergenceExceptions } from './divergence-exceptions.ts'
import { exclusions } from './exclusions.ts'
import { notLogs } from './not-logs.ts'
import { parentExceptions } from './parent-exceptions.ts'
import { acceptance, reportLines } from './report.ts'
import { run } from './run.ts'

const { values, positionals } = parseArgs({ options: { verbose: { type: 'boolean' } }, allowPositionals: true })

try {
  process.exitCode = await main(positionals, values.verbose === true)
} catch (error) {
  process.stderr.write(`${error instanceof Error ? error.message : String(error)}\n`)
  process.exitCode = 1
}

async function main([folder, ...rest]: readonly string[], verbose: boolean): Promise<number> {
  if (folder === undefined || rest.length > 0) throw new Error('Give one folder: npm run test:corpus -- PATH')
  if (!(await isFolder(folder))) throw new Error(`${folder} is no folder`)
  const result = await run(folder, auditWith(await loadTokenCounter()), {
    exclusions,
    divergences: divergenceExceptions,
    parents: parentExceptions,
    notLogs,
  })
  process.stdout.write(`${reportLines(result, { verbose }).join('\n')}\n`)
  return result.problems.length === 0 && acceptance(result).every(({ outcome }) => outcome !== 'failed') ? 0 : 1
}

async function isFolder(path: string): Promise<boolean> {
  try {
    return (await stat(path)).isDirectory()
  } catch {
    return false
  }
}
