/** One turn as a report has it. */
import type { Usage } from '../../base/usage.ts'
import type { PriceBucket, PricedRequest, UnknownPrice } from '../../cache/index.ts'
import type { LinkedTurn } from '../streams/types.ts'
import type { Verdict } from '../verdicts/types.ts'
import { costOfLoss } from './money.ts'
import type { Share } from './blame.ts'
import { maskKeys } from './keys.ts'
import type { Masking } from './masking.ts'
import { tokensOf } from './tokens.ts'
import type { AuditCost, AuditPrediction, AuditTurn } from './types.ts'

/** What is known of a turn besides itself. */
export interface TurnParts {
  readonly linked: LinkedTurn
  readonly verdict: Verdict
  /** Ids, in the order in which the provider reads. */
  readonly culprits: readonly string[]
  readonly shares: readonly Share[]
  readonly masking: Masking
  readonly priceOf: (usage: Usage) => PricedRequest | UnknownPrice
}

/** A turn, what it cost in all, and what was lost for whom. */
export interface TurnResult {
  readonly turn: AuditTurn
  readonly share: readonly (Share & { readonly cost: number | null })[]
  /** Of what was reported; undefined where it was not answered, or nothing was. */
  readonly priced: PricedRequest | UnknownPrice | undefined
}

/** Puts a turn together. */
export function turnReport({ linked, verdict, culprits, shares, masking, priceOf }: TurnParts): TurnResult {
  const { turn, parent } = linked
  const { exchange, usage } = turn
  const { startedAt, ids, source } = exchange
  const priced = usage === undefined || turn.failed ? undefined : priceOf(usage)
  // Of a turn without usage, the prediction is the only thing that says what it was billed for.
  const billed = usage?.total === undefined ? (verdict.prediction?.usage ?? usage) : usage
  const lost = shares.reduce((sum, { tokens }) => sum + tokens, 0)
  const cost = billed === undefined ? null : costOfLoss(billed, lost, priceOf)
  return {
    turn: {
      index: turn.number,
      requestId: logged(ids.request),
      responseId: logged(ids.response ?? turn.answer.id),
      source,
      parent: parent?.number ?? null,
      startedAt: toTime(startedAt),
      gapSeconds: verdict.gapSeconds,
      ttlSeconds: verdict.ttlSeconds,
      model: logged(turn.model),
      verdict: verdict.verdict,
      reasons: verdict.reasons.map(({ kind, tokens, detail, parameters = [] }) => ({
        kind,
        tokens,
        detail: maskKeys(detail),
        parameters,
      })),
      confidence: verdict.confidence,
      providerReason: logged(verdict.providerReason ?? undefined),
      divergence: verdict.divergence === null ? null : masking.divergence(verdict.divergence),
      culprits,
      tokens: tokensOf(usage),
      predicted: predictedOf(verdict),
      basis: verdict.basis,
      reproduced: verdict.reproduced,
      rewrittenTokens: verdict.rewrittenTokens,
      lost: { tokens: lost, cost },
      cost: priced?.type === 'priced' ? costByBucket(priced, usage) : null,
      missing: verdict.missing,
    },
    share: shares.map((share) => ({ ...share, cost: cost === null ? null : (cost * share.tokens) / lost })),
    priced,
  }
}

/** Longest text of a log that is taken for a name. */
const NAME = 200

/** A name out of a log: an id, a model, a word of the provider's; clipped, and null where there is none. */
export function logged(name: string | undefined): string | null {
  if (name === undefined) return null
  return maskKeys(name.length > NAME ? `${name.slice(0, NAME - 1)}…` : name)
}

/** ISO 8601; null for what is no time. */
export function toTime(milliseconds: number | undefined): string | null {
  if (milliseconds === undefined) return null
  const date = new Date(milliseconds)
  return Number.isNaN(date.getTime()) ? null : date.toISOString()
}

function predictedOf({ predicted, prediction, uncorrected }: Verdict): AuditTurn['predicted'] {
  const usage = predicted ?? prediction?.usage
  if (usage === undefined) return null
  const { read, write5m, write30m, write1h, uncached } = usage
  return { read, write: write5m + write30m + write1h, uncached, byRulesAlone: byRulesAlone(uncorrected) }
}

function byRulesAlone(uncorrected: Verdict['uncorrected']): AuditPrediction['byRulesAlone'] {
  if (uncorrected === null) return null
  const { read, reasons } = uncorrected
  return { read, lost: reasons.map(({ kind, tokens, parameters = [] }) => ({ reason: kind, tokens, parameters })) }
}

/** Of each bucket that was reported; what a total has beyond the buckets is priced as uncached. */
function costByBucket({ parts }: PricedRequest, usage: Usage | undefined): AuditCost {
  const amount = (buckets: readonly PriceBucket[], reported: boolean): number | null => {
    const found = parts.filter(({ bucket }) => buckets.includes(bucket))
    if (found.length === 0) return reported ? 0 : null
    return found.reduce((sum, part) => sum + part.amount, 0)
  }
  const writes = [usage?.write5m, usage?.write30m, usage?.write1h]
  return {
    read: amount(['read'], usage?.read !== undefined),
    write: amount(
      ['write5m', 'write30m', 'write1h'],
      writes.some((write) => write !== undefined),
    ),
    uncached: amount(['uncached'], usage?.uncached !== undefined),
    output: amount(['output'], usage?.output !== undefined),
  }
}
