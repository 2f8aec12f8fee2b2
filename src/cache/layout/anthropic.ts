/**
 * Anthropic Messages, on the Claude API and as the body of Bedrock InvokeModel and Vertex.
 *
 * Neighbouring messages of one role are one turn to the model, so segments never open a message. The definitions of web
 * search and web fetch are rendered with the system prompt: they stand at its head, whatever their place among the
 * tools. What the provider leaves out of the prompt is no item: tools that wait to be found, system messages whose time
 * is over, thinking that the model strips, and all that stands before the last compaction.
 */
import type { Json } from '../../base/json.ts'
import { anthropicBreakpoints } from '../anthropic/breakpoints.ts'
import { invalidation, stripsThinking } from '../anthropic/invalidation.ts'
import { surveyMessages, type Survey } from './anthropic-survey.ts'
import { contentJson, expectList, expectObject, expectString, optionalList, type Fields } from './expect.ts'
import { mediaTokens } from './media.ts'
import { messagesDialect } from './messages-dialect.ts'
import { field, has, textOf } from './peek.ts'
import type { Breakpoint, FormatReader, Item, ItemSegment, ScopeParameter } from './types.ts'

/** Reads bodies of the Messages API. */
export const anthropic: FormatReader = {
  id: 'anthropic',

  order: {
    sections: ['tools', 'system', 'messages'],
    keyOrder: { schemas: true, inputs: true },
    since: '2026-11-30',
    source: 'https://platform.claude.com/docs/en/build-with-claude/prompt-caching',
    confidence: 'official',
  },

  recognises: (body) => messagesDialect(body) === 'anthropic',

  read(body, options) {
    const model = typeof body['model'] === 'string' ? body['model'] : options.model
    const { tools, server } = readTools(body)
    const system = readSystem(body)
    const messages = expectList(body['messages'], 'messages', 'a list of messages')
    const survey = surveyMessages(messages)
    return {
      format: 'anthropic',
      model,
      items: [...tools, ...server, ...system, ...readMessages(messages, survey, model)],
      scope: readScope(body, survey, model),
      automatic: readMark(body['cache_control'], 'automatic'),
      settings: {},
    }
  },

  split(item) {
    const path = `${item.list}[${item.index}]`
    if (item.list === 'tools') return [toolSegment(expectObject(item.raw, path))]
    if (item.list === 'system') return textOrBlocks(item.raw, path, '', item)
    const message = expectObject(item.raw, path)
    return textOrBlocks(message['content'], path, '.content', item)
  },
}

const serverTools = /^web_(?:search|fetch)_/
const thinkingTypes = new Set(['thinking', 'redacted_thinking'])

function readTools(body: Fields): { readonly tools: readonly Item[]; readonly server: readonly Item[] } {
  const tools: Item[] = []
  const server: Item[] = []
  for (const [index, raw] of optionalList(body['tools'], 'tools').entries()) {
    const tool = expectObject(raw, `tools[${index}]`, 'a tool')
    if (tool['defer_loading'] === true) continue
    const inSystem = typeof tool['type'] === 'string' && serverTools.test(tool['type'])
    const item: Item = {
      section: inSystem ? 'system' : 'tools',
      role: 'tool',
      list: 'tools',
      index,
      raw,
      variant: '',
      mark: null,
    }
    ;(inSystem ? server : tools).push(item)
  }
  return { tools, server }
}

function readSystem(body: Fields): readonly Item[] {
  const system = body['system']
  const blocks =
    typeof system === 'string' ? [system] : optionalList(system, 'system', 'a string or a list of text blocks')
  return blocks.map((raw, index) => ({ ...systemItem, index, raw }))
}

const systemItem = { section: 'system', role: 'system', list: 'system', variant: '', mark: null } as const

function readMessages(messages: readonly unknown[], survey: Survey, model: string | undefined): readonly Item[] {
  const { start, lastUser, lastPlainUser } = survey
  const strips = stripsThinking(model) ? lastPlainUser : -1
  const items: Item[] = []
  for (let index = start.message; index < messages.length; index++) {
    const raw = messages[index] as { readonly role: string; readonly clear_at?: unknown }
    const { role } = raw
    if (role === 'system' && index < lastUser && raw.clear_at !== undefined) continue
    let variant = index < strips && role === 'assistant' ? 'stripped' : ''
    if (index === start.message && start.block > 0) variant += `from ${start.block}`
    items.push({ section: 'messages', role, list: 'messages', index, raw, variant, mark: null })
  }
  return items
}

