/** `indelible/openai`: sessions of OpenAI messages or items, and their turns as requests to Chat Completions or Responses. */
export { RequestInvalidError } from '../errors.ts'
export { refusal } from '../refusal.ts'
export { openAIChatFormat } from './chat/format.ts'
export { toOpenAIChat } from './chat/to-openai-chat.ts'
export { openAIResponsesFormat } from './responses/format.ts'
export { prewarm } from './responses/prewarm.ts'
export { toOpenAIResponses } from './responses/to-openai-responses.ts'
export type { OpenAIPlatform } from '../../cache/index.ts'
export type { BreakpointPlace, FallbackReason, LoweringWarning } from '../warnings.ts'
export type { OpenAIOptions } from './options.ts'
export type { OpenAIChatBody, OpenAIChatParams, OpenAIChatRequest } from './chat/types.ts'
export type {
  OpenAIResponsesBody,
  OpenAIResponsesOptions,
  OpenAIResponsesParams,
  OpenAIResponsesRequest,
} from './responses/types.ts'
