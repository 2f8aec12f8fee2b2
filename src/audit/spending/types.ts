/**
 * What was spent over a span of time by the usage that logs report, as JSON: `indelible.spending/1`, which only grows.
 * What was not reported, or is not known, is `null` and never 0. Money is in USD at list prices. Days are UTC.
 */
import type { UnknownPriceReason } from '../../cache/index.ts'
import type { Unread } from '../read/types.ts'
import type { AuditTokens, Generator, Loss } from '../report/types.ts'
import type { VerdictKind } from '../verdicts/types.ts'

/** What turns are summed up by. */
export const groupings = ['model', 'project', 'day'] as const
export type Grouping = (typeof groupings)[number]

/** The whole of it. */
export interface SpendingReport {
  readonly schema: 'indelible.spending/1'
  readonly generator: Generator
  readonly currency: 'USD'
  /** Turns from `since` on are counted; `from` and `to` are the first and the last of them. ISO 8601. */
  readonly range: { readonly since: string; readonly from: string | null; readonly to: string | null }
  readonly totals: Spent & { readonly sessions: number; readonly projects: number }
  /** Why tokens were lost, the most expensive first. */
  readonly causes: readonly LossCause[]
  /** Those with the most that could have been avoided first, then those that cost most. */
  readonly sessions: readonly SessionSpending[]
  /** Null unless asked for. */
  readonly groups: { readonly by: Grouping; readonly rows: readonly GroupSpending[] } | null
  readonly unpriced: readonly UnpricedTurns[]
  readonly unread: readonly UnreadRecords[]
}

/** Sums over turns. */
export interface Spent {
  readonly turns: number
  /** Of the turns, those that were not answered. They are not billed. */
  readonly failed: number
  /** Of the turns, those that sub-agents made. */
  readonly subagents: number
  readonly tokens: AuditTokens
  /** Share of the input that was read, over turns that report both; from 0 to 1. */
  readonly hitRate: number | null
  /** What was reported, at list prices; null where no turn has a price. */
  readonly cost: number | null
  /** Answered turns without a price. */
  readonly unpriced: number
  /** Everything that the turn before had in the cache and this one did not read. */
  readonly lost: Loss
  /** The part of `lost` that was still to be read: no lifetime was over, and no compaction replaced it. */
  readonly avoidable: Loss
}

/** A reason for which tokens were lost, over all turns. */
export interface LossCause extends Loss {
  readonly kind: VerdictKind
  /** What changed; where nothing says, the provider's own word for the miss, or how far the prompt was still read. */
  readonly names: readonly string[]
  readonly avoidable: boolean
  readonly turns: number
  /** What it means, and what to do, in one line. */
  readonly advice: string
}

/** A session of a client, its sub-agents included. */
export interface SessionSpending extends Spent {
  /** Id of the format of its log, as `claude-code`. */
  readonly format: string | null
  /** As the client names it; null where the log has no name, and its file stands for it. */
  readonly session: string | null
  readonly project: string | null
  /** The log of its first turn. */
  readonly file: string
  readonly from: string | null
  readonly to: string | null
  /** The model that most of its turns asked for. */
  readonly model: string | null
  /** What most of the avoidable part was lost by, or else most of what was lost; null where nothing was. */
  readonly cause: { readonly kind: VerdictKind; readonly names: readonly string[] } | null
}

/** Turns that have a model, a project or a day in common. */
export interface GroupSpending extends Spent {
  /** Null where the log does not say. */
  readonly name: string | null
}

/** Answered turns that have no price for one reason. */
export interface UnpricedTurns {
  readonly model: string | null
  readonly reason: UnknownPriceReason
  readonly turns: number
}

/** Records that were not read for one reason. */
export interface UnreadRecords {
  readonly kind: Unread['kind']
  readonly records: number
  readonly first: Pick<Unread, 'file' | 'line' | 'message'>
}
