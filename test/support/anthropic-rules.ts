/**
 * What the Messages API demands of a request, and what of it a provider can cache, written down here a second time, apart
 * from the adapter, so that one can be held against the other. Works on any body: of a real session, an example, a demo.
 */
import type { MessageCreateParams } from '@anthropic-ai/sdk/resources/messages'

/** A request body as it is sent, or its parsed JSON. */
export type AnthropicBodyLike = Pick<MessageCreateParams, 'system' | 'messages' | 'tools' | 'cache_control'>

interface Block {
  readonly type: string
  readonly text?: string
  readonly id?: string
  readonly tool_use_id?: string
  readonly content?: string | readonly Block[]
  readonly cache_control?: { readonly type: string; readonly ttl?: string } | null
}

interface PlainMessage {
  readonly role: string
  readonly blocks: readonly Block[]
}

const changes = ['tool_addition', 'tool_removal']
const markable = new Set(['text', 'image', 'document', 'search_result', 'tool_use', 'tool_result', ...changes])
/** What a system message may hold. */
const said = new Set(['text', ...changes])

/** Every rule that the body breaks, in words; empty for a legal request. `native`: the model takes system messages. */
export function anthropicProblems(body: AnthropicBodyLike, { native }: { native: boolean }): string[] {
  const messages = body.messages.map(({ role, content }) => ({ role, blocks: blocksOf(content) }))
  return [
    ...placementProblems(messages, native),
    ...toolProblems(messages),
    ...contentProblems(systemBlocks(body), messages),
    ...breakpointProblems(body, messages),
  ]
}

function placementProblems(messages: readonly PlainMessage[], native: boolean): string[] {
  const problems: string[] = []
  if (messages.length === 0) problems.push('there are no messages')
  messages.forEach(({ role }, index) => {
    const before = messages[index - 1]?.role
    const after = messages[index + 1]?.role
    if (role === 'user' && before === 'user') problems.push(`messages.${index}: a user message follows a user message`)
    if (role !== 'system') return
    if (!native) problems.push(`messages.${index}: the model takes no system message`)
    if (before !== 'user') problems.push(`messages.${index}: a system message follows ${before ?? 'nothing'}`)
    if (after !== undefined && after !== 'assistant') {
      problems.push(`messages.${index}: a system message is followed by ${after}`)
    }
  })
  return problems
}

function toolProblems(messages: readonly PlainMessage[]): string[] {
  const problems: string[] = []
  let open: string[] = []
  messages.forEach(({ role, blocks }, index) => {
    if (role === 'assistant') {
      for (const { type, id } of blocks) if (type === 'tool_use' && id !== undefined) open.push(id)
      return
    }
    const results = blocks.filter(({ type }) => type === 'tool_result')
    if (blocks.findLastIndex(({ type }) => type === 'tool_result') >= results.length) {
      problems.push(`messages.${index}: a tool result stands after another block`)
    }
    for (const { tool_use_id: id } of results) {
      if (!open.includes(id ?? '')) problems.push(`messages.${index}: tool result ${id} answers no call just before it`)
      open = open.filter((call) => call !== id)
    }
    if (open.length > 0) problems.push(`messages.${index}: no result for ${open.join(', ')}`)
    open = []
  })
  return problems
}

function contentProblems(system: readonly Block[], messages: readonly PlainMessage[]): string[] {
  const problems: string[] = []
  const check = (where: string, blocks: readonly Block[]): void => {
    blocks.forEach(({ type, text, content }, index) => {
      if (type === 'text' && (text ?? '').trim() === '') problems.push(`${where}.${index}: blank text`)
      // The content of a tool result may be an empty string, though not hold an empty block.
      if (type === 'tool_result' && typeof content === 'object') check(`${where}.${index}`, content)
    })
  }
  check('system', system)
  messages.forEach(({ role, blocks }, index) => {
    if (blocks.length === 0) problems.push(`messages.${index}: no content`)
    if (blocks.at(-1)?.type.endsWith('thinking')) problems.push(`messages.${index}: ends in thinking`)
    if (role === 'system' && blocks.some(({ type }) => !said.has(type))) {
      problems.push(`messages.${index}: neither text nor a change of tools`)
    }
    check(`messages.${index}`, blocks)
  })
  return problems
}

function breakpointProblems(body: AnthropicBodyLike, messages: readonly PlainMessage[]): string[] {
  const problems: string[] = []
  const ttls: string[] = []
  const visit = (where: string, { type, text, content, cache_control: mark }: Block, checked: boolean): void => {
    if (type === 'tool_result' && blocksOf(content ?? []).some((block) => block.cache_control)) {
      problems.push(`${where}: a mark inside a tool result`)
    }
    if (!mark) return
    ttls.push(mark.ttl ?? '5m')
    if (checked && (!markable.has(type) || (type === 'text' && (text ?? '').trim() === ''))) {
      problems.push(`${where}: ${type} may not be marked`)
    }
  }
  body.tools?.forEach((tool, index) => visit(`tools.${index}`, tool as unknown as Block, false))
  systemBlocks(body).forEach((block, index) => visit(`system.${index}`, block, true))
  messages.forEach(({ blocks }, index) => blocks.forEach((block) => visit(`messages.${index}`, block, true)))
  if (body.cache_control) {
    const last = messages.at(-1)?.blocks.findLast(({ type }) => markable.has(type))?.cache_control
    const ttl = body.cache_control.ttl ?? '5m'
    if (last && (last.ttl ?? '5m') !== ttl) problems.push('the automatic breakpoint meets a mark of another ttl')
    if (!last) ttls.push(ttl)
  }
  if (ttls.length > 4) problems.push(`${ttls.length} breakpoints`)
  if (ttls.includes('5m') && ttls.lastIndexOf('1h') > ttls.indexOf('5m')) {
    problems.push(`a longer ttl follows a shorter one: ${ttls.join(', ')}`)
  }
  return problems
}

/**
 * The body as its cacheable units in the provider's order, without breakpoints: tools, system blocks, then the blocks of
 * each message. A string counts as its one text block.
 */
export function anthropicSegments(body: AnthropicBodyLike): string[] {
  return [
    ...(body.tools ?? []).map((tool) => `tool ${segment(tool)}`),
    ...systemBlocks(body).map((block) => `system ${segment(block)}`),
    ...body.messages.flatMap(({ role, content }, index) =>
      blocksOf(content).map((block) => `message ${index} ${role} ${segment(block)}`),
    ),
  ]
}

/** A block or tool without its mark, and without those of the blocks inside it where it is a tool result. */
function segment(block: object): string {
  const { cache_control: _mark, ...seen } = block as Block
  const nested = seen.type === 'tool_result' && typeof seen.content === 'object' ? seen.content : undefined
  return nested === undefined ? JSON.stringify(seen) : JSON.stringify({ ...seen, content: nested.map(segment) })
}

function systemBlocks(body: AnthropicBodyLike): readonly Block[] {
  return blocksOf(body.system ?? [])
}

function blocksOf(content: unknown): readonly Block[] {
  return typeof content === 'string' ? [{ type: 'text', text: content }] : (content as readonly Block[])
}
