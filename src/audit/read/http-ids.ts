/**
 * The names by which an HTTP call refers to others: in its headers, in the metadata that clients send along, and in the
 * billing block that Claude Code puts at the head of its system prompt.
 */
import { field, list, textOf } from '../../cache/layout/peek.ts'
import { parseJson } from '../../cache/usage/sse.ts'
import type { ExchangeIds } from '../exchange.ts'
import type { Answer } from './answer.ts'
import { headerOf } from './headers.ts'

const requestHeaders = ['request-id', 'x-request-id', 'x-amzn-requestid', 'apim-request-id', 'x-goog-request-id']

const sessionHeaders = [
  'x-claude-code-session-id',
  'session_id',
  'session-id',
  'x-session-id',
  'conversation_id',
  'thread_id',
  'helicone-session-id',
  'x-litellm-session-id',
  'langfuse-session-id',
  'x-session-affinity',
]

/** What the ids are read from. */
export interface IdSources {
  readonly requestHeaders?: unknown
  readonly responseHeaders?: unknown
  readonly request: object
  readonly answer: Answer
}

/** All ids that are found. */
export function idsOf({ requestHeaders: sent, responseHeaders: received, request, answer }: IdSources): ExchangeIds {
  const billing = billingOf(request)
  const flag = billing?.get('cc_is_subagent')
  return defined({
    request: firstHeader(received, requestHeaders) ?? answer.request,
    response: answer.id,
    session: sessionIn(request) ?? firstHeader(sent, sessionHeaders),
    previousRequest: billing?.get('cc_prev_req'),
    previousResponse:
      text(request, 'previous_response_id') ?? text(field(request, 'diagnostics'), 'previous_message_id'),
    isSubagent: flag === undefined ? undefined : flag === 'true' || flag === '1',
  })
}

/** The owner of a subscription, whose tokens are renewed every few hours; undefined where the body does not say. */
export function accountIn(request: unknown): string | undefined {
  const user = text(field(request, 'metadata'), 'user_id')
  if (user === undefined) return undefined
  return text(parseJson(user), 'account_uuid') ?? /_account_([0-9a-f-]{36})(?:_|$)/.exec(user)?.[1]
}

function sessionIn(request: unknown): string | undefined {
  const metadata = field(request, 'metadata')
  const user = text(metadata, 'user_id')
  const ofUser =
    user === undefined ? undefined : (text(parseJson(user), 'session_id') ?? /_session_([\w-]+)$/.exec(user)?.[1])
  const conversation = field(request, 'conversation')
  return (
    ofUser ??
    text(metadata, 'session_id') ??
    text(metadata, 'thread_id') ??
    text(request, 'session_id') ??
    (typeof conversation === 'string' ? conversation : text(conversation, 'id'))
  )
}

/** The fields of `x-anthropic-billing-header: cc_version=…; cc_prev_req=…;`, the first block of Claude Code's system prompt. */
function billingOf(request: unknown): ReadonlyMap<string, string> | undefined {
  const system = field(request, 'system')
  const first = typeof system === 'string' ? system.slice(0, 1000) : textOf(list(system)[0], 'text')
  if (!first.startsWith('x-anthropic-billing-header')) return undefined
  const pairs = first.matchAll(/\b(cc_\w+)\s*=\s*([^;\s]+)/g)
  return new Map(Array.from(pairs, ([, name = '', value = '']) => [name, value]))
}

function firstHeader(headers: unknown, names: readonly string[]): string | undefined {
  if (headers === undefined) return undefined
  for (const name of names) {
    const value = headerOf(headers, name)
    if (value !== undefined && value !== '') return value
  }
  return undefined
}

function text(value: unknown, name: string): string | undefined {
  const found = field(value, name)
  return typeof found === 'string' && found !== '' ? found : undefined
}

function defined(ids: ExchangeIds): ExchangeIds {
  return Object.fromEntries(Object.entries(ids).filter(([, value]) => value !== undefined))
}
