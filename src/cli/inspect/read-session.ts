/**
 * One session as its log tells it: epochs, updates, events. The rows are read one by one, without folding them into a
 * session, so that a log with a damaged row is shown as far as it goes.
 */
import type { Json } from '../../base/json.ts'
import type { Change, Update } from '../../context/index.ts'
import { EventUnreadableError } from '../../session/errors.ts'
import { decodeEvent } from '../../session/event.ts'
import type { EventStore, Format, SessionEvent } from '../../session/index.ts'

/** What `inspect` shows of one session. Sizes are in characters. */
export interface SessionView {
  readonly id: string
  readonly epochs: readonly EpochView[]
  readonly updates: readonly UpdateView[]
  readonly events: readonly EventView[]
}

export interface EpochView {
  readonly epoch: number
  /** Of the event that started it. */
  readonly revision: number
  readonly cause: string
  readonly instructionsSize: number
  readonly baselineSize: number
  /** How many updates it has admitted. */
  readonly updates: number
}

export interface UpdateView {
  readonly revision: number
  readonly epoch: number
  readonly changes: readonly Change[]
  readonly text: string
}

export interface EventView {
  readonly revision: number
  readonly type: string
  /** ISO 8601. */
  readonly at: string
  /** What there is to say of it in a line. */
  readonly summary: string
  /** False for a row that cannot be read. */
  readonly readable: boolean
}

/** Rows per read. */
const PAGE = 500

/** Messages as they lie in the log: looking at one never asks what a message means. */
export const anyMessage: Format<Json> = {
  id: 'any',
  kind: () => 'user',
  openCalls: () => [],
  identity: (message) => message,
}

/** Reads the log of a session; its lists are empty for one that has no events. */
export async function readSession(store: EventStore, id: string): Promise<SessionView> {
  const epochs: EpochView[] = []
  const updates: UpdateView[] = []
  const events: EventView[] = []
  for (let after = 0; ;) {
    const rows = await store.read(id, after, PAGE)
    for (const row of rows) {
      const { revision, type, at } = row
      try {
        const event = decodeEvent(id, row, anyMessage)
        if (event.type === 'epoch') epochs.push(toEpoch(event, 0))
        if (event.type === 'boundary' && event.update !== null) {
          const { changes, text } = event.update
          updates.push({ revision, epoch: event.epoch, changes, text })
        }
        events.push({ revision, type, at, summary: summarize(event), readable: true })
      } catch (error) {
        if (!(error instanceof EventUnreadableError)) throw error
        events.push({ revision, type, at, summary: error.message, readable: false })
      }
    }
    after = rows.at(-1)?.revision ?? after
    if (rows.length < PAGE) break
  }
  const counted = epochs.map((epoch) => ({
    ...epoch,
    updates: updates.filter((update) => update.epoch === epoch.epoch).length,
  }))
  return { id, epochs: counted, updates, events }
}

function toEpoch(event: Extract<SessionEvent<Json>, { type: 'epoch' }>, updates: number): EpochView {
  const { epoch, revision, cause, instructions, baseline } = event
  return { epoch, revision, cause, instructionsSize: instructions.length, baselineSize: baseline.length, updates }
}

function summarize(event: SessionEvent<Json>): string {
  switch (event.type) {
    case 'input':
      return `id ${JSON.stringify(event.id)}`
    case 'epoch':
      return [`epoch ${event.epoch} (${event.cause})`, ...promotes(event.promoted)].join(', ')
    case 'boundary':
      return [...promotes(event.promoted), ...tells(event.update)].join(', ')
    case 'answer':
      return `answers the turn at ${event.turn}, ${count(event.messages, 'message')}`
    case 'append':
      return count(event.messages, 'message')
    case 'compaction':
      return `replaces revisions up to ${event.through}`
    case 'refusal':
      return `${event.refusal.model} refused ${event.refusal.feature}`
    case 'fork':
      return `copied from ${JSON.stringify(event.parent)} up to ${event.through}`
    default:
      return ''
  }
}

/** A change in words, as `changed indelible/git`. */
export function describeChange({ kind, key }: Change): string {
  return `${kind} ${key}`
}

function promotes(revisions: readonly number[]): readonly string[] {
  return revisions.length === 0 ? [] : [`promotes ${revisions.join(', ')}`]
}

function tells(update: Update | null): readonly string[] {
  if (update === null) return []
  const [only, ...others] = update.changes
  return [others.length === 0 && only !== undefined ? `tells ${only.key}` : `tells ${update.changes.length} sources`]
}

function count(items: readonly unknown[], noun: string): string {
  return `${items.length} ${noun}${items.length === 1 ? '' : 's'}`
}
