/** Azure OpenAI: caches as OpenAI does. */
import type { ProviderRules } from '../simulator/rules.ts'
import { openaiRules } from './openai.ts'

export const azure: ProviderRules = openaiRules('azure')
