/** xAI: blocks on the server that a conversation is routed to; entries may be evicted at any time. */
import type { ProviderRules } from '../simulator/rules.ts'
import { blockCacheRules, unlimited, type BlockCacheRule } from './block-cache.ts'

/**
 * The provider gives no block. A gateway measured 128, but reads of 4,800 and 192 tokens were recorded, which are
 * multiples of 64 and of nothing larger than 192.
 */
export const xaiBlocks: BlockCacheRule = {
  block: 64,
  minimum: 64,
  lifetime: unlimited,
  storesOutput: false,
  bestEffort: true,
  since: '2026-11-30',
  source: 'https://docs.x.ai/developers/advanced-api-usage/prompt-caching',
  confidence: 'assumed',
}

/** xAI. */
export const xai: ProviderRules = { id: 'xai', runs: [], rulesFor: () => blockCacheRules(xaiBlocks) }
