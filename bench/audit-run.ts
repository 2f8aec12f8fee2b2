/**
 * One measured run in a process of its own: `node bench/audit-run.ts parse|audit FILE` prints seconds and peak memory as
 * JSON. What is measured is the package as it was built last, under the bounds of the command.
 */
import { createReadStream } from 'node:fs'
import { stat } from 'node:fs/promises'
import { audit } from 'indelible/audit'
import { boundMemory } from '../src/cli/audit/bounded-memory.ts'

const [what, file = ''] = process.argv.slice(2)
const chunks = (): AsyncIterable<Uint8Array> => createReadStream(file, { highWaterMark: 1 << 20 })
const start = process.hrtime.bigint()
let result: unknown
if (what === 'audit') {
  const report = await audit([{ name: file, open: chunks }], { onProgress: boundMemory((await stat(file)).size) })
  result = { turns: report.totals.turns, streams: report.streams.length, culprits: report.culprits.length }
} else {
  result = { lines: await parseLines() }
}
const seconds = Number(process.hrtime.bigint() - start) / 1e9
const megabytes = (process.resourceUsage().maxRSS * 1.024) / 1000
process.stdout.write(`${JSON.stringify({ seconds, megabytes, result })}\n`)

/** What reading the log cannot do without: its lines, each parsed. */
async function parseLines(): Promise<number> {
  const decoder = new TextDecoder()
  let lines = 0
  let rest: Uint8Array[] = []
  for await (const chunk of chunks()) {
    let from = 0
    for (let end = chunk.indexOf(10); end >= 0; end = chunk.indexOf(10, from)) {
      rest.push(chunk.subarray(from, end))
      JSON.parse(decoder.decode(rest.length === 1 ? rest[0] : Buffer.concat(rest)))
      rest = []
      lines++
      from = end + 1
    }
    if (from < chunk.length) rest.push(chunk.subarray(from))
  }
  return lines
}
