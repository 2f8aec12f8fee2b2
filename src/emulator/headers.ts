/** What of a request may be kept and shown: everything but what lets its sender in. */
import type { IncomingHttpHeaders } from 'node:http'
import { setOwn } from '../base/json.ts'

/** Also catches what gateways and clouds call theirs (`x-amz-security-token`, `cf-access-client-secret`). */
const secretHeader =
  /auth|cookie|key|token|secret|credential|signature|passw|jwt|bearer|dpop|vault|session|referer|original-u|-pat$/i
const secretParameter = /key|token|secret|credential|sig|auth|passw/i

/** The headers without authorization, cookies and keys. */
export function withoutSecrets(headers: IncomingHttpHeaders): { readonly [name: string]: string } {
  const kept: Record<string, string> = {}
  for (const [name, value] of Object.entries(headers)) {
    if (value !== undefined && !secretHeader.test(name)) setOwn(kept, name, String(value))
  }
  return kept
}

/** Path and query, as they were asked for, without a key in them. */
export function withoutKey(url: string): string {
  const [pathname = '', query] = url.split('?', 2)
  if (query === undefined) return pathname
  const searchParams = new URLSearchParams(query)
  const secrets = [...searchParams.keys()].filter((name) => secretParameter.test(name))
  for (const name of secrets) searchParams.delete(name)
  return searchParams.size === 0 ? pathname : `${pathname}?${searchParams}`
}
