/**
 * Bedrock Converse. The model is in the URL, so the caller names it.
 *
 * A block is told apart by its one key. `cachePoint` is a block that marks what stands before it, and so no content; at
 * the head of a message it marks the end of the one before. For Claude the parameters scope the cache as on the Messages
 * API. AWS has no such table, so what is taken over from there is assumed.
 */
import type { Json } from '../../base/json.ts'
import { anthropicBreakpoints } from '../anthropic/breakpoints.ts'
import { invalidation, stripsThinking } from '../anthropic/invalidation.ts'
import { RequestUnreadableError } from './errors.ts'
import { contentJson, expectList, expectObject, expectString, optionalList, type Fields } from './expect.ts'
import { mediaTokens } from './media.ts'
import { messagesDialect } from './messages-dialect.ts'
import { field, has } from './peek.ts'
import type { Breakpoint, FormatReader, Item, ItemSegment, ScopeParameter } from './types.ts'

/** Reads bodies of Converse. */
export const bedrockConverse: FormatReader = {
  id: 'bedrock-converse',

  order: {
    sections: ['tools', 'system', 'messages'],
    keyOrder: { schemas: true, inputs: true },
    since: '2026-11-30',
    source: 'https://docs.aws.amazon.com/bedrock/latest/userguide/prompt-caching.html',
    confidence: 'official',
  },

  recognises: (body) => messagesDialect(body) === 'bedrock-converse',

  read(body, options) {
    const model = options.model ?? (typeof body['modelId'] === 'string' ? body['modelId'] : undefined)
    const items: Item[] = []
    listBlocks(items, field(body['toolConfig'], 'tools'), toolItem)
    listBlocks(items, body['system'], systemItem)
    listMessages(items, body, model)
    return { format: 'bedrock-converse', model, items, scope: readScope(body, model), automatic: null, settings: {} }
  },

  split(item) {
    const path = `${item.list}[${item.index}]`
    const raw = expectObject(item.raw, path)
    if (item.list === toolItem.list) return [toolSegment(raw, path)]
    if (item.list === systemItem.list) return [blockSegment(raw, path, '')]
    return messageSegments(raw, path, item.variant === 'stripped')
  },
}

const toolItem = { section: 'tools', role: 'tool', list: 'toolConfig.tools', variant: '' } as const
const systemItem = { section: 'system', role: 'system', list: 'system', variant: '' } as const

function listBlocks(items: Item[], blocks: unknown, kind: typeof toolItem | typeof systemItem): void {
  for (const [index, raw] of optionalList(blocks, kind.list).entries()) {
    expectObject(raw, `${kind.list}[${index}]`, kind === toolItem ? 'a tool' : 'a system block')
    const mark = readCachePoint(raw)
    if (mark === null) items.push({ ...kind, index, raw, mark: null })
    else markLastItem(items, mark)
  }
}

function listMessages(items: Item[], body: Fields, model: string | undefined): void {
  const messages = expectList(body['messages'], 'messages', 'a list of messages')
  const strips = stripsThinking(model) ? lastPlainUser(messages) : -1
  for (const [index, raw] of messages.entries()) {
    const path = `messages[${index}]`
    const { role, content } = expectObject(raw, path, 'a message')
    if (typeof role !== 'string') throw new RequestUnreadableError(`${path}.role`, 'a role', role)
    const blocks = expectList(content, `${path}.content`, 'a list of content blocks')
    let first = 0
    for (let mark = readCachePoint(blocks[0]); mark !== null; mark = readCachePoint(blocks[first])) {
      markLastItem(items, mark)
      first++
    }
    const variant = index < strips && role === 'assistant' ? 'stripped' : ''
    if (first < blocks.length)
      items.push({ section: 'messages', role, list: 'messages', index, raw, variant, mark: null })
  }
}

function markLastItem(items: Item[], mark: Breakpoint): void {
  const last = items.pop()
  if (last !== undefined) items.push({ ...last, mark })
}

