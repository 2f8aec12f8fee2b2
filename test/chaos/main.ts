/**
 * `npm run test:chaos -- [rounds] [--seed number]`: eight processes converse in 200 sessions on a PostgreSQL server of their
 * own, and in each of 100 rounds, unless said, the server, one of its processes or one of theirs is killed, or one of theirs is
 * paused. Prints what came of it, and exits with 1 at the first violation; the server's folder stays then.
 */
import { postgresBinaries } from '../support/postgres-cluster.ts'
import { countsAsText, readRounds, sumOfCounts } from '../support/rounds-command.ts'
import { chaos } from './rounds.ts'

const { rounds, seed } = readRounds(100)
if (postgresBinaries === undefined) {
  throw new Error("PostgreSQL's server binaries are not installed. On Debian: apt-get install postgresql")
}
// Ends by `exit`, which takes the server along.
for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, () => process.exit(1))

const started = performance.now()
const report = await chaos({ rounds, seed, hosts: 8, sessions: 200, keep: true })
const seconds = Math.round((performance.now() - started) / 1000)

console.log(
  `${report.rounds} rounds in ${seconds} s with seed ${seed}: ${countsAsText(report.blows)}; ` +
    `${sumOfCounts(report.done)} operations acknowledged in ${report.sessions} sessions (${countsAsText(report.done)}); ` +
    `${sumOfCounts(report.uncertain)} of unknown outcome (${countsAsText(report.uncertain)}), ` +
    `${report.errors} of them told by a typed error; ${report.refused} refused; ${report.violations.length} violations`,
)
for (const violation of report.violations) console.error(violation)
if (report.violations.length > 0) {
  console.error(`The data of the server are in ${report.folder}`)
  process.exitCode = 1
}
