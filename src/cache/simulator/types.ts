/** What a simulator is asked and what it answers. */
import type { Breakpoint, Lifetime, ReadOptions, Section } from '../layout/types.ts'
import type { CountTokens } from '../tokens/count-tokens.ts'
import type { ProviderName } from '../providers/provider-rules.ts'
import type { ProviderRules } from './rules.ts'

/** One cache scope: what the requests of a simulator can share. */
export interface SimulatorOptions extends ReadOptions {
  /** By name, or rules of your own; `generic` for a provider that caches any common start. */
  readonly provider: ProviderName | (string & Record<never, never>) | ProviderRules
  /** Whose cache it is; carried along, so that a program with several simulators can tell them apart. */
  readonly account?: string | undefined
  readonly workspace?: string | undefined
  readonly region?: string | undefined
  /** True where the account keeps no data at the provider: OpenAI's default retention then is the short one. */
  readonly zeroDataRetention?: boolean | undefined
  /** Guesses by length unless given; `loadTokenCounter()` gives a better one. */
  readonly countTokens?: CountTokens | undefined
  /** For servers that hold so many tokens (vLLM and its like): the least recently used leave first. */
  readonly capacity?: number | undefined
  /** Tokens in a block of a block cache, where the server was set up with another than its default. */
  readonly blockSize?: number | undefined
  /**
   * Segments that are remembered, 200,000 unless said; beyond it, or beyond 50 million characters, the requests used
   * longest ago are forgotten.
   */
  readonly maxSegments?: number | undefined
}

/** When a request was made. A time that is missing or zero is no time, and then nothing expires. */
export interface SendOptions {
  /** Lifetimes count from here. */
  readonly startedAt?: Date | number | string | undefined
  /** The end of the response; where only it is known, the start is uncertain by {@link uncertainty}. */
  readonly endedAt?: Date | number | string | undefined
  /** The response was streamed, and so began before it ended. */
  readonly stream?: boolean | undefined
  /** The response has not begun: what this request writes is not readable until `begin` is called with its prediction. */
  readonly pending?: boolean | undefined
  /** Milliseconds by which the start may have been earlier. */
  readonly uncertainty?: number | undefined
  /** The model, where the body does not name it. */
  readonly model?: string | undefined
}

/** Tokens in buckets that never overlap: `read + write5m + write30m + write1h + uncached = total`. */
export interface PredictedUsage {
  readonly total: number
  readonly read: number
  readonly write5m: number
  readonly write30m: number
  readonly write1h: number
  readonly uncached: number
}

/** A place in a request that the cache knows about. */
export interface CachePlace {
  /** The segment that the entry ends with. */
  readonly path: string
  readonly section: Section
  /** Tokens from the start of the request through this segment. */
  readonly tokens: number
}

/** The entry that was read. */
export interface Hit extends CachePlace {
  /** The breakpoint or boundary whose search found it; its path may lie behind the entry's. */
  readonly breakpoint: string
  /** Number of the request that wrote it. */
  readonly writtenBy: number
}

/** An entry that was written or, where a live one stood there, kept alive. */
export interface Written extends CachePlace {
  readonly ttl: Lifetime | null
  readonly breakpoint: Breakpoint | null
}

/**
 * Why a run of segments was not read:
 * - `first`: nothing like it was sent before; `appended`: it follows what was sent before.
 * - `rewritten`: an earlier request had something else at `from`.
 * - `expired`, `maybe-expired`: it was cached; the lifetime is over, or lies inside the uncertainty.
 * - `below-minimum`: the prefix up to there is shorter than the provider caches.
 * - `outside-window`: it is cached, but too far behind the breakpoint that looks for it.
 * - `not-marked`: it was sent before, and no breakpoint wrote it, or none looks for it.
 * - `scope-changed`: it is cached under another value of a parameter.
 * - `not-readable`: it is being written by a request whose response has not begun.
 * - `partial-block`: cached in blocks, and the last is not full.
 */
export type MissReason =
  | 'first'
  | 'appended'
  | 'rewritten'
  | 'expired'
  | 'maybe-expired'
  | 'below-minimum'
  | 'outside-window'
  | 'not-marked'
  | 'scope-changed'
  | 'not-readable'
  | 'partial-block'

/** A run of segments that was not read, and why. */
export interface Miss {
  readonly reason: MissReason
  /** First and last segment of the run. */
  readonly from: string
  readonly to: string
  readonly tokens: number
  /** With `expired` and `maybe-expired`: seconds past the end of the lifetime, negative where it may not be over. */
  readonly seconds?: number
  /** With `below-minimum`: the tokens that the provider asks for. */
  readonly minimum?: number
  /** With `outside-window`: the positions that are looked at. */
  readonly window?: number
  /** With `scope-changed`: which. */
  readonly parameters?: readonly string[]
}

/** What a provider would have read, written and billed for one request. */
export interface Prediction {
  /** From 1, in the order of sending. */
  readonly request: number
  readonly provider: string
  readonly model: string | undefined
  readonly usage: PredictedUsage
  /** Between what the read lies: equal ends where the provider's rules leave nothing open. */
  readonly range: { readonly least: number; readonly most: number }
  readonly hit: Hit | null
  readonly written: readonly Written[]
  /** In the order of the request; empty when all was read. */
  readonly misses: readonly Miss[]
  /** How much of the request the longest-agreeing earlier one began with, cached or not. */
  readonly common: { readonly segments: number; readonly tokens: number }
  readonly segments: number
  /** Tokens that the provider asks for before it caches anything, for this model. */
  readonly minimum: number
  /** False once reported usage pins the positions that this prediction rests on. */
  readonly estimated: boolean
}

/** One provider's cache, played request by request. */
export interface Simulator {
  readonly provider: string
  readonly scope: { readonly account?: string; readonly workspace?: string; readonly region?: string }
  /**
   * Plays a request (parsed JSON; keep it unchanged afterwards, it is remembered by reference). Throws
   * `RequestUnreadableError`, and then nothing is remembered.
   */
  send(request: unknown, options?: SendOptions): Prediction
  /** The response to a `pending` request has begun: what it wrote can be read from now on. */
  begin(prediction: Prediction): void
  /** The response to a `pending` request will never begin: what it was writing is not there. */
  abandon(prediction: Prediction): void
  /**
   * Learns from the response to a request whose prediction was returned: its usage corrects the estimates for later
   * requests. The last prediction unless named; of several reports for one, the first counts. A response to a request that the server edited teaches nothing.
   */
  observe(response: unknown, prediction?: Prediction): void
  /** Segments that are remembered. */
  readonly segments: number
  /** What is cached, oldest first: at `at`, or at the time of the last request. What has certainly expired is not. */
  entries(at?: Date | number | string): readonly CacheEntry[]
  /** Forgets everything, calibration too. */
  clear(): void
}

/** An entry of the cache, as a person looks at it. */
export interface CacheEntry {
  readonly model: string | undefined
  readonly tokens: number
  readonly section: Section
  /** The path that its last segment had in the request that wrote it. */
  readonly path: string
  readonly ttl: Lifetime | null
  readonly writtenBy: number
  readonly usedBy: number
  /** Milliseconds since the epoch; undefined where the requests had no time. */
  readonly usedAt: number | undefined
  readonly expiresAt: number | undefined
  readonly readable: boolean
}
