/**
 * A `fetch` that remembers what was sent through it, for any client that takes one.
 *
 * Requests go on with the bytes that came, and answers stream through unbuffered. A request is in the list from the moment it
 * is sent, with its body, which of a stream is there at the latest with the head of the answer. Credentials in headers and addresses are
 * not kept; in bodies, nothing is looked for.
 */
import { withoutKey, withoutSecrets } from '../emulator/headers.ts'
import { keepAnswer } from './kept-answer.ts'
import { keepBody } from './kept-body.ts'

/** One request as it was sent. */
export interface CapturedRequest {
  readonly method: string
  /** Where the client sent it, without a key in the query. */
  readonly url: string
  /** By name in lower case; without authorization, cookies and keys. */
  readonly headers: { readonly [name: string]: string }
  /** The text of the body as it was sent; `null` where there is none. */
  readonly body: string | null
  /** ISO 8601. */
  readonly startedAt: string
  /** What was answered; `null` where nothing was yet. */
  readonly status: number | null
  /** The text of the answer, as far as the client has read it; `null` unless answers are captured. */
  readonly response: string | null
}

/** What else to capture, and where time comes from. */
export interface CaptureOptions {
  /** Answers too: requests that go on from one by its id cannot be compared without. */
  readonly responses?: boolean | undefined
  /** That of this machine unless given. */
  readonly clock?: (() => Date) | undefined
}

/** As clients call it. */
export type FetchFunction = (input: string | URL | Request, init?: RequestInit) => Promise<Response>

/** A `fetch`, and what was sent through it. */
export interface CapturingFetch extends FetchFunction {
  /** Oldest first; one list for as long as the function lives. */
  readonly requests: readonly CapturedRequest[]
  /** Forgets them. */
  clear(): void
}

/**
 * Captures what is sent, and passes it on to `target`: a `fetch`, or the address of a server that takes the place of every
 * other, as that of an emulator. Unless given, it is the global `fetch` at the time of the call. What that throws is thrown.
 *
 * @example
 * ```ts
 * import Anthropic from '@anthropic-ai/sdk'
 * import { startEmulator } from 'indelible/emulator'
 * import { captureFetch } from 'indelible/testing'
 *
 * const emulator = await startEmulator()
 * const fetch = captureFetch(emulator.url)
 * const anthropic = new Anthropic({ apiKey: 'any', fetch })
 * await anthropic.messages.create({
 *   model: 'claude-opus-5',
 *   max_tokens: 1_024,
 *   messages: [{ role: 'user', content: 'Hi.' }],
 * })
 * for (const { url, body } of fetch.requests) console.log(url, body)
 * // => https://api.anthropic.com/v1/messages {"model":"claude-opus-5","max_tokens":1024,"messages":[{"role":"user","content":"Hi."}]}
 * await emulator.close()
 * ```
 */
export function captureFetch(target?: FetchFunction | string, options: CaptureOptions = {}): CapturingFetch {
  const { responses = false, clock = () => new Date() } = options
  const send = typeof target === 'string' ? fetchAt(target) : target
  const requests: Writable<CapturedRequest>[] = []
  const capture: FetchFunction = async (input, init) => {
    const request = describe(input, init, clock())
    requests.push(request)
    const { text, init: sent } = keepBody(input, init)
    // What fails while it is read fails the request too, which is for `send` to say.
    const kept = Promise.resolve(text).then(
      (body) => (request.body = body),
      () => null,
    )
    const response = await (send ?? globalThis.fetch)(input, sent)
    await kept
    request.status = response.status
    if (!responses) return response
    request.response = ''
    return keepAnswer(response, (piece) => {
      request.response = (request.response ?? '') + piece
    })
  }
  return Object.assign(capture, { requests, clear: () => void requests.splice(0) })
}

type Writable<Type> = { -readonly [Name in keyof Type]: Type[Name] }

function describe(input: string | URL | Request, init: RequestInit | undefined, now: Date): Writable<CapturedRequest> {
  const request = input instanceof Request ? input : undefined
  const headers = new Headers(init?.headers ?? request?.headers)
  return {
    method: (init?.method ?? request?.method ?? 'GET').toUpperCase(),
    url: withoutKey(addressOf(input)),
    headers: withoutSecrets(Object.fromEntries(headers)),
    body: null,
    startedAt: now.toISOString(),
    status: null,
    response: null,
  }
}

/** The global `fetch`, with every address moved to one server. */
function fetchAt(server: string): FetchFunction {
  return (input, init) => {
    const { pathname, search } = new URL(addressOf(input))
    const url = new URL(pathname + search, server)
    return globalThis.fetch(input instanceof Request ? new Request(url, input) : url, init)
  }
}

function addressOf(input: string | URL | Request): string {
  if (typeof input === 'string') return input
  return input instanceof Request ? input.url : input.href
}
