/** How long an answer takes. */
import type { Prediction } from '../cache/simulator/types.ts'
import type { ReceivedRequest } from './types.ts'

/** Milliseconds before the response begins; or before it begins and before each further event of its stream. */
export type Delay = number | { readonly begin?: number; readonly event?: number }

/** The same for all requests, or one for each, by what the cache saved it. */
export type Latency = Delay | ((request: ReceivedRequest, prediction: Prediction) => Delay)

/** The delays of one request, in milliseconds. */
export function delaysOf(
  latency: Latency,
  request: ReceivedRequest,
  prediction: Prediction,
): { readonly begin: number; readonly event: number } {
  const delay = typeof latency === 'function' ? latency(request, prediction) : latency
  if (typeof delay === 'number') return { begin: delay, event: 0 }
  return { begin: delay.begin ?? 0, event: delay.event ?? 0 }
}
