/**
 * What an audit found, as JSON: `indelible.audit/1`, which only grows. `schema/indelible.audit-1.schema.json` of the
 * package says the same in JSON Schema.
 *
 * Three kinds of figures stand side by side and are never mixed: what providers reported (`tokens`, `cost`, `billed`),
 * what their rules come to for the same requests (`predicted`, `counterfactual.asSent`), and what those rules come to for
 * changed requests (`counterfactual.floor`, `steps`, `savesAlone`, `savesLast`). What was not reported, or is not known,
 * is `null` and never 0. Money is in USD at list prices.
 */
import type { UnknownPriceReason, UsageAnomalyType } from '../../cache/index.ts'
import type { CulpritKind } from '../changes/types.ts'
import type { Played, Remedy, Saving } from '../counterfactuals/types.ts'
import type { Fidelity } from '../exchange.ts'
import type { Unread } from '../read/types.ts'
import type { Basis, Confusion, VerdictKind } from '../verdicts/types.ts'

/** The whole of it. */
export interface AuditReport {
  readonly schema: 'indelible.audit/1'
  readonly generator: Generator
  readonly currency: 'USD'
  /** From the first call to the last, ISO 8601. */
  readonly range: { readonly from: string | null; readonly to: string | null }
  /** Every file that was looked at, members of archives each. */
  readonly inputs: readonly AuditInput[]
  readonly totals: AuditTotals
  /** The most expensive first. */
  readonly byModel: readonly ModelTotals[]
  /** In the order of their first calls. */
  readonly streams: readonly AuditStream[]
  /** Streams with alike tools and system, where there are several. */
  readonly families: readonly AuditFamily[]
  /** Over all streams, the most expensive first. */
  readonly culprits: readonly AuditCulprit[]
  /** Over all streams: the plan. */
  readonly counterfactual: AuditCounterfactual
  /** How many of the turns that found a warm cache read what the rules say; `of` are those where both is known. */
  readonly reproduced: { readonly warm: number; readonly of: number }
  /** Reports of usage that do not add up, in the order of the turns. */
  readonly anomalies: readonly AuditAnomaly[]
  /** Why turns have no price. */
  readonly unpriced: readonly AuditUnpriced[]
  /** What was not read, and why. */
  readonly unread: readonly Unread[]
  /** Miss reasons that a provider or client logged, against ours: how often each pair was seen. */
  readonly confusion: readonly Confusion[]
}

/** What made the report. */
export interface Generator {
  /** Of the package. */
  readonly version: string
  /** Day of the newest rule about providers that the package has, `YYYY-MM-DD`. */
  readonly rulesAsOf: string
  /** Newest day on which a price of the table changed, not after today; null for a table without days. */
  readonly pricesAsOf: string | null
}

/** A file. */
export interface AuditInput {
  readonly file: string
  /** Id of the format that it was read as; null where nothing recognised it. */
  readonly format: string | null
  /** Calls that were found in it. */
  readonly exchanges: number
  /** Unpacked; null where nobody counted. */
  readonly bytes: number | null
  /** What its records have at least; null without records. */
  readonly fidelity: Fidelity | null
  /** How to record what the format lacks, in one line; null where it lacks nothing. */
  readonly hint: string | null
}

/** Tokens as reported, in buckets that do not overlap. */
export interface AuditTokens {
  /** All input. */
  readonly total: number | null
  readonly read: number | null
  readonly write5m: number | null
  readonly write30m: number | null
  readonly write1h: number | null
  readonly uncached: number | null
  readonly output: number | null
}

/** USD at list prices of what was reported. */
export interface AuditCost {
  readonly read: number | null
  readonly write: number | null
  readonly uncached: number | null
  readonly output: number | null
}

/** Tokens that the cache had and did not serve, and what they cost more than a read. */
export interface Loss {
  readonly tokens: number
  /** USD; null where nothing of it has a price. */
  readonly cost: number | null
}

