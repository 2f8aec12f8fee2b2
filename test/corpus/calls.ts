/** Which exchanges are calls of a model, whose model it is, and what later calls may refer to. */
import { field, has, list } from '../../src/cache/layout/peek.ts'
import type { Exchange } from './exchange.ts'

/** A call as the simulator needs it. */
export interface Call {
  /** Of the recording, relative to the folder. */
  readonly file: string
  /** The place of its exchange in the recording. */
  readonly index: number
  /** By the simulator's names. */
  readonly provider: string
  readonly host: string
  /** Where the body does not name it: from the address. */
  readonly model: string | undefined
  readonly request: unknown
  /** Parsed JSON, the text of an event stream, or its parsed events. */
  readonly response: unknown
  /** Milliseconds since the epoch; undefined where the recording has no clock. */
  readonly startedAt: number | undefined
  /** Milliseconds by which it may have started earlier. */
  readonly uncertainty: number
}

const callPath =
  /\/(?:messages|chat\/completions|responses|converse|converse-stream|invoke)$|:(?:stream)?generateContent$/i

// The first that fits counts. Gateways stand before the vendors whose names their addresses may contain.
const hosts: readonly (readonly [RegExp, string])[] = [
  [/openrouter/, 'openrouter'],
  [/venice/, 'generic'],
  [/bedrock|amazonaws/, 'bedrock'],
  [/google|gemini/, 'gemini'],
  [/groq/, 'groq'],
  [/deepseek/, 'deepseek'],
  [/mistral/, 'mistral'],
  [/(?:^|\.)x\.ai$|^grok$|^xai$/, 'xai'],
  [/anthropic|claude/, 'anthropic'],
  [/openai|chatgpt/, 'openai'],
]

// Where no host was kept: what only one of them sends or answers.
const traits: readonly (readonly [(exchange: Exchange) => boolean, string])[] = [
  [({ path }) => path === '/v1/messages', 'anthropic'],
  [({ path }) => /:(?:stream)?generateContent$/i.test(path) || path.endsWith('/cachedContents'), 'gemini'],
  [({ path }) => /\/model\/[^/]+\/converse/.test(path), 'bedrock'],
  [({ response }) => has(response, 'venice_parameters'), 'generic'],
  [({ path, response }) => path.startsWith('/openai/v1/') || has(response, 'x_groq'), 'groq'],
  [({ response }) => has(field(response, 'timings'), 'cache_n'), 'llama.cpp'],
  [({ path, response }) => path.startsWith('/api/v1/') && has(response, 'provider'), 'openrouter'],
  [({ request }) => modelNamed(request).startsWith('deepseek'), 'deepseek'],
  [({ request }) => /^(?:mi|magi|mini|pix|code|dev)stral/.test(modelNamed(request)), 'mistral'],
  [({ request }) => modelNamed(request).startsWith('grok'), 'xai'],
  [({ request }) => /^(?:gpt-|o\d|chatgpt|codex)/.test(modelNamed(request)), 'openai'],
]

/** The provider whose cache an exchange went through; `generic` for one that nobody knows. */
function providerOf(exchange: Exchange): string {
  if (exchange.host !== '') return hosts.find(([pattern]) => pattern.test(exchange.host))?.[1] ?? 'generic'
  return traits.find(([fits]) => fits(exchange))?.[1] ?? 'generic'
}

/** The calls among the exchanges of a recording. A call that was refused is none. */
export function callsOf(file: string, exchanges: readonly Exchange[]): Call[] {
  return exchanges.filter(isCall).map((exchange) => ({
    file,
    index: exchange.index,
    provider: providerOf(exchange),
    host: exchange.host,
    model: has(exchange.request, 'model') ? undefined : modelInPath(exchange.path),
    request: exchange.request,
    response: exchange.response,
    ...startOf(exchange),
  }))
}

function isCall({ path, request, status }: Exchange): boolean {
  if (typeof request !== 'object' || request === null) return false
  if (status !== undefined && status >= 400) return false
  return path === '' || callPath.test(path)
}

function modelNamed(request: unknown): string {
  const model = field(request, 'model')
  return typeof model === 'string' ? model : ''
}

function modelInPath(path: string): string | undefined {
  return /\/models?\/([^/]+?)(?:\/converse(?:-stream)?|\/invoke|:\w+)$/.exec(path)?.[1]
}

// A `Date` header is sent with the first byte of the answer: some seconds after the start, a minute at most.
const untilHeaders = 60_000
const second = 1000

function startOf({ startedAt, response, date }: Exchange): Pick<Call, 'startedAt' | 'uncertainty'> {
  if (startedAt !== undefined) return { startedAt, uncertainty: 0 }
  const created = field(response, 'created') ?? field(response, 'created_at')
  if (typeof created === 'number' && created > 0) return { startedAt: created * second, uncertainty: second }
  const answered = date === undefined ? Number.NaN : Date.parse(date)
  return Number.isNaN(answered)
    ? { startedAt: undefined, uncertainty: 0 }
    : { startedAt: answered, uncertainty: untilHeaders }
}

/** The bodies of explicit caches that were created in a recording, by the names that they got. */
export function cachesOf(exchanges: readonly Exchange[]): Map<string, unknown> {
  const created = exchanges.filter(({ path, response }) => path.endsWith('/cachedContents') && has(response, 'name'))
  return new Map(created.map(({ request, response }) => [String(field(response, 'name')), request]))
}

/** The responses that later requests may continue, by their ids. */
export function responsesOf(
  calls: readonly Call[],
): Map<string, { readonly request: unknown; readonly output: readonly unknown[] }> {
  const found = new Map<string, { readonly request: unknown; readonly output: readonly unknown[] }>()
  for (const { request, response } of calls) {
    const whole = Array.isArray(response)
      ? field(
          response.find((event) => field(event, 'type') === 'response.completed'),
          'response',
        )
      : response
    const id = field(whole, 'id')
    if (typeof id === 'string' && has(whole, 'output')) found.set(id, { request, output: list(field(whole, 'output')) })
  }
  return found
}
