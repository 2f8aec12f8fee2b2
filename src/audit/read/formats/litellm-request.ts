/**
 * The request in a LiteLLM log: nearest to the wire first, of what was logged.
 *
 * 1. The body that LiteLLM sent (`log_raw_request_response`), in a line for curl as JSON or as Python prints it.
 * 2. The body that the proxy was asked with (`store_prompts_in_spend_logs`), in the API of the client.
 * 3. `messages`, always in the shape of Chat, and the parameters beside them.
 *
 * Spend logs cut the middle out of long strings unless told otherwise, and messages can be blacked out: either is told,
 * and is no prompt.
 */
import { recogniseFormat } from '../../../cache/layout/read-items.ts'
import { at, fields, type Fields } from '../../../cache/usage/fields.ts'
import { parseJson } from '../../../cache/usage/sse.ts'
import { bodyFor } from '../provider-body.ts'
import { parsePythonLiteral } from '../python-literal.ts'

/** What was found; `cut` and `redacted` where LiteLLM itself took text out of it. */
export type LoggedRequest =
  | { readonly type: 'sent'; readonly url: string | undefined; readonly body: object }
  | { readonly type: 'asked' | 'messages'; readonly body: object }
  | { readonly type: 'cut' | 'redacted' | 'none' }

/** The request of a payload, for a provider by the simulator's name. */
export function loggedRequest(payload: Fields, provider: string | undefined, model: string | undefined): LoggedRequest {
  const found = sentBody(payload) ?? askedBody(payload) ?? chatBody(payload, provider, model)
  if (found === undefined) return { type: 'none' }
  if (contains(found.body, 'litellm_truncated')) return { type: 'cut' }
  return contains(found.body, 'redacted-by-litellm') ? { type: 'redacted' } : found
}

function sentBody(payload: Fields): (LoggedRequest & { readonly body: object }) | undefined {
  const details = fields(payload['raw_request_typed_dict']) ?? fields(at(payload, 'metadata', 'raw_request_typed_dict'))
  const typed = callIn(details?.['raw_request_body']) ?? callIn(at(payload, 'additional_args', 'complete_input_dict'))
  if (typed !== undefined) {
    const url = details?.['raw_request_api_base'] ?? at(payload, 'additional_args', 'api_base')
    return { type: 'sent', url: typeof url === 'string' ? url : undefined, body: typed }
  }
  const raw = at(payload, 'metadata', 'raw_request') ?? payload['raw_request']
  return typeof raw === 'string' ? curlCall(raw) : undefined
}

/** `curl -X POST \ <url> \ -H '…' -d '<body>'`, where nothing in the body is escaped for a shell. */
function curlCall(command: string): (LoggedRequest & { readonly body: object }) | undefined {
  const from = command.indexOf("-d '")
  const to = command.lastIndexOf("'")
  if (from === -1 || to <= from + 4) return undefined
  const text = command.slice(from + 4, to)
  const body = callIn(parseJson(text) ?? parsePythonLiteral(text))
  const url = /https?:\/\/[^\s\\'"]+/.exec(command.slice(0, from))?.[0]
  return body === undefined ? undefined : { type: 'sent', url, body }
}

function askedBody(payload: Fields): (LoggedRequest & { readonly body: object }) | undefined {
  const asked = objectIn(payload['proxy_server_request'])
  const body = callIn(asked?.['body'] ?? asked)
  return body === undefined ? undefined : { type: 'asked', body }
}

function chatBody(
  payload: Fields,
  provider: string | undefined,
  model: string | undefined,
): (LoggedRequest & { readonly body: object }) | undefined {
  const logged = typeof payload['messages'] === 'string' ? parseJson(payload['messages']) : payload['messages']
  if (!Array.isArray(logged) || logged.length === 0) return undefined
  const parameters = objectIn(payload['model_parameters']) ?? objectIn(payload['optional_params'])
  const chat = { ...parameters, ...(model === undefined ? {} : { model }), messages: logged as readonly unknown[] }
  return { type: 'messages', body: bodyFor(provider, model, chat) }
}

/** An object, or the JSON text of one. */
export function objectIn(value: unknown): Fields | undefined {
  return fields(typeof value === 'string' ? parseJson(value) : value)
}

function callIn(value: unknown): object | undefined {
  const body = objectIn(value)
  return body !== undefined && recogniseFormat(body) !== undefined ? body : undefined
}

function contains(value: unknown, text: string): boolean {
  if (typeof value === 'string') return value.includes(text)
  if (typeof value !== 'object' || value === null) return false
  return Object.values(value).some((inner) => contains(inner, text))
}
