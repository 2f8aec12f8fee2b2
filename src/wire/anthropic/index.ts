/** `indelible/anthropic`: sessions of Anthropic messages, and their turns as requests to the Messages API. */
export { RequestInvalidError } from '../errors.ts'
export { anthropicFormat } from './format.ts'
export { toAnthropicMessages } from './to-anthropic-messages.ts'
export { toAnthropicSystem } from './to-anthropic-system.ts'
export type { AnthropicPlatform, CacheTtl } from '../../cache/index.ts'
export type { AnthropicBody, AnthropicOptions, AnthropicParams, AnthropicRequest } from './types.ts'
export type { AnthropicWarning, BreakpointPlace, TaggedReason } from './warnings.ts'
