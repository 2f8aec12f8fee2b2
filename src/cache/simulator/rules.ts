/**
 * What a provider's file says. The engine knows two kinds of cache, and every provider is one of them with its own
 * numbers:
 * - `entries`: entries end at certain places, and are found only there (Anthropic, Bedrock, OpenAI from 5.6, DeepSeek).
 * - `prefix`: any common start is found, rounded down to a block (all others).
 */
import type { Breakpoint, Lifetime, RequestFormat, RequestItems } from '../layout/types.ts'
import type { Walk } from './walk.ts'
import type { LifetimeRange } from './time.ts'
import type { Node } from './tree.ts'

/** Rules of one provider, in the order in which its file has them. */
export interface ProviderRules {
  readonly id: string
  /** Types of which neighbours are one step of the look-back. */
  readonly runs: readonly string[]
  /** The formats that it takes; a body of another is refused. Every one unless given. */
  readonly formats?: readonly RequestFormat[]
  /** The rules for one request, by its model. */
  rulesFor(request: RequestItems, context: RuleContext): CacheRules
}

/** What the rules may depend on besides the request. */
export interface RuleContext {
  /** Milliseconds since the epoch; undefined where the request has no time, and then the newest rules hold. */
  readonly at: number | undefined
  readonly zeroDataRetention: boolean
  readonly blockSize: number | undefined
}

/** The rules for one request, of either kind. */
export type CacheRules = EntryRules | PrefixRules

interface CommonRules {
  /** Tokens. */
  readonly minimum: number
  /** A reported read is a multiple of so many tokens; 1 is exact. */
  readonly step: number
  readonly tokens: TokenRules
  /** Tokens of the answer are cached with the prompt, and found when the answer is sent back. */
  readonly storesOutput: boolean
}

/** How the estimate of a text relates to the provider's own count, before any usage was seen. */
export interface TokenRules {
  /** Provider tokens for one of the counter's. */
  readonly ratio: number
  /** Tokens that the provider adds between the system prompt and the messages. */
  readonly beforeMessages: number
  /** Tokens behind the last segment that belong to no segment. */
  readonly tail: number
}

/** A place where an entry is written or looked for. */
export interface Place {
  readonly node: Node
  readonly ttl: Lifetime | null
  readonly breakpoint: Breakpoint | null
}

/** Entries that end at places. */
export interface EntryRules extends CommonRules {
  readonly type: 'entries'
  /** Positions that one lookup steps back over, itself counted; 1 looks at the place alone. */
  readonly window: number
  /** Where this request writes, and where it looks; each in the order of the request. */
  places(walk: Walk): { readonly writes: readonly Place[]; readonly lookups: readonly Place[] }
  /** Read whatever was sent before: the request names a cache that was made beforehand. */
  given?(walk: Walk): Node
  /** Milliseconds that an entry lives since it was last used. */
  lifetime(ttl: Lifetime | null): LifetimeRange
  /** What a write of this lifetime is billed as; null is not billed. */
  readonly charges: boolean
  /** Also stores where requests begin to differ, once that is seen. */
  readonly detectsCommon?: boolean
  /** A hit is not guaranteed. */
  readonly bestEffort?: boolean
  /** The read may be larger, up to the whole common prefix, where the provider stores more than it documents. */
  readonly mayReadCommon?: boolean
}

/** Any common start. */
export interface PrefixRules extends CommonRules {
  readonly type: 'prefix'
  readonly lifetime: LifetimeRange
  /** A hit is not guaranteed: the least read is 0. */
  readonly bestEffort: boolean
}
