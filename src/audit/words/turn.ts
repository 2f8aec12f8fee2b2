/** What became of a turn: what was read, what was sent again, what was new, what that cost, and why. */
import type { AuditStream, AuditTurn } from '../report/types.ts'
import { formatDuration } from './amounts.ts'

/** Kinds of culprits, by their ids. */
export type Kinds = ReadonlyMap<string, string>

/** The verdict and what it is due to. */
export function wayOf({ verdict, culprits, lost, reasons }: AuditTurn, kinds: Kinds): string {
  const culprit = culprits[0]
  if (culprit !== undefined && lost.tokens > 0) return `${verdict}: ${kinds.get(culprit) ?? culprit}`
  const parameters = reasons.find(({ kind }) => kind === verdict)?.parameters ?? []
  return parameters.length === 0 ? verdict : `${verdict}: ${parameters.join(', ')}`
}

/** The same; of an entry that expired, how long the pause was and how long it lived. */
export function endOf(turn: AuditTurn, kinds: Kinds): string {
  const { verdict, gapSeconds, ttlSeconds } = turn
  const way = wayOf(turn, kinds)
  if (verdict !== 'expired' || gapSeconds === null) return way
  const lifetime = ttlSeconds === null ? '' : ` (lifetime ${formatDuration(ttlSeconds)})`
  return `${way}, ${formatDuration(gapSeconds)} later${lifetime}`
}

/** A request by what became of it, in tokens; what is left of the total was new. */
export interface Parts {
  readonly total: number
  readonly read: number
  readonly again: number
  /** By the provider; otherwise by its rules. */
  readonly reported: boolean
}

/** What became of a request, as it was reported or, where it was not, as the rules say; null where neither is known. */
export function partsOf({ tokens, predicted, lost }: AuditTurn): Parts | null {
  const reported = tokens.total !== null
  const total = tokens.total ?? (predicted === null ? null : predicted.read + predicted.write + predicted.uncached)
  if (total === null) return null
  const read = Math.min(total, (reported ? tokens.read : predicted?.read) ?? 0)
  return { total, read, again: Math.min(total - read, lost.tokens), reported }
}

/** What was reported for a turn, at list prices. */
export function costOf({ cost }: AuditTurn): number | null {
  if (cost === null) return null
  return [cost.read, cost.write, cost.uncached, cost.output].reduce<number>((sum, part) => sum + (part ?? 0), 0)
}

/** What a conversation lost, in USD; of those without a price, tokens come after all that have one. */
export function lossOf({ turns }: AuditStream): number {
  const cost = turns.reduce((sum, { lost }) => sum + (lost.cost ?? 0), 0)
  const tokens = turns.reduce((sum, { lost }) => sum + lost.tokens, 0)
  return cost + tokens / 1e12 + turns.length / 1e15
}
