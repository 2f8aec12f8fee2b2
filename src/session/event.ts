/**
 * Events between their two forms: `SessionEvent`, which the session folds, and `StoredEvent`, the row a store keeps.
 *
 * The body is the JSON text of the event without its head. Messages go in exactly as they came (key order included) and
 * are frozen when they come out, so that nothing can edit what the model has been told. A row of an older shape is
 * upcast when it is read; one of a newer shape, or of an unknown type, is refused rather than guessed at. So is one that
 * is not what was written: a damaged disk must not put words into a conversation.
 */
import { Checksum } from '../base/checksum.ts'
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

/**
 * Over all that a row says and whose it is, so that a row that was changed or put elsewhere is found. Without a key: it
 * finds accidents, and not somebody who may write to the database and knows how.
 */
export function checksum(session: string, row: Omit<StoredEvent, 'checksum'>): string {
  return summed(session, row).digits()
}

/** Throws `EventUnreadableError` for a row that is not what was written. */
export function requireIntact(session: string, row: StoredEvent): void {
  if (isIntact(session, row)) return
  throw new EventUnreadableError(session, row.revision, 'it is not what was written: its checksum differs')
}

/** A damaged database may hold bytes, or a number, for text. */
function isIntact(session: string, row: StoredEvent): boolean {
  const { revision, id, at, body } = row
  if (typeof body !== 'string' || typeof at !== 'string' || (id !== null && typeof id !== 'string')) return false
  if ((revision | 0) !== revision) return false
  return summed(session, row).equals(row.checksum)
}

/** The lengths of all texts but the body stand beside them, so that it is clear where each begins. */
function summed(session: string, { revision, type, v, id, at, body }: Omit<StoredEvent, 'checksum'>): Checksum {
  const idLength = id === null ? -1 : id.length
  return sum
    .start(revision, v | (type.length << 16), session.length | (at.length << 16), idLength)
    .add(body)
    .add(session)
    .add(type)
    .add(id ?? '')
    .add(at)
}

const sum = new Checksum()

/** The event in a row, frozen. Throws `EventUnreadableError`. */
export function decodeEvent<M>(session: string, row: StoredEvent, format: Format<M>): SessionEvent<M> {
  const event = decodeForFold(session, row, format)
  freezeParts(event as unknown as Body)
  return event
}

/**
 * The event in a row, frozen as far as a fold hands it out: what only says where something belongs is read once and dropped,
 * and to freeze it would take as long as freezing the messages. Throws `EventUnreadableError`.
 */
export function decodeForFold<M>(session: string, row: StoredEvent, format: Format<M>): SessionEvent<M> {
  const kind = kinds.get(row.type)
  if (kind === undefined) {
    throw new EventUnreadableError(session, row.revision, `its type ${JSON.stringify(row.type)} is not known here`)
  }
  const { type, lifts } = kind
  const newest = lifts.length + 1
  if (!Number.isInteger(row.v) || row.v < 1 || row.v > newest) {
    throw new EventUnreadableError(
      session,
      row.revision,
      `its shape is version ${row.v}, and this release reads up to ${newest}. Upgrade indelible`,
    )
  }
  // Behind type and version: a newer release may compute it in another way.
  requireIntact(session, row)
  try {
    let body = parseBody(row.body)
    for (let version = row.v; version < newest; version++) body = lifts[version - 1]!(body)
    if (format.decode !== undefined) decodeMessages(format, type, body)
    freezeForFold(type, body)
    // The body becomes the event: a copy of each would be a good part of what opening a long session costs.
    if (row.id !== null) body['id'] = row.id
    body['revision'] = row.revision
    body['type'] = type
    body['v'] = newest
    body['at'] = row.at
    return body as unknown as SessionEvent<M>
  } catch (cause) {
    throw new EventUnreadableError(session, row.revision, 'its body is damaged', { cause })
  }
}

function freezeForFold(type: EventType, body: Body): void {
  if (type === 'input') {
    freezeDeep(body['message'])
  } else if (type === 'answer' || type === 'append') {
    const messages = body['messages'] as unknown[]
    for (let index = 0; index < messages.length; index++) freezeDeep(messages[index])
  } else if (type !== 'boundary' || body['update'] !== null) {
    freezeParts(body)
  }
}

function freezeParts(body: Body): void {
  for (const key in body) freezeDeep(body[key])
}

/** The types with their upcasts. The texts that a database gives are others each time, and slow to compare: these are ours. */
const kinds: ReadonlyMap<string, { readonly type: EventType; readonly lifts: (typeof upcasts)[EventType] }> = new Map(
  (Object.keys(upcasts) as EventType[]).map((type) => [type, { type, lifts: upcasts[type] }]),
)

/** Puts messages of the host's own type in the place of what is stored of them. */
function decodeMessages<M>(format: Format<M>, type: EventType, body: Body): void {
  const fields = messageFields[type]
  if (fields?.one !== undefined) body[fields.one] = decodeMessage(format, body[fields.one] as Json)
  if (fields?.many !== undefined) {
    body[fields.many] = (body[fields.many] as Json[]).map((json) => decodeMessage(format, json))
  }
}

function parseBody(text: string): Body {
  const body: unknown = JSON.parse(text)
  if (typeof body !== 'object' || body === null || Array.isArray(body)) throw new SyntaxError('not an object')
  return body as Body
}
