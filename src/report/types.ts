/** What a report is asked for, and what is in it: plain JSON, in which what is not known is `null` and never 0. */
import type { Json } from '../base/json.ts'
import type { Usage } from '../base/usage.ts'
import type {
  Miss,
  PredictedUsage,
  PricedRequest,
  PriceBucket,
  PriceTable,
  SimulatorOptions,
  UnknownPrice,
  UsageAnomalyType,
} from '../cache/index.ts'
import type { EpochCause, SessionsOptions, TurnView } from '../session/index.ts'

/** How to look at a session. Everything may be left out; what then is not known, the report says. */
export interface ReportOptions<M, H = unknown> {
  /** Whose cache and whose prices, by the simulator's names (`anthropic`, `bedrock`, `openai`, ...). */
  readonly provider?: SimulatorOptions['provider'] | undefined
  /** The model that answered; a function where not all turns had the same. What `lower` names in the body, unless given. */
  readonly model?: string | ((turn: ReportedTurn) => string | undefined) | undefined
  /** The body that was sent for a turn, as the host's adapter makes it. With it, the cache is played. */
  readonly lower?: ((turn: TurnView<M>) => unknown) | undefined
  /** The simulator's other settings: a token counter, retention, the format of the bodies. */
  readonly simulator?: Omit<SimulatorOptions, 'provider'> | undefined
  /** The history, as it is now, of a session whose history the host keeps. */
  readonly history?: readonly M[] | undefined
  /** As `createSessions` has it. With it, the sources are read, once, to say what is true now. */
  readonly context?: SessionsOptions<M, H>['context'] | undefined
  /** What the sources are read with. */
  readonly host?: H | undefined
  /** In place of the package's own prices. */
  readonly prices?: PriceTable | undefined
  /** What else decides the price; see `price` of `indelible/cache`. */
  readonly platform?: string | undefined
  readonly region?: string | undefined
  readonly tier?: string | undefined
  readonly speed?: string | undefined
  readonly batch?: boolean | undefined
}

/** What tells turns apart. */
export interface ReportedTurn {
  readonly revision: number
  readonly epoch: number
  /** ISO 8601. */
  readonly at: string
}

/** What a session cost, saved and left stale. */
export interface SessionReport {
  readonly schema: 'indelible.report/1'
  readonly session: string
  /** Oldest first. Quiet turns (a boundary that had nothing to write) are there if they were answered. */
  readonly turns: readonly TurnReport[]
  readonly totals: Totals
  /** What the same conversation would have come to with every change rendered into the system prompt again. */
  readonly anew: AnewEstimate | NoEstimate
  /** By key. */
  readonly staleness: readonly SourceStaleness[]
  /** In the order of the turns. */
  readonly anomalies: readonly ReportAnomaly[]
}

/** One turn. */
export interface TurnReport extends ReportedTurn {
  /** Why an epoch started at this boundary, if one did. */
  readonly started: EpochCause | null
  /** A boundary that had nothing to write: it came some time between `at` and `answeredAt`. */
  readonly quiet: boolean
  /** It came with a fork: the parent's report has it too, and it is in no total. */
  readonly inherited: boolean
  /** `null` where nobody says which. */
  readonly model: string | null
  /** Keys of the sources that this boundary admitted an update of. */
  readonly update: readonly string[]
  /** When the answer was recorded, ISO 8601; where the host keeps the history, when it was seen there. */
  readonly answeredAt: string | null
  /** As it was reported. */
  readonly usage: Usage | null
  /** Tokens read, by all tokens of the input. */
  readonly hitRate: number | null
  /** `null` where no usage was reported. */
  readonly cost: PricedRequest | UnknownPrice | null
  /** `null` without `lower`, and where there is no answer: nobody knows whether such a turn was sent. */
  readonly expected: Expected | null
  /** `null` where no less was read than expected, or one of both is not known. */
  readonly shortfall: Shortfall | null
}

/** What the simulator says of the body of a turn, before it sees what was reported. */
export interface Expected {
  readonly usage: PredictedUsage
  /** Between what the read lies, by the provider's rules. */
  readonly range: { readonly least: number; readonly most: number }
  /** Why the rest was not read. */
  readonly misses: readonly Miss[]
  /** False once reported usage pins the positions that this rests on. */
  readonly estimated: boolean
}

