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
  /** How a prefix is marked; `null` where it cannot be. */
  readonly marks: 'anthropic' | 'bedrock' | 'openai' | null
  /** How a system message brings the definitions of tools; `null` where it cannot. */
  readonly tools: 'toolChanges' | 'additionalTools' | null
  /** The names under which the package looks for options of messages and parts; the first is also where it gives its own. */
  readonly optionsOf: readonly string[]
}

type Powers = Pick<PackageRule, 'keepsSystem' | 'marks' | 'tools' | 'optionsOf'>

const claude: Powers = { keepsSystem: true, marks: 'anthropic', tools: 'toolChanges', optionsOf: ['anthropic'] }
const responses: Powers = { keepsSystem: true, marks: 'openai', tools: 'additionalTools', optionsOf: ['openai'] }
const chat: Powers = { ...responses, tools: null }
/** Through Converse, which refuses the role: the package throws. */
const converse: Powers = { keepsSystem: false, marks: 'bedrock', tools: null, optionsOf: ['bedrock'] }
const plain: Powers = { keepsSystem: false, marks: null, tools: null, optionsOf: [] }

function row(provider: string, platform: Platform, folder: string, powers: Powers): PackageRule {
  return {
    provider,
    platform,
    ...powers,
    since: '2026-12-01',
    source: `https://github.com/vercel/ai/tree/main/packages/${folder}`,
    confidence: 'official',
  }
}

/** Every row; the one with the longest start wins, and of two such the later. A provider in none of them gets tagged text and no marks. */
export const packageRules: readonly PackageRule[] = [
  row('anthropic', 'anthropic', 'anthropic', claude),
  row('googleVertex.anthropic', 'vertex', 'google-vertex', claude),
  row('vertex.anthropic', 'vertex', 'google-vertex', claude),
  row('bedrock.anthropic', 'bedrock', 'amazon-bedrock', claude),
  row('amazon-bedrock', 'bedrock-converse', 'amazon-bedrock', converse),
  row('openai', 'openai', 'openai', responses),
  row('openai.chat', 'openai', 'openai', chat),
  row('azure', 'azure', 'azure', { ...responses, optionsOf: ['azure'] }),
  row('azure.chat', 'azure', 'azure', chat),
  row('google', 'gemini', 'google', plain),
  row('google.vertex', 'gemini-vertex', 'google-vertex', plain),
  row('xai', 'xai', 'xai', { ...plain, keepsSystem: true }),
  row('mistral', 'mistral', 'mistral', plain),
  row('groq', 'groq', 'groq', plain),
  row('deepseek', 'deepseek', 'deepseek', plain),
  row('fireworks', 'fireworks', 'fireworks', plain),
]

/** A model, as adapters ask for it. */
export interface Target {
  readonly model: string
  /** `undefined` where no row knows the provider. */
  readonly rule: PackageRule | undefined
}

/**
 * Reads a model of the AI SDK: an object of a provider package, or `vendor/model`, which is that vendor's package. What goes
 * through the gateway may end at any platform that has the model, so of its package only the marks are left. Rows dated after
 * `asOf` (`YYYY-MM-DD`) are not considered. `platform`, where given, is the caller's word against the table's.
 */
export function targetOf(model: LanguageModel, asOf: string, platform?: Platform): Target {
  const { provider, id, routed } = namesOf(model)
  const rule = ruleOf(provider, asOf)
  if (rule === undefined) return { model: id, rule }
  const powers = routed ? { keepsSystem: false, tools: null } : {}
  return { model: id, rule: { ...rule, ...powers, ...(platform !== undefined && { platform }) } }
}

function namesOf(model: LanguageModel): { provider: string; id: string; routed: boolean } {
  const routed = typeof model !== 'string' && model.provider === 'gateway'
  if (typeof model !== 'string' && !routed) return { provider: model.provider, id: model.modelId, routed }
  const name = typeof model === 'string' ? model : model.modelId
  const slash = name.indexOf('/')
  return { provider: name.slice(0, Math.max(0, slash)), id: name.slice(slash + 1), routed }
}

function ruleOf(provider: string, asOf: string): PackageRule | undefined {
  return packageRules
    .filter(({ since }) => since <= asOf)
    .filter((rule) => provider === rule.provider || provider.startsWith(`${rule.provider}.`))
    .reduce<PackageRule | undefined>(
      (best, rule) => (best === undefined || rule.provider.length >= best.provider.length ? rule : best),
      undefined,
    )
}
