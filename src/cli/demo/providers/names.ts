/** The providers that the demo can be had with, the usual one first. */
export const PROVIDER_NAMES = ['anthropic', 'openai-chat', 'openai-responses', 'google', 'bedrock', 'ai-sdk'] as const

export type ProviderName = (typeof PROVIDER_NAMES)[number]
