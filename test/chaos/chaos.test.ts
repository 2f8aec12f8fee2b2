/** The chaos test, much shorter than `npm run test:chaos`. */
import { describe, expect, it } from 'vitest'
import { postgresBinaries } from '../support/postgres-cluster.ts'
import { sumOfCounts } from '../support/rounds-command.ts'
import { chaos } from './rounds.ts'

const skipped = postgresBinaries === undefined ? " (PostgreSQL's server binaries are not installed)" : ''

describe.skipIf(postgresBinaries === undefined)(`sessions on a server that is killed${skipped}`, () => {
  it('lose nothing that their hosts were told, and go on, in 8 rounds', { timeout: 600_000 }, async () => {
    const report = await chaos({ rounds: 8, seed: 5, hosts: 4, sessions: 40 })
    expect(report.violations).toEqual([])
    expect(report.rounds).toBe(8)
    expect(sumOfCounts(report.done)).toBeGreaterThan(0)
    // The server was down while hosts were at work, and some were told so.
    expect(report.errors).toBeGreaterThan(0)
  })

  it('are seen to lose something when the server says too early that it has it', { timeout: 600_000 }, async () => {
    const settings = { synchronous_commit: 'off', wal_writer_delay: '10s' }
    const report = await chaos({ rounds: 20, seed: 5, hosts: 2, sessions: 10, settings })
    expect(report.violations).not.toEqual([])
  })
})
