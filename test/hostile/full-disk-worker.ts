/** Submits inputs to a session in the SQLite file that it is given until one fails, and says how many were taken and why it ended. */
import { createSessions, defineSource, IndelibleError } from '../../src/index.ts'
import { sqliteStore } from '../../src/store/sqlite/index.ts'
import { user } from '../support/session.ts'

const context = defineSource<string>({
  key: 'app/branch',
  codec: { encode: (value) => value, decode: String },
  load: () => 'main',
  baseline: String,
  update: (_previous, current) => current,
})
const session = createSessions({ store: sqliteStore(process.argv[2]!, { durability: 'normal' }), context }).open(
  'hostile',
)
let receipts = 0
function say(error: string): void {
  process.stdout.write(JSON.stringify({ receipts, error }))
}
try {
  for (; receipts < 10_000; receipts++) await session.submit(user('x'.repeat(5_000)))
  say('none')
} catch (error) {
  say(error instanceof IndelibleError ? error.code : String(error))
}
// The store is not closed, as by a process that dies of it.
