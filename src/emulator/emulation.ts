/** What the parts of one running emulator share. */
import type { CountTokens } from '../cache/tokens/count-tokens.ts'
import type { NameAccount } from './account.ts'
import type { Journal, RecordedRequest } from './journal.ts'
import type { Latency } from './latency.ts'
import type { Route } from './routes.ts'
import type { Scopes } from './scopes.ts'
import type { Answer, ReceivedRequest, Respond } from './types.ts'
import type { Json } from '../base/json.ts'

/** A request that was answered, as it is logged: with what was answered, streamed or not. */
export interface LoggedRequest extends RecordedRequest {
  /** The body of the whole answer; null for a refusal and when the client hung up. */
  readonly answer: Json
}

/** How the emulator behaves. */
export interface Behaviour {
  /**
   * Refuses what the provider would refuse, as an account would be that was created today; off unless set. Checked are
   * breakpoints and lifetimes, places and roles of messages, tool calls and results, thinking replayed under another
   * prefix, cache settings and beta headers; not every parameter of every API. Without it only what cannot be read is
   * refused.
   */
  readonly strict: boolean
  /** The time that caches expire by; the real one unless given. */
  readonly clock: () => Date
  /** What is answered: an echo of the last text of the user unless given. */
  readonly respond: Respond
  /** How long answers take; no time unless given. */
  readonly latency: Latency
  /** Gets each request once, when it was answered, refused or given up. What it throws is a warning, the first time. */
  readonly log: ((request: LoggedRequest) => void) | undefined
  /** The largest body that is read, decompressed: 32 MB unless given. A larger one is answered with 413. */
  readonly maxBodyBytes: number
  /** Counts what is sent and what is answered. */
  readonly countTokens: CountTokens
}

/** One running emulator. */
export interface Emulation extends Omit<Behaviour, 'respond'> {
  readonly respond: (request: ReceivedRequest) => Answer | Promise<Answer>
  readonly routes: readonly Route[]
  readonly scopes: Scopes
  readonly journal: Journal
  readonly nameAccount: NameAccount
  readonly isAllowedHost: (header: string | undefined) => boolean
  /** Numbers requests in the order of arrival, from 1. */
  readonly nextNumber: () => number
}
