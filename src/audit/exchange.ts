/**
 * One call to a provider, as a log has it. Readers turn bytes into exchanges; everything behind them looks at nothing else.
 *
 * Absent stays absent: a log that does not say when, by whom or with which tools is not taken to say "never, nobody, none".
 */
import type { Usage } from '../base/usage.ts'
import type { RequestFormat } from '../cache/layout/types.ts'

/**
 * How near a record is to what went over the wire:
 * - `wire`: the request as it was sent, byte for byte.
 * - `body`: the whole body, serialised again, or with parts blacked out.
 * - `prompt`: what an SDK or framework was given; cache marks, parameters or the rendering may be missing.
 * - `usage`: no prompt to compare, or only parts of it; what was reported for it.
 */
export type FidelityLevel = 'wire' | 'body' | 'prompt' | 'usage'

/** What a record has. A verdict that needs what is absent is not given. */
export interface Fidelity {
  readonly level: FidelityLevel
  /** Cache marks of the caller. */
  readonly breakpoints: boolean
  readonly tools: boolean
  readonly system: boolean
  /** Effort, tool choice, cache key: what scopes a cache besides the prompt. */
  readonly parameters: boolean
  /** Calls stand, or can be put, in the order in which they were made. */
  readonly order: boolean
  readonly time: boolean
  /** Text was replaced before it was saved (`<REDACTED>` thinking, filtered values): a change there cannot be seen. */
  readonly redacted: boolean
}

/**
 * - `generate`: the model was asked.
 * - `count-tokens`: touches no cache and costs nothing.
 * - `create-cache`: an explicit cache was made (Gemini `cachedContents`).
 */
export type ExchangeKind = 'generate' | 'count-tokens' | 'create-cache'

/** Names by which calls refer to each other. They narrow the candidates for a parent; they never decide alone. */
export interface ExchangeIds {
  /** The provider's id of the call (`request-id`), or the log's own where it has none. */
  readonly request?: string | undefined
  /** The id of the answer (`msg_…`, `resp_…`, `chatcmpl-…`). */
  readonly response?: string | undefined
  /** What the log groups calls by: a session, thread, trace or run. */
  readonly session?: string | undefined
  /** Request id of the call before, where the client says so (`cc_prev_req`). */
  readonly previousRequest?: string | undefined
  /** Answer that this call goes on from (`previous_response_id`, `diagnostics.previous_message_id`). */
  readonly previousResponse?: string | undefined
  /** Which part of a client made the call, as `query_source` or the name of an agent. */
  readonly agent?: string | undefined
  /** True where the client says that a sub-agent made it, false where it says that none did. */
  readonly isSubagent?: boolean | undefined
}

/** Something that a log says has changed before this call. It counts only where two requests differ, or no request is known. */
export interface ChangeEvent {
  readonly type: 'compaction' | 'model' | 'effort' | 'date' | 'directory' | 'branch' | 'permissions' | 'client-version'
  readonly before?: string | undefined
  readonly after?: string | undefined
}

/** Where a record stands. */
export interface ExchangeSource {
  /** As given; a member of an archive as `logs.zip/a.jsonl`. */
  readonly file: string
  /** From 1; of a document that is no list of lines, where the record begins, or null where nobody knows. */
  readonly line: number | null
}

/** One call. */
export interface Exchange {
  readonly kind: ExchangeKind
  /** The body as parsed JSON; undefined where the log has none that can be compared. */
  readonly request: unknown
  /** The API, where the address tells it and the body alone does not. */
  readonly format?: RequestFormat | undefined
  /** The body's text as it was sent, where the log kept it. */
  readonly requestText?: string | undefined
  /** Parsed JSON, a list of events, or the text of an event stream; undefined where no answer was recorded. */
  readonly response: unknown
  /** Where the log reports usage beside the answer, normalised. Unless given, it is read from `response`. */
  readonly usage?: Usage | undefined
  /** HTTP status; undefined where the log does not have it. */
  readonly status?: number | undefined
  /** What the log says went wrong, where it says so in words. */
  readonly error?: string | undefined
  readonly streamed?: boolean | undefined
  /** Milliseconds since the epoch. */
  readonly startedAt?: number | undefined
  readonly endedAt?: number | undefined
  /** Milliseconds by which it may have started earlier than the times say. */
  readonly uncertainty?: number | undefined
  /** As the simulator names providers, where host or log tell; otherwise model and format decide. */
  readonly provider?: string | undefined
  /** Host name and port of the upstream. */
  readonly host?: string | undefined
  readonly region?: string | undefined
  /** The model, where the body does not name it. */
  readonly model?: string | undefined
  /** A keyed hash of the credentials, which means nothing outside of this run. */
  readonly account?: string | undefined
  /** Headers that decide what is cached or shared (`anthropic-beta`, `openai-organization`, …), names in lower case. */
  readonly headers?: Readonly<Record<string, string>> | undefined
  /** The folder or project that the call was made for, where the log says so. */
  readonly project?: string | undefined
  /** The reason for a miss, in the provider's own words. */
  readonly providerReason?: string | undefined
  readonly events?: readonly ChangeEvent[] | undefined
  readonly ids: ExchangeIds
  readonly source: ExchangeSource
  readonly fidelity: Fidelity
}
