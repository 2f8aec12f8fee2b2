/**
 * One process of the bench of memory, started with --expose-gc: opens sessions from a SQLite file and prints, as JSON, the
 * bytes of the heap for each, after everything that nobody holds was collected.
 */
import { setImmediate } from 'node:timers/promises'
import { startAgent } from './conversations.ts'
import { sqliteStore } from '../src/store/sqlite/index.ts'
import { idOf, type Measured } from './memory.ts'

const [file, count] = process.argv.slice(2) as [string, string]
const COUNT = Number(count)
const QUIET = 20

async function heap(): Promise<number> {
  for (let round = 0; round < 3; round++) {
    globalThis.gc!()
    // What is freed by callbacks is freed in another turn of the loop.
    await setImmediate()
  }
  const { heapUsed, external } = process.memoryUsage()
  return heapUsed + external
}

const agent = startAgent(sqliteStore(file))
const ids = Array.from({ length: COUNT }, (_, index) => idOf(index))
// Code and caches are warm before anything is counted.
for (const id of ids.slice(0, 20)) await agent.sessions.open(id).turn()

const { entries } = await agent.sessions.open(idOf(0)).turn()
const text = JSON.stringify(entries.flatMap((entry) => (entry.type === 'message' ? [entry.message] : [])))
const beforeMessages = await heap()
const messages = ids.map(() => JSON.parse(text) as unknown)
const bare = ((await heap()) - beforeMessages) / COUNT
messages.length = 0

const before = await heap()
const sessions = ids.map((id) => agent.sessions.open(id))
for (const session of sessions) await session.turn()
const opened = ((await heap()) - before) / COUNT
for (let round = 0; round < QUIET; round++) for (const session of sessions) await session.turn()
const later = ((await heap()) - before) / COUNT
sessions.length = 0
const left = ((await heap()) - before) / COUNT

const measured: Measured = { messages: bare, opened, later, left, entries: entries.length, characters: text.length }
process.stdout.write(`${JSON.stringify(measured)}\n`)
