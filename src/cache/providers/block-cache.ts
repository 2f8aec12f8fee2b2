/** Caches of whole blocks: what a provider's file gives is the numbers. */
import type { Rule } from '../rule.ts'
import type { PrefixRules } from '../simulator/rules.ts'
import type { LifetimeRange } from '../simulator/time.ts'

/** The numbers of one block cache. */
export interface BlockCacheRule extends Rule {
  /** Tokens of a block. */
  readonly block: number
  readonly minimum: number
  /** Since the last use; unlimited where blocks only make room for others. */
  readonly lifetime: LifetimeRange
  /** The answer's tokens stay cached behind the prompt. */
  readonly storesOutput: boolean
  /** A request may land where nothing is cached. */
  readonly bestEffort: boolean
}

/** Nothing is published, or nothing expires by time. */
export const unlimited: LifetimeRange = { least: Infinity, most: Infinity }

/** The rules, with the block size that a server was set up with where that is not the default. */
export function blockCacheRules(
  { block, minimum, lifetime, storesOutput, bestEffort }: BlockCacheRule,
  asked?: number,
): PrefixRules {
  const blockSize = asked ?? block
  return {
    type: 'prefix',
    minimum: Math.max(minimum, blockSize),
    step: blockSize,
    tokens: { ratio: 1, tail: 0, beforeMessages: 0 },
    storesOutput,
    lifetime,
    bestEffort,
  }
}
