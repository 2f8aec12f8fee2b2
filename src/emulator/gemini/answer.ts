/** An answer as a `GenerateContentResponse`. */
import type { Json } from '../../base/json.ts'
import { fields } from '../fields.ts'
import type { Answer, EndpointRequest } from '../types.ts'
import { bareModel } from './caches.ts'

export function geminiAnswer(request: EndpointRequest, answer: Answer, usage: Json): Json {
  return response(request, geminiParts(request, answer), 'STOP', usage)
}

/** One response object, or one of a stream, where the last alone says why it ended. */
export function response(
  request: EndpointRequest,
  parts: readonly Json[],
  finish: string | undefined,
  usage: Json,
): Json {
  return {
    candidates: [
      {
        content: { parts, role: 'model' },
        ...(finish === undefined ? {} : { finishReason: finish }),
        index: 0,
      },
    ],
    usageMetadata: usage,
    modelVersion: bareModel(request.model),
    responseId: request.id.replace(/^[a-z]+[-_]/, ''),
  }
}

/** The parts of an answer; thoughts are shown where the request asked for them. */
export function geminiParts(request: EndpointRequest, { text, toolCalls = [], thinking }: Answer): readonly Json[] {
  return [
    ...(thinking !== undefined && thinking !== '' && showsThoughts(request) ? [{ text: thinking, thought: true }] : []),
    ...(text !== undefined && (text !== '' || toolCalls.length === 0) ? [{ text }] : []),
    ...toolCalls.map(({ name, input, id }, index) => ({
      functionCall: { id: id ?? `${request.id.slice(-8)}${index}`, name, args: input },
    })),
  ]
}

function showsThoughts({ body }: EndpointRequest): boolean {
  return fields(fields(body['generationConfig'])['thinkingConfig'])['includeThoughts'] === true
}
