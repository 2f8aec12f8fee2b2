/**
 * What an answer says about itself besides its usage: id, times, error, and the provider's own reason for a miss.
 *
 * Of an event stream only the first event is looked at, which has all of that in every API; parsing whole streams is
 * left to who needs their usage.
 */
import { field, list } from '../../cache/layout/peek.ts'
import { parseSse } from '../../cache/usage/sse.ts'

/** All of it may be missing. */
export interface Answer {
  readonly id?: string | undefined
  /** Milliseconds since the epoch, of whole seconds. */
  readonly created?: number | undefined
  readonly completed?: number | undefined
  readonly error?: string | undefined
  /** As `system_changed`, of Anthropic's cache diagnosis. */
  readonly missReason?: string | undefined
  /** The request id of an error, which Anthropic repeats in the body. */
  readonly request?: string | undefined
}

// The first event of a stream of Responses repeats the whole request, instructions and tools included.
const firstEvent = 2_097_152

/** Reads a parsed answer, a list of events, or the text of an event stream. */
export function answerOf(response: unknown): Answer {
  if (typeof response === 'string') return answerIn(firstOf(response))
  if (!Array.isArray(response)) return answerIn(response)
  const events = response.map((event) => unwrap(event))
  const completed = events.find((event) => field(event, 'type') === 'response.completed')
  return answerIn(completed ?? events[0])
}

function firstOf(stream: string): unknown {
  const end = /\r?\n\r?\n/g
  let from = 0
  // Comments, pings and events of a client's own may come first.
  for (let tries = 0; tries < 5 && from < stream.length; tries++) {
    end.lastIndex = from
    const found = end.exec(stream)
    const to = found === null ? stream.length : found.index + found[0].length
    if (to - from > firstEvent) return undefined
    const [value] = parseSse(stream.slice(from, to))
    if (value !== undefined && field(value, 'type') !== 'ping') return value
    from = to
  }
  return undefined
}

/** Clients that parse events themselves keep `{ event, data }`. */
function unwrap(event: unknown): unknown {
  const data = field(event, 'data')
  if (typeof data === 'string') return parseSse(`data: ${data}`)[0]
  return typeof data === 'object' && data !== null && field(event, 'type') === undefined ? data : event
}

function answerIn(value: unknown): Answer {
  const whole = field(value, 'message') ?? field(value, 'response')
  const answer = typeof whole === 'object' && whole !== null ? whole : value
  return {
    id: text(answer, 'id') ?? text(answer, 'responseId') ?? text(answer, 'response_id'),
    created: seconds(field(answer, 'created') ?? field(answer, 'created_at')),
    completed: seconds(field(answer, 'completed_at')),
    error: errorIn(value),
    missReason: text(field(field(answer, 'diagnostics'), 'cache_miss_reason'), 'type'),
    request: text(value, 'request_id'),
  }
}

function errorIn(value: unknown): string | undefined {
  const error = field(value, 'error') ?? field(list(value)[0], 'error')
  return typeof error === 'string' ? error : (text(error, 'message') ?? text(error, 'type'))
}

function text(value: unknown, name: string): string | undefined {
  const found = field(value, name)
  return typeof found === 'string' && found !== '' ? found : undefined
}

function seconds(value: unknown): number | undefined {
  return typeof value === 'number' && value > 0 ? value * 1000 : undefined
}
