/**
 * OpenAI Chat Completions, and the same body as many others take it: Azure, OpenRouter, DeepSeek, xAI, Mistral, Groq,
 * Kimi, Qwen, and servers such as vLLM.
 *
 * Every message is one of its own, also next to another of its role, so the first segment of each opens it. The tools
 * are taken to stand ahead of the messages; no provider of this format says so. System and developer messages at the
 * head are the system section, later ones are conversation. Fields beside `content` that are told to the model are
 * segments in the order in which a model writes them: reasoning, then the answer, then calls.
 */
import { contentJson, expectList, expectObject, optionalList, optionalString, type Fields } from './expect.ts'
import { RequestUnreadableError } from './errors.ts'
import { messagesDialect } from './messages-dialect.ts'
import {
  contentSegments,
  jsonSegment,
  labelSegments,
  markKeys,
  opened,
  outputFormat,
  readCacheControl,
  readMark,
  readSettings,
  resultSegments,
  scopeOf,
  textSegment,
} from './openai-parts.ts'
import { field, textOf } from './peek.ts'
import type { Breakpoint, FormatReader, Item, ItemSegment, ScopeParameter } from './types.ts'

/** Reads bodies of Chat Completions. */
export const openaiChat: FormatReader = {
  id: 'openai-chat',

  order: {
    sections: ['tools', 'system', 'messages'],
    keyOrder: { schemas: true, inputs: true },
    since: '2026-11-30',
    source: 'https://developers.openai.com/api/docs/guides/prompt-caching',
    confidence: 'assumed',
  },

  recognises: (body) => messagesDialect(body) === 'openai-chat',

  read(body, options) {
    const model = typeof body['model'] === 'string' ? body['model'] : options.model
    return {
      format: 'openai-chat',
      model,
      items: [...readTools(body, 'tools'), ...readTools(body, 'functions'), ...readMessages(body)],
      scope: readScope(body, model),
      // OpenRouter hands it to Claude.
      automatic: readCacheControl(body['cache_control'], 'automatic'),
      settings: readSettings(body),
    }
  },

  split(item) {
    const path = `${item.list}[${item.index}]`
    if (item.list !== 'messages') return [toolSegment(expectObject(item.raw, path, 'a tool'), path, '')]
    const message = expectObject(item.raw, path, 'a message')
    return opened(markEnd(messageSegments(message, path, item.role), readMark(message)))
  },
}

const instructing = new Set(['system', 'developer'])
const answering = new Set(['tool', 'function'])

/** `functions` is what `tools` were called at first. */
function readTools(body: Fields, name: 'tools' | 'functions'): readonly Item[] {
  const items: Item[] = []
  for (const [index, raw] of optionalList(body[name], name).entries()) {
    // A gateway keeps it from the model until it is found.
    if (expectObject(raw, `${name}[${index}]`, 'a tool')['defer_loading'] === true) continue
    items.push({ section: 'tools', role: 'tool', list: name, index, raw, variant: '', mark: null })
  }
  return items
}

function readMessages(body: Fields): readonly Item[] {
  let section: Item['section'] = 'system'
  return expectList(body['messages'], 'messages', 'a list of messages').map((raw, index) => {
    const role = field(raw, 'role')
    if (typeof role !== 'string') {
      const path = `messages[${index}]`
      throw new RequestUnreadableError(`${path}.role`, 'a role', expectObject(raw, path, 'a message')['role'])
    }
    if (!instructing.has(role)) section = 'messages'
    return { section, role, list: 'messages', index, raw, variant: '', mark: null }
  })
}

function readScope(body: Fields, model: string | undefined): readonly ScopeParameter[] {
  return scopeOf(
    [
      ['model', model],
      // Sending a documented default is the same as leaving it out.
      ['parallel_tool_calls', body['parallel_tool_calls'] ?? true],
      ['response_format', outputFormat(body['response_format'])],
      // `reasoning` is OpenRouter's.
      ['reasoning_effort', body['reasoning_effort'] ?? field(body['reasoning'], 'effort')],
      ['verbosity', body['verbosity'] ?? 'medium'],
      ['service_tier', body['service_tier'] ?? 'auto'],
      ['prompt_cache_key', body['prompt_cache_key']],
    ],
    model,
  )
}

