/**
 * A record of a log that somebody wrote themselves: a request body and what came back, under any of the names that
 * people choose. The body decides: without one of a known API, nothing else in the record is looked at.
 */
import { field, has, textOf } from '../../cache/layout/peek.ts'
import { recogniseFormat } from '../../cache/layout/read-items.ts'
import { at, fields, type Fields } from '../../cache/usage/fields.ts'
import { readUsage } from '../../cache/usage/read-usage.ts'
import { parseJson } from '../../cache/usage/sse.ts'
import type { Exchange, ExchangeIds } from '../exchange.ts'
import { exchangeOf, isCutOff } from './http-exchange.ts'
import { providerNamed } from './provider-name.ts'
import { readTime } from './read-time.ts'
import type { ReaderInput } from './types.ts'

type Path = readonly string[]

/** Where a body may stand; the last is the record itself. */
const bodies: readonly Path[] = [
  ['request', 'body'],
  ['request'],
  ['body'],
  ['req', 'body'],
  ['kwargs', 'additional_args', 'complete_input_dict'],
  ['request_body'],
  ['requestBody'],
  ['raw_request'],
  ['payload'],
  ['params'],
  [],
]

const answers: readonly Path[] = [
  ['response', 'body'],
  ['response', 'body_raw'],
  ['response'],
  ['res', 'body'],
  ['res'],
  ['response_obj'],
  ['response_body'],
  ['responseBody'],
  ['raw_response'],
  ['output'],
  ['answer'],
  ['result'],
  ['completion'],
]

const startNames = [
  'startedAt',
  'started_at',
  'start_time',
  'startTime',
  'timestamp',
  'time',
  'ts',
  'created_at',
  'createdAt',
  'date',
  '@timestamp',
  'request_time',
  'logged_at',
  'at',
]
const endNames = ['endedAt', 'ended_at', 'end_time', 'endTime', 'completed_at', 'finished_at', 'response_time']
const answerEndNames = [...endNames, 'timestamp']
const tookNames = ['duration_ms', 'durationMs', 'latency_ms', 'latencyMs', 'elapsed_ms', 'response_ms']
const sessionNames = [
  'session_id',
  'sessionId',
  'session',
  'conversation_id',
  'conversationId',
  'thread_id',
  'threadId',
  'chat_id',
  'chatId',
  'trace_id',
  'traceId',
  'run_id',
  'runId',
]
const requestNames = ['request_id', 'requestId', 'call_id', 'callId', 'id']
const agentNames = ['query_source', 'querySource', 'agent', 'agent_name', 'agentName']
const statusNames = ['status', 'status_code', 'statusCode', 'http_status']

/** True for a record that holds a request body of an API that is known. */
export function hasBody(record: unknown): boolean {
  return bodyIn(record) !== undefined
}

/** The call in a record, or null where it has none that can be read, which is then told to `input.unread`. */
export function looseExchange(record: Fields, line: number | null, input: ReaderInput): Exchange | null {
  const request = bodyIn(record)
  if (request === undefined) {
    input.unread({ line, kind: 'unknown-shape', message: 'There is no request body of an API that is known in it.' })
    return null
  }
  const isBare = request === record
  const answer = isBare ? undefined : answerIn(record)
  const exchange = exchangeOf(
    {
      url: firstText(
        record,
        [['url'], ['request', 'url'], ['request', 'path'], ['endpoint'], ['req', 'url']],
        isAddress,
      ),
      method: firstText(record, [['request', 'method'], ['method']], (text) => /^[A-Z]+$/.test(text)),
      model: firstText(record, [['model']], () => true),
      requestHeaders: at(record, 'request', 'headers') ?? at(record, 'req', 'headers') ?? record['headers'],
      request,
      status: statusIn(record),
      responseHeaders: at(record, 'response', 'headers') ?? at(record, 'res', 'headers'),
      response: answer,
      ...(isBare ? {} : timesIn(record)),
      line,
      ids: isBare ? undefined : idsIn(record),
      error: firstText(record, [['error'], ['error', 'message'], ['error_message']], () => true),
    },
    input,
  )
  return exchange === null ? null : { ...exchange, ...besides(record, exchange) }
}

/** What a record says beside request and response, where these do not. */
function besides(record: Fields, { provider, request, response, model }: Exchange): Partial<Exchange> {
  const named = provider ?? providerNamed(record['provider'], textOf(request, 'model') || model)
  const usage = has(response, 'usage') || typeof response === 'string' ? undefined : fields(record['usage'])
  return {
    ...(named === undefined ? {} : { provider: named }),
    ...(usage === undefined ? {} : { usage: readUsage(usage) }),
  }
}

function bodyIn(record: unknown): unknown {
  for (const path of bodies) {
    const value = at(record, ...path)
    if (typeof value === 'string' ? isBodyText(value) : isBody(value, field(record, 'model'))) return value
  }
  return undefined
}

/** A body that leaves its model out may be of several APIs; the record then has to say which. */
function isBody(value: unknown, model: unknown): boolean {
  if (recogniseFormat(value) !== undefined) return true
  return (
    has(value, 'messages') && typeof model === 'string' && recogniseFormat({ ...fields(value), model }) !== undefined
  )
}

/** Text counts as a body also when it was cut off: it is then counted as that. */
function isBodyText(text: string): boolean {
  if (!/^\s*\{\s*"/.test(text)) return false
  return isCutOff(text)
    ? /"(?:messages|input|contents|model)"\s*:/.test(text)
    : recogniseFormat(parseJson(text)) !== undefined
}

function answerIn(record: Fields): unknown {
  for (const path of answers) {
    const value = at(record, ...path)
    if (value !== undefined && value !== null) return value
  }
  return undefined
}

function statusIn(record: Fields): number | undefined {
  for (const place of [record['response'], record['res'], record]) {
    for (const name of statusNames) {
      const value = field(place, name)
      if (typeof value === 'number' && value >= 100 && value < 600) return value
    }
  }
  return undefined
}

function timesIn(record: Fields): { startedAt?: number | undefined; endedAt?: number | undefined } {
  const { request, response } = record
  const startedAt = firstTime([request, record], startNames)
  const took = tookNames.map((name) => record[name]).find((value) => typeof value === 'number')
  const ended = firstTime([record], endNames) ?? firstTime([response], answerEndNames)
  const endedAt = ended ?? (startedAt === undefined || typeof took !== 'number' ? undefined : startedAt + took)
  return { startedAt, endedAt }
}

function firstTime(places: readonly unknown[], names: readonly string[]): number | undefined {
  for (const place of places) {
    for (const name of names) {
      const time = readTime(field(place, name))
      if (time !== undefined) return time
    }
  }
  return undefined
}

function idsIn(record: Fields): ExchangeIds {
  const { metadata } = record
  const text = (names: readonly string[]): string | undefined => nameIn(record, names) ?? nameIn(metadata, names)
  return {
    request: text(requestNames),
    session: text(sessionNames),
    agent: text(agentNames),
  }
}

function nameIn(holder: unknown, names: readonly string[]): string | undefined {
  for (const name of names) {
    const value = textOf(holder, name)
    if (value !== '') return value
  }
  return undefined
}

function firstText(record: Fields, paths: readonly Path[], fits: (text: string) => boolean): string | undefined {
  for (const path of paths) {
    const value = at(record, ...path)
    if (typeof value === 'string' && value !== '' && fits(value)) return value
  }
  return undefined
}

function isAddress(text: string): boolean {
  return /^(?:https?:\/)?\//.test(text)
}
