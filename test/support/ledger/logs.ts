/** What a store holds, as the ledger wants it, and what its sessions say of themselves. */
import { createSessions } from '../../../src/index.ts'
import type { EventStore, StoredEvent } from '../../../src/index.ts'
import { changingContext } from '../changing-context.ts'
import { Random } from '../random.ts'

export async function readLogs(store: EventStore): Promise<Map<string, readonly StoredEvent[]>> {
  const logs = new Map<string, readonly StoredEvent[]>()
  for await (const { id } of store.list()) logs.set(id, await store.read(id, 0))
  return logs
}

/** What `verify()` finds in these sessions, which a new process opens. */
export async function verifyAll(store: EventStore, ids: Iterable<string>): Promise<string[]> {
  const sessions = createSessions({ store, context: changingContext(new Random(0)) })
  const problems: string[] = []
  for (const id of ids) {
    const verification = await sessions.open(id).verify()
    for (const { revision, law, message } of verification.problems) {
      problems.push(`${id}: breaks the law '${law}' at ${revision}: ${message}`)
    }
  }
  return problems
}
