/**
 * `npm run test:crash -- [rounds] [--seed number]`: kills workers on a SQLite database, 300 times unless said, and prints what
 * came of it. Exits with 1 at the first violation, and keeps the databases then.
 */
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { crash } from './rounds.ts'

const { values, positionals } = parseArgs({ options: { seed: { type: 'string' } }, allowPositionals: true })
const rounds = wholeNumber('rounds', positionals[0] ?? '300')
const seed = wholeNumber('--seed', values.seed ?? String(Math.floor(Math.random() * 2 ** 31)))

const folder = await mkdtemp(join(tmpdir(), 'indelible-crash-'))
const started = performance.now()
const report = await crash({ rounds, seed, folder })
const seconds = Math.round((performance.now() - started) / 1000)
const failed = report.violations.length > 0

console.log(
  `${report.rounds} kills in ${seconds} s with seed ${seed}, hitting ${counts(report.kills)}; ` +
    `${sum(report.done)} operations done, ${report.violations.length} violations`,
)
if (failed) {
  for (const violation of report.violations) console.error(violation)
  console.error(`The databases are in ${folder}`)
  process.exitCode = 1
} else {
  await rm(folder, { recursive: true })
}

function counts(of: Readonly<Record<string, number>>): string {
  const sorted = Object.entries(of).sort(([, a], [, b]) => b - a)
  return sorted.map(([name, count]) => `${name} ${count}`).join(', ')
}

function sum(of: Readonly<Record<string, number>>): number {
  return Object.values(of).reduce((total, count) => total + count, 0)
}

function wholeNumber(name: string, text: string): number {
  const number = Number(text)
  if (!/^\d+$/.test(text) || !Number.isSafeInteger(number))
    throw new Error(`${name} must be a whole number, not ${text}`)
  return number
}
