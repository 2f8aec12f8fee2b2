/**
 * The headers of a request, as far as an audit may know them. Credentials become a keyed hash, which tells one account
 * from another and nothing else; headers that decide what is cached or shared are kept; all others are dropped.
 *
 * The odd case is a tool that blacked a credential out: the same filler for everybody says nothing about the account.
 */
import { setOwn } from '../../base/json.ts'

/** What is left of the headers of a request. */
export interface KeptHeaders {
  /** Hash of the credentials; undefined where there are none, or where they were blacked out. */
  readonly account: string | undefined
  /** By name in lower case. */
  readonly kept: Readonly<Record<string, string>>
  /** Any were logged: what is not kept was then not sent. */
  readonly logged: boolean
}

// In this order where there are several: gateways pass their own key beside the provider's.
const credentials = ['x-api-key', 'api-key', 'x-goog-api-key', 'authorization', 'x-amz-security-token']

// What a provider or gateway scopes a cache by, and what routes a conversation to one machine.
const scoping = new Set([
  'anthropic-beta',
  'anthropic-version',
  'anthropic-workspace-id',
  'anthropic-workspace',
  'openai-beta',
  'openai-organization',
  'openai-project',
  'chatgpt-account-id',
  'x-goog-user-project',
  'x-amzn-bedrock-service-tier',
  'x-amzn-bedrock-performanceconfig-latency',
  'x-session-affinity',
  'x-grok-conv-id',
  'x-portkey-provider',
])
// Some of them name an account, which is nobody's business.
const hashed = new Set(['chatgpt-account-id', 'openai-organization', 'openai-project', 'x-goog-user-project'])

/** The value of a header by its name in lower case, in any of the shapes that logs keep headers in. */
export function headerOf(headers: unknown, name: string): string | undefined {
  if (headers === undefined) return undefined
  for (const [key, value] of entries(headers)) if (key === name) return value
  return undefined
}

/**
 * Account and scoping headers of a request. `headers` is an object of strings or of lists of strings, a list of
 * `{ name, value }` (HAR), of pairs, or of names and values in turn. `hash` is the keyed hash of the run.
 */
export function keepHeaders(headers: unknown, hash: (secret: string) => string): KeptHeaders {
  if (headers === undefined) return noHeaders
  const kept: Record<string, string> = {}
  const found = new Map<string, string>()
  let logged = false
  for (const [name, value] of entries(headers)) {
    logged = true
    if (credentials.includes(name)) found.set(name, value)
    else if (scoping.has(name)) setOwn(kept, name, hashed.has(name) ? hash(value) : value)
  }
  const secret = credentials.map((name) => secretIn(found.get(name))).find((value) => value !== undefined)
  return { account: secret === undefined ? undefined : hash(secret), kept, logged }
}

const noHeaders: KeptHeaders = { account: undefined, kept: {}, logged: false }

/** What of a credential says whose it is: of an AWS signature only the id of the key, since the rest differs per request. */
function secretIn(value: string | undefined): string | undefined {
  if (value === undefined) return undefined
  const signed = /\bCredential=([^/,\s]+)/.exec(value)?.[1]
  const secret = signed ?? value.replace(/^(?:bearer|basic|key)\s+/i, '').trim()
  return isBlackedOut(secret) ? undefined : secret
}

/** True for the fillers of logging tools: nothing, signs only, one sign over and over, or a word that says so. */
function isBlackedOut(secret: string): boolean {
  return (
    /^[^a-z0-9]*$/i.test(secret) ||
    /^(?:[*x.•-]+|<[^>]*>|\$\{?\w+\}?)$/i.test(secret) ||
    /redact|filter|mask|hidden|removed|scrub|sanitiz|censor|dummy|fake|placeholder|^test$|mock|api[-_ ]?key$|^secret$|^token$/i.test(
      secret,
    )
  )
}

function* entries(headers: unknown): Generator<readonly [string, string]> {
  if (typeof headers !== 'object' || headers === null) return
  if (!Array.isArray(headers)) {
    for (const [name, value] of Object.entries(headers)) yield* entry(name, value)
    return
  }
  const list = headers as readonly unknown[]
  if (typeof list[0] === 'string') {
    for (let index = 0; index + 1 < list.length; index += 2) yield* entry(list[index], list[index + 1])
    return
  }
  for (const each of list) {
    if (Array.isArray(each)) yield* entry(each[0], each[1])
    else if (typeof each === 'object' && each !== null) {
      const { name, value } = each as { readonly name?: unknown; readonly value?: unknown }
      yield* entry(name, value)
    }
  }
}

function* entry(name: unknown, value: unknown): Generator<readonly [string, string]> {
  if (typeof name !== 'string') return
  if (typeof value === 'string') yield [name.toLowerCase(), value]
  else if (typeof value === 'number') yield [name.toLowerCase(), String(value)]
  else if (Array.isArray(value) && value.length > 0 && value.every((each) => typeof each === 'string')) {
    yield [name.toLowerCase(), value.join(', ')]
  }
}
