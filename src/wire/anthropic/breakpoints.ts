/**
 * Where the cache breakpoints of a request stand: the planner says which of the end of the frozen tools, of the instructions,
 * of the baseline, of the last answered request and of this one. The caller's own marks count; an automatic one serves as the
 * tail.
 */
import type {
  CacheControlEphemeral,
  ContentBlockParam,
  MessageParam,
  TextBlockParam,
} from '@anthropic-ai/sdk/resources/messages'
import { anthropicBreakpoints, type CacheTtl, type LookbackRule } from '../../cache/index.ts'
import {
  claudePlanRules,
  conversationCandidates,
  planBreakpoints,
  rankOf,
  ttlOf,
  type Extent,
  type HeadPart,
} from '../plan/index.ts'
import type { BreakpointPlace, LoweringWarning } from '../warnings.ts'
import { textBlock } from './blocks.ts'
import { extentOf, tokensOf, type Position } from './measure.ts'
import type { AnthropicOptions, AnthropicParams } from './types.ts'

/** What can be marked. Nothing in the messages is marked yet, and no text blank. The arrays are this request's own and are written to; what is in them is not. */
export interface Markable {
  /** The caller's, which keep their own marks, or the frozen ones. */
  readonly tools: unknown[]
  /** The tools are frozen, and may be marked. */
  readonly frozen: boolean
  /** Instructions and baseline; `undefined` where there is none. */
  readonly head: [TextBlockParam | undefined, TextBlockParam | undefined]
  /** The system block behind these, which is never marked: no other session has it, and the conversation's marks cover it. */
  readonly explanation: TextBlockParam | undefined
  readonly messages: MessageParam[]
  /** The last answer came in this epoch: what was sent for it is cached. */
  readonly answered: boolean
  /** Where the messages end that a later request will have too. */
  readonly end: number
}

/** How they are to be marked. */
export interface MarkingRules extends Pick<AnthropicOptions, 'ttl' | 'expectedTurns'> {
  /** The caller's automatic breakpoint. */
  readonly automatic: AnthropicParams['cache_control']
  readonly lookback: LookbackRule
}

/** Puts marked copies in place of what is to be marked, and tells what could not be done as asked. */
export function placeBreakpoints(markable: Markable, rules: MarkingRules): LoweringWarning[] {
  const { messages, end } = markable
  const { ttl = anthropicBreakpoints.defaultTtl, lookback, automatic, expectedTurns } = rules
  const { head, tail } = typeof ttl === 'string' ? { head: ttl, tail: ttl } : ttl
  const last = lastMarkable(messages, end)
  const answered = markable.answered ? lastMarkable(messages, startOfLastAnswer(messages, end)) : undefined
  const anchor = answered !== undefined && last !== undefined && answered.message < last.message ? answered : undefined
  const { placed, dropped } = planBreakpoints(
    conversationCandidates({
      head: headParts(markable),
      answered: anchor && fromHead(markable, anchor, lookback),
      open: last && (anchor ? extentOf(messages, anchor, last, lookback) : fromHead(markable, last, lookback)),
      automatic: automatic ? rankOf(lifetimeOf(automatic)) : undefined,
      ttl: { head: rankOf(head), tail: rankOf(tail) },
      expectedTurns,
    }),
    claudePlanRules(lookback),
  )
  const warnings: LoweringWarning[] = dropped.map((place) => ({ type: 'breakpoint-dropped', place }))
  for (const { place, ttl: rank, moved } of placed) {
    if (moved !== null) warnings.push({ type: `ttl-${moved}`, place })
    markPlace(markable, place, place === 'anchor' ? anchor : last, toMark(ttlOf(rank)))
  }
  return warnings
}

/** What stands behind the baseline up to a place in the messages. */
function fromHead({ messages, explanation }: Markable, to: Position, lookback: LookbackRule): Extent {
  const { tokens, positions } = extentOf(messages, undefined, to, lookback)
  return explanation === undefined
    ? { tokens, positions }
    : { tokens: tokens + tokensOf(explanation.text), positions: positions + 1 }
}

/** Tools up to each that the caller marked, then the frozen ones, instructions and baseline. */
function headParts({ tools, frozen, head: [instructions, baseline] }: Markable): readonly HeadPart[] {
  const parts: HeadPart[] = []
  let open: Extent = { tokens: 0, positions: 0 }
  const grow = (value: unknown): void => {
    open = { tokens: open.tokens + tokensOf(value), positions: open.positions + 1 }
  }
  const close = (place: HeadPart['place'], marked?: number): void => {
    parts.push({ place, ...open, marked })
    open = { tokens: 0, positions: 0 }
  }
  const lastOwn = frozen ? lastLoaded(tools) : -1
  for (const [index, tool] of tools.entries()) {
    grow(tool)
    const mark = markOf(tool)
    if (mark) close('tools', rankOf(lifetimeOf(mark)))
    else if (index === lastOwn) close('tools')
  }
  if (instructions !== undefined) {
    grow(instructions.text)
    close('instructions')
  }
  if (baseline !== undefined) {
    grow(baseline.text)
    close('baseline')
  }
  return parts
}

function markOf(tool: unknown): CacheControlEphemeral | null | undefined {
  return (tool as { readonly cache_control?: CacheControlEphemeral | null }).cache_control
}

/** The last tool that stands in the prompt from the start; one that waits to be found may not be marked. -1 for none. */
function lastLoaded(tools: readonly unknown[]): number {
  return tools.findLastIndex((tool) => (tool as { readonly defer_loading?: unknown }).defer_loading !== true)
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
function startOfLastAnswer(messages: readonly MessageParam[], end: number): number {
  let start = end - 1
  while (start >= 0 && messages[start]!.role !== 'assistant') start--
  while (messages[start - 1]?.role === 'assistant') start--
  return start
}

function markPlace(
  { tools, head, messages }: Markable,
  place: BreakpointPlace,
  position: Position | undefined,
  mark: CacheControlEphemeral,
): void {
  if (place === 'tools') {
    const index = lastLoaded(tools)
    tools[index] = withMark(tools[index] as object, mark)
  } else if (place === 'instructions') head[0] = head[0] && withMark(head[0], mark)
  else if (place === 'baseline') head[1] = head[1] && withMark(head[1], mark)
  else if (position !== undefined) markMessage(messages, position, mark)
}

function markMessage(messages: MessageParam[], { message: at, block }: Position, mark: CacheControlEphemeral): void {
  const message = messages[at]!
  const blocks = typeof message.content === 'string' ? [textBlock(message.content)] : message.content
  const content = blocks.map((own, index) => (index === block ? withMark(own, mark) : own))
  messages[at] = { role: message.role, content } as MessageParam
}

function withMark<B extends object>(
  block: B,
  mark: CacheControlEphemeral,
): B & { cache_control: CacheControlEphemeral } {
  return { ...block, cache_control: mark }
}

function toMark(ttl: CacheTtl): CacheControlEphemeral {
  return ttl === anthropicBreakpoints.defaultTtl ? { type: 'ephemeral' } : { type: 'ephemeral', ttl }
}

function lifetimeOf(mark: CacheControlEphemeral): CacheTtl {
  return mark.ttl ?? anthropicBreakpoints.defaultTtl
}
