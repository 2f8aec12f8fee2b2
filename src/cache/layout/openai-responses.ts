/**
 * OpenAI Responses, which xAI takes too.
 *
 * The conversation is a list of items, each of its own. `previous_response_id` stands for the items of an earlier call
 * and what it answered; its instructions and tools are not inherited. Paths of those items name the response, as
 * `previous(resp_1).output[0]`, so that they stay the same however long the chain grows. Tools and instructions are
 * taken to stand ahead of the items; the provider does not say so.
 *
 * The `id` and `status` of an item are the server's bookkeeping: the same item sent again without them is the same text
 * to the model, and so they are no content. `call_id` pairs a call with its result and is. Where nothing but an id says
 * what is meant (a reference, reasoning kept by the server), it is content.
 */
import {
  contentJson,
  expectList,
  expectObject,
  expectString,
  optionalList,
  optionalString,
  type Fields,
} from './expect.ts'
import {
  contentSegments,
  jsonSegment,
  labelSegments,
  markKeys,
  opened,
  outputFormat,
  readMark,
  readSettings,
  resultSegments,
  scopeOf,
  textSegment,
} from './openai-parts.ts'
import { field, has, list as listOf, textOf } from './peek.ts'
import { readChain } from './responses-chain.ts'
import type { FormatReader, Item, ItemSegment, ReadOptions, ScopeParameter } from './types.ts'

/** Reads bodies of Responses. */
export const openaiResponses: FormatReader = {
  id: 'openai-responses',

  order: {
    sections: ['tools', 'system', 'messages'],
    keyOrder: { schemas: true, inputs: true },
    since: '2026-11-30',
    source: 'https://developers.openai.com/api/docs/guides/prompt-caching',
    confidence: 'assumed',
  },

  recognises(body) {
    if (body['messages'] !== undefined || body['contents'] !== undefined) return false
    const input = body['input']
    return typeof input === 'string' || Array.isArray(input) || typeof body['previous_response_id'] === 'string'
  },

  read(body, options) {
    const model = typeof body['model'] === 'string' ? body['model'] : options.model
    return {
      format: 'openai-responses',
      model,
      items: [...readTools(body), ...readSystem(body), ...readConversation(body, options)],
      scope: readScope(body, model),
      automatic: null,
      settings: readSettings(body),
    }
  },

  split(item) {
    const path = item.index < 0 ? item.list : `${item.list}[${item.index}]`
    if (item.list === 'tools') return [toolSegment(expectObject(item.raw, path, 'a tool'), path, '')]
    if (item.list === 'instructions') return opened([textSegment(expectString(item.raw, path), '')])
    const raw = expectObject(item.raw, path, 'an item')
    // The server knows the template; of its size the request says nothing.
    if (item.list === 'prompt') return opened([{ ...jsonSegment('prompt', raw, [], [path, '']), text: '' }])
    return opened(itemSegments(raw, path))
  },
}

const instructing = new Set(['system', 'developer'])

function readTools(body: Fields): readonly Item[] {
  return optionalList(body['tools'], 'tools').map((raw, index) => {
    expectObject(raw, `tools[${index}]`, 'a tool')
    return { section: 'tools', role: 'tool', list: 'tools', index, raw, variant: '', mark: null }
  })
}

function readSystem(body: Fields): readonly Item[] {
  const { prompt } = body
  const instructions = optionalString(body['instructions'], 'instructions') ?? ''
  const items: Item[] = []
  if (prompt !== undefined && prompt !== null) {
    items.push({ ...systemItem, list: 'prompt', raw: expectObject(prompt, 'prompt', 'a prompt template') })
  }
  if (instructions !== '') items.push({ ...systemItem, list: 'instructions', raw: instructions })
  return items
}

const systemItem = { section: 'system', role: 'system', index: -1, variant: '', mark: null } as const

