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

/** Providers with rules of their own. */
type KnownProvider =
  | 'anthropic'
  | 'aws'
  | 'vertex'
  | 'foundry'
  | 'bedrock'
  | 'openai'
  | 'azure'
  | 'gemini'
  | 'vertex-gemini'
  | 'deepseek'
  | 'xai'
  | 'mistral'
  | 'groq'
  | 'openrouter'
  | 'vllm'
  | 'sglang'
  | 'llama.cpp'

/** What `createSimulator` takes as a provider; `generic` is for every other one. */
export type ProviderName = KnownProvider | 'generic'

const known: Readonly<Record<KnownProvider, ProviderRules>> = {
  anthropic: anthropicRules('anthropic'),
  aws: anthropicRules('aws'),
  vertex: anthropicRules('vertex'),
  foundry: anthropicRules('foundry'),
  bedrock,
  openai,
  azure,
  gemini,
  'vertex-gemini': vertexGemini,
  deepseek,
  xai,
  mistral,
  groq,
  openrouter,
  vllm,
  sglang,
  'llama.cpp': llamaCpp,
}

/** All of them. */
export const providerNames: readonly ProviderName[] = [...(Object.keys(known) as KnownProvider[]), 'generic']

/** The rules of a provider. Throws an `IndelibleError` (`not_supported`) for a name that it does not know. */
export function providerRules(name: string): ProviderRules {
  if (name === 'generic') return genericRules(name)
  if (Object.hasOwn(known, name)) return known[name as KnownProvider]
  throw new IndelibleError(
    'not_supported',
    `There are no cache rules for the provider ${JSON.stringify(name)}. Known are ${providerNames.join(', ')}: take "generic" for a provider that caches any common start.`,
  )
}
