/**
 * OpenAI, in two generations.
 *
 * From GPT-5.6 on entries end at boundaries: the caller's breakpoints and, unless told otherwise, the end of the latest
 * eligible message. A request finds an entry only where one of its own boundaries stands at exactly that place. Earlier
 * models find any common start, in whole intervals.
 */
import { openAIBreakpoints } from '../openai/breakpoints.ts'
import { intervalFor, openAIBoundaries, type BoundaryRule } from '../openai/caching.ts'
import { retentionFor, type AzureRetention } from '../openai/retention.ts'
import { isOpenAIModelIn } from '../openai/models.ts'
import type { RequestItems } from '../layout/types.ts'
import type { CacheRules, EntryRules, Place, PrefixRules, ProviderRules, RuleContext } from '../simulator/rules.ts'
import type { Node } from '../simulator/tree.ts'
import type { Walk } from '../simulator/walk.ts'

/** OpenAI itself. */
export const openai: ProviderRules = openaiRules('openai', { boundary: openAIBoundaries })

/** The numbers in which platforms differ. */
interface OpenAINumbers {
  readonly boundary: BoundaryRule
  /** Of earlier models; OpenAI's own unless given. */
  readonly retention?: AzureRetention
}

/** Rules of a platform that caches as OpenAI does. */
export function openaiRules(id: string, numbers: OpenAINumbers): ProviderRules {
  return {
    id,
    formats: ['openai-chat', 'openai-responses'],
    runs: [],
    rulesFor: (request, context) => openaiCacheRules(request, context, numbers),
  }
}

/** The rules for one request, by its model. */
export function openaiCacheRules(request: RequestItems, context: RuleContext, numbers: OpenAINumbers): CacheRules {
  return isOpenAIModelIn(request.model, numbers.boundary.models)
    ? boundaryRules(request, numbers.boundary)
    : intervalRules(request, context, numbers)
}

const tokens = { ratio: 1, tail: 0, beforeMessages: 0 }

function boundaryRules({ settings }: RequestItems, rule: BoundaryRule): EntryRules {
  const isLonger = rule.longer !== undefined && settings['prompt_cache_options.ttl'] === rule.longer.ttl
  const lifetime = isLonger && rule.longer !== undefined ? rule.longer.lifetime : rule.lifetime
  return {
    type: 'entries',
    minimum: rule.minimum,
    step: 1,
    tokens: { ...tokens, tail: rule.tail },
    storesOutput: false,
    window: 1,
    places: (walk) => boundaries(walk, rule),
    lifetime: () => lifetime,
    charges: true,
  }
}

function intervalRules(
  { model, settings }: RequestItems,
  { zeroDataRetention }: RuleContext,
  { retention }: OpenAINumbers,
): PrefixRules {
  const { minimum, interval } = intervalFor(model)
  return {
    type: 'prefix',
    minimum,
    step: interval,
    tokens,
    storesOutput: false,
    lifetime: retentionFor(model, settings['prompt_cache_retention'], zeroDataRetention, retention).lifetime,
    // Above some 15 requests a minute, or without a key, a request may land on a server that has not seen the prefix.
    bestEffort: true,
  }
}

function boundaries(walk: Walk, rule: BoundaryRule): { writes: readonly Place[]; lookups: readonly Place[] } {
  const explicit = walk.marks.map(({ node, breakpoint }): Place => ({
    node,
    ttl: openAIBreakpoints.lifetime,
    breakpoint,
  }))
  const looked = [...explicit.slice(0, rule.first), ...explicit.slice(rule.first).slice(-rule.latest)]
  if (walk.request.settings['prompt_cache_options.mode'] === 'explicit') {
    return { writes: explicit.slice(-rule.writes), lookups: looked }
  }
  const { endings, initial } = messageEndings(walk)
  const writes = [...explicit.slice(1 - rule.writes), ...endings.slice(-1).map(implicit)]
  const lookups = [...looked, ...endings.slice(-1 - rule.endings).map(implicit), ...initial.map(implicit)]
  return { writes: inOrder(writes), lookups: inOrder(lookups) }
}

function implicit(node: Node): Place {
  return { node, ttl: openAIBreakpoints.lifetime, breakpoint: null }
}

/**
 * Places that a message ends at and that may be a boundary: a user message, the last of a run of tool results, the last
 * of the developer messages that the conversation opens with.
 */
function messageEndings({ request, ends }: Walk): { endings: readonly Node[]; initial: readonly Node[] } {
  const endings: Node[] = []
  const initial: Node[] = []
  const { items } = request
  for (let index = 0; index < items.length; index++) {
    const item = items[index]
    const end = ends[index]
    if (item === undefined || end === undefined || item.section === 'tools') continue
    const next = items[index + 1]
    const opens = item.section === 'system' && item.list !== 'instructions' && item.list !== 'prompt'
    if (opens && next?.section !== 'system') initial.push(end)
    const eligible = item.role === 'user' || (results.has(item.role) && !results.has(next?.role ?? ''))
    if (eligible || (opens && next?.section !== 'system')) endings.push(end)
  }
  return { endings, initial }
}

/** `function` is what results were called at first. */
const results = new Set(['tool', 'function'])

function inOrder(places: readonly Place[]): readonly Place[] {
  const byNode = new Map<Node, Place>()
  // The caller's own mark says more than the place.
  for (const place of places) if (!byNode.has(place.node)) byNode.set(place.node, place)
  return [...byNode.values()].sort((one, other) => one.node.depth - other.node.depth)
}
