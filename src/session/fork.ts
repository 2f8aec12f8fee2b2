/**
 * Forks: a child that starts with a copy of its parent's events, so that deleting the parent harms no child.
 *
 * The child keeps the parent's revision numbers, nonce and exact bytes up to the last answer at or before `at`. Inputs that
 * the parent had not promoted by then are withheld: their place in the log stays, so that revisions are contiguous.
 */
import { encodeEvent, placeEvent } from './event.ts'
import { MessageInvalidError, SessionDeletedError, SessionExistsError } from './errors.ts'
import { Fold } from './fold.ts'
import type { EventLog } from './log.ts'
import type { SessionEvent } from './types.ts'

/** Writes the child's log in one append. Throws `SessionExistsError` when the id is taken, `SessionDeletedError` when the parent is gone. */
export async function forkLog<M>(
  parent: EventLog<M>,
  child: string,
  mode: 'session' | 'host',
  at?: number,
): Promise<void> {
  const { format, store, session } = parent
  if (at !== undefined && !Number.isInteger(at)) {
    throw new MessageInvalidError(
      `Cannot fork session ${JSON.stringify(session)} at ${String(at)}: give a revision of its log.`,
    )
  }
  const events: SessionEvent<M>[] = []
  let end = 0
  let found = false
  for await (const event of parent.events(0)) {
    found = true
    if (event.revision > (at ?? Infinity)) break
    events.push(event)
    if (mode === 'host' || bringsAnswer(event, (message) => format.kind(message) === 'assistant')) end = event.revision
  }
  if (!found && parent.fold.head > 0) throw new SessionDeletedError(session)
  const copied = events.slice(0, end)
  const fold = new Fold(format)
  for (const event of copied) fold.apply(event)
  const waiting = new Set(fold.inbox.map((input) => input.revision))
  const now = parent.now()
  const last = placeEvent<M>(
    { type: 'fork', parent: session, through: end, nonce: fold.nonce ?? parent.fold.nonce, mode },
    end + 1,
    now,
  )
  const rows = [...copied.map((event) => (waiting.has(event.revision) ? withheld(event) : event)), last].map((event) =>
    encodeEvent(child, event, format),
  )
  if (!(await store.append(child, 0, rows))) throw new SessionExistsError(child)
}

function withheld<M>(event: SessionEvent<M>): SessionEvent<M> {
  return placeEvent<M>({ type: 'withheld' }, event.revision, event.at)
}

/** Answers, and imported conversations that hold some. */
function bringsAnswer<M>(event: SessionEvent<M>, isAnswer: (message: M) => boolean): boolean {
  return event.type === 'answer' || (event.type === 'append' && event.messages.some(isAnswer))
}
