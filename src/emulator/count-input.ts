/** How large a request is by the rules that its usage would be counted by, without a cache and without sending it. */
import { createSimulator } from '../cache/simulator/create-simulator.ts'
import type { Prediction, SimulatorOptions } from '../cache/simulator/types.ts'
import type { EndpointRequest } from './types.ts'

/** What a request would be told that nobody sent before. Throws `RequestUnreadableError` for what is none. */
export function countInput(body: EndpointRequest['body'], model: string, options: SimulatorOptions): Prediction {
  return createSimulator(options).send(body, model === '' ? {} : { model })
}
