/** Responses of the server, in JSON. */
import type { ServerResponse } from 'node:http'
import { RESPONSE_ALREADY_SENT } from '@hono/node-server/utils/response'
import type { Refusal } from './types.ts'

/**
 * Writes a JSON body straight to the socket, in one piece: an answer that is not streamed is the hot path, and the
 * web's `Response` in between would cost as much as all that the cache does.
 */
export function sendJson(outgoing: ServerResponse, { status, body, headers = {} }: Refusal): Response {
  const text = Buffer.from(JSON.stringify(body))
  outgoing.writeHead(status, { 'content-type': 'application/json', 'content-length': text.length, ...headers })
  outgoing.end(text)
  return RESPONSE_ALREADY_SENT
}

/** A JSON body with its status. */
export function jsonResponse({ status, body, headers = {} }: Refusal): Response {
  return new Response(JSON.stringify(body), { status, headers: { 'content-type': 'application/json', ...headers } })
}

/** A failure that belongs to no API. Clients of all of them find its message. */
export function plainError(status: number, type: string, message: string): Response {
  return jsonResponse({ status, body: { type: 'error', error: { type, message } } })
}
