/**
 * The calls on a WebSocket of OpenAI Responses: each `response.create` that was sent is one, and the events that came
 * back are its answer, told apart by the ids of their responses. From the second on, a call carries only what is new,
 * and names the response that it goes on from.
 *
 * Clients close a connection in the middle of an answer: a call may have none, or half of one.
 */
import { field, has, list, textOf } from '../../cache/layout/peek.ts'

/** One call: a request body, and its response as if it had come in one piece. */
export interface SocketCall {
  readonly request: unknown
  /** Undefined where it never began. */
  readonly response: unknown
  /** Milliseconds since the epoch, of whole seconds. */
  readonly startedAt: number | undefined
  readonly endedAt: number | undefined
  readonly error: string | undefined
}

/** True for a message that asks the model. */
export function isSocketCall(message: unknown): boolean {
  return field(message, 'type') === 'response.create'
}

/** The calls of one connection, in the order in which they were sent. */
export function socketCalls(sent: readonly unknown[], received: readonly unknown[]): SocketCall[] {
  const answers = answersIn(received)
  return sent.filter(isSocketCall).map((message, index) => {
    const events = answers[index] ?? []
    const response = responseIn(events)
    const created = field(response, 'created_at')
    const completed = field(response, 'completed_at')
    return {
      request: bodyIn(message),
      response,
      startedAt: typeof created === 'number' ? created * 1000 : undefined,
      endedAt: typeof completed === 'number' ? completed * 1000 : undefined,
      error: errorIn(events, response),
    }
  })
}

/** The events by answer. One begins with `response.created`, or with an error that came instead of it. */
function answersIn(received: readonly unknown[]): (readonly unknown[])[] {
  const answers: unknown[][] = []
  let isOpen = false
  for (const event of received) {
    const type = textOf(event, 'type')
    if (type === 'response.created' || (type === 'error' && !isOpen)) answers.push([])
    isOpen = type === 'error' || isEnd(type) ? false : isOpen || type === 'response.created'
    answers.at(-1)?.push(event)
  }
  return answers
}

function isEnd(type: string): boolean {
  return /^response\.(?:completed|incomplete|failed|cancelled|done)$/.test(type)
}

/** The last state of a response; with the items that came one by one where it does not repeat them. */
function responseIn(events: readonly unknown[]): unknown {
  const last = events.findLast((event) => has(event, 'response'))
  const response = field(last, 'response')
  if (typeof response !== 'object' || response === null) return undefined
  if (list(field(response, 'output')).length > 0) return response
  const items = events.filter((event) => field(event, 'type') === 'response.output_item.done')
  return { ...response, output: items.map((event) => field(event, 'item')) }
}

function errorIn(events: readonly unknown[], response: unknown): string | undefined {
  const failed = events.find((event) => field(event, 'type') === 'error')
  const error = field(failed, 'error') ?? failed ?? field(response, 'error')
  return textOf(error, 'message') || (failed === undefined ? undefined : 'error')
}

/** The body as it would have been posted; some clients wrap it once more. */
function bodyIn(message: unknown): unknown {
  const wrapped = field(message, 'response')
  if (typeof wrapped === 'object' && wrapped !== null) return wrapped
  const { type: _type, ...body } = message as { readonly type?: unknown }
  return body
}
