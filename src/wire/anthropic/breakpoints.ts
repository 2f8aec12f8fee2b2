/**
 * Where the cache breakpoints of a request stand. By worth: the tail (the next request reads up to there), the baseline
 * (what a rewritten conversation still reads), the anchor (the tail of the last answered request, so that no long answer
 * puts what was written there out of the lookback's reach) and the instructions (what other sessions of the agent read).
 * The caller's own marks count against the limit; an automatic one serves as the tail.
 *
 * Along the request no breakpoint may live longer than one before it. Ours give way: they are lowered behind a
 * short-lived mark of the caller's, and raised before a long-lived automatic one, which makes the provider charge
 * everything up to it as long-lived anyway.
 */
import type {
  CacheControlEphemeral,
  ContentBlockParam,
  MessageParam,
  TextBlockParam,
} from '@anthropic-ai/sdk/resources/messages'
import { anthropicBreakpoints, type CacheTtl } from '../../cache/index.ts'
import { textBlock } from './blocks.ts'
import type { AnthropicOptions, AnthropicParams } from './types.ts'
import type { AnthropicWarning, BreakpointPlace } from './warnings.ts'

/** What can be marked: nothing in it is marked yet, and no text blank. The arrays are this request's own and are written to; the blocks are not. */
export interface Markable {
  /** Instructions and baseline; `undefined` where there is none. */
  readonly head: [TextBlockParam | undefined, TextBlockParam | undefined]
  readonly messages: MessageParam[]
}

const inOrder = ['instructions', 'baseline', 'anchor', 'tail'] as const
const byWorth = ['tail', 'baseline', 'anchor', 'instructions'] as const
const [shortest, longest] = anthropicBreakpoints.ttls

/** Puts marked copies in place of the blocks to be marked, and tells what could not be done as asked. */
export function placeBreakpoints(
  { head, messages }: Markable,
  params: CallerMarks,
  ttl: AnthropicOptions['ttl'] = anthropicBreakpoints.defaultTtl,
): AnthropicWarning[] {
  const tail = lastMarkable(messages, messages.length)
  const answered = lastMarkable(messages, startOfLastAnswer(messages))
  const anchor = answered !== undefined && tail !== undefined && answered.message < tail.message ? answered : undefined
  const possible: Record<BreakpointPlace, boolean> = {
    instructions: head[0] !== undefined,
    baseline: head[1] !== undefined,
    anchor: anchor !== undefined,
    tail: tail !== undefined && !params.cache_control,
  }
  const callers = toolMarks(params)
  const room = Math.max(0, anthropicBreakpoints.limit - callers.length - (params.cache_control ? 1 : 0))
  const wanted = byWorth.filter((place) => possible[place])
  const placed = new Set(wanted.slice(0, room))
  const warnings: AnthropicWarning[] = wanted.slice(room).map((place) => ({ type: 'breakpoint-dropped', place }))

  const atLeast = params.cache_control ? ttlOf(params.cache_control) : shortest
  let atMost = callers.map(ttlOf).reduce(shorter, longest)
  for (const place of inOrder) {
    if (!placed.has(place)) continue
    const asked = ttlFor(place, ttl)
    const given = shorter(longer(asked, atLeast), atMost)
    if (given !== asked) warnings.push({ type: given === shorter(given, asked) ? 'ttl-lowered' : 'ttl-raised', place })
    atMost = given

    const mark = toMark(given)
    if (place === 'instructions') head[0] = withMark(head[0], mark)
    else if (place === 'baseline') head[1] = withMark(head[1], mark)
    else markMessage(messages, place === 'anchor' ? anchor : tail, mark)
  }
  return warnings
}

type CallerMarks = Pick<AnthropicParams, 'tools' | 'cache_control'>

function toolMarks({ tools = [] }: CallerMarks): CacheControlEphemeral[] {
  return tools.flatMap((tool) => ('cache_control' in tool ? (tool.cache_control ?? []) : []))
}

interface Position {
  readonly message: number
  readonly block: number
}

/** The last block before the message at `end` that may be marked. */
function lastMarkable(messages: readonly MessageParam[], end: number): Position | undefined {
  for (let message = end - 1; message >= 0; message--) {
    const content = messages[message]?.content ?? ''
    const block = typeof content === 'string' ? 0 : content.findLastIndex(isMarkable)
    if (block >= 0) return { message, block }
  }
  return undefined
}

function isMarkable({ type }: ContentBlockParam): boolean {
  return anthropicBreakpoints.markable.includes(type)
}

/** Index of the first message of the last run of answers; -1 where nothing was answered. */
function startOfLastAnswer(messages: readonly MessageParam[]): number {
  let start = messages.findLastIndex(({ role }) => role === 'assistant')
  while (messages[start - 1]?.role === 'assistant') start--
  return start
}

function markMessage(messages: MessageParam[], position: Position | undefined, mark: CacheControlEphemeral): void {
  const message = position && messages[position.message]
  if (position === undefined || message === undefined) return
  const blocks = typeof message.content === 'string' ? [textBlock(message.content)] : message.content
  const content = blocks.map((block, index) => (index === position.block ? withMark(block, mark) : block))
  messages[position.message] = { role: message.role, content } as MessageParam
}

function withMark<B>(block: B, mark: CacheControlEphemeral): B {
  return { ...block, cache_control: mark }
}

function toMark(ttl: CacheTtl): CacheControlEphemeral {
  return ttl === anthropicBreakpoints.defaultTtl ? { type: 'ephemeral' } : { type: 'ephemeral', ttl }
}

function ttlOf(mark: CacheControlEphemeral): CacheTtl {
  return mark.ttl ?? anthropicBreakpoints.defaultTtl
}

function ttlFor(place: BreakpointPlace, ttl: NonNullable<AnthropicOptions['ttl']>): CacheTtl {
  if (typeof ttl === 'string') return ttl
  return place === 'instructions' || place === 'baseline' ? ttl.head : ttl.tail
}

function shorter(one: CacheTtl, other: CacheTtl): CacheTtl {
  const { ttls } = anthropicBreakpoints
  return ttls.indexOf(one) < ttls.indexOf(other) ? one : other
}

function longer(one: CacheTtl, other: CacheTtl): CacheTtl {
  return one === shorter(one, other) ? other : one
}
