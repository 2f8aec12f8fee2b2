/** Adding up what calls were played to have read, written and cost. */
import type { Usage } from '../../base/usage.ts'
import type { PredictedUsage } from '../../cache/index.ts'
import type { Turn } from '../record/types.ts'
import type { Played, Saving } from './types.ts'

/** The list price of a call with this usage, in USD; null where there is none. */
export type PriceOf = (turn: Turn, usage: Usage) => number | null

type Tokens = { -readonly [bucket in keyof Played['tokens']]: number }

/** Sums up calls. */
export class Sum {
  readonly #tokens: Tokens = { total: 0, read: 0, write5m: 0, write30m: 0, write1h: 0, uncached: 0, output: 0 }
  #cost = 0
  #calls = 0
  #priced = 0

  /** One call, with its output as it was. */
  add(turn: Turn, usage: PredictedUsage, priceOf: PriceOf, output: number = turn.usage?.output ?? 0): void {
    const tokens = this.#tokens
    tokens.total += usage.total
    tokens.read += usage.read
    tokens.write5m += usage.write5m
    tokens.write30m += usage.write30m
    tokens.write1h += usage.write1h
    tokens.uncached += usage.uncached
    tokens.output += output
    const cost = priceOf(turn, { ...usage, output })
    this.#calls++
    if (cost === null) return
    this.#priced++
    this.#cost += cost
  }

  /** The cost of the calls that have a price; null where there are calls and none of them has one. */
  played(): Played {
    return { tokens: { ...this.#tokens }, cost: this.#calls > 0 && this.#priced === 0 ? null : this.#cost }
  }
}

/** Several sums as one. The cost is that of what has a price. */
export function addUp(all: readonly Played[]): Played {
  const tokens: Tokens = { total: 0, read: 0, write5m: 0, write30m: 0, write1h: 0, uncached: 0, output: 0 }
  let cost: number | null = all.length === 0 ? 0 : null
  for (const played of all) {
    for (const bucket of Object.keys(tokens) as (keyof Tokens)[]) tokens[bucket] += played.tokens[bucket]
    if (played.cost !== null) cost = (cost ?? 0) + played.cost
  }
  return { tokens, cost }
}

/** What `after` needs less than `before`: input tokens that were not read, and money. */
export function savingOf(before: Played, after: Played): Saving {
  return {
    tokens: processed(before) - processed(after),
    cost: before.cost === null || after.cost === null ? null : before.cost - after.cost,
  }
}

/** What is least where it is best: money, or where there is no price the input that is not read. */
export function worth(played: Played): number {
  return played.cost ?? processed(played)
}

function processed({ tokens }: Played): number {
  return tokens.total - tokens.read
}
