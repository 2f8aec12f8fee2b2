/** The process that is killed: it loads, waits for its assignment, and works on it until the end. */
import { writeSync } from 'node:fs'
import type { Report } from '../support/ledger/operations.ts'
import { ready } from '../support/start-process.ts'
import type { Assignment } from './assignment.ts'
import { Work } from './work.ts'

// Synchronous, so that no operation begins before the kernel has the report of the one before.
function report(line: Report): void {
  writeSync(1, `${JSON.stringify(line)}\n`)
}

// So that the first milliseconds of the assignment do not all go into loading and compiling.
await new Work({ path: ':memory:', name: 'rehearsal', seed: 0, sessions: [], retry: null }, () => {}).run(5)

ready<Assignment>((assignment) => {
  new Work(assignment, report).run().catch((error: unknown) => {
    report({ failed: error instanceof Error ? String(error.stack) : String(error) })
    process.exit(1)
  })
})
