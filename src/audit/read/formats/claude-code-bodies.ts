/**
 * The request and response bodies that Claude Code writes with `OTEL_LOG_RAW_API_BODIES=file:<folder>`: a file for each,
 * and from 2.1.274 on an `index.jsonl` that says which belong together and when they came. Older folders have no clock;
 * they are put in order by what the requests say of the one before.
 *
 * Thinking is blacked out in all of them, and a `thread` may hold only the last messages of a conversation. With
 * `OTEL_LOG_RAW_API_BODIES=1` the bodies are in log events instead, cut at 60 KB: most of them cannot be read.
 * Source: https://code.claude.com/docs/en/monitoring-usage
 */
import { field, has } from '../../../cache/layout/peek.ts'
import { recogniseFormat } from '../../../cache/layout/read-items.ts'
import type { Exchange } from '../../exchange.ts'
import { bodyEventsIn, hasBodyEvent, type BodyEvent } from '../claude-code-events.ts'
import { parseJson } from '../../../cache/usage/sse.ts'
import { pairBodies } from '../claude-code-pairs.ts'
import { exchangeOf, type HttpRecord } from '../http-exchange.ts'
import { readTime } from '../read-time.ts'
import type { LogReader, ReaderInput } from '../types.ts'
import { jsonRecords, nameOf } from './json-records.ts'
import { jsonRows } from './json-rows.ts'

const indexName = 'index.jsonl'
const isRequest = (name: string): boolean => name.endsWith('.request.json')
const isResponse = (name: string): boolean => name.endsWith('.response.json')

/** Reads folders of raw bodies, and log events that hold them. */
export const claudeCodeBodies: LogReader = {
  id: 'claude-code-bodies',
  title: 'raw API bodies of Claude Code',
  hint: 'Thinking is always blacked out. Whole bodies and times need OTEL_LOG_RAW_API_BODIES=file:<folder>, Claude Code 2.1.274 or newer.',

  recognises(head) {
    const [first] = head.records
    if (has(first, 'request_file') || has(first, 'response_file') || hasBodyEvent(head)) return true
    if (isRequest(head.name)) return recogniseFormat(head.start) === 'anthropic' || has(head.start, 'system')
    return isResponse(head.name) && field(head.start, 'type') === 'message' && has(head.start, 'usage')
  },

  member: (name) => name === indexName || isRequest(name) || isResponse(name),

  async *read(input) {
    if (hasBodyEvent(input.head)) yield* readEvents(input)
    else if (input.siblings.includes(indexName)) yield* readIndexed(input)
    else yield* readLoose(input)
  },
}

/** One call as files. */
interface Files {
  readonly request: string | undefined
  readonly response: string | undefined
  readonly line: number | null
  readonly endedAt?: number | undefined
  readonly ids?: HttpRecord['ids']
  readonly order: boolean
}

async function* readIndexed(input: ReaderInput): AsyncGenerator<Exchange> {
  const index = input.sibling(indexName)
  if (index === undefined) return
  const indexed = new Set<string>()
  for await (const { record, line } of jsonRecords(index)) {
    const [request, response] = [fileIn(record['request_file']), fileIn(record['response_file'])]
    if (request !== undefined) indexed.add(request)
    if (response !== undefined) indexed.add(response)
    const ids = {
      session: nameOf(record['session_id']),
      request: nameOf(record['request_id']),
      response: nameOf(record['message_id']),
      agent: nameOf(record['query_source']),
    }
    const endedAt = readTime(record['timestamp'])
    yield* readFiles({ request, response, line, endedAt, ids, order: true }, input, index)
  }
  const rest = input.siblings.filter((name) => !indexed.has(name) && name !== indexName)
  if (rest.length > 0) yield* readLoose(input, rest)
}

/** The name in a path of the machine that wrote it. */
function fileIn(path: unknown): string | undefined {
  return typeof path === 'string' ? path.replace(/^.*[\\/]/, '') : undefined
}

async function* readLoose(input: ReaderInput, names = input.siblings): AsyncGenerator<Exchange> {
  const load = async (name: string): Promise<unknown> => parseJson((await textIn(input, name)) ?? '')
  const { calls, unclaimed } = await pairBodies(names.filter(isRequest), names.filter(isResponse), load)
  for (const { request, response, order } of calls) {
    yield* readFiles({ request, response, line: null, order, ids: requestIdOf(response) }, input)
  }
  for (const name of unclaimed) {
    const message = 'An answer whose request is not in the folder, or not to be told from others.'
    input.sibling(name)?.unread({ line: null, kind: 'no-body', message })
  }
}

/** The file of an answer has the id of its request for a name. */
function requestIdOf(response: string | undefined): HttpRecord['ids'] {
  return { request: response?.replace(/\.response\.json$/, '') }
}

async function* readFiles(files: Files, input: ReaderInput, index?: ReaderInput): AsyncGenerator<Exchange> {
  const source = files.request === undefined ? undefined : input.sibling(files.request)
  if (files.request === undefined || source === undefined) {
    const message = 'The file of the request is not in the folder.'
    ;(index ?? input).unread({ line: files.line, kind: 'no-body', message })
    return
  }
  const text = await textIn(input, files.request)
  if (text === undefined) return
  const body = parseJson(text)
  const answer = files.response === undefined ? undefined : await textIn(input, files.response)
  const response = answer === undefined ? undefined : parseJson(answer)
  if (answer !== undefined && response === undefined) {
    const message = 'The file is no JSON, or only a part of it.'
    input.sibling(files.response ?? '')?.unread({ line: null, kind: 'broken', message })
  }
  // What stands before a tail of messages is not in the file, so nothing can be compared with it.
  const isTail = has(body, 'thread')
  const exchange = exchangeOf(
    {
      path: '/v1/messages',
      // Written out again from what was sent: its text is not that of the wire.
      request: body ?? text,
      response,
      endedAt: files.endedAt,
      line: null,
      ids: files.ids,
      fidelity: { level: isTail ? 'usage' : 'body', redacted: text.includes('<REDACTED>'), order: files.order },
    },
    source,
  )
  if (exchange !== null) yield exchange
}

/** The text of a file beside; one that cannot be opened is reported, and has none. */
async function textIn(input: ReaderInput, name: string): Promise<string | undefined> {
  const file = input.sibling(name)
  try {
    return await file?.document()
  } catch {
    file?.unread({ line: null, kind: 'broken', message: 'The file cannot be read.' })
    return undefined
  }
}

async function* readEvents(input: ReaderInput): AsyncGenerator<Exchange> {
  for await (const { record, line } of jsonRows(input)) {
    for (const event of bodyEventsIn(record)) {
      const exchange = event.type === 'request' ? fromEvent(event, line, input) : null
      if (exchange !== null) yield exchange
    }
  }
}

function fromEvent({ body, at, session, agent }: BodyEvent, line: number, input: ReaderInput): Exchange | null {
  if (body === undefined) {
    const message = 'The body is in a file of its own: give the folder that OTEL_LOG_RAW_API_BODIES names.'
    input.unread({ line, kind: 'no-body', message })
    return null
  }
  const request = parseJson(body)
  if (request === undefined) {
    const message = 'The body was cut at 60 KB: OTEL_LOG_RAW_API_BODIES=file:<folder> instead of 1 keeps it whole.'
    input.unread({ line, kind: 'truncated', message })
    return null
  }
  const fidelity = { level: 'body', redacted: body.includes('<REDACTED>') } as const
  const ids = { session, agent }
  return exchangeOf({ path: '/v1/messages', request, response: undefined, startedAt: at, line, ids, fidelity }, input)
}
