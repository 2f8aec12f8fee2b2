/**
 * The parts of the emulator and what they hand each other.
 *
 * An *endpoint* is one API of one provider: it checks a body as the provider would, and writes answers in the provider's
 * shape, whole or as server-sent events. It knows nothing of HTTP sockets, clocks or caches: the server plays the request
 * through the simulator of its scope and gives the endpoint a usage to report.
 */
import type { ReadOptions, RequestFormat } from '../cache/layout/types.ts'
import type { Prediction } from '../cache/simulator/types.ts'
import type { Json } from '../base/json.ts'

/** What the model is made to say. */
export interface Answer {
  /** Text of the answer; may be empty when there are tool calls. */
  readonly text?: string
  /** Calls of tools; ids are made up unless given. */
  readonly toolCalls?: readonly { readonly name: string; readonly input: Json; readonly id?: string }[]
  /** Text of a thinking block, where the API has them; it is signed for the prefix that it was made under. */
  readonly thinking?: string
}

/** What an answer is made from. */
export interface ReceivedRequest {
  /** From 1, in the order of arrival. */
  readonly number: number
  /** As `anthropic`, `openai-chat`. */
  readonly endpoint: string
  readonly method: string
  /** Path and query, without a key in it. */
  readonly path: string
  readonly model: string
  /** The parsed body. */
  readonly body: { readonly [key: string]: unknown }
  /** Without authorization, cookies and keys. */
  readonly headers: { readonly [name: string]: string }
  readonly stream: boolean
  readonly startedAt: Date
  /** Aborted when the client hangs up. */
  readonly signal: AbortSignal
}

/** Says what to answer: a fixed one; a list of them, one for each request in the order of arrival; or a function. */
export type Respond = Answer | readonly Answer[] | ((request: ReceivedRequest) => Answer | Promise<Answer>)

/** A refusal in the provider's own words. */
export interface Refusal {
  readonly status: number
  readonly body: Json
  readonly headers?: { readonly [name: string]: string }
}

/** One API. Endpoints keep what their provider keeps between requests (thinking signatures, stored responses). */
export interface Endpoint {
  readonly id: string
  /** How bodies are to be read, where their shape does not always say; recognised by shape unless given. */
  readonly format?: RequestFormat
  /** Which provider's rules count the cache, by the model asked for. */
  provider(model: string): string
  /** What the API can and this emulator cannot: answering would be wrong, so it is refused in either mode. */
  cannot?(request: EndpointRequest): Refusal | null
  /** What the API would refuse; null lets the request through. Called in strict mode only. */
  check(request: EndpointRequest): Refusal | null
  /** The body of a whole answer. */
  answer(request: EndpointRequest, answer: Answer, prediction: Prediction): Json
  /** The same answer as the events of a stream, in order. The server writes them as they are due. */
  stream(request: EndpointRequest, answer: Answer, prediction: Prediction): readonly StreamEvent[]
  /**
   * The error body of this API for a failure that is not its model's: bad JSON, too large, an unreadable body. `id` is
   * the request's.
   */
  error(status: number, message: string, id: string): Json
  /**
   * What the endpoint keeps and a body only names (stored responses, explicit caches), for the simulator of one account.
   * It may be called once per simulator: its functions look into what is kept now.
   */
  reading?(account: string): ReadOptions
  /** The body that is played through the cache, where the API puts something in place of what was sent. */
  edit?(request: EndpointRequest): EndpointRequest['body']
  /** Headers of every response, errors too. */
  headers?(request: Pick<EndpointRequest, 'id'>): { readonly [name: string]: string }
  /** What the API answers without a model. */
  readonly calls?: readonly EndpointCall[]
  /** Forgets what is kept. */
  clear?(): void
}

/** One route that no model answers. */
export interface EndpointCall {
  readonly method: 'GET' | 'POST' | 'PATCH' | 'DELETE'
  /** A path of Hono, as `/v1/responses/:id`. */
  readonly path: string
  /** The answer; a `Refusal` of status 200 is none. */
  handle(request: CallRequest): Refusal
}

/** A call; the body is empty where the method has none. */
export interface CallRequest extends EndpointRequest {
  /** What the path's placeholders stand for. */
  readonly parameters: { readonly [name: string]: string }
  readonly query: { readonly [name: string]: string }
  readonly strict: boolean
}

/** One request to an endpoint. */
export interface EndpointRequest {
  /** An id that no other request has, as the provider would make it up; the same for every call about one request. */
  readonly id: string
  readonly model: string
  readonly body: { readonly [key: string]: unknown }
  readonly headers: { readonly [name: string]: string }
  readonly at: Date
  /** Tells accounts apart; never the key itself. */
  readonly account: string
}

/** One server-sent event. */
export interface StreamEvent {
  /** The `event:` line, where the API has one. */
  readonly event?: string
  /** The `data:` line: JSON, or a bare word as `[DONE]`. */
  readonly data: Json
  /** Written bare instead of as JSON. */
  readonly bare?: true
}
