/**
 * Provider caches: how a request is laid out, what a provider would have read, written and billed for it, and what was
 * reported. Pure; runs in a browser.
 */
export { anthropicBreakpoints } from './anthropic/breakpoints.ts'
export type { BreakpointRule, CacheTtl } from './anthropic/breakpoints.ts'
export { anthropicInvalidation, anthropicThinking } from './anthropic/invalidation.ts'
export type { InvalidationRule, ThinkingRule } from './anthropic/invalidation.ts'
export { anthropicLifetimes, anthropicLookback, bedrockLookback, bedrockShortOnly } from './anthropic/lifetimes.ts'
export type { LookbackRule } from './anthropic/lifetimes.ts'
export { anthropicMinimums, bedrockMinimums, novaMinimum, unknownMinimum } from './anthropic/minimums.ts'
export type { MinimumRule } from './anthropic/minimums.ts'
export type { ModelRange } from './anthropic/models.ts'
export { capabilities, capability, newestRule } from './capability.ts'
export type { CapabilityQuery } from './capability.ts'
export type {
  AnthropicPlatform,
  BedrockPlatform,
  CapabilityRule,
  Feature,
  GeminiPlatform,
  ModelSelector,
  OpenAIPlatform,
  Platform,
} from './capability-rule.ts'
export { RequestUnreadableError } from './layout/errors.ts'
export { layout } from './layout/layout.ts'
export type { LayoutOptions } from './layout/layout.ts'
export { recogniseFormat } from './layout/read-items.ts'
export type {
  Breakpoint,
  Item,
  Layout,
  Lifetime,
  PreviousResponse,
  ReadOptions,
  RequestFormat,
  RequestItems,
  ScopeParameter,
  Section,
  Segment,
} from './layout/types.ts'
export { isSameModel, parseModel } from './model.ts'
export type { Model } from './model.ts'
export { geminiMinimums, unknownGeminiMinimum, vertexGeminiMinimums } from './gemini/minimums.ts'
export type { GeminiMinimumRule } from './gemini/minimums.ts'
export { openAIBreakpoints } from './openai/breakpoints.ts'
export type { OpenAIBreakpointRule } from './openai/breakpoints.ts'
export { azureBoundaries, openAIBoundaries, openAIIntervals } from './openai/caching.ts'
export type { BoundaryRule, IntervalRule } from './openai/caching.ts'
export { openAIInvalidation } from './openai/invalidation.ts'
export type { OpenAIInvalidationRule } from './openai/invalidation.ts'
export { azureRetention, openAIRetentions, retentionValues } from './openai/retention.ts'
export type { AzureRetention, Retention, RetentionRule, RetentionValues } from './openai/retention.ts'
export { isOpenAIModelIn, parseOpenAIModel } from './openai/models.ts'
export type { OpenAIModel, OpenAIModelRange } from './openai/models.ts'
export { combineTables } from './price/combine-tables.ts'
export { PricesUnreadableError } from './price/errors.ts'
export { fromGenaiPrices } from './price/from-genai-prices.ts'
export { fromLiteLlm } from './price/from-lite-llm.ts'
export { fromModelsDev } from './price/from-models-dev.ts'
export { ownPrices } from './price/own-prices.ts'
export type {
  HolidayCalendar,
  PriceBucket,
  PriceConfidence,
  PriceLevel,
  PriceRow,
  PriceTable,
  PriceTier,
  PriceWindow,
  RegionFactor,
  SkippedPrice,
  TokenPrices,
} from './price/price-table.ts'
export { price } from './price/price.ts'
export type { PriceOptions, PriceQuery } from './price/price.ts'
export type {
  Assumption,
  AssumptionAbout,
  PricedRequest,
  PricePart,
  UnknownPrice,
  UnknownPriceReason,
} from './price/result.ts'
export { providerNames } from './providers/provider-rules.ts'
export type { ProviderName } from './providers/provider-rules.ts'
export type { Rule } from './rule.ts'
export { createSimulator } from './simulator/create-simulator.ts'
export type {
  CacheRules,
  EntryRules,
  Place,
  PrefixRules,
  ProviderRules,
  RuleContext,
  TokenRules,
} from './simulator/rules.ts'
export type { LifetimeRange } from './simulator/time.ts'
export type { Marked, Node, NodeKind } from './simulator/tree.ts'
export type {
  CacheEntry,
  CachePlace,
  Hit,
  Miss,
  MissReason,
  PredictedUsage,
  Prediction,
  SendOptions,
  Simulator,
  SimulatorOptions,
  Written,
} from './simulator/types.ts'
export type { Walk } from './simulator/walk.ts'
export { guessTokens, loadTokenCounter } from './tokens/count-tokens.ts'
export type { CountTokens } from './tokens/count-tokens.ts'
export { readUsage } from './usage/read-usage.ts'
export type { ReadUsageOptions, UsageFormat } from './usage/read-usage.ts'
export type { ReportedCost, Usage, UsageAnomaly, UsageAnomalyType } from '../base/usage.ts'