/** The last user message that is not made of tool results alone. */
function lastPlainUser(messages: readonly unknown[]): number {
  return messages.findLastIndex((message) => {
    const content = field(message, 'content')
    if (field(message, 'role') !== 'user' || !Array.isArray(content)) return false
    return !content.some((block) => has(block, 'toolResult'))
  })
}

function readScope(body: Fields, model: string | undefined): readonly ScopeParameter[] {
  const more = body['additionalModelRequestFields']
  const choice = field(body['toolConfig'], 'toolChoice')
  const values: readonly (readonly [name: string, as: string, value: unknown])[] = [
    ['model', 'model', model],
    ['toolConfig.toolChoice', 'tool_choice', choice ?? { auto: {} }],
    ['additionalModelRequestFields.thinking', 'thinking', field(more, 'thinking')],
    [
      'additionalModelRequestFields.output_config.effort',
      'output_config.effort',
      // Sending the default is the same as leaving it out.
      field(field(more, 'output_config'), 'effort') ?? 'high',
    ],
  ]
  return values.flatMap(([name, as, value]) => {
    const rule = invalidation(as, model)
    if (rule === undefined) return []
    const confidence = as === 'model' ? rule.confidence : 'assumed'
    return [{ name, value: (value ?? null) as Json, invalidates: rule.sections, confidence }]
  })
}

function toolSegment(tool: Fields, path: string): ItemSegment {
  return {
    path: '',
    type: 'tool',
    content: contentJson(tool, [], bedrockConverse.order.keyOrder.schemas, path),
    joined: true,
    mark: null,
    markable: true,
  }
}

const thinkingType = 'reasoningContent'

/** A `cachePoint` marks the segment before it; those at the head were given to the item before. */
function messageSegments(message: Fields, path: string, stripped: boolean): readonly ItemSegment[] {
  const segments: ItemSegment[] = []
  for (const [index, raw] of expectList(message['content'], `${path}.content`, 'a list of content blocks').entries()) {
    const suffix = `.content[${index}]`
    const block = expectObject(raw, path + suffix, 'a content block')
    const mark = readCachePoint(block)
    const last = segments.at(-1)
    if (mark !== null) {
      if (last !== undefined) segments[segments.length - 1] = { ...last, mark }
    } else if (!stripped || block[thinkingType] === undefined) segments.push(blockSegment(block, path, suffix))
  }
  return segments
}

const markable = new Set(['image', 'document', 'searchResult', 'toolUse', 'toolResult'])

function blockSegment(block: Fields, path: string, suffix: string): ItemSegment {
  const type = Object.keys(block).find((key) => block[key] !== undefined)
  if (type === undefined) throw new RequestUnreadableError(path + suffix, 'a block with one key', block)
  if (type === 'text') {
    const text = expectString(block['text'], `${path + suffix}.text`)
    return { path: suffix, type, content: text, joined: true, mark: null, markable: text.trim() !== '' }
  }
  return {
    path: suffix,
    type,
    content: contentJson(block, [], bedrockConverse.order.keyOrder.inputs, path + suffix),
    joined: true,
    mark: null,
    markable: markable.has(type),
    ...measure(block, type),
  }
}

/** What to count of a block that shows pictures or files: their bytes are no measure. */
function measure(block: Fields, type: string): Pick<ItemSegment, 'text' | 'tokens'> {
  const tokens = mediaTokens('bedrock-converse', type)
  if (tokens !== undefined) return { text: '', tokens }
  const content = field(block['toolResult'], 'content')
  if (!Array.isArray(content)) return {}
  let shown = 0
  const texts: unknown[] = []
  for (const inner of content as readonly unknown[]) {
    const media = ['image', 'document'].find((name) => has(inner, name))
    if (media === undefined) texts.push(inner)
    else shown += mediaTokens('bedrock-converse', media) ?? 0
  }
  return shown === 0 ? {} : { text: JSON.stringify(texts), tokens: shown }
}

function readCachePoint(block: unknown): Breakpoint | null {
  const point = field(block, 'cachePoint')
  if (typeof point !== 'object' || point === null) return null
  return { ttl: field(point, 'ttl') === '1h' ? '1h' : anthropicBreakpoints.defaultTtl, kind: 'explicit' }
}