function readScope(body: Fields, features: Survey, model: string | undefined): readonly ScopeParameter[] {
  const output = body['output_config']
  const choice = body['tool_choice']
  const values: readonly (readonly [name: string, value: unknown])[] = [
    ['model', model],
    ['output_config.format', field(output, 'format')],
    ['speed', body['speed'] ?? 'standard'],
    ['citations', features.citations],
    ['tool_choice', choiceOf(choice)],
    ['disable_parallel_tool_use', field(choice, 'disable_parallel_tool_use') ?? false],
    ['images', features.images],
    ['thinking', withoutBinding(body['thinking'])],
    // Sending the default is the same as leaving it out.
    ['output_config.effort', field(output, 'effort') ?? 'high'],
  ]
  return values.flatMap(([name, value]) => {
    const rule = invalidation(name, model)
    if (rule === undefined) return []
    return [{ name, value: (value ?? null) as Json, invalidates: rule.sections, confidence: rule.confidence }]
  })
}

function choiceOf(choice: unknown): Json {
  const type = field(choice, 'type') ?? 'auto'
  const name = field(choice, 'name')
  return (name === undefined ? type : { type, name }) as Json
}

/** Thinking without what only says how a changed prefix is answered. */
function withoutBinding(thinking: unknown): unknown {
  if (typeof thinking !== 'object' || thinking === null) return thinking
  const { block_binding: _binding, ...rest } = thinking as Fields
  return rest
}

function toolSegment(tool: Fields): ItemSegment {
  return {
    path: '',
    type: 'tool',
    content: contentJson(tool, ['cache_control'], anthropic.order.keyOrder.schemas, 'tools'),
    joined: true,
    mark: readMark(tool['cache_control'], 'explicit'),
    markable: true,
  }
}

function textOrBlocks(content: unknown, path: string, suffix: string, item: Item): readonly ItemSegment[] {
  if (typeof content === 'string')
    return content === '' ? [] : [textSegment(content, suffix === '' ? '' : `${suffix}[0]`)]
  // A system block is an item of its own; a message holds a list of them.
  if (suffix === '') return [blockSegment(expectObject(content, path, 'a text block'), path, '', true)]
  const blocks = expectList(content, path + suffix, 'a string or a list of blocks')
  const from = /from (\d+)/.exec(item.variant)?.[1]
  const stripped = item.variant.startsWith('stripped')
  const lasting = !has(item.raw, 'clear_at')
  const segments: ItemSegment[] = []
  for (let index = Number(from ?? 0); index < blocks.length; index++) {
    const at = `${suffix}[${index}]`
    const block = expectObject(blocks[index], path + at, 'a content block')
    if (stripped && thinkingTypes.has(block['type'] as string)) continue
    segments.push(blockSegment(block, path + at, at, lasting))
  }
  return segments
}

function textSegment(text: string, path: string): ItemSegment {
  return { path, type: 'text', content: text, joined: true, mark: null, markable: text.trim() !== '' }
}

function blockSegment(block: Fields, path: string, suffix: string, lasting: boolean): ItemSegment {
  const type = expectString(block['type'], `${path}.type`, 'the type of a block')
  const mark = readMark(block['cache_control'], 'explicit')
  if (type === 'text' && (block['citations'] === undefined || block['citations'] === null)) {
    const text = expectString(block['text'], `${path}.text`)
    return { ...textSegment(text, suffix), mark, markable: lasting && text.trim() !== '' }
  }
  return {
    path: suffix,
    type,
    content: contentJson(toContent(block, type), ['cache_control'], anthropic.order.keyOrder.inputs, path),
    joined: true,
    mark,
    markable: lasting && anthropicBreakpoints.markable.includes(type),
    ...measure(block, type),
  }
}

/** What to count of a block that shows pictures or files: their bytes are no measure. */
function measure(block: Fields, type: string): Pick<ItemSegment, 'text' | 'tokens'> {
  const tokens = mediaTokens('anthropic', type)
  if (tokens !== undefined) return { text: '', tokens }
  if (type !== 'tool_result' || !Array.isArray(block['content'])) return {}
  const media = block['content'].map((inner) => mediaTokens('anthropic', textOf(inner, 'type')))
  if (media.every((inner) => inner === undefined)) return {}
  const texts = block['content'].filter((_, index) => media[index] === undefined)
  return { text: JSON.stringify(texts), tokens: media.reduce<number>((sum, inner) => sum + (inner ?? 0), 0) }
}

/** A tool result whose content is one text is that text, and marks inside it are no content. */
function toContent(block: Fields, type: string): Fields {
  const content = block['content']
  if (type !== 'tool_result' || !Array.isArray(content)) return block
  const plain = content.map((inner: unknown) => {
    if (typeof inner !== 'object' || inner === null) return inner
    const { cache_control: _mark, ...rest } = inner as Fields
    return rest
  })
  const [only] = plain
  const text = plain.length === 1 && field(only, 'type') === 'text' && Object.keys(only as Fields).length === 2
  return { ...block, content: text ? field(only, 'text') : plain }
}

function readMark(mark: unknown, kind: Breakpoint['kind']): Breakpoint | null {
  if (typeof mark !== 'object' || mark === null) return null
  return { ttl: field(mark, 'ttl') === '1h' ? '1h' : anthropicBreakpoints.defaultTtl, kind }
}
