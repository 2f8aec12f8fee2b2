/** OpenRouter passes through to whom the model belongs to, and keeps a conversation with one provider. */
import { anthropicLookback } from '../anthropic/lifetimes.ts'
import type { CacheRules, ProviderRules, RuleContext } from '../simulator/rules.ts'
import type { RequestItems } from '../layout/types.ts'
import { anthropicRules } from './anthropic.ts'
import { deepseek } from './deepseek.ts'
import { gemini } from './gemini.ts'
import { genericRules } from './generic.ts'
import { mistral } from './mistral.ts'
import { openai } from './openai.ts'
import { xai } from './xai.ts'

const vendors: Readonly<Record<string, ProviderRules>> = {
  anthropic: anthropicRules('openrouter'),
  openai,
  deepseek,
  'x-ai': xai,
  google: gemini,
  mistralai: mistral,
}
const other = genericRules('openrouter')

/** OpenRouter. */
export const openrouter: ProviderRules = {
  id: 'openrouter',
  // Calls of a Chat body are the same blocks to Claude.
  runs: [...anthropicLookback.runs, 'tool_call'],
  rulesFor: (request: RequestItems, context: RuleContext): CacheRules => {
    const vendor = request.model?.split('/')[0] ?? ''
    const rules = Object.hasOwn(vendors, vendor) ? vendors[vendor] : undefined
    // A request may be sent on to another host of the model than the one before.
    return { ...(rules ?? other).rulesFor(request, context), bestEffort: true }
  },
}
