/** The APIs that the logs of tests are of: where they are, and what they answer. */
import type { PredictedUsage } from '../../../src/cache/index.ts'

/** By name, where it is called and whose rules hold. */
export const apis = {
  anthropic: { provider: 'anthropic', url: 'https://api.anthropic.com/v1/messages' },
  chat: { provider: 'openai', url: 'https://api.openai.com/v1/chat/completions' },
  responses: { provider: 'openai', url: 'https://api.openai.com/v1/responses' },
  gemini: {
    provider: 'gemini',
    url: 'https://generativelanguage.googleapis.com/v1beta/models/gemini-3-pro-preview:generateContent',
  },
} as const

export type Api = keyof typeof apis

const OUTPUT = 120

/** The answer to the call of that number, as the API would give it; without usage where none is given. */
export function answerOf(api: Api, number: number, body: object, usage: PredictedUsage | undefined): object {
  const model = 'model' in body ? body.model : undefined
  switch (api) {
    case 'anthropic':
      return {
        id: `msg_${number}`,
        type: 'message',
        role: 'assistant',
        model,
        ...(usage && { usage: anthropic(usage) }),
      }
    case 'chat':
      return { id: `chatcmpl-${number}`, object: 'chat.completion', model, ...(usage && { usage: chat(usage) }) }
    case 'responses':
      return { id: `resp_${number}`, object: 'response', model, ...(usage && { usage: responses(usage) }) }
    case 'gemini':
      return { responseId: `g-${number}`, ...(usage && { usageMetadata: gemini(usage) }) }
  }
}

function anthropic({ uncached, read, write5m, write1h }: PredictedUsage): object {
  return {
    input_tokens: uncached,
    cache_read_input_tokens: read,
    cache_creation_input_tokens: write5m + write1h,
    cache_creation: { ephemeral_5m_input_tokens: write5m, ephemeral_1h_input_tokens: write1h },
    output_tokens: OUTPUT,
  }
}

function chat({ total, read }: PredictedUsage): object {
  return { prompt_tokens: total, prompt_tokens_details: { cached_tokens: read }, completion_tokens: OUTPUT }
}

function responses({ total, read }: PredictedUsage): object {
  return { input_tokens: total, input_tokens_details: { cached_tokens: read }, output_tokens: OUTPUT }
}

function gemini({ total, read }: PredictedUsage): object {
  return {
    promptTokenCount: total,
    candidatesTokenCount: OUTPUT,
    ...(read > 0 && { cachedContentTokenCount: read }),
  }
}
