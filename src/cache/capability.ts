/** Looking up what a model on a platform can do, as the rules stood on a given day. */
import {
  anthropicCapabilities,
  type AnthropicFeature,
  type AnthropicPlatform,
  type CapabilityRule,
} from './anthropic/capabilities.ts'
import { anthropicBreakpoints } from './anthropic/breakpoints.ts'
import { coversModel } from './anthropic/models.ts'
import { parseModel } from './model.ts'

/** What is asked. */
export interface CapabilityQuery {
  /** As the provider is sent it. */
  readonly model: string
  readonly platform: AnthropicPlatform
  readonly feature: AnthropicFeature
  /** ISO date; rules dated later are not considered. */
  readonly asOf: string
}

/**
 * The newest rule that answers, or `undefined` where none does: the model, or the platform for it, is unknown. `rules`,
 * oldest first, are the package's own unless given.
 */
export function capability(
  { model: id, platform, feature, asOf }: CapabilityQuery,
  rules: readonly CapabilityRule[] = anthropicCapabilities,
): CapabilityRule | undefined {
  const model = parseModel(id)
  if (model === undefined) return undefined
  return rules.findLast(
    (rule) =>
      rule.feature === feature && rule.since <= asOf && rule.platforms.includes(platform) && coversModel(rule, model),
  )
}

/** ISO date of the newest rule by which requests are lowered. */
export const newestRule: string = [...anthropicCapabilities, anthropicBreakpoints]
  .map(({ since }) => since)
  .reduce((newest, since) => (since > newest ? since : newest))
