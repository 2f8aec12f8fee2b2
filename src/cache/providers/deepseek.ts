/**
 * DeepSeek: whole prefix units on disk. A unit ends with the input and with the output of every request, and where two
 * requests were seen to part; a hit must match a unit fully. Units also end at token intervals that nobody publishes, so
 * more may be read, up to the whole common start.
 */
import type { Rule } from '../rule.ts'
import type { Place, ProviderRules } from '../simulator/rules.ts'
import type { LifetimeRange } from '../simulator/time.ts'
import type { Walk } from '../simulator/walk.ts'

/** The numbers. Eviction is said to take hours to days; from where to where is a guess. */
export const deepseekUnits: Rule & { readonly tokens: number; readonly lifetime: LifetimeRange } = {
  tokens: 64,
  lifetime: { least: 60 * 60_000, most: 7 * 24 * 60 * 60_000 },
  since: '2026-11-30',
  source: 'https://api-docs.deepseek.com/guides/kv_cache',
  confidence: 'assumed',
}

/** DeepSeek. */
export const deepseek: ProviderRules = {
  id: 'deepseek',
  runs: [],
  rulesFor: () => ({
    type: 'entries',
    minimum: deepseekUnits.tokens,
    step: deepseekUnits.tokens,
    tokens: { ratio: 1, tail: 0, beforeMessages: 0 },
    storesOutput: true,
    window: Infinity,
    places,
    lifetime: () => deepseekUnits.lifetime,
    charges: false,
    detectsCommon: true,
    bestEffort: true,
    mayReadCommon: true,
  }),
}

function places({ end }: Walk): { writes: readonly Place[]; lookups: readonly Place[] } {
  const whole = end.depth === 0 ? [] : [{ node: end, ttl: null, breakpoint: null }]
  return { writes: whole, lookups: whole }
}
