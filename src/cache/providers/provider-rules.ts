/** Every provider that has rules of its own, by name. */
import { IndelibleError } from '../../base/error.ts'
import type { ProviderRules } from '../simulator/rules.ts'
import { anthropicRules } from './anthropic.ts'
import { azure } from './azure.ts'
import { bedrock } from './bedrock.ts'
import { deepseek } from './deepseek.ts'
import { gemini, vertexGemini } from './gemini.ts'
import { genericRules } from './generic.ts'
import { groq } from './groq.ts'
import { mistral } from './mistral.ts'
import { openai } from './openai.ts'
import { openrouter } from './openrouter.ts'
import { llamaCpp, sglang, vllm } from './self-hosted.ts'
import { xai } from './xai.ts'

const known: readonly ProviderRules[] = [
  anthropicRules('anthropic'),
  anthropicRules('aws'),
  anthropicRules('vertex'),
  anthropicRules('foundry'),
  bedrock,
  openai,
  azure,
  gemini,
  vertexGemini,
  deepseek,
  xai,
  mistral,
  groq,
  openrouter,
  vllm,
  sglang,
  llamaCpp,
]

/** Names that `createSimulator` takes; `generic` is for every other provider. */
export const providerNames: readonly string[] = [...known.map(({ id }) => id), 'generic']

/** The rules of a provider. Throws an `IndelibleError` (`not_supported`) for a name that it does not know. */
export function providerRules(name: string): ProviderRules {
  if (name === 'generic') return genericRules(name)
  const found = known.find(({ id }) => id === name)
  if (found !== undefined) return found
  throw new IndelibleError(
    'not_supported',
    `There are no cache rules for the provider ${JSON.stringify(name)}. Known are ${providerNames.join(', ')}: take "generic" for a provider that caches any common start.`,
  )
}
