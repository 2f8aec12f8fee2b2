/**
 * claude-tap traces: a line for each request, or for each WebSocket with all that went over it. `timestamp` is when the
 * line was written, so the request began `duration_ms` before. A connection that goes on is written again with each
 * turn, and what was read already is left out by the id of its response.
 */
import { field, has, list } from '../../../cache/layout/peek.ts'
import { fields, type Fields } from '../../../cache/usage/fields.ts'
import type { Exchange } from '../../exchange.ts'
import { exchangeOf, type HttpRecord } from '../http-exchange.ts'
import { readTime } from '../read-time.ts'
import { isSocketCall, socketCalls } from '../socket-calls.ts'
import type { LogReader, ReaderInput } from '../types.ts'
import { firstRows } from './json-rows.ts'
import { jsonRecords, nameOf, numberOf } from './json-records.ts'

/** Reads traces of claude-tap. */
export const claudeTap: LogReader = {
  id: 'claude-tap',
  title: 'claude-tap trace',
  hint: null,

  recognises(head) {
    const [first] = firstRows(head)
    const request = field(first, 'request')
    return has(first, 'turn') && has(request, 'path') && (has(first, 'upstream_base_url') || has(first, 'duration_ms'))
  },

  async *read(input) {
    const seen = new Set<string>()
    for await (const { record, line } of jsonRecords(input)) {
      if (fields(record['request']) === undefined) {
        input.unread({ line, kind: 'unknown-shape', message: 'The line has no request.' })
      } else if (isSocket(record)) yield* readSocket(record, line, input, seen)
      else yield* readCall(recordOf(record, line), input)
    }
  },
}

function isSocket(record: Fields): boolean {
  const { request } = record
  return list(field(request, 'ws_events')).some(isSocketCall) || isSocketCall(field(request, 'body'))
}

function* readSocket(record: Fields, line: number, input: ReaderInput, seen: Set<string>): Generator<Exchange> {
  const common = recordOf(record, line)
  const sent = list(field(record['request'], 'ws_events')).filter(isSocketCall)
  const calls = socketCalls(sent.length > 0 ? sent : [common.request], list(field(record['response'], 'ws_events')))
  for (const [index, call] of calls.entries()) {
    const id = nameOf(field(call.response, 'id'))
    if (id !== undefined && seen.has(id)) continue
    if (id !== undefined) seen.add(id)
    const isLast = index === calls.length - 1
    const whole = isLast ? (call.response ?? fields(common.response)) : call.response
    yield* readCall(
      {
        ...common,
        method: 'POST',
        request: call.request,
        response: whole,
        // 101 is of the connection.
        status: undefined,
        startedAt: call.startedAt ?? (calls.length === 1 ? common.startedAt : undefined),
        endedAt: call.endedAt ?? (isLast ? common.endedAt : undefined),
        error: call.error,
        streamed: true,
        ids: calls.length === 1 ? common.ids : undefined,
      },
      input,
    )
  }
}

function* readCall(record: HttpRecord, input: ReaderInput): Generator<Exchange> {
  const exchange = exchangeOf(record, input)
  if (exchange !== null) yield exchange
}

function recordOf(record: Fields, line: number): HttpRecord {
  const { request, response } = record
  const ended = readTime(record['timestamp'])
  const took = numberOf(record['duration_ms'])
  return {
    url: record['upstream_base_url'],
    path: nameOf(field(request, 'path')),
    method: nameOf(field(request, 'method')),
    requestHeaders: field(request, 'headers'),
    request: field(request, 'body'),
    status: numberOf(field(response, 'status')),
    responseHeaders: field(response, 'headers'),
    response: field(response, 'body') ?? field(response, 'sse_events'),
    startedAt: ended === undefined || took === undefined ? undefined : ended - took,
    endedAt: ended,
    line,
    ids: { request: nameOf(record['request_id']) },
  }
}
