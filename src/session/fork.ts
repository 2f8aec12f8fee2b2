/**
 * Forks: a child that starts with a copy of its parent's events, so that deleting the parent harms no child.
 *
 * The child keeps the parent's revision numbers, nonce and exact bytes up to the last answer at or before `at`. Inputs that
 * the parent had not promoted by then are withheld: their place in the log stays, so that revisions are contiguous. Of what a
 * purge took from the parent, the child has the ids that the parent has.
 */
import { encodeEvent, placeEvent } from './event.ts'
import { MessageInvalidError, SessionDeletedError, SessionExistsError } from './errors.ts'
import { Fold } from './fold.ts'
import type { EventLog } from './log.ts'
import { isPurged, moveRow } from './retention.ts'
import type { StoredEvent } from './store.ts'
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
    events.push(event)
    if (event.revision > (at ?? Infinity)) break
    if (mode === 'host' || bringsAnswer(event, (message) => format.kind(message) === 'assistant')) end = event.revision
  }
  if (!found && parent.fold.head > 0) throw new SessionDeletedError(session)
  const kept = events.filter(({ revision }) => revision <= end)
  const copied = [...placeholders(events[0]), ...kept]
  const fold = new Fold(format)
  for (const event of copied) fold.apply(event)
  if (copied.length > kept.length && !fold.isWhole) {
    throw new MessageInvalidError(
      `Cannot fork session ${JSON.stringify(session)} at ${at}: what stood there was purged. Fork behind revision ` +
        `${parent.fold.epoch!.revision}, where its newest epoch began.`,
    )
  }
  const waiting = new Set(fold.inbox.map((input) => input.revision))
  const now = parent.now()
  const last = placeEvent<M>(
    { type: 'fork', parent: session, through: end, nonce: fold.nonce ?? parent.fold.nonce, mode },
    end + 1,
    now,
  )
  const purged = events[0]?.revision === 1 && events[0].type !== 'withheld' ? new Map() : await purgedRows(parent)
  const rows = [...copied.map((event) => (waiting.has(event.revision) ? withheld(event) : event)), last].map(
    (event) => {
      const row = purged.get(event.revision)
      return row === undefined ? encodeEvent(child, event, format) : moveRow(row, child)
    },
  )
  if (!(await store.append(child, 0, rows))) throw new SessionExistsError(child)
}

/** What a purge has left of inputs and appends, by revision. */
async function purgedRows<M>(parent: EventLog<M>): Promise<ReadonlyMap<number, StoredEvent>> {
  const purged = new Map<number, StoredEvent>()
  for await (const row of parent.rows(0)) {
    if (isPurged(row)) purged.set(row.revision, row)
    else if (row.type !== 'withheld') break
  }
  return purged
}

/** In the place of what a purge took away, so that revisions are contiguous. `first` is the first event that is left. */
function placeholders<M>(first: SessionEvent<M> | undefined): SessionEvent<M>[] {
  if (first === undefined) return []
  return Array.from({ length: first.revision - 1 }, (_, index) =>
    placeEvent<M>({ type: 'withheld' }, index + 1, first.at),
  )
}

function withheld<M>(event: SessionEvent<M>): SessionEvent<M> {
  return placeEvent<M>({ type: 'withheld' }, event.revision, event.at)
}

/** Answers, and imported conversations that hold some. */
function bringsAnswer<M>(event: SessionEvent<M>, isAnswer: (message: M) => boolean): boolean {
  return event.type === 'answer' || (event.type === 'append' && event.messages.some(isAnswer))
}
