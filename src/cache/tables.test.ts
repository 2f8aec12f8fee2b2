/** All tables of provider rules, looked at as tables. What their numbers do is tested where they are used. */
import { describe, expect, it } from 'vitest'
import { anthropicBetas } from './anthropic/betas.ts'
import { anthropicBreakpoints } from './anthropic/breakpoints.ts'
import { anthropicInvalidation, anthropicThinking } from './anthropic/invalidation.ts'
import {
  anthropicLifetimes,
  anthropicLookback,
  bedrockLookback,
  bedrockShortOnly,
  streamBegins,
} from './anthropic/lifetimes.ts'
import { anthropicMinimums, bedrockMinimums, minimumFor, novaMinimum, unknownMinimum } from './anthropic/minimums.ts'
import { anthropicMultipliers } from './anthropic/multipliers.ts'
import { anthropicTokenRatios, requestTail, toolPreamble } from './anthropic/tokens.ts'
import { bedrockBreakpoints } from './bedrock/breakpoints.ts'
import { geminiMinimumFor, geminiMinimums, unknownGeminiMinimum, vertexGeminiMinimums } from './gemini/minimums.ts'
import { mediaRules } from './layout/media.ts'
import { formatReaders } from './layout/read-items.ts'
import { openAIBreakpoints } from './openai/breakpoints.ts'
import { cacheKeys } from './openai/cache-keys.ts'
import { openAIMultipliers } from './openai/multipliers.ts'
import { azureBoundaries, openAIBoundaries, openAIIntervals } from './openai/caching.ts'
import { openAIInvalidation } from './openai/invalidation.ts'
import { azureRetention, openAIRetentions, retentionValues } from './openai/retention.ts'
import { deepseekUnits } from './providers/deepseek.ts'
import { groqBlocks } from './providers/groq.ts'
import { mistralBlocks } from './providers/mistral.ts'
import { llamaCppBlocks, sglangBlocks, vllmBlocks } from './providers/self-hosted.ts'
import { xaiBlocks } from './providers/xai.ts'
import type { Rule } from './rule.ts'

const tables: Readonly<Record<string, readonly Rule[]>> = {
  betas: Object.values(anthropicBetas),
  breakpoints: [anthropicBreakpoints, bedrockBreakpoints, openAIBreakpoints],
  'cache keys': cacheKeys,
  invalidation: [...anthropicInvalidation, ...anthropicThinking, ...openAIInvalidation],
  lifetimes: [
    anthropicLifetimes,
    streamBegins,
    bedrockShortOnly,
    azureRetention,
    ...openAIRetentions,
    ...retentionValues,
  ],
  lookups: [anthropicLookback, bedrockLookback, openAIBoundaries, azureBoundaries, ...openAIIntervals],
  minimums: [
    ...anthropicMinimums,
    ...bedrockMinimums,
    novaMinimum,
    unknownMinimum,
    ...vertexGeminiMinimums,
    unknownGeminiMinimum,
  ],
  blocks: [deepseekUnits, groqBlocks, mistralBlocks, vllmBlocks, sglangBlocks, llamaCppBlocks, xaiBlocks],
  tokens: [...anthropicTokenRatios, requestTail, toolPreamble, ...mediaRules],
  multipliers: [anthropicMultipliers, openAIMultipliers],
  orders: formatReaders.map(({ order }) => order),
}

describe('the tables of provider rules', () => {
  it.each(Object.keys(tables))('of %s say since when, from where, and how sure', (name) => {
    for (const { since, source, confidence } of tables[name] as readonly Rule[]) {
      expect(since).toMatch(/^\d{4}-\d\d-\d\d$/)
      expect(new URL(source).protocol).toBe('https:')
      expect(['official', 'reported', 'assumed']).toContain(confidence)
    }
  })

  it.each([
    ['claude-fable-5-2', 512, 4_096],
    ['claude-opus-5-5', 512, 512],
    ['claude-sonnet-5-5', 512, 4_096],
    ['claude-opus-4-8', 1_024, 1_024],
    ['claude-sonnet-5', 1_024, 1_024],
    ['claude-opus-4-1', 1_024, 4_096],
    ['claude-3-5-sonnet-20240620', 1_024, 1_024],
    ['claude-opus-4-7', 2_048, 4_096],
    ['claude-mythos-preview', 2_048, 4_096],
    ['claude-3-haiku-20240307', 2_048, 4_096],
    ['claude-opus-4-6', 4_096, 4_096],
    ['claude-haiku-4-5-20251001', 4_096, 4_096],
    ['claude-opus-6', 4_096, 4_096],
  ])('ask of %s for %i tokens, and on Bedrock for %i', (model, minimum, onBedrock) => {
    expect(minimumFor(model, anthropicMinimums).tokens).toBe(minimum)
    expect(minimumFor(model, bedrockMinimums).tokens).toBe(onBedrock)
  })

  it.each([
    ['gemini-2.5-flash', 2_048, 2_048],
    ['models/gemini-2.5-pro', 2_048, 2_048],
    ['gemini-3.8-flash-001', 4_096, 6_144],
    ['gemini-4-neon', 4_096, 4_096],
  ])('ask of %s for %i tokens, and on Vertex for %i', (model, minimum, onVertex) => {
    expect(geminiMinimumFor(model, geminiMinimums).tokens).toBe(minimum)
    expect(geminiMinimumFor(model, vertexGeminiMinimums).tokens).toBe(onVertex)
  })
})
