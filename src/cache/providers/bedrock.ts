/**
 * Amazon Bedrock: Claude and Nova by InvokeModel or Converse, with Bedrock's own minimums and each block a position;
 * OpenAI's models through Responses, by OpenAI's rules. Nova and Claude 3.x know the short lifetime only.
 */
import { anthropicLifetimes, bedrockLookback, bedrockShortOnly } from '../anthropic/lifetimes.ts'
import { bedrockMinimums, novaMinimum } from '../anthropic/minimums.ts'
import { isOneOf } from '../anthropic/models.ts'
import { openAIBoundaries } from '../openai/caching.ts'
import type { CacheRules, EntryRules, ProviderRules } from '../simulator/rules.ts'
import { markedCacheRules } from './anthropic.ts'
import { openaiCacheRules } from './openai.ts'

/** Amazon Bedrock. */
export const bedrock: ProviderRules = {
  id: 'bedrock',
  formats: ['anthropic', 'bedrock-converse', 'openai-responses'],
  runs: bedrockLookback.runs,
  rulesFor(request, context): CacheRules {
    const { format, model = '' } = request
    if (format === 'openai-responses') return openaiCacheRules(request, context, { boundary: openAIBoundaries })
    const rules = markedCacheRules(request, bedrockMinimums, bedrockLookback)
    if (novaMinimum.id.test(model)) return shortOnly({ ...rules, minimum: novaMinimum.tokens })
    return isOneOf(model, bedrockShortOnly.models) ? shortOnly(rules) : rules
  },
}

/** What was marked for an hour lives, and is billed, for five minutes. */
function shortOnly(rules: EntryRules): EntryRules {
  const lives = anthropicLifetimes.milliseconds['5m']
  return {
    ...rules,
    lifetime: () => ({ least: lives, most: lives }),
    places(walk) {
      const { writes, lookups } = rules.places(walk)
      return { writes: writes.map((place) => ({ ...place, ttl: '5m' as const })), lookups }
    },
  }
}
