/**
 * Any other provider that caches by itself: the longest common start is what it may read. Nobody says in which steps,
 * from which length, for how long; so what is read may be anything from nothing to all of it.
 */
import type { PrefixRules, ProviderRules } from '../simulator/rules.ts'

/** Rules of a provider of which nothing is known but that it caches. */
export function genericRules(id: string): ProviderRules {
  return {
    id,
    runs: [],
    rulesFor: (): PrefixRules => ({
      type: 'prefix',
      minimum: 0,
      step: 1,
      tokens: { ratio: 1, tail: 0, beforeMessages: 0 },
      storesOutput: false,
      lifetime: { least: Infinity, most: Infinity },
      bestEffort: true,
    }),
  }
}
