/** An answer as `chat.completion.chunk`s. Usage comes on a last chunk without choices, and only where it was asked for. */
import type { Json } from '../../../base/json.ts'
import { fields } from '../../fields.ts'
import { pieces } from '../../pieces.ts'
import type { Answer, EndpointRequest, StreamEvent } from '../../types.ts'
import { chatCalls, chatContent, chatHead, chatThinking, finishReason } from './answer.ts'

export function chatStream(request: EndpointRequest, answer: Answer, usage: Json): readonly StreamEvent[] {
  const { include_usage: includeUsage } = fields(request.body['stream_options'])
  const head = chatHead(request, 'chat.completion.chunk')
  const chunk = (delta: Json, finish: string | null = null): StreamEvent => ({
    data: {
      ...head,
      choices: [{ index: 0, delta, logprobs: null, finish_reason: finish }],
      ...(includeUsage === true ? { usage: null } : {}),
    },
  })
  const content = chatContent(answer)
  return [
    chunk({ role: 'assistant', content: content === null ? null : '', refusal: null }),
    ...pieces(answer.thinking ?? '')
      .map((piece) => chatThinking(request.model, piece))
      .filter((delta) => Object.keys(delta).length > 0)
      .map((delta) => chunk(delta)),
    ...pieces(content ?? '').map((piece) => chunk({ content: piece })),
    ...chatCalls(request, answer).flatMap(({ id, type, function: { name, arguments: input } }, index) => [
      chunk({ tool_calls: [{ index, id, type, function: { name, arguments: '' } }] }),
      ...pieces(input).map((piece) => chunk({ tool_calls: [{ index, function: { arguments: piece } }] })),
    ]),
    chunk({}, finishReason(answer)),
    ...(includeUsage === true ? [{ data: { ...head, choices: [], usage } }] : []),
    { data: '[DONE]', bare: true },
  ]
}
