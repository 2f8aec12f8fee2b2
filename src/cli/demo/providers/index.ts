/** Every provider, by the name that it is asked for. */
import { aiSdk } from './ai-sdk.ts'
import { anthropic } from './anthropic.ts'
import { bedrock } from './bedrock.ts'
import { google } from './google.ts'
import type { ProviderName } from './names.ts'
import { openAIChat } from './openai-chat.ts'
import { openAIResponses } from './openai-responses.ts'
import type { Provider } from './provider.ts'

export const providers: Readonly<Record<ProviderName, Provider>> = {
  anthropic,
  'openai-chat': openAIChat,
  'openai-responses': openAIResponses,
  google,
  bedrock,
  'ai-sdk': aiSdk,
}
