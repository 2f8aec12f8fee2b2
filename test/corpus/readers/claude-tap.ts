/**
 * claude-tap traces: one JSON line per turn, with the body of the request and either the body of the response or the
 * events of its WebSocket. `timestamp` is when the turn was written down, so the request started `duration_ms` before.
 */
import { field, has, list } from '../../../src/cache/layout/peek.ts'
import { readBody } from '../body.ts'
import { addressOf, type Exchange, type RecordingReader } from '../exchange.ts'

export const claudeTap: RecordingReader = {
  name: 'claude-tap',
  recognises: ([first]) => has(field(first, 'request'), 'body') && has(first, 'response') && has(first, 'turn'),
  read: (lines) => lines.map(exchange),
}

function exchange(line: unknown, index: number): Exchange {
  const request = field(line, 'request')
  const response = field(line, 'response')
  const path = field(request, 'path')
  const status = field(response, 'status')
  const body = readBody(field(response, 'body'))
  const ended = Date.parse(String(field(line, 'timestamp')))
  const took = field(line, 'duration_ms')
  return {
    index,
    host: addressOf(field(line, 'upstream_base_url')).host,
    path: typeof path === 'string' ? path.replace(/\?.*$/, '') : '',
    request: readBody(field(request, 'body')),
    response: body ?? list(field(response, 'ws_events')),
    status: typeof status === 'number' ? status : undefined,
    startedAt: Number.isNaN(ended) ? undefined : ended - (typeof took === 'number' ? took : 0),
    date: undefined,
  }
}
