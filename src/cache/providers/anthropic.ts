/**
 * Claude: on the Claude API, Claude Platform on AWS, Google Cloud and Foundry.
 *
 * Entries end at blocks that the caller marked. A request looks back from each of its marks for the nearest entry, and
 * reads the deepest that it finds.
 */
import { anthropicLifetimes, anthropicLookback, type LookbackRule } from '../anthropic/lifetimes.ts'
import { anthropicMinimums, minimumFor, type MinimumRule } from '../anthropic/minimums.ts'
import { requestTail, tokenRatio, toolPreamble } from '../anthropic/tokens.ts'
import type { Lifetime, RequestItems } from '../layout/types.ts'
import type { EntryRules, Place, ProviderRules } from '../simulator/rules.ts'
import type { Walk } from '../simulator/walk.ts'

/** Rules of the platforms that follow the Claude API. */
export function anthropicRules(id: string): ProviderRules {
  return {
    id,
    formats: ['anthropic'],
    runs: anthropicLookback.runs,
    rulesFor: (request) => markedCacheRules(request, anthropicMinimums, anthropicLookback),
  }
}

/** Rules of a cache whose entries the caller marks. */
export function markedCacheRules(
  { model, items }: RequestItems,
  minimums: readonly MinimumRule[],
  { window }: LookbackRule,
): EntryRules {
  return {
    type: 'entries',
    minimum: minimumFor(model, minimums).tokens,
    step: 1,
    tokens: {
      ratio: tokenRatio(model),
      tail: requestTail.tokens,
      beforeMessages: items[0]?.section === 'tools' ? toolPreamble.tokens : 0,
    },
    storesOutput: false,
    window,
    places: markedPlaces,
    lifetime,
    charges: true,
  }
}

function markedPlaces({ marks }: Walk): { writes: readonly Place[]; lookups: readonly Place[] } {
  const places = marks
    .map(({ node, breakpoint }): Place => ({ node, ttl: breakpoint.ttl, breakpoint }))
    .sort((one, other) => one.node.depth - other.node.depth)
  return { writes: places, lookups: places }
}

function lifetime(ttl: Lifetime | null): { least: number; most: number } {
  const { milliseconds } = anthropicLifetimes
  const lives = ttl === '1h' ? milliseconds['1h'] : milliseconds['5m']
  return { least: lives, most: lives }
}
