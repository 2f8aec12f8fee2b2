/** Google's `generateContent` and `streamGenerateContent`, the counting of tokens, and explicit caches. */
import type { ReadOptions } from '../../cache/layout/types.ts'
import { guessTokens, type CountTokens } from '../../cache/tokens/count-tokens.ts'
import { answerTokens } from '../answer-tokens.ts'
import { countInput } from '../count-input.ts'
import { fields } from '../fields.ts'
import type { CallRequest, Endpoint, Refusal } from '../types.ts'
import { geminiAnswer } from './answer.ts'
import { cachedContentCalls } from './cached-contents.ts'
import { bareModel, cacheStore } from './caches.ts'
import { checkGenerate } from './check.ts'
import { failure } from './refusals.ts'
import { geminiStream } from './stream.ts'
import { geminiUsage } from './usage.ts'

/** How the endpoint is set up. */
export interface GeminiOptions {
  /** Counts what answers put out and what caches hold; guesses by length unless given. */
  readonly countTokens?: CountTokens
}

/** `POST /v1beta/models/{model}:generateContent` and `:streamGenerateContent`, and `/v1beta/cachedContents`. */
export function gemini({ countTokens = guessTokens }: GeminiOptions = {}): Endpoint {
  const caches = cacheStore()
  const reading = (account: string): ReadOptions => ({ cachedContent: (name) => caches.find(account, name)?.body })

  /** Counts a conversation, or a whole request. */
  function count({ body, account, parameters }: CallRequest): Refusal {
    const model = bareModel((parameters['call'] ?? '').replace(/:countTokens$/, ''))
    const request = body['generateContentRequest'] === undefined ? body : fields(body['generateContentRequest'])
    const options = { provider: 'gemini', format: 'gemini', countTokens, ...reading(account) } as const
    const { usage } = countInput(request, model, options)
    return {
      status: 200,
      body: {
        totalTokens: usage.total,
        promptTokensDetails: [{ modality: 'TEXT', tokenCount: usage.total }],
        ...(usage.read > 0 ? { cachedContentTokenCount: usage.read } : {}),
      },
    }
  }

  return {
    id: 'gemini',
    format: 'gemini',
    provider: () => 'gemini',
    check: (request) => checkGenerate(request, caches),
    answer: (request, answer, { usage }) =>
      geminiAnswer(request, answer, geminiUsage(usage, answerTokens(answer, countTokens))),
    stream: (request, answer, { usage }) =>
      geminiStream(request, answer, geminiUsage(usage, answerTokens(answer, countTokens))),
    error: failure,
    reading,
    calls: [
      ...cachedContentCalls(caches, countTokens),
      { method: 'POST', path: '/:version{v1(?:alpha|beta)?}/models/:call{[^/]+:countTokens}', handle: count },
    ],
    clear: () => caches.clear(),
  }
}
