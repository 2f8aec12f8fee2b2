/** Which provider a model of the AI SDK is, and what its package does with a prompt. */
import type { LanguageModel } from 'ai'
import type { Platform, Rule } from '../../cache/index.ts'

/** What a provider package of the AI SDK can say. */
export interface PackageRule extends Rule {
  /** The start of `model.provider`, as `anthropic` in `anthropic.messages`. */
  readonly provider: string
  readonly platform: Platform
  /** A system message in the middle of a conversation is sent where it stands. */
  readonly keepsSystem: boolean
  /** How a prefix is marked: the option's provider name; `null` where it cannot be. */
  readonly marks: 'anthropic' | 'bedrock' | 'openai' | null
}

const since = '2026-12-01'
const packages = 'https://github.com/vercel/ai/tree/main/packages'
const official = { since, confidence: 'official' } as const

/** Every row; later ones win. A provider in none of them gets tagged text and no marks. */
export const packageRules: readonly PackageRule[] = [
  {
    ...official,
    provider: 'anthropic',
    platform: 'anthropic',
    keepsSystem: true,
    marks: 'anthropic',
    source: `${packages}/anthropic`,
  },
  {
    ...official,
    provider: 'vertex.anthropic',
    platform: 'vertex',
    keepsSystem: true,
    marks: 'anthropic',
    source: `${packages}/google-vertex`,
  },
  // Through Converse, which refuses the role.
  {
    ...official,
    provider: 'amazon-bedrock',
    platform: 'bedrock-converse',
    keepsSystem: false,
    marks: 'bedrock',
    source: `${packages}/amazon-bedrock`,
  },
  {
    ...official,
    provider: 'openai',
    platform: 'openai',
    keepsSystem: true,
    marks: 'openai',
    source: `${packages}/openai`,
  },
  {
    ...official,
    provider: 'azure',
    platform: 'azure',
    keepsSystem: true,
    marks: 'openai',
    source: `${packages}/azure`,
  },
  {
    ...official,
    provider: 'google',
    platform: 'gemini',
    keepsSystem: false,
    marks: null,
    source: `${packages}/google`,
  },
  {
    ...official,
    provider: 'google.vertex',
    platform: 'gemini-vertex',
    keepsSystem: false,
    marks: null,
    source: `${packages}/google-vertex`,
  },
  ...(['xai', 'mistral', 'groq', 'deepseek', 'fireworks'] as const).map((provider): PackageRule => ({
    ...official,
    provider,
    platform: provider,
    keepsSystem: provider === 'xai',
    marks: null,
    source: `${packages}/${provider}`,
  })),
]

/** A model, as adapters ask for it. */
export interface Target {
  readonly model: string
  /** `undefined` where no row knows the provider. */
  readonly rule: PackageRule | undefined
}

/** Reads a model of the AI SDK: an object of a provider package, or a gateway's `vendor/model`. */
export function targetOf(model: LanguageModel): Target {
  if (typeof model === 'string') {
    const [vendor = '', ...rest] = model.split('/')
    return { model: rest.join('/') || vendor, rule: ruleOf(vendor) }
  }
  return { model: model.modelId, rule: ruleOf(model.provider) }
}

function ruleOf(provider: string): PackageRule | undefined {
  return packageRules
    .filter((rule) => provider === rule.provider || provider.startsWith(`${rule.provider}.`))
    .reduce<PackageRule | undefined>(
      (best, rule) => (best === undefined || rule.provider.length >= best.provider.length ? rule : best),
      undefined,
    )
}
