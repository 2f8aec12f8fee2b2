/**
 * A logged HTTP exchange as a call. This is the one place that knows what in a request, a response and their headers
 * says whose call it was, when, and to what it refers; readers only find the pieces in their format.
 *
 * What a log does not hold stays absent: a `Date` header says when an answer began, and that the call was made some time
 * before. What is no call of a model is counted, not read.
 */
import { field, has } from '../../cache/layout/peek.ts'
import { recogniseFormat } from '../../cache/layout/read-items.ts'
import type { RequestFormat } from '../../cache/layout/types.ts'
import { isSse, parseJson } from '../../cache/usage/sse.ts'
import type { Exchange, ExchangeIds, ExchangeKind, Fidelity } from '../exchange.ts'
import { answerOf, type Answer } from './answer.ts'
import { headerOf, keepHeaders } from './headers.ts'
import { accountIn, idsOf } from './http-ids.ts'
import { guessProvider } from './provider-traits.ts'
import {
  addressOf,
  formatAt,
  isStreamPath,
  kindOf,
  modelInPath,
  providerAt,
  regionOf,
  type Address,
} from './traffic.ts'
import type { ReaderInput } from './types.ts'

/** The pieces of one exchange, as far as a log has them. */
export interface HttpRecord {
  /** Whole, or only its path. */
  readonly url?: unknown
  /** Where the log keeps it apart; counts before the one in the URL. */
  readonly host?: string | undefined
  readonly path?: string | undefined
  readonly method?: string | undefined
  /** Where the log names it apart from the body. */
  readonly model?: string | undefined
  readonly requestHeaders?: unknown
  /** The body, as text or parsed; unpacked and decoded. */
  readonly request: unknown
  readonly status?: number | undefined
  readonly responseHeaders?: unknown
  /** The body, as text (JSON or an event stream), parsed, or as the list of its events. */
  readonly response: unknown
  /** Milliseconds since the epoch. */
  readonly startedAt?: number | undefined
  readonly endedAt?: number | undefined
  readonly line: number | null
  /** What this format cannot have; the rest is taken to be there. */
  readonly fidelity?: Partial<Fidelity> | undefined
  /** Ids that the log gives; they count before those found in the bodies. */
  readonly ids?: ExchangeIds | undefined
  readonly error?: string | undefined
  readonly streamed?: boolean | undefined
  readonly project?: string | undefined
}

/** Where a call was found, and who is told of what could not be read. */
export type CallInput = Pick<ReaderInput, 'name' | 'hash' | 'unread'>

/** The call, or null for what is none or cannot be read, which is then told to `input.unread`. */
export function exchangeOf(record: HttpRecord, input: CallInput): Exchange | null {
  const { line } = record
  const address = addressIn(record)
  const kind = kindOfRecord(record, address)
  if (kind === undefined) {
    input.unread({ line, kind: 'other-traffic', message: 'Not a call to a model.' })
    return null
  }
  const body = readBody(record, input)
  if (body === undefined) return null
  const isKnown = recogniseFormat(body) !== undefined
  const format = isKnown || !has(body, 'messages') ? undefined : formatOf(body, record, address)
  if (kind === 'generate' && !isKnown && format === undefined) {
    const message = 'The body is of no API that is known: it has no messages, input or contents.'
    input.unread({ line, kind: 'unknown-shape', message })
    return null
  }
  return build(record, { address, kind, body, format }, input)
}

/** The API of a body that could be of several: by where it went, or by a model that it does not name itself. */
function formatOf(body: object, { model }: HttpRecord, { path }: Address): RequestFormat | undefined {
  return formatAt(path) ?? (model === undefined ? undefined : recogniseFormat({ ...body, model }))
}

interface Call {
  readonly address: Address
  readonly kind: ExchangeKind
  readonly body: object
  readonly format: RequestFormat | undefined
}

function build(record: HttpRecord, { address, kind, body, format }: Call, input: CallInput): Exchange {
  const response = readResponse(record.response)
  const answer = answerOf(response)
  const { account, kept, logged } = keepHeaders(record.requestHeaders, input.hash)
  const owner = accountIn(body) ?? keyInQuery(record.url)
  const model = has(body, 'model') ? undefined : (modelInPath(address.path) ?? record.model)
  const wasStreamed = record.streamed ?? streamed(body, address.path, response)
  return {
    kind,
    request: body,
    ...given('format', format),
    ...(typeof record.request === 'string' ? { requestText: record.request } : {}),
    response,
    ...given('status', record.status),
    ...given('error', record.error ?? answer.error),
    ...given('streamed', wasStreamed),
    ...timesOf(record, answer),
    ...given('provider', providerAt(address) ?? guessProvider(address, body, response)),
    ...given('host', address.host === '' ? undefined : address.host),
    ...given('region', regionOf(address)),
    ...given('model', model),
    ...given('account', owner === undefined ? account : input.hash(owner)),
    ...given('headers', logged ? kept : undefined),
    ...given('project', record.project),
    ...given('providerReason', answer.missReason),
    ids: { ...idsOf({ ...record, request: body, answer }), ...defined(record.ids) },
    source: { file: input.name, line: record.line },
    fidelity: fidelityOf(record, answer),
  }
}

