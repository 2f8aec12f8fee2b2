/** Chat Completions as Gemini's `generateContent`: the answers of the model are `model`, results of tools name their tool. */
import { field, list, textOf } from '../../cache/layout/peek.ts'
import { parseJson } from '../../cache/usage/sse.ts'
import { isSystem, type ChatBody } from './chat-body.ts'

/** The body of `generateContent`. */
export function chatToGemini({ messages, tools, ...rest }: ChatBody): object {
  const named = new Map<unknown, unknown>()
  for (const message of messages) {
    for (const call of list(field(message, 'tool_calls'))) named.set(field(call, 'id'), calledIn(call).name)
  }
  const system = messages.filter(isSystem).flatMap((message) => partsOf(field(message, 'content')))
  return {
    ...rest,
    ...(system.length === 0 ? {} : { systemInstruction: { parts: system } }),
    contents: messages.filter((message) => !isSystem(message)).map((message) => contentOf(message, named)),
    ...(Array.isArray(tools)
      ? { tools: [{ functionDeclarations: tools.map((tool) => field(tool, 'function') ?? tool) }] }
      : {}),
  }
}

function contentOf(message: unknown, named: ReadonlyMap<unknown, unknown>): object {
  const role = textOf(message, 'role')
  const content = field(message, 'content')
  if (role === 'tool' || role === 'function') {
    const name = field(message, 'name') ?? named.get(field(message, 'tool_call_id'))
    return { role: 'user', parts: [{ functionResponse: { name, response: { output: content } } }] }
  }
  const calls = list(field(message, 'tool_calls')).map((call) => ({ functionCall: calledIn(call) }))
  return { role: role === 'assistant' ? 'model' : 'user', parts: [...partsOf(content), ...calls] }
}

function calledIn(call: unknown): { readonly name: unknown; readonly args: unknown } {
  const called = field(call, 'function') ?? call
  const input = field(called, 'arguments')
  return { name: field(called, 'name'), args: (typeof input === 'string' ? parseJson(input) : input) ?? {} }
}

function partsOf(content: unknown): readonly unknown[] {
  if (typeof content === 'string') return content === '' ? [] : [{ text: content }]
  return list(content).map((part) => {
    if (typeof part === 'string') return { text: part }
    const text = field(part, 'text')
    if (typeof text === 'string') return { text }
    const image = field(part, 'image_url')
    if (image === undefined) return part
    return { fileData: { fileUri: typeof image === 'string' ? image : field(image, 'url') } }
  })
}
