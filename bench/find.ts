/**
 * What `indelible audit` without a path takes over the sessions of Claude Code, against `JSON.parse` over the same lines:
 * in processes of their own, in turns, over a folder that is made for it. Prints seconds of a processor for a gigabyte.
 */
import { execFile } from 'node:child_process'
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { sessionFiles } from './session-logs.ts'

interface Run {
  /** By the clock, and of processors. */
  readonly seconds: number
  readonly cpu: number
  /** Peak resident memory. */
  readonly megabytes: number
  readonly result: unknown
}

/** Seconds for a gigabyte. */
const AIM = 10

/** Runs it and prints. True when within the aim. */
export async function benchFind({ megabytes, rounds }: { megabytes: number; rounds: number }): Promise<boolean> {
  const home = await mkdtemp(join(tmpdir(), 'indelible-bench-'))
  try {
    let bytes = 0
    for (const { path, text } of sessionFiles(megabytes, Date.now())) {
      const file = join(home, '.claude/projects', path)
      await mkdir(dirname(file), { recursive: true })
      await writeFile(file, text)
      bytes += text.length
    }
    const runs: { parse: Run[]; find: Run[] } = { parse: [], find: [] }
    for (let round = 0; round < rounds; round++) {
      for (const what of round % 2 === 0 ? (['parse', 'find'] as const) : (['find', 'parse'] as const)) {
        runs[what].push(await run(what, home))
      }
    }
    const perGigabyte = (all: readonly Run[], of: 'seconds' | 'cpu'): number =>
      (median(all.map((one) => one[of])) * 1e9) / bytes
    const [parse, find] = [perGigabyte(runs.parse, 'seconds'), perGigabyte(runs.find, 'seconds')]
    const peak = Math.max(...runs.find.map((one) => one.megabytes))
    const within = find <= AIM
    console.log(
      `${within ? 'within' : 'OVER  '}  ${find.toFixed(1).padStart(7)}  (aim ${AIM} s or less)  a gigabyte of session files, summed up without a path`,
    )
    console.log(
      `${' '.repeat(31)}${(find / parse).toFixed(2)} times JSON.parse (${parse.toFixed(1)} s); ${perGigabyte(runs.find, 'cpu').toFixed(1)} s of processors; ${(bytes / 1e6).toFixed(0)} MB, peak memory ${peak.toFixed(0)} MB; ${JSON.stringify(runs.find[0]?.result)}`,
    )
    return within
  } finally {
    await rm(home, { recursive: true, force: true })
  }
}

async function run(what: string, home: string): Promise<Run> {
  const script = fileURLToPath(new URL('find-run.ts', import.meta.url))
  const { stdout } = await promisify(execFile)(process.execPath, [script, what, home])
  return JSON.parse(stdout) as Run
}

function median(numbers: readonly number[]): number {
  return numbers.toSorted((one, other) => one - other)[numbers.length >> 1] ?? Number.NaN
}
