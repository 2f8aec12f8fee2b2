/**
 * How long the entries of OpenAI's models before GPT-5.6 are kept, and which retentions a model takes. Odd case: GPT-5.6
 * and later, whose entries have a lifetime of their own, still take the one retention that GPT-5.5 takes.
 */
import type { Rule } from '../rule.ts'
import type { LifetimeRange } from '../simulator/time.ts'
import { isOpenAIModelIn, parseOpenAIModel, type OpenAIModelRange } from './models.ts'

const minutes = 60_000
const hours = 60 * minutes

/** What `prompt_cache_retention` may be. */
export type Retention = 'in_memory' | '24h'

const guide = {
  since: '2026-11-30',
  source: 'https://developers.openai.com/api/docs/guides/prompt-caching',
  confidence: 'official',
} as const
/** One row: the retentions of some models. */
export interface RetentionValues extends Rule {
  /** `major.minor`, and the least when `andLater`. */
  readonly version: string
  readonly andLater?: true
  /** As `codex-max`; the plain model is the empty one. Any where there is no list. */
  readonly variants?: readonly string[]
  readonly values: readonly Retention[]
}

const both: readonly Retention[] = ['in_memory', '24h']

/** Every row. A model in none of them keeps in memory only. */
export const retentionValues: readonly RetentionValues[] = [
  { ...guide, version: '4.1', variants: [''], values: both },
  { ...guide, version: '5.0', variants: ['', 'codex'], values: both },
  { ...guide, version: '5.1', variants: ['', 'chat', 'codex', 'codex-mini', 'codex-max'], values: both },
  { ...guide, version: '5.2', variants: [''], values: both },
  { ...guide, version: '5.4', variants: [''], values: both },
  {
    ...guide,
    // "gpt-5.5, gpt-5.5-pro, and future models"
    source: 'https://github.com/openai/openai-node',
    version: '5.5',
    andLater: true,
    values: ['24h'],
  },
]

/** How long entries of earlier models live, by the retention that holds. Later rows win. */
export interface RetentionRule extends Rule {
  readonly retention: Retention
  readonly lifetime: LifetimeRange
}

/** Every row. */
export const openAIRetentions: readonly RetentionRule[] = [
  { ...guide, retention: 'in_memory', lifetime: { least: 5 * minutes, most: 1 * hours } },
  { ...guide, retention: '24h', lifetime: { least: 30 * minutes, most: 24 * hours } },
]

/** The values of `prompt_cache_retention` that may be asked for. */
export function retentionsOf(id: string): readonly Retention[] {
  const variant = parseOpenAIModel(id)?.variant ?? ''
  const row = retentionValues.find(({ version, andLater, variants }) => {
    const range = { family: 'gpt', from: version, ...(andLater === true ? {} : { through: version }) } as const
    return isOpenAIModelIn(id, [range]) && (variants === undefined || variants.includes(variant))
  })
  return row?.values ?? ['in_memory']
}

/** How long an entry lives, by what the request asks for and, where it does not, by the account. */
export function retentionFor(
  model: string | undefined,
  asked: unknown,
  zeroDataRetention: boolean,
  defaults?: AzureRetention,
): RetentionRule {
  const extended = defaults === undefined ? isExtended(model, zeroDataRetention) : isExtendedOnAzure(model, defaults)
  const holds = asked === '24h' || asked === 'in_memory' ? asked : extended ? '24h' : 'in_memory'
  return openAIRetentions.findLast(({ retention }) => retention === holds) as RetentionRule
}

/** Where there is a choice, an account that keeps no data has the short one. */
function isExtended(model: string | undefined, zeroDataRetention: boolean): boolean {
  const values = model === undefined ? [] : retentionsOf(model)
  return values.includes('24h') && !(zeroDataRetention && values.includes('in_memory'))
}

/** What holds on Azure where the request does not say. */
export interface AzureRetention extends Rule {
  /** Kept in memory; later models are kept for 24 hours. */
  readonly inMemory: readonly OpenAIModelRange[]
}

/** The defaults of Azure. */
export const azureRetention: AzureRetention = {
  inMemory: [{ family: 'gpt', through: '5.4' }, { family: 'o' }],
  since: '2026-11-30',
  source: 'https://learn.microsoft.com/azure/ai-services/openai/how-to/prompt-caching',
  confidence: 'reported',
}

function isExtendedOnAzure(model: string | undefined, { inMemory }: AzureRetention): boolean {
  return model !== undefined && parseOpenAIModel(model) !== undefined && !isOpenAIModelIn(model, inMemory)
}
