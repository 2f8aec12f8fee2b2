/**
 * Servers that one runs oneself. What was computed stays until its room is needed: give the simulator the `capacity` of
 * the server in tokens, and the block size if it is not the default.
 */
import type { ProviderRules } from '../simulator/rules.ts'
import { blockCacheRules, unlimited, type BlockCacheRule } from './block-cache.ts'

const engine = {
  minimum: 0,
  lifetime: unlimited,
  storesOutput: true,
  bestEffort: false,
  since: '2026-11-30',
  confidence: 'assumed',
} as const

/** Full blocks of 16 tokens, chained by hash. */
export const vllmBlocks: BlockCacheRule = {
  ...engine,
  block: 16,
  source: 'https://docs.vllm.ai/en/stable/design/prefix_caching.html',
  confidence: 'official',
}

/** A radix tree of single tokens. */
export const sglangBlocks: BlockCacheRule = {
  ...engine,
  block: 1,
  source: 'https://docs.sglang.io/',
}

/** The longest common start with what a slot holds. */
export const llamaCppBlocks: BlockCacheRule = {
  ...engine,
  block: 1,
  source: 'https://github.com/ggml-org/llama.cpp/pull/16391',
}

/** vLLM. */
export const vllm: ProviderRules = selfHosted('vllm', vllmBlocks)
/** SGLang. */
export const sglang: ProviderRules = selfHosted('sglang', sglangBlocks)
/** The server of llama.cpp. */
export const llamaCpp: ProviderRules = selfHosted('llama.cpp', llamaCppBlocks)

function selfHosted(id: string, rule: BlockCacheRule): ProviderRules {
  return { id, runs: [], rulesFor: (_request, { blockSize }) => blockCacheRules(rule, blockSize) }
}
