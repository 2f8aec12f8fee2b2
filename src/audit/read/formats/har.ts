/**
 * HTTP archives (HAR 1.2): what browsers export, and mitmproxy as `hardump`. Entries are read one by one, so the file may
 * be of any size. Messages of a WebSocket stand in `_webSocketMessages`.
 *
 * Browsers leave out bodies that are large or came as a stream: a request without its body cannot be read, an answer
 * without one has no usage.
 * Format: http://www.softwareishard.com/blog/har-12-spec/
 */
import { field, has, list, textOf } from '../../../cache/layout/peek.ts'
import { fields, type Fields } from '../../../cache/usage/fields.ts'
import { parseJson } from '../../../cache/usage/sse.ts'
import type { Exchange } from '../../exchange.ts'
import { exchangeOf, type HttpRecord } from '../http-exchange.ts'
import { readTime } from '../read-time.ts'
import { readBase64, readBody, type RecordedBody } from '../recorded-body.ts'
import { isSocketCall, socketCalls } from '../socket-calls.ts'
import type { LogReader, ReaderInput } from '../types.ts'
import { nameOf, numberOf } from './json-records.ts'

/** Reads HTTP archives. */
export const har: LogReader = {
  id: 'har',
  title: 'HTTP archive (HAR)',
  hint: 'Browsers leave bodies out: record with mitmdump --set hardump=out.har, which keeps them.',

  recognises: ({ start, text }) =>
    has(field(start, 'log'), 'entries') || (has(start, 'log') && /^[^]{0,2000}"(?:creator|entries)"\s*:/.test(text)),

  async *read(input) {
    for await (const { text, line } of input.items(['log', 'entries'])) {
      const entry = fields(parseJson(text))
      if (fields(entry?.['request']) === undefined || entry === undefined) {
        input.unread({ line, kind: 'broken', message: 'The entry is no request with its response.' })
      } else yield* readEntry(entry, line, input)
    }
  },
}

function* readEntry(entry: Fields, line: number, input: ReaderInput): Generator<Exchange> {
  const messages = list(entry['_webSocketMessages'])
  if (messages.length > 0) {
    yield* readSocket(entry, messages, line, input)
    return
  }
  const { request, response } = entry
  const sent = bodyOf(field(request, 'postData'))
  const received = bodyOf(field(response, 'content'))
  if (sent.type === 'unread') {
    input.unread({ line, kind: 'unknown-shape', message: sent.message })
    return
  }
  const answer = received.type === 'body' ? received.value : undefined
  const exchange = exchangeOf({ ...recordOf(entry, line), request: sent.value, response: answer }, input)
  if (exchange === null) return
  if (received.type === 'unread') input.unread({ line, kind: 'unknown-shape', message: received.message })
  yield exchange
}

function* readSocket(
  entry: Fields,
  messages: readonly unknown[],
  line: number,
  input: ReaderInput,
): Generator<Exchange> {
  const of = (type: string): unknown[] =>
    messages.filter((each) => field(each, 'type') === type).map((each) => parseJson(textOf(each, 'data')))
  const sent = of('send').filter(isSocketCall)
  const times = messages
    .filter((each) => field(each, 'type') === 'send' && isSocketCall(parseJson(textOf(each, 'data'))))
    .map((each) => readTime(field(each, 'time')))
  if (sent.length === 0) input.unread({ line, kind: 'other-traffic', message: 'Not a call to a model.' })
  for (const [index, call] of socketCalls(sent, of('receive')).entries()) {
    const common = recordOf(entry, line)
    const startedAt = times[index] ?? call.startedAt
    const exchange = exchangeOf(
      { ...common, ...call, method: 'POST', status: undefined, startedAt, streamed: true },
      input,
    )
    if (exchange !== null) yield exchange
  }
}

function recordOf(entry: Fields, line: number): HttpRecord {
  const { request, response } = entry
  const started = readTime(entry['startedDateTime'])
  const took = numberOf(entry['time'])
  const status = numberOf(field(response, 'status'))
  return {
    url: field(request, 'url'),
    method: nameOf(field(request, 'method')),
    requestHeaders: field(request, 'headers'),
    request: undefined,
    // 0 stands for a request that was never answered.
    status: status === 0 ? undefined : status,
    responseHeaders: field(response, 'headers'),
    response: undefined,
    startedAt: started,
    endedAt: started === undefined || took === undefined || took < 0 ? undefined : started + took,
    line,
  }
}

function bodyOf(content: unknown): RecordedBody {
  const text = field(content, 'text')
  return field(content, 'encoding') === 'base64' && typeof text === 'string' ? readBase64(text) : readBody(text)
}