function readConversation(body: Fields, options: ReadOptions): readonly Item[] {
  const items = readChain(body, options)
  const compaction = items.findLastIndex(({ raw }) => field(raw, 'type') === 'compaction')
  const kept = compaction > 0 ? items.slice(compaction) : items
  for (let index = 0; index < kept.length; index++) {
    const item = kept[index]
    if (item === undefined || !instructing.has(item.role)) break
    kept[index] = { ...item, section: 'system' }
  }
  return kept
}

function readScope(body: Fields, model: string | undefined): readonly ScopeParameter[] {
  return scopeOf(
    [
      ['model', model],
      // Sending a documented default is the same as leaving it out.
      ['parallel_tool_calls', body['parallel_tool_calls'] ?? true],
      ['text.format', outputFormat(field(body['text'], 'format'))],
      ['reasoning.effort', field(body['reasoning'], 'effort')],
      ['text.verbosity', field(body['text'], 'verbosity') ?? 'medium'],
      ['context_management', body['context_management']],
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
    content: contentJson(shownOf(tool), markKeys, openaiResponses.order.keyOrder.schemas, path + suffix),
    joined: true,
    mark: readMark(tool),
    markable: false,
  }
}

const shownWhenDeferred = ['type', 'name', 'description', 'server_label', 'server_description']

/**
 * What the model sees of a tool: of one that waits to be found only what it is searched by, of a namespace only its
 * functions that do not wait. What is found is appended by the search (guides/tools-tool-search).
 */
function shownOf(tool: Fields): Fields {
  if (tool['defer_loading'] === true) {
    return Object.fromEntries(shownWhenDeferred.filter((name) => has(tool, name)).map((name) => [name, tool[name]]))
  }
  const inner = listOf(tool['tools'])
  if (!inner.some((one) => field(one, 'defer_loading') === true)) return tool
  return { ...tool, tools: inner.filter((one) => field(one, 'defer_loading') !== true) }
}

const bookkeeping = ['id', 'status', ...markKeys]

function itemSegments(item: Fields, path: string): readonly ItemSegment[] {
  const untyped = item['role'] === undefined ? 'item_reference' : 'message'
  const type = typeof item['type'] === 'string' ? item['type'] : untyped
  const whole = (omit: readonly string[]): ItemSegment => jsonSegment(type, item, omit, [path, ''])
  switch (type) {
    case 'message':
      return [
        ...labelSegments(item, 'phase', path),
        ...contentSegments(item['content'], path, '.content', 'openai-responses'),
      ]
    case 'function_call':
    case 'custom_tool_call':
      // The arguments are a string, and stay as the model wrote them.
      return [
        { ...whole(bookkeeping), text: `${textOf(item, 'name')} ${textOf(item, 'arguments')}${textOf(item, 'input')}` },
      ]
    case 'function_call_output':
    case 'custom_tool_call_output': {
      const call = { call_id: optionalString(item['call_id'], `${path}.call_id`) }
      return resultSegments(contentSegments(item['output'], path, '.output', 'openai-responses'), type, call)
    }
    case 'reasoning':
      return [reasoningSegment(item, whole)]
    case 'additional_tools':
      return expectList(item['tools'], `${path}.tools`, 'a list of tools').map((raw, index) => {
        const suffix = `.tools[${index}]`
        return toolSegment(expectObject(raw, path + suffix, 'a tool'), path, suffix)
      })
    case 'item_reference':
      return [{ ...whole(markKeys), text: '' }]
    case 'compaction':
    case 'image_generation_call':
      return [{ ...whole(bookkeeping), text: '' }]
    default:
      return [whole(bookkeeping)]
  }
}

/** Encrypted reasoning is exact, and hidden: what is reported leaves its tokens out. Its summary is for people only. */
function reasoningSegment(item: Fields, whole: (omit: readonly string[]) => ItemSegment): ItemSegment {
  if (typeof item['encrypted_content'] === 'string') return { ...whole([...bookkeeping, 'summary']), text: '' }
  const plain = listOf(item['content']).map((part) => textOf(part, 'text'))
  if (plain.length > 0) return { ...whole([...bookkeeping, 'summary']), text: plain.join('\n') }
  return { ...whole(['status', ...markKeys]), text: '' }
}
