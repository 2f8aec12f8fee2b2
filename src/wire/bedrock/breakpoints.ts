/**
 * Where the breakpoints of a request stand: behind the instructions, the baseline, the last answered request and the tail, as
 * far as the caller's own in the tools leave room. What a place is worth is the planner's to say; which places there are is
 * said here. A breakpoint is a block of its own behind what it marks, and every other block is a position of the look-back.
 */
import type { ContentBlock, Message, SystemContentBlock, Tool } from '@aws-sdk/client-bedrock-runtime'
import { isOneOf } from '../../cache/anthropic/models.ts'
import { bedrockBreakpoints } from '../../cache/bedrock/breakpoints.ts'
import {
  anthropicBreakpoints,
  bedrockLookback,
  bedrockShortOnly,
  novaMinimum,
  type CacheTtl,
} from '../../cache/index.ts'
import {
  claudePlanRules,
  conversationCandidates,
  planBreakpoints,
  rankOf,
  ttlOf,
  type Extent,
  type HeadPart,
  type LifetimeRank,
  type MeasuredConversation,
  type PlanRules,
} from '../plan/index.ts'
import type { BreakpointPlace, FallbackReason, LoweringWarning } from '../warnings.ts'
import { guess, measureMessages, nothing, plus, typeOf, type Spot } from './measure.ts'
import type { BedrockOptions } from './types.ts'

/** What can be marked; none of it holds a breakpoint but the caller's tools. */
interface Markable {
  readonly tools: readonly Tool[]
  /** Instructions, baseline, and the line about the tag; `undefined` where there is none. */
  readonly system: readonly (string | undefined)[]
  readonly messages: readonly Message[]
  /** How many of the messages, from the start, were the last request that was answered in this epoch; 0 where none was. */
  readonly answered: number
}

/** The parts of a request that hold breakpoints, and what could not be done as asked. */
interface Marked {
  readonly system: SystemContentBlock[]
  readonly messages: Message[]
  readonly warnings: readonly LoweringWarning[]
}

const rules: PlanRules = { ...claudePlanRules(bedrockLookback), limit: bedrockBreakpoints.limit }

/** The request without a breakpoint of ours, and why, unless the caller asked for that. */
export function withoutBreakpoints({ system, messages }: Markable, reason: FallbackReason): Marked {
  const warnings = reason === 'asked' ? [] : [{ type: 'breakpoints-left-out' as const, reason }]
  return { system: systemBlocks(system, new Map()), messages: [...messages], warnings }
}

/** The request with breakpoints where they are worth most. */
export function withBreakpoints(
  request: Markable,
  model: string,
  { ttl = anthropicBreakpoints.defaultTtl, expectedTurns }: BedrockOptions,
): Marked {
  const spots = {
    anchor: lastMarkable(request.messages, request.answered),
    tail: lastMarkable(request.messages, request.messages.length),
  }
  const { head, tail } = typeof ttl === 'string' ? { head: ttl, tail: ttl } : ttl
  const most = rankOf(longestTtl(model))
  const candidates = conversationCandidates({
    ...measure(request, spots),
    ttl: { head: Math.min(rankOf(head), most), tail: Math.min(rankOf(tail), most) },
    expectedTurns,
  })
  const { placed, dropped } = planBreakpoints(candidates, rules)
  const warnings: LoweringWarning[] = dropped.map((place) => ({ type: 'breakpoint-dropped', place }))
  const marks = new Map<BreakpointPlace, SystemContentBlock.CachePointMember>()
  for (const { place, ttl: given } of placed) {
    const asked = place === 'anchor' || place === 'tail' ? tail : head
    if (given < rankOf(asked)) warnings.push({ type: 'ttl-lowered', place })
    marks.set(place, cachePoint(given))
  }
  const messages = [...request.messages]
  insert(messages, spots.anchor, marks.get('anchor'))
  insert(messages, spots.tail, marks.get('tail'))
  return { system: systemBlocks(request.system, marks), messages, warnings }
}

