/** Errors of the Messages API. */
import type { Refusal } from '../types.ts'

const types: Readonly<Record<number, string>> = {
  401: 'authentication_error',
  403: 'permission_error',
  404: 'not_found_error',
  413: 'request_too_large',
  429: 'rate_limit_error',
  529: 'overloaded_error',
}

/** An error body. A status without a type of its own is the caller's fault below 500, and the API's from there. */
export function anthropicError(status: number, message: string, id: string): Refusal['body'] {
  const type = types[status] ?? (status < 500 ? 'invalid_request_error' : 'api_error')
  return { type: 'error', error: { type, message }, request_id: requestId(id) }
}

/** The id of a request, as the header `request-id` has it. */
export function requestId(id: string): string {
  return `req_${id}`
}
