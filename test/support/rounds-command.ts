/** What the commands share that run rounds of something random: `[rounds] [--seed number]`, and how they print counts. */
import { parseArgs } from 'node:util'

/** Reads the command line. A seed is made up where none is given. */
export function readRounds(usual: number): { readonly rounds: number; readonly seed: number } {
  const { values, positionals } = parseArgs({ options: { seed: { type: 'string' } }, allowPositionals: true })
  return {
    rounds: wholeNumber('rounds', positionals[0] ?? String(usual)),
    seed: wholeNumber('--seed', values.seed ?? String(Math.floor(Math.random() * 2 ** 31))),
  }
}

/** Adds one, or `more`, to a count. */
export function count(counts: Record<string, number>, name: string, more: number = 1): void {
  counts[name] = (counts[name] ?? 0) + more
}

/** The most frequent first. */
export function countsAsText(of: Readonly<Record<string, number>>): string {
  const sorted = Object.entries(of).sort(([, a], [, b]) => b - a)
  return sorted.map(([name, count]) => `${name} ${count}`).join(', ')
}

export function sumOfCounts(of: Readonly<Record<string, number>>): number {
  return Object.values(of).reduce((total, count) => total + count, 0)
}

function wholeNumber(name: string, text: string): number {
  const number = Number(text)
  if (!/^\d+$/.test(text) || !Number.isSafeInteger(number))
    throw new Error(`${name} must be a whole number, not ${text}`)
  return number
}
