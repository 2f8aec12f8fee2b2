/** Replays one session of a store against the laws. */
import { combine } from '../../context/index.ts'
import { createSessions, EventUnreadableError, SessionModeError } from '../../session/index.ts'
import type { EventStore, Verification } from '../../session/index.ts'
import { anyMessage } from './read-session.ts'

/** Works for both kinds of session. A row that keeps the session from opening is a problem like any other. */
export async function verifySession(store: EventStore, id: string): Promise<Verification> {
  // A replay reads nothing but the log, so there is no context.
  const sessions = createSessions({ store, format: anyMessage, context: combine() })
  for (const session of [sessions.open(id), sessions.attach(id)]) {
    try {
      return await session.verify()
    } catch (error) {
      if (error instanceof EventUnreadableError) {
        return { ok: false, problems: [{ revision: error.revision, law: 'integrity', message: error.message }] }
      }
      if (!(error instanceof SessionModeError)) throw error
    }
  }
  throw new TypeError(`Session ${JSON.stringify(id)} is of neither kind`)
}
