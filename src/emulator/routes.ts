/** Where which API is served. */
import type { CountTokens } from '../cache/tokens/count-tokens.ts'
import { anthropicMessages } from './anthropic/endpoint.ts'
import type { Framing } from './event-stream.ts'
import { gemini } from './gemini/gemini.ts'
import { openaiChat } from './openai/chat.ts'
import { openaiResponses } from './openai/responses.ts'
import type { CallRequest, Endpoint } from './types.ts'

/** One path at which a model answers. */
export interface Route {
  /** A path of Hono. */
  readonly path: string
  readonly endpoint: Endpoint
  /** What is asked for, where the URL says it and not the body. */
  target?(call: Pick<CallRequest, 'parameters' | 'query'>): Target
}

/** Which model is asked, and how it is to answer. */
export interface Target {
  readonly model: string
  readonly stream: boolean
  readonly framing: Framing
}

/** Every route. */
export function createRoutes(countTokens: CountTokens): readonly Route[] {
  const options = { countTokens }
  return [
    { path: '/v1/messages', endpoint: anthropicMessages(options) },
    { path: '/v1/chat/completions', endpoint: openaiChat(options) },
    { path: '/v1/responses', endpoint: openaiResponses(options) },
    {
      path: `/:version{v1|v1beta|v1alpha}/models/:call{[^/]+:(?:${geminiMethods.join('|')})}`,
      endpoint: gemini(options),
      target: geminiTarget,
    },
  ]
}

const geminiMethods = ['generateContent', 'streamGenerateContent']

/**
 * Google's clients differ in the version that they ask for, and its paths end in `MODEL:METHOD`. A stream is one JSON
 * array unless events are asked for.
 */
function geminiTarget({ parameters: { call = '' }, query }: Pick<CallRequest, 'parameters' | 'query'>): Target {
  const colon = call.lastIndexOf(':')
  return {
    model: call.slice(0, colon),
    stream: call.slice(colon + 1) === 'streamGenerateContent',
    framing: query['alt'] === 'sse' ? 'sse' : 'array',
  }
}
