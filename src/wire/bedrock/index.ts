/** `indelible/bedrock`: sessions of Bedrock's messages, and their turns as requests of the Converse API. */
export { RequestInvalidError } from '../errors.ts'
export { refusal } from '../refusal.ts'
export { bedrockFormat } from './format.ts'
export { toBedrockConverse } from './to-bedrock-converse.ts'
export type { CacheTtl } from '../../cache/index.ts'
export type { BreakpointPlace, FallbackReason, LoweringWarning } from '../warnings.ts'
export type { BedrockBody, BedrockOptions, BedrockParams, BedrockRequest } from './types.ts'
