/**
 * `npm run test:crash -- [rounds] [--seed number]`: kills workers on a SQLite database, 300 times unless said, and prints what
 * came of it. Exits with 1 at the first violation, and keeps the databases then.
 */
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { countsAsText, readRounds, sumOfCounts } from '../support/rounds-command.ts'
import { crash } from './rounds.ts'

const { rounds, seed } = readRounds(300)
const folder = await mkdtemp(join(tmpdir(), 'indelible-crash-'))
const started = performance.now()
const report = await crash({ rounds, seed, folder })
const seconds = Math.round((performance.now() - started) / 1000)
const failed = report.violations.length > 0

console.log(
  `${report.rounds} kills in ${seconds} s with seed ${seed}, hitting ${countsAsText(report.kills)}; ` +
    `${sumOfCounts(report.done)} operations done, ${report.violations.length} violations`,
)
if (failed) {
  for (const violation of report.violations) console.error(violation)
  console.error(`The databases are in ${folder}`)
  process.exitCode = 1
} else {
  await rm(folder, { recursive: true })
}
