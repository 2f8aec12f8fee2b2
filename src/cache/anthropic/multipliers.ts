/** What reading and writing cost on Claude, of the price of a token as input. */
import type { Rule } from '../rule.ts'
import type { CacheTtl } from './breakpoints.ts'

/** The multipliers that hold unless a model has its own; money is reckoned with the price table, not with these. */
export const anthropicMultipliers: Rule & {
  readonly read: number
  readonly write: Readonly<Record<CacheTtl, number>>
} = {
  read: 0.1,
  write: { '5m': 1.25, '1h': 2 },
  since: '2026-11-30',
  source: 'https://platform.claude.com/docs/en/build-with-claude/prompt-caching',
  confidence: 'official',
}
