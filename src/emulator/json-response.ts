/** Responses of the server, in JSON. */
import type { Refusal } from './types.ts'

/** A JSON body with its status. */
export function jsonResponse({ status, body, headers = {} }: Refusal): Response {
  return new Response(JSON.stringify(body), { status, headers: { 'content-type': 'application/json', ...headers } })
}

/** A failure that belongs to no API. Clients of all of them find its message. */
export function plainError(status: number, type: string, message: string): Response {
  return jsonResponse({ status, body: { type: 'error', error: { type, message } } })
}
