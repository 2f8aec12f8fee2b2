/** Azure OpenAI: caches as OpenAI does, with defaults of its own and a longer lifetime to ask for. */
import { azureBoundaries } from '../openai/caching.ts'
import { azureRetention } from '../openai/retention.ts'
import type { ProviderRules } from '../simulator/rules.ts'
import { openaiRules } from './openai.ts'

/** Azure OpenAI. */
export const azure: ProviderRules = openaiRules('azure', { boundary: azureBoundaries, retention: azureRetention })