function addressIn({ url, host, path }: HttpRecord): Address {
  const found = addressOf(url)
  return { host: host ?? found.host, path: path === undefined ? found.path : addressOf(path).path }
}

/** A body without an address is a call where its shape says so; behind an unknown path, only where it also names a model. */
function kindOfRecord({ method, request }: HttpRecord, { path }: Address): ExchangeKind | undefined {
  if (method !== undefined && !/^(?:post|websocket)$/i.test(method)) return undefined
  if (path === '') return 'generate'
  const known = kindOf(path)
  if (known !== undefined) return known
  const body = typeof request === 'string' ? undefined : request
  const isChat = field(body, 'messages') !== undefined && field(body, 'model') !== undefined
  return isChat && recogniseFormat(body) !== undefined ? 'generate' : undefined
}

function readBody({ request, line }: HttpRecord, input: CallInput): object | undefined {
  if (request === undefined || request === null || request === '') {
    input.unread({ line, kind: 'no-body', message: 'The body of the request was not logged.' })
    return undefined
  }
  const value = typeof request === 'string' ? parseJson(request) : request
  if (typeof value === 'object' && value !== null && !Array.isArray(value)) return value
  const isCut = typeof request === 'string' && value === undefined && isCutOff(request)
  input.unread({
    line,
    kind: isCut ? 'truncated' : 'broken',
    message: isCut
      ? 'The body of the request was cut off when it was logged.'
      : 'The body of the request is no JSON object.',
  })
  return undefined
}

/** True for JSON that begins as an object and does not end as one, or ends with a note of the tool that cut it. */
export function isCutOff(text: string): boolean {
  if (!/^\s*\{/.test(text)) return false
  const end = text.slice(-200).trimEnd()
  return !end.endsWith('}') || /truncated/i.test(end)
}

function readResponse(response: unknown): unknown {
  if (response === null || response === '') return undefined
  if (typeof response !== 'string' || isSse(response)) return response
  return parseJson(response) ?? response
}

function streamed(body: object, path: string, response: unknown): boolean | undefined {
  const asked = field(body, 'stream')
  if (typeof asked === 'boolean') return asked
  if (isStreamPath(path)) return true
  return typeof response === 'string' && isSse(response) ? true : undefined
}

const second = 1000
/** Some seconds after the start, a minute at most. */
const UNTIL_HEADERS = 60_000

/**
 * When it started and ended: by the log's clock; else by what the provider says about the answer. Its `created` is a
 * start in whole seconds, and counts beside a logged end only where the two clocks agree. A `Date` header is sent with the
 * first byte of the answer.
 */
function timesOf(
  { startedAt, endedAt, responseHeaders }: HttpRecord,
  { created, completed }: Answer,
): Pick<Exchange, 'startedAt' | 'endedAt' | 'uncertainty'> {
  const date = Date.parse(headerOf(responseHeaders, 'date') ?? '')
  const answered = Number.isNaN(date) ? undefined : date
  const end = endedAt ?? (startedAt === undefined ? (completed ?? answered) : undefined)
  const start = startedAt ?? (created !== undefined && created <= (end ?? created) + second ? created : undefined)
  if (start === undefined && end !== undefined && end === answered) {
    return { startedAt: end, uncertainty: UNTIL_HEADERS }
  }
  return { ...given('startedAt', start), ...given('endedAt', end) }
}

function fidelityOf(record: HttpRecord, answer: Answer): Fidelity {
  const times = timesOf(record, answer)
  return {
    level: typeof record.request === 'string' ? 'wire' : 'body',
    breakpoints: true,
    tools: true,
    system: true,
    parameters: true,
    order: true,
    redacted: false,
    ...record.fidelity,
    time: record.fidelity?.time ?? (times.startedAt !== undefined || times.endedAt !== undefined),
  }
}

/** Gemini takes its key in the query too. */
function keyInQuery(url: unknown): string | undefined {
  return typeof url === 'string' ? /[?&]key=([\w-]{20,})/.exec(url)?.[1] : undefined
}

function given<Name extends string, Value>(name: Name, value: Value | undefined): { [name in Name]?: Value } {
  return value === undefined ? {} : ({ [name]: value } as { [name in Name]?: Value })
}

function defined(ids: ExchangeIds | undefined): ExchangeIds {
  return ids === undefined ? {} : Object.fromEntries(Object.entries(ids).filter(([, value]) => value !== undefined))
}
