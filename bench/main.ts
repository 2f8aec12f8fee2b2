/**
 * `npm run bench [WORD...]`: prints each figure as a ratio beside its aim; with words, only those whose name holds one.
 * Says so when one is over its aim, but does not fail: a loaded machine is no defect of the code.
 */
import { cpus } from 'node:os'
import { benchAudit } from './audit.ts'
import { boundaries } from './boundaries.ts'
import { printPlacements } from './breakpoints.ts'
import { emulators } from './emulator.ts'
import { coldOpens } from './cold-open.ts'
import { benchFind } from './find.ts'
import { compare } from './harness.ts'
import { lowerings } from './lowering.ts'
import { manySessions } from './many-sessions.ts'
import { benchMemory } from './memory.ts'
import { onSqlite, releasePlaces } from './places.ts'
import { concurrentBoundaries, findPostgres } from './postgres.ts'
import { benchRecord } from './record.ts'
import { simulators } from './simulator.ts'

const words = process.argv.slice(2)
console.log(
  `Node ${process.version}, ${cpus().length} x ${cpus()[0]?.model ?? 'unknown processor'}. Ratios of medians; lower is better.`,
)
const postgres = await findPostgres()
console.log(
  typeof postgres === 'string'
    ? `PostgreSQL is left out: ${postgres}`
    : `PostgreSQL ${postgres.version}, in a schema of its own.`,
)
const databases = typeof postgres === 'string' ? [onSqlite] : [onSqlite, postgres]
let over = 0
try {
  for (const comparison of [
    ...boundaries,
    ...(typeof postgres === 'string' ? [] : [concurrentBoundaries(postgres)]),
    ...databases.flatMap(coldOpens),
    ...databases.flatMap(manySessions),
    ...lowerings,
    ...simulators,
    ...emulators,
  ]) {
    if (words.length > 0 && !words.some((word) => comparison.name.includes(word))) continue
    if (!(await compare(comparison))) over++
  }
  if (words.length === 0 || words.some((word) => 'memory of an open session'.includes(word))) {
    if (!(await benchMemory())) over++
  }
} finally {
  await releasePlaces()
}
if (words.length === 0 || words.some((word) => 'audit'.includes(word))) {
  if (!(await benchAudit({ megabytes: 500, rounds: 3, share: 0.4 }))) over++
}
if (words.length === 0 || words.some((word) => 'record'.includes(word))) {
  if (!(await benchRecord({ requests: 1_000 }))) over++
}
if (words.length === 0 || words.some((word) => 'find'.includes(word))) {
  if (!(await benchFind({ megabytes: 300, rounds: 3 }))) over++
}
printPlacements(words)
console.log(over === 0 ? 'All within their aims.' : `${over} over their aim.`)