/** Sums. */
export interface AuditTotals {
  /** Turns in streams; calls that only count tokens are none. */
  readonly turns: number
  readonly streams: number
  /** Of the turns, those that were not answered. They are not billed. */
  readonly failed: number
  /** Sums over what was reported. */
  readonly tokens: AuditTokens
  /** Share of the input that was read, over turns that report both; from 0 to 1. */
  readonly hitRate: number | null
  /** What was reported, at list prices; null where no turn has a price. */
  readonly cost: number | null
  /** Turns behind `cost`. */
  readonly priced: number
  /** Answered turns without a price. */
  readonly unpriced: number
  /** What providers say they charged, which may be discounted; null where none says. */
  readonly billed: { readonly amount: number; readonly turns: number } | null
  /** `asSent` less `floor`, in USD: what could be saved at most. */
  readonly avoidable: number | null
  /** Everything that was lost: the sum of `culprits` and of `otherLosses`. */
  readonly lost: Loss
  /** What no culprit is to blame for, by reason. */
  readonly otherLosses: readonly OtherLoss[]
  /** How many turns each verdict was given. */
  readonly verdicts: readonly { readonly verdict: VerdictKind; readonly turns: number }[]
}

/** What was lost for a reason that no culprit is. */
export interface OtherLoss extends Loss {
  readonly reason: VerdictKind
  readonly turns: number
}

/** Sums for one model of one provider. */
export interface ModelTotals {
  readonly provider: string
  /** As asked for; null where nobody says. */
  readonly model: string | null
  readonly turns: number
  readonly tokens: AuditTokens
  readonly hitRate: number | null
  readonly cost: number | null
}

/** Streams in which the same value may stand. */
export interface AuditFamily {
  readonly id: string
  readonly streams: readonly string[]
}

/** A conversation: turns that each continue the one before. */
export interface AuditStream {
  readonly id: string
  /** The stream that it forked off, and there the turn. */
  readonly parent: { readonly stream: string; readonly turn: number } | null
  readonly family: string
  readonly provider: string
  /** The one that most turns asked for; null where nobody says. */
  readonly model: string | null
  /** What the log groups calls by, where all turns agree. */
  readonly session: string | null
  /** What all of its records have. */
  readonly fidelity: Fidelity
  readonly turns: readonly AuditTurn[]
  /** Those that occur here, the most expensive first; tokens, money and savings are those of this stream. */
  readonly culprits: readonly AuditCulprit[]
  /** What differs and costs nothing. */
  readonly notes: readonly AuditNote[]
  /** What the log lacks for surer verdicts. */
  readonly missing: readonly string[]
  /** Null where there is nothing to play: no bodies. */
  readonly counterfactual: AuditCounterfactual | null
}

/** One call. */
export interface AuditTurn {
  /** From 0 over the whole report, in the order of the logs: what `parent` and `occurrences` refer to. */
  readonly index: number
  readonly requestId: string | null
  readonly responseId: string | null
  readonly source: { readonly file: string; readonly line: number | null }
  /** Index of the turn that it continues; of another stream where this one is a fork. */
  readonly parent: number | null
  /** ISO 8601. */
  readonly startedAt: string | null
  /** Since the parent. */
  readonly gapSeconds: number | null
  /** Lifetime of the entry that counted. */
  readonly ttlSeconds: number | null
  /** As asked for. */
  readonly model: string | null
  readonly verdict: VerdictKind
  /** All that hold; the verdict is one of them. */
  readonly reasons: readonly AuditReason[]
  /** From 0 to 1. */
  readonly confidence: number
  /** The provider's or client's own word for a miss. */
  readonly providerReason: string | null
  /** The first place where it differs from its parent; null where it begins with all of it, or nothing is to compare. */
  readonly divergence: AuditDivergence | null
  /** Ids of the culprits that differ here, in the order in which the provider reads them; the first bears the loss. */
  readonly culprits: readonly string[]
  /** As reported. */
  readonly tokens: AuditTokens
  /** By the provider's rules; null where there is no body. */
  readonly predicted: AuditPrediction | null
  /** What the verdict rests on. */
  readonly basis: Basis
  /** What was reported as read is what the rules say; null where the turn was not warm, or one of both is not known. */
  readonly reproduced: boolean | null
  /** min(total, parent's total) less the common prefix. */
  readonly rewrittenTokens: number | null
  readonly lost: Loss
  /** Null where there is no price, or nothing was reported. */
  readonly cost: AuditCost | null
  /** What the log lacks for a surer verdict. */
  readonly missing: readonly string[]
}

