/**
 * Events between their two forms: `SessionEvent`, which the session folds, and `StoredEvent`, the row a store keeps.
 *
 * The body is the JSON text of the event without its head. Messages go in exactly as they came (key order included) and
 * are frozen when they come out, so that nothing can edit what the model has been told. A row of an older shape is
 * upcast when it is read; one of a newer shape, or of an unknown type, is refused rather than guessed at.
 */
import { digest } from '../base/digest.ts'
import { copyJson, freezeDeep, NotJsonError, type Json } from '../base/json.ts'
import { EventUnreadableError, MessageInvalidError } from './errors.ts'
import type { StoredEvent } from './store.ts'
import type { Format, SessionEvent } from './types.ts'

type EventType = SessionEvent<unknown>['type']
type Body = Record<string, unknown>

/** An event that has no revision and time yet. */
export type EventDraft<M> =
  SessionEvent<M> extends infer E ? (E extends SessionEvent<M> ? Omit<E, 'revision' | 'v' | 'at'> : never) : never

const same = (body: Body): Body => body

/**
 * Per event type, the functions that lift a body from version `index + 1` to the next; the newest version is one more
 * than there are functions. `same` is for a shape that older rows have too, and that older releases would misread.
 */
const upcasts: Record<EventType, readonly ((body: Body) => Body)[]> = {
  input: [],
  // Version 2 may carry tools.
  boundary: [same],
  epoch: [same],
  answer: [],
  append: [],
  compaction: [],
  move: [],
  refusal: [],
  fork: [],
  withheld: [],
}

/** Which part of a body holds messages of the host's own type. */
const messageFields: Partial<Record<EventType, { one?: string; many?: string }>> = {
  input: { one: 'message' },
  answer: { many: 'messages' },
  append: { many: 'messages' },
  compaction: { many: 'summary' },
}

/**
 * A copy of `message` as it will be stored and handed out: JSON, frozen. Throws `MessageInvalidError` for what would not
 * come back from the store as it went in.
 */
export function admitMessage<M>(format: Format<M>, message: M): M {
  let json: Json
  try {
    json = copyJson(encodeMessage(format, message))
  } catch (cause) {
    const problem = cause instanceof NotJsonError ? cause.message : 'the format could not encode it'
    throw new MessageInvalidError(
      `A message cannot be stored: ${problem}. Store plain JSON, or give the format encode and decode.`,
      { cause },
    )
  }
  return decodeMessage(format, json)
}

/** What is stored of a message: JSON, if the message is one that was admitted. */
export function encodeMessage<M>(format: Format<M>, message: M): unknown {
  return format.encode === undefined ? message : format.encode(message)
}

function decodeMessage<M>(format: Format<M>, json: Json): M {
  return format.decode === undefined ? (freezeDeep(json) as M) : freezeDeep(format.decode(json))
}

/** Gives a draft its place in the log. */
export function placeEvent<M>(draft: EventDraft<M>, revision: number, at: string): SessionEvent<M> {
  const v = upcasts[draft.type].length + 1
  return { ...draft, revision, v, at }
}

/** The row for an event. */
export function encodeEvent<M>(session: string, event: SessionEvent<M>, format: Format<M>): StoredEvent {
  const { revision, type, v, at, ...rest } = event as SessionEvent<M> & Body
  const id = 'id' in rest ? (rest['id'] as string) : null
  delete rest['id']
  const fields = messageFields[type]
  if (fields?.one !== undefined) rest[fields.one] = encodeMessage(format, rest[fields.one] as M)
  if (fields?.many !== undefined) {
    rest[fields.many] = (rest[fields.many] as M[]).map((message) => encodeMessage(format, message))
  }
  const body = JSON.stringify(rest)
  const row = { revision, type, v, id, at, body }
  return { ...row, checksum: checksum(session, row) }
}

/** Over all that a row says and whose it is, so that a row that was changed or put elsewhere is found. */
export function checksum(session: string, row: Omit<StoredEvent, 'checksum'>): string {
  return digest(`${JSON.stringify([session, row.revision, row.type, row.v, row.id, row.at])}${row.body}`)
}

/** The event in a row. Throws `EventUnreadableError`. */
export function decodeEvent<M>(session: string, row: StoredEvent, format: Format<M>): SessionEvent<M> {
  const type = row.type as EventType
  if (!Object.hasOwn(upcasts, type)) {
    throw new EventUnreadableError(session, row.revision, `its type ${JSON.stringify(row.type)} is not known here`)
  }
  const lifts = upcasts[type]
  const newest = lifts.length + 1
  if (!Number.isInteger(row.v) || row.v < 1 || row.v > newest) {
    throw new EventUnreadableError(
      session,
      row.revision,
      `its shape is version ${row.v}, and this release reads up to ${newest}. Upgrade indelible`,
    )
  }
  try {
    const body = lifts.slice(row.v - 1).reduce((older, lift) => lift(older), parseBody(row.body))
    const fields = messageFields[type]
    if (fields?.one !== undefined) body[fields.one] = decodeMessage(format, body[fields.one] as Json)
    if (fields?.many !== undefined) {
      body[fields.many] = Object.freeze((body[fields.many] as Json[]).map((json) => decodeMessage(format, json)))
    }
    if (row.id !== null) body['id'] = row.id
    return { ...freezeDeep(body), revision: row.revision, type, v: newest, at: row.at } as unknown as SessionEvent<M>
  } catch (cause) {
    throw new EventUnreadableError(session, row.revision, 'its body is damaged', { cause })
  }
}

function parseBody(text: string): Body {
  const body: unknown = JSON.parse(text)
  if (typeof body !== 'object' || body === null || Array.isArray(body)) throw new SyntaxError('not an object')
  return body as Body
}