function toolSegment(tool: Fields, path: string, suffix: string): ItemSegment {
  return {
    path: suffix,
    type: 'tool',
    content: contentJson(tool, markKeys, openaiChat.order.keyOrder.schemas, path + suffix),
    joined: true,
    mark: readMark(tool),
    markable: true,
  }
}

/** LiteLLM takes a mark on the message too: it means the end of it. */
function markEnd(segments: readonly ItemSegment[], mark: Breakpoint | null): readonly ItemSegment[] {
  const last = segments.at(-1)
  return mark === null || last === undefined ? segments : [...segments.slice(0, -1), { ...last, mark }]
}

function messageSegments(message: Fields, path: string, role: string): readonly ItemSegment[] {
  if (answering.has(role)) {
    const { tool_call_id, name } = message
    const parts = contentSegments(message['content'], path, '.content', 'openai-chat')
    return resultSegments(parts, 'tool_result', {
      tool_call_id: optionalString(tool_call_id, `${path}.tool_call_id`),
      name: optionalString(name, `${path}.name`),
    })
  }
  return [
    ...labelSegments(message, 'name', path),
    ...reasoningSegments(message, path),
    ...bodySegments(message, path, role),
    ...callSegments(message, path),
    // Kimi K3 adds tools in the middle of a conversation by a system message that holds them.
    ...optionalList(message['tools'], `${path}.tools`).map((tool, index) => {
      const suffix = `.tools[${index}]`
      return toolSegment(expectObject(tool, path + suffix, 'a tool'), path, suffix)
    }),
  ]
}

/** Under which names servers hand out their reasoning, and want it back. OpenRouter sends two of them. */
const reasoningFields = ['reasoning_content', 'reasoning', 'reasoning_details']

function reasoningSegments(message: Fields, path: string): readonly ItemSegment[] {
  const present = reasoningFields.filter((name) => message[name] !== undefined && message[name] !== null)
  const [first] = present
  if (first === undefined) return []
  const suffix = `.${first}`
  if (present.length === 1 && typeof message[first] === 'string') {
    return [{ ...textSegment(message[first], suffix), type: 'reasoning', markable: false }]
  }
  const all = Object.fromEntries(present.map((name) => [name, message[name]]))
  const said = present.map((name) => textOf(message, name)).find((reasoning) => reasoning !== '')
  return [{ ...jsonSegment('reasoning', all, [], [path, suffix]), ...(said === undefined ? {} : { text: said }) }]
}

/** An assistant that only calls tools may have no content, and a message that only adds tools has none. */
function bodySegments(message: Fields, path: string, role: string): readonly ItemSegment[] {
  const { content, refusal, audio } = message
  const none = (content === undefined || content === null) && (role === 'assistant' || Array.isArray(message['tools']))
  const said = optionalString(refusal, `${path}.refusal`)
  return [
    ...(none ? [] : contentSegments(content, path, '.content', 'openai-chat')),
    ...(said === undefined ? [] : [jsonSegment('refusal', { type: 'refusal', refusal: said }, [], [path, '.refusal'])]),
    ...(audio === undefined || audio === null
      ? []
      : [{ ...jsonSegment('audio', expectObject(audio, `${path}.audio`), [], [path, '.audio']), text: '' }]),
  ]
}

function callSegments(message: Fields, path: string): readonly ItemSegment[] {
  const calls = optionalList(message['tool_calls'], `${path}.tool_calls`).map((call, index): [unknown, string] => [
    call,
    `.tool_calls[${index}]`,
  ])
  const legacy = message['function_call']
  if (legacy !== undefined && legacy !== null) calls.unshift([legacy, '.function_call'])
  return calls.map(([raw, suffix]) => {
    const call = expectObject(raw, path + suffix, 'a tool call')
    const named = field(call, 'function') ?? field(call, 'custom') ?? call
    return {
      // `index` is left over from a stream. The arguments are a string, and stay as the model wrote them.
      ...jsonSegment('tool_call', call, ['index', ...markKeys], [path, suffix]),
      ...(typeof field(named, 'arguments') === 'object'
        ? {}
        : { text: `${textOf(named, 'name')} ${textOf(named, 'arguments')}${textOf(named, 'input')}` }),
    }
  })
}
