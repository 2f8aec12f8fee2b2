/** An answer as a whole `chat.completion`. */
import type { Json } from '../../../base/json.ts'
import { providerOf } from '../../../cache/providers/provider-of.ts'
import type { Answer, EndpointRequest } from '../../types.ts'
import { idOf, secondsOf } from '../ids.ts'

/** The fields that a completion and its chunks share. */
export function chatHead(request: EndpointRequest, object: string): { readonly [key: string]: Json } {
  return {
    id: idOf(request, 'chatcmpl-'),
    object,
    created: secondsOf(request.at),
    model: request.model,
    ...(providerOf(request.model) === 'openai' ? { service_tier: 'default' } : {}),
  }
}

export function chatAnswer(request: EndpointRequest, answer: Answer, usage: Json): Json {
  const calls = chatCalls(request, answer)
  return {
    ...chatHead(request, 'chat.completion'),
    choices: [
      {
        index: 0,
        message: {
          role: 'assistant',
          content: chatContent(answer),
          refusal: null,
          annotations: [],
          ...chatThinking(request.model, answer.thinking),
          ...(calls.length > 0 ? { tool_calls: calls.map((call) => ({ ...call })) } : {}),
        },
        logprobs: null,
        finish_reason: finishReason(answer),
      },
    ],
    usage,
    system_fingerprint: null,
  }
}

/** The text; null where there are only calls. */
export function chatContent({ text, toolCalls = [] }: Answer): string | null {
  return text === undefined || (text === '' && toolCalls.length > 0) ? (toolCalls.length > 0 ? null : '') : text
}

export function finishReason({ toolCalls = [] }: Answer): string {
  return toolCalls.length > 0 ? 'tool_calls' : 'stop'
}

/** A call as the wire has it. */
interface ChatCall {
  readonly id: string
  readonly type: 'function'
  readonly function: { readonly name: string; readonly arguments: string }
}

export function chatCalls(request: EndpointRequest, { toolCalls = [] }: Answer): readonly ChatCall[] {
  return toolCalls.map(({ name, input, id }, index) => ({
    id: id ?? idOf(request, 'call_', index),
    type: 'function',
    function: { name, arguments: JSON.stringify(input) },
  }))
}

/** Thinking under the vendor's own name; OpenAI itself shows none here. */
export function chatThinking(model: string, thinking: string | undefined): { readonly [key: string]: string } {
  const provider = providerOf(model)
  if (thinking === undefined || thinking === '' || provider === 'openai') return {}
  return { [provider === 'groq' || provider === 'openrouter' ? 'reasoning' : 'reasoning_content']: thinking }
}
