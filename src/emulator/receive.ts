/** Turning what came over HTTP into a request to an endpoint, the same for calls that a model answers and others. */
import { randomUUID } from 'node:crypto'
import type { HttpBindings } from '@hono/node-server'
import type { Context } from 'hono'
import { readBody } from './body.ts'
import type { Emulation } from './emulation.ts'
import { withoutKey, withoutSecrets } from './headers.ts'
import { jsonResponse } from './json-response.ts'
import type { Arrival } from './journal.ts'
import { redactText } from './redact.ts'
import type { Target } from './routes.ts'
import type { Endpoint, EndpointRequest } from './types.ts'

/** The context of a request in the app. */
export type AppContext = Context<{ Bindings: HttpBindings }>

/** A request whose body was read, or the refusal of one that cannot be. */
export type Received =
  | { readonly request: EndpointRequest; readonly arrival: Arrival; readonly text: string }
  | { readonly refused: Response }

/** Reads a request. It has arrived, and has its number, when its body is complete. */
export async function receive(
  context: AppContext,
  emulation: Emulation,
  endpoint: Endpoint,
  target?: Target,
): Promise<Received> {
  const id = randomUUID().replaceAll('-', '').slice(0, 24)
  const refuse = (status: number, message: string): Received => ({
    refused: refusal(endpoint, id, status, message, { connection: 'close' }),
  })
  const { method } = context.req
  let body: EndpointRequest['body'] = {}
  let text = ''
  if (method !== 'GET' && method !== 'DELETE') {
    const read = await readBody(context.env.incoming, emulation.maxBodyBytes)
    if ('status' in read) return refuse(read.status, read.message)
    text = read.bytes.toString('utf8')
    try {
      body = JSON.parse(text) as EndpointRequest['body']
    } catch (error) {
      return refuse(400, `The request body is not valid JSON: ${(error as Error).message}`)
    }
    if (typeof body !== 'object' || body === null || Array.isArray(body)) {
      return refuse(400, 'The request body is not a JSON object.')
    }
  }
  text = redactText(text, body)
  const at = emulation.clock()
  // Node's own headers: the web's would be built for each request, at a tenth of the cost of all the rest.
  const { headers } = context.env.incoming
  const { model = body['model'], stream = body['stream'] === true } = target ?? {}
  const request = {
    id,
    model: typeof model === 'string' ? model : '',
    body,
    headers: withoutSecrets(headers),
    at,
    account: emulation.nameAccount(headers, context.req.query()),
  }
  const arrival = {
    number: emulation.nextNumber(),
    endpoint: endpoint.id,
    method,
    path: withoutKey(context.env.incoming.url ?? ''),
    account: request.account,
    model: request.model,
    stream,
    startedAt: at.toISOString(),
    headers: request.headers,
    status: null,
    prediction: null,
    error: null,
  }
  return { request, arrival, text }
}

/** A failure in the words of an API. */
export function refusal(
  endpoint: Endpoint,
  id: string,
  status: number,
  message: string,
  headers: { readonly [name: string]: string } = {},
): Response {
  return jsonResponse({
    status,
    body: endpoint.error(status, message, id),
    headers: { ...endpoint.headers?.({ id }), ...headers },
  })
}