/** What the rules say of a turn, in tokens, with what was reported for the turns before; its own report is not looked at. */
export interface AuditPrediction {
  readonly read: number
  readonly write: number
  readonly uncached: number
  /**
   * What they say of the requests alone, whatever was reported as cached: nothing that a provider missed is in it. What of
   * the parent's prompt is lost stands by reason.
   */
  readonly byRulesAlone: { readonly read: number; readonly lost: readonly PredictedLoss[] } | null
}

/** A part of what the rules lose. */
export interface PredictedLoss {
  readonly reason: VerdictKind
  readonly tokens: number
  /** Paths, parameters. */
  readonly parameters: readonly string[]
}

/** Something that holds of a turn. */
export interface AuditReason {
  readonly kind: VerdictKind
  /** Tokens that would have been read without it. */
  readonly tokens: number
  readonly detail: string
  readonly parameters: readonly string[]
}

/** Where two requests part. */
export interface AuditDivergence {
  readonly kind: 'changed' | 'inserted' | 'removed' | 'shortened'
  readonly path: string
  /** UTF-16 units into the segment. */
  readonly offset: number
  readonly before: ReportText | null
  readonly after: ReportText | null
}

/** A text out of a log, shown or masked. What looks like a key is masked in either. */
export interface ReportText {
  /** Null where it is masked. */
  readonly text: string | null
  /** UTF-16 units. */
  readonly length: number
  /** Salted: it tells equal texts of one report, and nothing outside of it. */
  readonly hash: string
  /** At most 80 characters; where masked, letters are `x` and digits `0`. */
  readonly preview: string
}

/** One value, ordering or placement that breaks the cache. */
export interface AuditCulprit {
  /** The same in every run over the same log. */
  readonly id: string
  readonly kind: CulpritKind
  /** Messages that move with the conversation are `*`. */
  readonly path: string
  /** UTF-16 units into the segment where it first differed; null where it is no stretch of text. */
  readonly offset: number | null
  /** The text around it. */
  readonly anchor: { readonly before: ReportText; readonly after: ReportText } | null
  /** It changes from turn to turn, between sessions, or both. */
  readonly scope: 'within' | 'between' | 'both'
  /** In the order of turns; at most 50. */
  readonly values: readonly ReportText[]
  /** Turns that differ from their parents here, by index. */
  readonly occurrences: readonly { readonly stream: string; readonly turn: number }[]
  /** What was lost on turns where it is the first that differs. */
  readonly tokensLost: number
  /** What that cost more than reads; null where nothing of it has a price. */
  readonly cost: number | null
  /** With this one fixed and no other; null where that was not played. */
  readonly savesAlone: Saving | null
  /** With all fixed, less with all but this one. */
  readonly savesLast: Saving | null
  /** From 0 to 1. */
  readonly confidence: number
  /** What to do, in one line. */
  readonly fix: string
}

/** A difference that costs nothing by the evidence. */
export interface AuditNote {
  /** `raw` is a difference of bytes that no model sees. */
  readonly kind: CulpritKind | 'raw'
  readonly path: string | null
  readonly text: string
  /** Indexes. */
  readonly turns: readonly number[]
}

/** What would have been, at list prices and by one calibration. */
export interface AuditCounterfactual {
  readonly asSent: Played
  /** Each segment written once and read afterwards. */
  readonly floor: Played
  /** Each on top of those before it. */
  readonly steps: readonly AuditStep[]
  /** What the changes cost besides, in sentences. */
  readonly caveats: readonly string[]
}

/** A step of the plan. */
export interface AuditStep {
  readonly remedy: Remedy
  readonly saves: Saving
  readonly after: Played
  /** What to do, in one line. */
  readonly fix: string
}

/** A report of usage that does not add up. */
export interface AuditAnomaly {
  readonly stream: string
  readonly turn: number
  readonly type: UsageAnomalyType
  readonly message: string
}

/** Turns that have no price for one reason. */
export interface AuditUnpriced {
  readonly model: string | null
  readonly reason: UnknownPriceReason
  readonly message: string
  readonly turns: number
}
