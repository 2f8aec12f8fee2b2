/** OpenAI's Chat Completions, which most vendors copy: the model asked for decides whose cache is counted. */
import { guessTokens, type CountTokens } from '../../cache/tokens/count-tokens.ts'
import { answerTokens } from '../answer-tokens.ts'
import { providerOf } from '../../cache/providers/provider-of.ts'
import type { Endpoint } from '../types.ts'
import { chatAnswer } from './chat/answer.ts'
import { checkChat } from './chat/check.ts'
import { chatStream } from './chat/stream.ts'
import { chatUsage } from './chat/usage.ts'
import { idOf } from './ids.ts'
import { failure } from './refusals.ts'

/** How an endpoint of OpenAI is set up. */
export interface OpenAiEndpointOptions {
  /** Counts what answers put out; guesses by length unless given. */
  readonly countTokens?: CountTokens
}

/** `POST /v1/chat/completions`. */
export function openaiChat({ countTokens = guessTokens }: OpenAiEndpointOptions = {}): Endpoint {
  return {
    id: 'openai-chat',
    format: 'openai-chat',
    provider: providerOf,
    check: checkChat,
    answer: (request, answer, { usage }) =>
      chatAnswer(request, answer, chatUsage(request.model, usage, answerTokens(answer, countTokens))),
    stream: (request, answer, { usage }) =>
      chatStream(request, answer, chatUsage(request.model, usage, answerTokens(answer, countTokens))),
    error: failure,
    headers: (request) => ({ 'x-request-id': idOf(request, 'req_') }),
  }
}