/**
 * Why less was read than expected:
 * - `nothing-read`: a live entry was there by the rules, and none was read.
 * - `older-entry`: one was read, and not the newest.
 * - `other-request`: the whole input was smaller than what should have been read: what was sent is not what `lower` makes.
 */
export type ShortfallReason = 'nothing-read' | 'older-entry' | 'other-request'

/** Tokens that the provider read less than even the most cautious expectation. */
export interface Shortfall {
  readonly tokens: number
  readonly reason: ShortfallReason
  /** Revision of the turn whose entry was expected to be read. */
  readonly writtenBy: number | null
  readonly message: string
}

/** Sums over the session's own turns. Tokens and money are of the turns that report them. */
export interface Totals {
  readonly turns: number
  readonly answered: number
  readonly withUsage: number
  /** Turns that a fork brought along. */
  readonly inherited: number
  /** Turns whose messages are no longer in the history that the host keeps. */
  readonly notRebuilt: number
  readonly tokens: {
    readonly total: number
    readonly read: number
    readonly written: number
    readonly uncached: number
    readonly output: number
  }
  /** Over the turns that report both. */
  readonly hitRate: number | null
  readonly cost: CostTotal
  /** Tokens of all shortfalls. */
  readonly shortfall: number
}

/** Money for several requests. */
export interface CostTotal {
  /** Of the requests that have a price; `null` where none has. */
  readonly amount: number | null
  readonly currency: 'USD'
  readonly priced: number
  /** Requests whose usage is known and whose price is not: they are in no amount. */
  readonly unpriced: number
  /** Of list prices; what a provider charged in its own words has no parts. */
  readonly parts: readonly { readonly bucket: PriceBucket; readonly tokens: number; readonly amount: number }[]
}

/** Two plays of the same turns in empty caches, both by estimated tokens. Input only: the answers are the same. */
export interface AnewEstimate {
  readonly type: 'estimate'
  /** Requests that were played, and are in the sums. */
  readonly turns: number
  readonly kept: Played
  readonly anew: Played
  readonly saved: {
    /** Tokens that had to be processed (written or uncached) less. Below 0 where more had to. */
    readonly tokens: number
    readonly amount: number | null
  }
}

export interface Played {
  readonly tokens: {
    readonly total: number
    readonly read: number
    readonly written: number
    readonly uncached: number
  }
  readonly cost: CostTotal
}

export interface NoEstimate {
  readonly type: 'none'
  /** In few words, as `lower was not given`. */
  readonly reason: string
}

/** What the model believes of one source. */
export interface SourceStaleness {
  readonly key: string
  /** What it was last told, and when (ISO 8601); `null` where it was told nothing. */
  readonly told: { readonly value: Json; readonly at: string } | null
  /** `null` where no context was given, and for the session's tools (`indelible/tools`), whose told value is the ids that may be called. */
  readonly now: SourceNow | null
  /**
   * Where `now` differs: when the newest boundary was taken that would have told the difference. So the told value stopped
   * being true after that; if the source could not be read then, after `told.at`. ISO 8601.
   */
  readonly since: string | null
}

/**
 * What is true now: what was told, another value, observed to be absent, no source of the context any more, not to be
 * observed; or a value that the model was never told.
 */
export type SourceNow =
  | { readonly state: 'same' | 'absent' | 'gone' }
  | { readonly state: 'changed' | 'untold'; readonly value: Json }
  | { readonly state: 'unavailable'; readonly reason: 'unavailable' | 'timeout' | 'error' }

/**
 * - `unanswered`: the turn asked something, no answer was recorded, and the conversation went on.
 * - `no-usage`: an answer came without usage.
 * - `usage`: the reported usage does not add up; `about` says how.
 */
export type ReportAnomaly = { readonly revision: number; readonly message: string } & (
  | { readonly type: 'unanswered' | 'no-usage' }
  | { readonly type: 'usage'; readonly about: UsageAnomalyType }
)
