/** `indelible inspect`: shows what a SQLite file holds, and replays it on request. */
import type { EventStore, SessionSummary, Verification } from '../../session/index.ts'
import { sqliteStore } from '../../store/sqlite/index.ts'
import { CommandError } from '../errors.ts'
import type { Output } from '../output.ts'
import { printableJson } from '../printable.ts'
import { printSession, printSessions, printVerification } from './print.ts'
import { readSession, type SessionView } from './read-session.ts'
import { verifySession } from './verify-session.ts'

export interface InspectOptions {
  readonly verify?: boolean
  readonly json?: boolean
}

/** What `indelible inspect --json` prints. */
interface InspectReport {
  readonly schema: 'indelible.inspect/1'
  readonly sessions: readonly (SessionSummary &
    Partial<Omit<SessionView, 'id'>> & { readonly verification?: Verification })[]
}

/** Shows the sessions of `file`, or the one that is named. Returns 1 when one could not be read whole or replayed without a problem. */
export async function runInspect(
  file: string,
  session: string | undefined,
  { verify = false, json = false }: InspectOptions,
  output: Output,
): Promise<0 | 1> {
  const store = sqliteStore(file, { readOnly: true })
  try {
    const summaries = await listSessions(store, file, session)
    const view = session === undefined ? undefined : await readSession(store, session)
    const verifications = new Map<string, Verification>()
    if (verify) for (const { id } of summaries) verifications.set(id, await verifySession(store, id))

    if (json) output.write(printableJson(createReport(summaries, view, verifications)))
    else {
      output.write(view === undefined ? printSessions(file, summaries) : printSession(view))
      if (verify) output.write('\n')
      for (const { id, revision } of summaries) {
        const verification = verifications.get(id)
        if (verification !== undefined) output.write(printVerification(id, revision, verification))
      }
    }
    const ok =
      (view?.events ?? []).every(({ readable }) => readable) && [...verifications.values()].every((one) => one.ok)
    return ok ? 0 : 1
  } finally {
    await store.close()
  }
}

async function listSessions(
  store: EventStore,
  file: string,
  session: string | undefined,
): Promise<readonly SessionSummary[]> {
  const all: SessionSummary[] = []
  for await (const summary of store.list()) all.push(summary)
  if (session === undefined) return all
  const found = all.filter(({ id }) => id === session)
  if (found.length === 0) {
    throw new CommandError(
      `${file} holds no session ${JSON.stringify(session)}. Run indelible inspect ${file} to list those it holds.`,
    )
  }
  return found
}

function createReport(
  summaries: readonly SessionSummary[],
  view: SessionView | undefined,
  verifications: ReadonlyMap<string, Verification>,
): InspectReport {
  return {
    schema: 'indelible.inspect/1',
    sessions: summaries.map((summary) => {
      const verification = verifications.get(summary.id)
      return { ...summary, ...view, ...(verification !== undefined && { verification }) }
    }),
  }
}
