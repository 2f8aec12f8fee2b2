/** What would have been: the same calls with one or more culprits frozen, played through the same rules at list prices. */

/** Tokens and money of a played stream; input by what became of it. */
export interface Played {
  readonly tokens: {
    readonly total: number
    readonly read: number
    readonly write5m: number
    readonly write30m: number
    readonly write1h: number
    readonly uncached: number
    readonly output: number
  }
  /** USD at list prices; null where a model has no price. */
  readonly cost: number | null
}

/** What fixing one culprit is worth. Negative where the updates cost more than the rewrites. */
export interface Saving {
  /** Input that is processed less: tokens that are not read, before less after. */
  readonly tokens: number
  /** USD; null where there is no price. */
  readonly cost: number | null
}

/** Another remedy than freezing a value. */
export type Remedy =
  | { readonly type: 'culprits'; readonly ids: readonly string[] }
  | { readonly type: 'ttl'; readonly ttl: '1h' }
  | { readonly type: 'breakpoints' }
  | { readonly type: 'keep-alive'; readonly pings: number }

/** One step of a plan, on top of those before it. */
export interface PlanStep {
  readonly remedy: Remedy
  readonly saves: Saving
  /** After this step and all before. */
  readonly after: Played
}

/** The counterfactuals of one stream, or of all. */
export interface Counterfactual {
  readonly asSent: Played
  /** Each segment written once at its lifetime and read afterwards; ideal breakpoints, no expiry, no misses, no updates. */
  readonly floor: Played
  readonly steps: readonly PlanStep[]
  /** By culprit id. */
  readonly savings: ReadonlyMap<string, { readonly alone: Saving; readonly last: Saving }>
  /** What the change costs besides: added tokens, another price tier, a context limit. Sentences. */
  readonly caveats: readonly string[]
}
