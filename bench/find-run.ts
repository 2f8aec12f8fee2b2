/** One measured run in a process of its own: `node bench/find-run.ts parse|find HOME` prints seconds and peak memory as JSON. */
import { createReadStream } from 'node:fs'
import { createInterface } from 'node:readline'
import { spending } from '../src/audit/spending/spending.ts'
import { logPlaces } from '../src/cli/audit/find/places.ts'
import { findSessionFiles } from '../src/cli/audit/find/session-files.ts'

const [what, home = ''] = process.argv.slice(2)
const since = Date.now() - 30 * 86_400_000
const before = process.cpuUsage()
const start = process.hrtime.bigint()
const { files } = await findSessionFiles(logPlaces({}, home), since)
let result: unknown
if (what === 'find') {
  const { totals } = await spending(files, { since, now: new Date() })
  result = { turns: totals.turns, sessions: totals.sessions }
} else {
  let lines = 0
  for (const { name } of files) {
    for await (const line of createInterface({ input: createReadStream(name, { highWaterMark: 1 << 20 }) })) {
      JSON.parse(line)
      lines++
    }
  }
  result = { lines }
}
const seconds = Number(process.hrtime.bigint() - start) / 1e9
const { user, system } = process.cpuUsage(before)
const megabytes = process.resourceUsage().maxRSS / 1000
process.stdout.write(`${JSON.stringify({ seconds, cpu: (user + system) / 1e6, megabytes, result })}\n`)
