/**
 * `npm run test:corpus -- PATH [--verbose]`: plays the recordings in a folder through the simulator and compares what it
 * predicts with what the providers reported. Exits with 1 when too few warm turns are right, when a file cannot be read,
 * and when usage or an exclusion does not check out.
 */
import { stat } from 'node:fs/promises'
import { parseArgs } from 'node:util'
import { createSimulator } from '../../src/cache/simulator/create-simulator.ts'
import { loadTokenCounter } from '../../src/cache/tokens/count-tokens.ts'
import { exclusions } from './exclusions.ts'
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
  const countTokens = await loadTokenCounter()
  const result = await run(folder, (options) => createSimulator({ ...options, countTokens }), exclusions)
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
