/** Groq: common starts in volatile memory, gone after two hours without use. */
import type { ProviderRules } from '../simulator/rules.ts'
import { blockCacheRules, type BlockCacheRule } from './block-cache.ts'

const twoHours = 2 * 60 * 60_000

/** The lifetime is documented; the minimum is 128 to 1,024 by model, and the block is inferred from it. */
export const groqBlocks: BlockCacheRule = {
  block: 128,
  minimum: 1_024,
  lifetime: { least: twoHours, most: twoHours },
  storesOutput: false,
  bestEffort: true,
  since: '2026-11-30',
  source: 'https://console.groq.com/docs/prompt-caching',
  confidence: 'assumed',
}

/** Groq. */
export const groq: ProviderRules = { id: 'groq', runs: [], rulesFor: () => blockCacheRules(groqBlocks) }
