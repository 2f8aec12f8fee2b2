/**
 * What tests hand in as requests, as exchanges: bodies, their JSON text, what `captureFetch` or the emulator recorded.
 *
 * Calls that are none to a model, and those that a provider refused, are left out: they are in no cache. A body that cannot
 * be read is an error of the test.
 */
import type { Exchange } from '../audit/exchange.ts'
import { exchangeOf, type HttpRecord } from '../audit/read/http-exchange.ts'
import { digest } from '../base/digest.ts'
import { IndelibleError } from '../base/error.ts'
import { RequestUnreadableError } from '../cache/layout/errors.ts'
import { recogniseFormat } from '../cache/layout/read-items.ts'
import { parseJson } from '../cache/usage/sse.ts'

/**
 * A request: its body as an object or as JSON text; or with where it went, as `captureFetch` and `emulator.requests()` have
 * it (`body` beside `url` or `path`).
 */
export type SentRequest = string | object

/** A call to a model, and its place in the list that was handed in, from 1. */
export interface SentCall {
  readonly number: number
  readonly exchange: Exchange
}

/**
 * The calls to models among `requests`; `model` is for those that name none. Throws an `IndelibleError`
 * (`request_unreadable`) for a body that is no request.
 */
export function readRequests(requests: readonly SentRequest[], model?: string): readonly SentCall[] {
  if (!Array.isArray(requests)) throw new RequestUnreadableError('What was handed in', 'a list of requests', requests)
  return requests.flatMap((request, index): SentCall | readonly SentCall[] => {
    if (typeof request !== 'string' && (typeof request !== 'object' || (request as unknown) === null)) {
      throw new RequestUnreadableError(`requests[${index}]`, 'a body, its JSON text, or a captured request', request)
    }
    const exchange = readRequest(request, index + 1, model)
    return exchange === null ? [] : { number: index + 1, exchange }
  })
}

function readRequest(request: SentRequest, number: number, model: string | undefined): Exchange | null {
  const record = recordOf(request, number, model)
  if (record.status !== undefined && record.status >= 400) return null
  let problem: string | undefined
  const exchange = exchangeOf(record, {
    name: 'requests',
    hash: digest,
    unread: ({ kind, message }) => {
      if (kind !== 'other-traffic') problem = message
    },
  })
  if (problem !== undefined) throw new IndelibleError('request_unreadable', `Request ${number}: ${problem}`)
  return exchange
}

/** What a recorder keeps of a request beside its body. */
interface Recorded {
  readonly body: unknown
  readonly url?: unknown
  readonly path?: unknown
  readonly method?: unknown
  readonly model?: unknown
  readonly headers?: unknown
  readonly startedAt?: unknown
  readonly status?: unknown
  readonly response?: unknown
}

function recordOf(request: SentRequest, number: number, model: string | undefined): HttpRecord {
  if (!isRecorded(request)) return { request: parsed(request), response: undefined, line: number, model }
  const { body, url, path, method, headers, status, response } = request
  const startedAt = typeof request.startedAt === 'string' ? Date.parse(request.startedAt) : Number.NaN
  return {
    request: parsed(body),
    response: response ?? undefined,
    line: number,
    url: url ?? path,
    method: typeof method === 'string' ? method : undefined,
    requestHeaders: headers,
    model: model ?? (typeof request.model === 'string' && request.model !== '' ? request.model : undefined),
    status: typeof status === 'number' ? status : undefined,
    startedAt: Number.isNaN(startedAt) ? undefined : startedAt,
  }
}

/** A body has no `body` of its own, and what is none of ours and names an address is no body. */
function isRecorded(request: SentRequest): request is Recorded {
  if (typeof request === 'string' || !('body' in request)) return false
  return ('url' in request || 'path' in request) && recogniseFormat(request) === undefined
}

/** Text that is no JSON as it is, for whoever reads it to say so. */
function parsed(body: unknown): unknown {
  return typeof body === 'string' ? (parseJson(body) ?? body) : body
}
