/** Provider rules as dated tables, and how to ask them. Pure; runs in a browser. */
export { anthropicBreakpoints } from './anthropic/breakpoints.ts'
export type { CacheTtl } from './anthropic/breakpoints.ts'
export { anthropicCapabilities } from './anthropic/capabilities.ts'
export type { AnthropicFeature, AnthropicPlatform } from './anthropic/capabilities.ts'
export { capability, newestRule } from './capability.ts'
export { isSameModel, parseModel } from './model.ts'
