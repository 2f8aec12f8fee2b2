/**
 * Gemini, on the Developer API and on Vertex.
 *
 * Explicit: a request that names a `cachedContent` reads all of it. Implicit: any common start may be read, from a
 * minimum on, in steps that nobody publishes, and reads can fall while the prompt grows.
 */
import { geminiMinimumFor, vertexGeminiMinimums, geminiMinimums, type GeminiMinimumRule } from '../gemini/minimums.ts'
import type { RequestItems } from '../layout/types.ts'
import type { CacheRules, EntryRules, ProviderRules } from '../simulator/rules.ts'
import type { Node } from '../simulator/tree.ts'
import type { Walk } from '../simulator/walk.ts'

/** Gemini on the Developer API. */
export const gemini: ProviderRules = geminiRules('gemini', geminiMinimums)

/** Gemini on Vertex, which has minimums of its own. */
export const vertexGemini: ProviderRules = geminiRules('vertex-gemini', vertexGeminiMinimums)

function geminiRules(id: string, minimums: readonly GeminiMinimumRule[]): ProviderRules {
  return {
    id,
    runs: [],
    formats: ['gemini'],
    rulesFor: (request): CacheRules => {
      if (request.items.some(isCached)) return explicitRules
      return {
        type: 'prefix',
        minimum: geminiMinimumFor(request.model, minimums).tokens,
        step: 1,
        tokens,
        storesOutput: false,
        lifetime: unknown,
        bestEffort: true,
      }
    },
  }
}

const tokens = { ratio: 1, tail: 0, beforeMessages: 0 }
/** No lifetime is published for implicit caches; that of an explicit one ends with the object, and then the request fails. */
const unknown = { least: Infinity, most: Infinity }

const explicitRules: EntryRules = {
  type: 'entries',
  minimum: 0,
  step: 1,
  tokens,
  storesOutput: false,
  window: 1,
  places: () => ({ writes: [], lookups: [] }),
  given,
  lifetime: () => unknown,
  charges: false,
}

function given({ request, ends, root }: Walk): Node {
  return ends[request.items.findLastIndex(isCached)] ?? root
}

function isCached({ list }: RequestItems['items'][number]): boolean {
  return list === 'cachedContent' || list.startsWith('cachedContent.')
}
