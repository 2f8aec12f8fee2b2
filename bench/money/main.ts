/**
 * Plays the conversation in every way and prints what each came to. Ends with 1 when Indelible costs more than it may, when a
 * change was not told, or when the result that is checked in is another one; `--write` checks it in, with the tables.
 */
import { readFileSync, writeFileSync } from 'node:fs'
import { loadTokenCounter } from '../../src/cache/index.ts'
import { account, type Row } from './account.ts'
import { play } from './play.ts'
import { broken, keptResult, type Result } from './result.ts'
import { formatResult, putTable } from './table.ts'
import { MODEL } from './way.ts'
import { waysWith } from './ways/installed.ts'
import { langChain, langChainFrozen, langChainParts } from './ways/langchain.ts'

const ways = waysWith([langChain, langChainParts, langChainFrozen])
const countTokens = await loadTokenCounter()
const rows: Row[] = []
for (const way of ways) rows.push(await account(way, await play(way, countTokens), countTokens))

const result: Result = { date: new Date().toISOString().slice(0, 10), model: MODEL, versions: versionsOf(), rows }
console.log(`${formatResult(result)}\n`)

const problems = [...broken(rows)]
if (process.argv.includes('--write')) {
  write('result.json', () => `${JSON.stringify(result, null, 2)}\n`)
  for (const page of ['README.md', '../../README.md']) write(page, (text) => putTable(text, formatResult(result)))
} else if (JSON.stringify(keptResult().rows) !== JSON.stringify(rows)) {
  problems.push('The rows of result.json are others: run npm run bench:money -- --write')
}
for (const problem of problems) console.error(problem)
if (problems.length > 0) process.exitCode = 1

function write(file: string, edit: (text: string) => string): void {
  const url = new URL(file, import.meta.url)
  writeFileSync(url, edit(file === 'result.json' ? '' : readFileSync(url, 'utf8')))
}

/** What was compared: the pinned packages, and Indelible as it is here. */
function versionsOf(): Result['versions'] {
  const read = (file: string): { version?: string; dependencies: Record<string, string> } =>
    JSON.parse(readFileSync(new URL(file, import.meta.url), 'utf8'))
  return { indelible: read('../../package.json').version ?? '', ...read('package.json').dependencies }
}
