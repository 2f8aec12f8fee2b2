/** How a request tells a provider which requests belong together, so that they reach the server that holds their prefix. */
import type { OpenAIPlatform } from '../capability-rule.ts'
import type { Rule } from '../rule.ts'

/** One row: a field of the body, or a header. */
export interface CacheKeyRule extends Rule {
  readonly platforms: readonly OpenAIPlatform[]
  readonly api: 'chat' | 'responses' | 'any'
  readonly place: 'body' | 'header'
  readonly name: string
  /** What the key stands for where the caller does not say: a prompt that many sessions share, or one conversation. */
  readonly stands: 'prompt' | 'session'
}

/** Every row; a platform without one has no such key. */
export const cacheKeys: readonly CacheKeyRule[] = [
  {
    platforms: ['openai', 'azure'],
    api: 'any',
    place: 'body',
    name: 'prompt_cache_key',
    stands: 'prompt',
    since: '2026-12-01',
    source: 'https://developers.openai.com/api/docs/guides/prompt-caching',
    confidence: 'official',
  },
  {
    // Nothing is cached without it.
    platforms: ['mistral'],
    api: 'any',
    place: 'body',
    name: 'prompt_cache_key',
    stands: 'prompt',
    since: '2026-12-01',
    source: 'https://docs.mistral.ai',
    confidence: 'official',
  },
  {
    platforms: ['xai'],
    api: 'chat',
    place: 'header',
    name: 'x-grok-conv-id',
    stands: 'session',
    since: '2026-12-01',
    source: 'https://docs.x.ai/developers/advanced-api-usage/prompt-caching',
    confidence: 'official',
  },
  {
    platforms: ['xai'],
    api: 'responses',
    place: 'body',
    name: 'prompt_cache_key',
    stands: 'session',
    since: '2026-12-01',
    source: 'https://docs.x.ai/developers/advanced-api-usage/prompt-caching',
    confidence: 'official',
  },
  {
    platforms: ['openrouter'],
    api: 'any',
    place: 'body',
    name: 'session_id',
    stands: 'session',
    since: '2026-12-01',
    source: 'https://openrouter.ai/docs/features/prompt-caching',
    confidence: 'official',
  },
]

/** The row for a platform and API, as the rules stood on a day (`YYYY-MM-DD`). */
export function cacheKeyRule(
  platform: OpenAIPlatform,
  api: 'chat' | 'responses',
  asOf: string,
): CacheKeyRule | undefined {
  return cacheKeys.findLast(
    (rule) => rule.since <= asOf && rule.platforms.includes(platform) && (rule.api === 'any' || rule.api === api),
  )
}
