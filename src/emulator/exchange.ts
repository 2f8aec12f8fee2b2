/**
 * One request that a model answers, from its arrival to the last byte of its answer.
 *
 * The cache sees requests in the order in which they arrived. What a request writes can be read from the moment at which
 * its response begins, and never if the client hangs up before.
 */
import { setTimeout as pause } from 'node:timers/promises'
import type { Prediction, Simulator } from '../cache/simulator/types.ts'
import type { Emulation } from './emulation.ts'
import { eventStream, type Framing } from './event-stream.ts'
import { jsonResponse, sendJson } from './json-response.ts'
import type { Arrival, Outcome } from './journal.ts'
import { delaysOf } from './latency.ts'
import { receive, refusal, type AppContext } from './receive.ts'
import { redact } from './redact.ts'
import type { Route } from './routes.ts'
import type { Answer, EndpointRequest, StreamEvent } from './types.ts'
import { whyUnreadable } from './unreadable.ts'

/** The client is gone: nobody reads this status but the journal. */
const hungUp = 499

interface Exchange {
  readonly emulation: Emulation
  readonly route: Route
  readonly request: EndpointRequest
  readonly arrival: Arrival
  readonly signal: AbortSignal
  readonly outgoing: AppContext['env']['outgoing']
  /** Notes what became of the request, and logs it. */
  readonly settle: (outcome: Outcome, answer?: Answer) => void
}

/** Answers a request that came to a route. */
export async function exchange(context: AppContext, emulation: Emulation, route: Route): Promise<Response> {
  const { endpoint } = route
  const target = route.target?.({ parameters: context.req.param(), query: context.req.query() })
  const received = await receive(context, emulation, endpoint, target)
  if ('refused' in received) return received.refused
  const { request, arrival, text } = received
  const note = emulation.journal.add(arrival, text)
  const signal = closing(context)
  const work: Exchange = {
    emulation,
    route,
    request,
    arrival,
    signal,
    outgoing: context.env.outgoing,
    settle(outcome, answer) {
      const settled = note(outcome)
      if (emulation.log === undefined) return
      const whole = answer && settled.prediction ? endpoint.answer(request, answer, settled.prediction) : null
      emulation.log({ ...settled, body: redact(request.body), answer: whole })
    },
  }
  let simulator: Simulator
  let prediction: Prediction
  try {
    const refused = endpoint.cannot?.(request) ?? (emulation.strict ? endpoint.check(request) : null)
    if (refused !== null) {
      work.settle({ status: refused.status, error: refused.body })
      return jsonResponse({ ...refused, headers: { ...headersOf(work), ...refused.headers } })
    }
    simulator = emulation.scopes.of(endpoint, request.model, request.account)
    const body = endpoint.edit?.(request) ?? request.body
    prediction = simulator.send(body, { startedAt: request.at, pending: true, model: request.model || undefined })
  } catch (error) {
    return fail(work, 400, whyUnreadable(error))
  }
  return await respond(work, simulator, prediction, target?.framing ?? 'sse')
}

async function respond(
  work: Exchange,
  simulator: Simulator,
  prediction: Prediction,
  framing: Framing,
): Promise<Response> {
  const { emulation, route, request, arrival, signal, outgoing } = work
  const { endpoint } = route
  const { number, method, path, stream } = arrival
  const whole = { ...request, number, endpoint: endpoint.id, method, path, stream, startedAt: request.at, signal }
  let answer: Answer
  let write: () => Response
  try {
    const { begin, event } = delaysOf(emulation.latency, whole, prediction)
    const made = emulation.respond(whole)
    answer = made instanceof Promise ? await unlessAborted(made, signal) : made
    if (begin > 0) await pause(begin, undefined, { signal })
    signal.throwIfAborted()
    if (stream) {
      const events = endpoint.stream(request, answer, prediction)
      write = () => streamed(work, events, { framing, delay: event, settle })
    } else {
      const body = endpoint.answer(request, answer, prediction)
      write = () => sendJson(outgoing, { status: 200, body, headers: headersOf(work) })
    }
  } catch (error) {
    simulator.abandon(prediction)
    if (!signal.aborted) return fail(work, 500, `The emulator could not make the answer: ${String(error)}`)
    work.settle({ status: hungUp })
    return new Response(null, { status: hungUp })
  }
  // Whatever begins here is the first byte: nothing is awaited between this and the response.
  simulator.begin(prediction)
  const response = write()
  if (!stream) settle()
  return response

  function settle(): void {
    work.settle({ status: signal.aborted ? hungUp : 200, prediction }, signal.aborted ? undefined : answer)
  }
}

function streamed(
  work: Exchange,
  events: readonly StreamEvent[],
  { framing, delay, settle }: { readonly framing: Framing; readonly delay: number; readonly settle: () => void },
): Response {
  const { signal } = work
  signal.addEventListener('abort', settle, { once: true })
  const onEnd = (): void => {
    signal.removeEventListener('abort', settle)
    settle()
  }
  const type = framing === 'sse' ? 'text/event-stream; charset=utf-8' : 'application/json; charset=utf-8'
  // Named chunked, the response begins at once; otherwise the server waits whether it is short enough to be sent whole.
  return new Response(eventStream(events, { framing, delay, signal, onEnd }), {
    headers: { 'content-type': type, 'cache-control': 'no-cache', 'transfer-encoding': 'chunked', ...headersOf(work) },
  })
}

function headersOf({ route: { endpoint }, request }: Exchange): { readonly [name: string]: string } {
  return endpoint.headers?.(request) ?? {}
}

function fail({ route: { endpoint }, request, settle }: Exchange, status: number, message: string): Response {
  settle({ status, error: endpoint.error(status, message, request.id) })
  return refusal(endpoint, request.id, status, message)
}

/** Aborted when the connection closes before the response was written. */
function closing({ env: { outgoing } }: AppContext): AbortSignal {
  const controller = new AbortController()
  if (outgoing.destroyed) controller.abort()
  outgoing.once('close', () => {
    if (!outgoing.writableFinished) controller.abort()
  })
  return controller.signal
}

/** The result of the work, or a rejection as soon as the signal says so. */
async function unlessAborted<T>(work: Promise<T>, signal: AbortSignal): Promise<T> {
  signal.throwIfAborted()
  let onAbort: (() => void) | undefined
  const aborted = new Promise<never>((_, reject) => {
    onAbort = () => reject(signal.reason as Error)
    signal.addEventListener('abort', onAbort, { once: true })
  })
  try {
    return await Promise.race([work, aborted])
  } finally {
    if (onAbort !== undefined) signal.removeEventListener('abort', onAbort)
  }
}
