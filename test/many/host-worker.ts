/** A host in a process of its own. Started with `startProcess`; works until it is told to end, or killed. */
import { writeSync } from 'node:fs'
import { ready } from '../support/start-process.ts'
import { Host } from './host.ts'
import type { Assignment, Line, Order } from './protocol.ts'

// Synchronous, so that no operation begins before the kernel has the report of the one before.
function say(line: Line): void {
  writeSync(1, `${JSON.stringify(line)}\n`)
}

function fail(error: unknown): never {
  say({ lane: 0, report: { failed: error instanceof Error ? String(error.stack) : String(error) } })
  process.exit(1)
}

// Nobody is left who would tell it to end.
process.on('disconnect', () => process.exit(0))

ready<Assignment>((assignment) => {
  const host = new Host(assignment, say)
  process.on('message', (order: Order) => {
    if (order.order === 'work') host.work(order.sessions)
    if (order.order === 'rest') host.rest()
    if (order.order === 'end') host.close().then(() => process.exit(0), fail)
  })
  host.run().catch(fail)
})
