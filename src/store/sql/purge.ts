/**
 * Retention: takes the past epochs of a session out of its log. Epochs go as a unit, with all that no later one keeps in view,
 * and in one transaction; the ids of inputs and appends stay, so that what was submitted once is not submitted again.
 */
import { purgeRow, isPurged, viewStart } from '../../session/retention.ts'
import type { SqlEngine, Statement } from './engine.ts'
import { toEvent, type Queries } from './queries.ts'

/** Purges of one session that may find it changed by another, or by a delete, in a row. */
const MAX_ATTEMPTS = 20

/** How many events of a session were removed, or emptied but for their id. */
export async function purgeSession(
  engine: SqlEngine,
  queries: Queries,
  session: string,
  before: string,
): Promise<number> {
  for (let attempt = 1; attempt <= MAX_ATTEMPTS; attempt++) {
    const { statements, events } = await planPurge(engine, queries, session, before)
    if (statements.length === 0) return 0
    if (await engine.write(statements)) return events
    // Another process has purged the session meanwhile, perhaps less of it, or deleted it: what is left is looked at again.
  }
  return 0
}

interface Plan {
  readonly statements: readonly Statement[]
  /** That they change. */
  readonly events: number
}

async function planPurge(engine: SqlEngine, queries: Queries, session: string, before: string): Promise<Plan> {
  // The newest epoch that began before then: those in front of it had ended.
  const [row] = await engine.select(queries.epochBefore({ session, before }))
  if (row === undefined) return { statements: [], events: 0 }
  const epoch = toEvent(row)
  const start = viewStart(session, epoch)
  const [[removed] = [0]] = await engine.select(queries.countRemovable({ session, before: start }))
  const kept = (await engine.select(queries.recorded({ session, before: start })))
    .map(toEvent)
    .filter((found) => !isPurged(found))
  const statements = kept.map((found) => {
    const { revision, body, checksum } = purgeRow(session, found)
    return queries.empty({ session, revision, body, checksum, found: found.checksum })
  })
  if (removed !== 0) {
    const { revision, checksum } = epoch
    statements.push(queries.removePast({ session, before: start, epoch: revision, found: checksum }))
  }
  return { statements, events: kept.length + Number(removed) }
}
