/**
 * What an audit costs, against `JSON.parse` over the same lines: both in processes of their own, in turns, over a log that
 * is made for it. Prints the share of the parser's speed, and the peak of memory.
 */
import { execFile } from 'node:child_process'
import { createWriteStream } from 'node:fs'
import { mkdtemp, rm, stat } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { logLines, usualBodies, type BodySize } from './logs.ts'

interface Run {
  readonly seconds: number
  /** Peak resident memory. */
  readonly megabytes: number
  readonly result: unknown
}

/** What to measure, and what is aimed at. */
interface AuditBench {
  readonly megabytes: number
  /** 100 kB on average unless given. */
  readonly bodies?: BodySize
  readonly rounds: number
  /** Share of the parser's speed. */
  readonly share: number
  /** Peak memory in MB, where there is an aim. */
  readonly memory?: number
}

/** Runs it and prints. True when within the aims. */
export async function benchAudit({
  megabytes,
  bodies = usualBodies,
  rounds,
  share,
  memory = Infinity,
}: AuditBench): Promise<boolean> {
  const folder = await mkdtemp(join(tmpdir(), 'indelible-bench-'))
  try {
    const file = join(folder, 'log.jsonl')
    await pipeline(Readable.from(lines(megabytes, bodies)), createWriteStream(file))
    const { size } = await stat(file)
    const runs: { parse: Run[]; audit: Run[] } = { parse: [], audit: [] }
    for (let round = 0; round < rounds; round++) {
      for (const what of round % 2 === 0 ? (['parse', 'audit'] as const) : (['audit', 'parse'] as const)) {
        runs[what].push(await run(what, file))
      }
    }
    const parse = median(runs.parse.map(({ seconds }) => seconds))
    const audit = median(runs.audit.map(({ seconds }) => seconds))
    const peak = Math.max(...runs.audit.map(({ megabytes: used }) => used))
    const reached = parse / audit
    const within = reached >= share && peak <= memory
    console.log(
      `${within ? 'within' : 'OVER  '}  ${reached.toFixed(3).padStart(7)}  (aim ${share.toFixed(2)} or more)  audit of ${(size / 1e6).toFixed(0)} MB of JSON lines, by the speed of JSON.parse`,
    )
    console.log(
      `${' '.repeat(31)}${audit.toFixed(1)} against ${parse.toFixed(1)} s; peak memory ${peak.toFixed(0)} MB${memory === Infinity ? '' : ` (aim ${memory} or less)`}; ${JSON.stringify(runs.audit[0]?.result)}`,
    )
    return within
  } finally {
    await rm(folder, { recursive: true, force: true })
  }
}

function* lines(megabytes: number, bodies: BodySize): Generator<string> {
  for (const line of logLines(megabytes, bodies)) yield `${line}\n`
}

async function run(what: string, file: string): Promise<Run> {
  const script = fileURLToPath(new URL('audit-run.ts', import.meta.url))
  const { stdout } = await promisify(execFile)(process.execPath, [script, what, file])
  return JSON.parse(stdout) as Run
}

function median(numbers: readonly number[]): number {
  return numbers.toSorted((one, other) => one - other)[numbers.length >> 1] ?? Number.NaN
}
