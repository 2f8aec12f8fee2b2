/**
 * Chat Completions as Anthropic Messages, as gateways do it: the system messages at the head are `system`, results of
 * tools are blocks of a user message, all results of one answer in the same.
 */
import { field, has, list, textOf } from '../../cache/layout/peek.ts'
import { parseJson } from '../../cache/usage/sse.ts'
import { isSystem, type ChatBody } from './chat-body.ts'

/** The body in the Messages API. Cache marks of blocks are kept. */
export function chatToAnthropic({ messages, tools, ...rest }: ChatBody): object {
  const conversation = messages.findIndex((message) => !isSystem(message))
  const head = conversation === -1 ? messages : messages.slice(0, conversation)
  const system = head.flatMap((message) => blocksOf(field(message, 'content')))
  return {
    ...rest,
    ...(system.length === 0 ? {} : { system }),
    messages: turns(messages.slice(head.length)),
    ...(Array.isArray(tools) ? { tools: tools.map(toolOf) } : {}),
  }
}

interface Turn {
  readonly role: string
  readonly content: unknown
}

function turns(messages: readonly unknown[]): readonly Turn[] {
  const result: Turn[] = []
  let results: unknown[] | undefined
  for (const message of messages) {
    const role = textOf(message, 'role')
    if (role === 'tool' || role === 'function') {
      if (results === undefined) {
        results = []
        result.push({ role: 'user', content: results })
      }
      results.push(resultOf(message))
      continue
    }
    results = undefined
    if (role === 'assistant') result.push({ role, content: answerOf(message) })
    else result.push({ role: role === 'developer' ? 'system' : role, content: contentOf(message) })
  }
  return result
}

function contentOf(message: unknown): unknown {
  const content = field(message, 'content')
  return typeof content === 'string' ? content : blocksOf(content)
}

function answerOf(message: unknown): unknown {
  const calls = list(field(message, 'tool_calls'))
  const thinking = list(field(message, 'thinking_blocks'))
  const reasoning = textOf(message, 'reasoning_content')
  if (calls.length === 0 && thinking.length === 0 && reasoning === '') return contentOf(message)
  return [
    ...(thinking.length === 0 && reasoning !== '' ? [{ type: 'thinking', thinking: reasoning }] : thinking),
    ...blocksOf(field(message, 'content')),
    ...calls.map((call) => {
      const called = field(call, 'function') ?? call
      const input = field(called, 'arguments')
      return {
        type: 'tool_use',
        id: field(call, 'id'),
        name: field(called, 'name'),
        input: (typeof input === 'string' ? parseJson(input) : input) ?? {},
      }
    }),
  ]
}

function resultOf(message: unknown): unknown {
  const mark = field(message, 'cache_control')
  return {
    type: 'tool_result',
    tool_use_id: field(message, 'tool_call_id'),
    content: contentOf(message),
    ...(mark === undefined ? {} : { cache_control: mark }),
  }
}

/** Content as a list of blocks; an empty text is none. */
function blocksOf(content: unknown): readonly unknown[] {
  if (typeof content === 'string') return content === '' ? [] : [{ type: 'text', text: content }]
  return list(content).map(blockOf)
}

function blockOf(part: unknown): unknown {
  if (typeof part === 'string') return { type: 'text', text: part }
  const image = field(part, 'image_url')
  if (image === undefined) return has(part, 'type') ? part : { type: 'text', text: JSON.stringify(part) }
  const url = typeof image === 'string' ? image : textOf(image, 'url')
  const [, media, data] = /^data:([\w/+.-]+);base64,([^]*)$/.exec(url) ?? []
  const source = data === undefined ? { type: 'url', url } : { type: 'base64', media_type: media, data }
  return { type: 'image', source }
}

function toolOf(tool: unknown): unknown {
  const described = field(tool, 'function')
  if (described === undefined) return tool
  const mark = field(tool, 'cache_control') ?? field(described, 'cache_control')
  return {
    name: field(described, 'name'),
    description: field(described, 'description'),
    input_schema: field(described, 'parameters'),
    ...(mark === undefined ? {} : { cache_control: mark }),
  }
}
