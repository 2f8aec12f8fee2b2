/**
 * Mistral: blocks. The documentation asks for a `prompt_cache_key`, but a request without one was recorded reading, so the
 * key is taken to route and not to switch caching on.
 */
import type { ProviderRules } from '../simulator/rules.ts'
import { blockCacheRules, unlimited, type BlockCacheRule } from './block-cache.ts'

/** As documented; a read of 1,760 tokens was recorded, which is a multiple of 32 only. */
export const mistralBlocks: BlockCacheRule = {
  block: 64,
  minimum: 64,
  lifetime: unlimited,
  storesOutput: false,
  bestEffort: true,
  since: '2026-11-30',
  source: 'https://docs.mistral.ai/capabilities/completion/prompt_caching',
  confidence: 'official',
}

/** Mistral. */
export const mistral: ProviderRules = { id: 'mistral', runs: [], rulesFor: () => blockCacheRules(mistralBlocks) }
