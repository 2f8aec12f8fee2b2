/** Refusals in the shape of Google's APIs. */
import type { Json } from '../../base/json.ts'
import type { Refusal } from '../types.ts'

/** Canonical codes by HTTP status. */
const statuses: Readonly<Record<number, string>> = {
  400: 'INVALID_ARGUMENT',
  401: 'UNAUTHENTICATED',
  403: 'PERMISSION_DENIED',
  404: 'NOT_FOUND',
  405: 'UNIMPLEMENTED',
  409: 'ABORTED',
  413: 'INVALID_ARGUMENT',
  429: 'RESOURCE_EXHAUSTED',
  499: 'CANCELLED',
  503: 'UNAVAILABLE',
  504: 'DEADLINE_EXCEEDED',
}

export function failure(status: number, message: string): Json {
  const name = statuses[status] ?? (status >= 500 ? 'INTERNAL' : 'INVALID_ARGUMENT')
  return { error: { code: status, message, status: name } }
}

export function refuse(message: string, status = 400): Refusal {
  return { status, body: failure(status, message) }
}

/** What Google says of a cache that is not there, or is another account's. */
export function cacheNotFound(): Refusal {
  return refuse('CachedContent not found (or permission denied)', 403)
}