interface Spots {
  readonly anchor: Spot | undefined
  readonly tail: Spot | undefined
}

/** How long the request is between one place and the next. */
function measure(request: Markable, { anchor, tail }: Spots): Pick<MeasuredConversation, 'head' | 'answered' | 'open'> {
  const { messages } = request
  const { parts, rest } = measureHead(request)
  const answered = anchor && plus(rest, measureMessages(messages, undefined, anchor))
  const open = tail && isBefore(anchor, tail) ? measureMessages(messages, anchor, tail) : undefined
  return { head: parts, answered, open: open && answered === undefined ? plus(rest, open) : open }
}

/** What the model keeps entries for at most; what names no model for certain is not held back. */
function longestTtl(model: string): CacheTtl {
  const [shortest, longest] = anthropicBreakpoints.ttls
  return novaMinimum.id.test(model) || isOneOf(model, bedrockShortOnly.models) ? shortest : longest
}

function cachePoint(rank: LifetimeRank): SystemContentBlock.CachePointMember {
  const ttl = ttlOf(rank)
  return { cachePoint: { type: 'default', ...(ttl !== anthropicBreakpoints.defaultTtl && { ttl }) } }
}

/** The parts that end at a place, and what is left behind the last of them. */
function measureHead({ tools, system }: Markable): { parts: readonly HeadPart[]; rest: Extent } {
  const parts: HeadPart[] = []
  let rest = nothing
  for (const { cachePoint: mark, ...tool } of tools) {
    if (mark === undefined) rest = plus(rest, { tokens: guess(JSON.stringify(tool)), positions: 1 })
    else {
      parts.push({ place: 'tools', ...rest, marked: rankOf(mark.ttl ?? anthropicBreakpoints.defaultTtl) })
      rest = nothing
    }
  }
  for (const [index, text] of system.entries()) {
    if (text === undefined) continue
    rest = plus(rest, { tokens: guess(text), positions: 1 })
    const place = systemPlaces[index]
    if (place === undefined) continue
    parts.push({ place, ...rest })
    rest = nothing
  }
  return { parts, rest }
}

const systemPlaces = ['instructions', 'baseline'] as const

function systemBlocks(
  texts: Markable['system'],
  marks: ReadonlyMap<BreakpointPlace, SystemContentBlock.CachePointMember>,
): SystemContentBlock[] {
  return texts.flatMap((text, index) => {
    if (text === undefined) return []
    const mark = systemPlaces[index] && marks.get(systemPlaces[index])
    return mark === undefined ? [{ text }] : [{ text }, mark]
  })
}

function isBefore(spot: Spot | undefined, other: Spot): boolean {
  return spot === undefined || spot.message < other.message
}

/** The last block before the message at `end` behind which a breakpoint may stand. */
function lastMarkable(messages: readonly Message[], end: number): Spot | undefined {
  for (let message = end - 1; message >= 0; message--) {
    const block = (messages[message]?.content ?? []).findLastIndex(isMarkable)
    if (block >= 0) return { message, block }
  }
  return undefined
}

/** "Cache point cannot be inserted after reasoning block" (https://github.com/anomalyco/opencode/issues/36517). */
function isMarkable(block: ContentBlock): boolean {
  const { document } = block
  if (document !== undefined) return bedrockBreakpoints.markableDocuments.includes(document.format ?? '')
  return bedrockBreakpoints.markable.includes(typeOf(block))
}

/** Puts a copy of a message with a breakpoint in its place. */
function insert(messages: Message[], spot: Spot | undefined, mark: ContentBlock.CachePointMember | undefined): void {
  const message = spot && messages[spot.message]
  if (message === undefined || spot === undefined || mark === undefined) return
  messages[spot.message] = { role: message.role, content: (message.content ?? []).toSpliced(spot.block + 1, 0, mark) }
}
