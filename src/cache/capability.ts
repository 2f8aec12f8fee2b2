/**
 * What a model on a platform can do, as the rules stood on a given day. Each maker's rows stand in a table of their own;
 * a platform belongs to one of them, so that no row has to name another maker's models.
 */
import { anthropicBreakpoints } from './anthropic/breakpoints.ts'
import { anthropicCapabilities } from './anthropic/capabilities.ts'
import { coversModel } from './anthropic/models.ts'
import { bedrockBreakpoints } from './bedrock/breakpoints.ts'
import { bedrockCapabilities } from './bedrock/capabilities.ts'
import type { CapabilityRule, Feature, ModelSelector, Platform } from './capability-rule.ts'
import { geminiCapabilities } from './gemini/capabilities.ts'
import { parseModel } from './model.ts'
import { openAIBreakpoints } from './openai/breakpoints.ts'
import { cacheKeys } from './openai/cache-keys.ts'
import { openAICapabilities } from './openai/capabilities.ts'
import { isOpenAIModelIn } from './openai/models.ts'

/** What is asked. */
export interface CapabilityQuery {
  /** As the provider is sent it. */
  readonly model: string
  readonly platform: Platform
  readonly feature: Feature
  /** ISO date; rules dated later are not considered. */
  readonly asOf: string
}

/** Every row, oldest first within a platform. */
export const capabilities: readonly CapabilityRule[] = [
  ...anthropicCapabilities,
  ...openAICapabilities,
  ...geminiCapabilities,
  ...bedrockCapabilities,
]

/**
 * The newest rule that answers, or `undefined` where none does: the model, or the platform for it, is unknown. `rules`,
 * oldest first, are the package's own unless given.
 */
export function capability(
  { model, platform, feature, asOf }: CapabilityQuery,
  rules: readonly CapabilityRule[] = capabilities,
): CapabilityRule | undefined {
  return rules.findLast(
    (rule) =>
      rule.feature === feature &&
      rule.since <= asOf &&
      rule.platforms.includes(platform) &&
      selects(rule.models, model),
  )
}

function selects(selector: ModelSelector, id: string): boolean {
  if (selector === 'any') return true
  if (selector.maker === 'openai') return isOpenAIModelIn(id, [selector])
  const model = parseModel(id)
  return model !== undefined && coversModel(selector, model)
}

/** ISO date of the newest rule by which requests are lowered. */
export const newestRule: string = [
  ...capabilities,
  ...cacheKeys,
  anthropicBreakpoints,
  bedrockBreakpoints,
  openAIBreakpoints,
]
  .map(({ since }) => since)
  .reduce((newest, since) => (since > newest ? since : newest))
