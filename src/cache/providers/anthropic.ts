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

/** Rules of a cache whose entries the caller marks; one object for all requests that have the same. */
export function markedCacheRules(
  { model, items }: RequestItems,
  minimums: readonly MinimumRule[],
  { window }: LookbackRule,
): EntryRules {
  const hasTools = items[0]?.section === 'tools'
  const made = rulesMade.get(minimums) ?? new Map<string, (name: string | undefined) => EntryRules>()
  rulesMade.set(minimums, made)
  const key = `${window} ${hasTools}`
  const rulesOf = made.get(key) ?? perModel((name) => makeRules(name, minimums, window, hasTools))
  made.set(key, rulesOf)
  return rulesOf(model)
}

const rulesMade = new WeakMap<readonly MinimumRule[], Map<string, (model: string | undefined) => EntryRules>>()

function makeRules(
  model: string | undefined,
  minimums: readonly MinimumRule[],
  window: number,
  hasTools: boolean,
): EntryRules {
  return {
    type: 'entries',
    minimum: minimumFor(model, minimums).tokens,
    step: 1,
    tokens: {
      ratio: tokenRatio(model),
      tail: requestTail.tokens,
      beforeMessages: hasTools ? toolPreamble.tokens : 0,
    },
    storesOutput: false,
    window,
    places: markedPlaces,
    lifetime,
    charges: true,
  }
}

// Rules are asked for with each request, and the tables are searched by patterns.

/** Models that are remembered; a program asks few. */
const MODELS = 1_000

function perModel<Found>(find: (model: string | undefined) => Found): (model: string | undefined) => Found {
  const found = new Map<string | undefined, Found>()
  return (model) => {
    const known = found.get(model)
    if (known !== undefined) return known
    const value = find(model)
    if (found.size < MODELS) found.set(model, value)
    return value
  }
}

function markedPlaces({ marks }: Walk): { writes: readonly Place[]; lookups: readonly Place[] } {
  const places = marks.map(({ node, breakpoint }): Place => ({ node, ttl: breakpoint.ttl, breakpoint }))
  // Only the automatic one may stand before another.
  if (!isInOrder(places)) places.sort((one, other) => one.node.depth - other.node.depth)
  return { writes: places, lookups: places }
}

function isInOrder(places: readonly Place[]): boolean {
  return places.every(({ node }, at) => at === 0 || (places[at - 1] as Place).node.depth <= node.depth)
}

function lifetime(ttl: Lifetime | null): { least: number; most: number } {
  const { milliseconds } = anthropicLifetimes
  const lives = ttl === '1h' ? milliseconds['1h'] : milliseconds['5m']
  return { least: lives, most: lives }
}
