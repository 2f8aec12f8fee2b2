/**
 * claude-trace logs (`.claude-trace/log-*.jsonl`): a line for each request with its response, the stream of an answer as
 * the text that came. A request that was never answered has `response: null`. Times are seconds since the epoch.
 */
import { field, has } from '../../../cache/layout/peek.ts'
import type { Fields } from '../../../cache/usage/fields.ts'
import { exchangeOf, type HttpRecord } from '../http-exchange.ts'
import { readTime } from '../read-time.ts'
import type { LogReader } from '../types.ts'
import { firstRows } from './json-rows.ts'
import { jsonRecords, nameOf, numberOf } from './json-records.ts'

/** Reads logs of claude-trace. */
export const claudeTrace: LogReader = {
  id: 'claude-trace',
  title: 'claude-trace log',
  hint: 'Short calls (titles, summaries) are logged only with claude-trace --include-all-requests.',

  recognises(head) {
    const [first] = firstRows(head)
    const request = field(first, 'request')
    return has(request, 'url') && has(request, 'timestamp') && has(request, 'method') && isAnswer(first)
  },

  async *read(input) {
    for await (const { record, line } of jsonRecords(input)) {
      if (!has(record, 'request')) {
        input.unread({ line, kind: 'unknown-shape', message: 'The line has no request.' })
        continue
      }
      const exchange = exchangeOf(recordOf(record, line), input)
      if (exchange !== null) yield exchange
    }
  },
}

/** Of a first line that is longer than the head, the response may not be seen. */
function isAnswer(line: Fields | undefined): boolean {
  const response = field(line, 'response')
  return response === undefined || response === null || has(response, 'status_code') || has(line, 'logged_at')
}

function recordOf(record: Fields, line: number): HttpRecord {
  const { request, response } = record
  return {
    url: field(request, 'url'),
    method: nameOf(field(request, 'method')),
    requestHeaders: field(request, 'headers'),
    request: field(request, 'body'),
    status: numberOf(field(response, 'status_code')),
    responseHeaders: field(response, 'headers'),
    response: field(response, 'body_raw') ?? field(response, 'body'),
    startedAt: readTime(field(request, 'timestamp')),
    endedAt: readTime(field(response, 'timestamp')),
    line,
  }
}
