/** Sums over turns, one turn at a time: what a span of any length costs in memory does not grow with its turns. */
import type { Turn } from '../record/types.ts'
import { tokensOf } from '../report/tokens.ts'
import type { AuditTokens, Loss } from '../report/types.ts'
import type { Cause } from './causes.ts'
import type { Spent } from './types.ts'

/** A turn as it is counted. */
export interface Counted {
  readonly turn: Turn
  /** Of what was reported, in USD; null where it has no price. */
  readonly cost: number | null
  readonly lost: Loss
  readonly avoidable: boolean
}

const none: AuditTokens = tokensOf(undefined)

/** Adds up turns. */
export class Tally {
  #turns = 0
  #failed = 0
  #subagents = 0
  #unpriced = 0
  #tokens: AuditTokens = none
  #cost: number | null = null
  /** Over turns that report both. */
  readonly #hits = { read: 0, total: 0 }
  readonly #lost = new LossTally()
  readonly #avoidable = new LossTally()

  add({ turn, cost, lost, avoidable }: Counted): void {
    this.#turns++
    if (turn.exchange.ids.isSubagent === true) this.#subagents++
    if (turn.failed) {
      this.#failed++
      return
    }
    const tokens = tokensOf(turn.usage)
    this.#tokens = plus(this.#tokens, tokens)
    if (tokens.total !== null && tokens.read !== null) {
      this.#hits.read += tokens.read
      this.#hits.total += tokens.total
    }
    if (cost === null) this.#unpriced++
    else this.#cost = (this.#cost ?? 0) + cost
    this.#lost.add(lost)
    if (avoidable) this.#avoidable.add(lost)
  }

  spent(): Spent {
    const { read, total } = this.#hits
    return {
      turns: this.#turns,
      failed: this.#failed,
      subagents: this.#subagents,
      tokens: this.#tokens,
      hitRate: total === 0 ? null : read / total,
      cost: this.#cost,
      unpriced: this.#unpriced,
      lost: this.#lost.loss(),
      avoidable: this.#avoidable.loss(),
    }
  }
}

/** Adds up losses: without one, nothing was lost and it cost nothing. */
export class LossTally {
  #turns = 0
  #tokens = 0
  #cost: number | null = null

  get turns(): number {
    return this.#turns
  }

  add({ tokens, cost }: Loss): void {
    if (tokens <= 0) return
    this.#turns++
    this.#tokens += tokens
    if (cost !== null) this.#cost = (this.#cost ?? 0) + cost
  }

  loss(): Loss {
    return { tokens: this.#tokens, cost: this.#turns === 0 ? 0 : this.#cost }
  }
}

/** What was lost by one cause. */
export interface CauseTally {
  readonly cause: Cause
  readonly loss: LossTally
}

/** Adds up losses by cause. */
export class CauseTallies {
  readonly #byCause = new Map<string, CauseTally>()

  add(cause: Cause, lost: Loss): void {
    const key = JSON.stringify([cause.kind, ...cause.names])
    const known = this.#byCause.get(key) ?? { cause, loss: new LossTally() }
    known.loss.add(lost)
    this.#byCause.set(key, known)
  }

  all(): readonly CauseTally[] {
    return [...this.#byCause.values()]
  }
}

function plus(one: AuditTokens, other: AuditTokens): AuditTokens {
  return {
    total: sum(one.total, other.total),
    read: sum(one.read, other.read),
    write5m: sum(one.write5m, other.write5m),
    write30m: sum(one.write30m, other.write30m),
    write1h: sum(one.write1h, other.write1h),
    uncached: sum(one.uncached, other.uncached),
    output: sum(one.output, other.output),
  }
}

function sum(one: number | null, other: number | null): number | null {
  if (one === null || other === null) return one ?? other
  return one + other
}
