/** What breakpoints of Claude may be and cost, for the planner; and its lifetimes as ranks. */
import { anthropicBreakpoints, type CacheTtl, type LookbackRule } from '../../cache/index.ts'
import { anthropicMultipliers } from '../../cache/anthropic/multipliers.ts'
import type { LifetimeRank, PlanRules } from './plan.ts'

const { limit, ttls } = anthropicBreakpoints
const { read, write } = anthropicMultipliers

/** The planner's rules for a platform of Claude, by how far a breakpoint looks back there. */
export function claudePlanRules({ window }: LookbackRule): PlanRules {
  return { limit, lookback: window, readSaving: 1 - read, writePremium: write[ttls[0]] - 1 }
}

/** A lifetime's rank. */
export function rankOf(ttl: CacheTtl): LifetimeRank {
  return ttls.indexOf(ttl)
}

/** The lifetime of a rank. */
export function ttlOf(rank: LifetimeRank): CacheTtl {
  return ttls[rank] ?? anthropicBreakpoints.defaultTtl
}
