/**
 * The places of a conversation that could be marked, for APIs whose requests are blocks: what never changes first (tools,
 * instructions, baseline), then the end of the last answered request, then the end of this one.
 *
 * How often a place is read again is not known. What is assumed says what a slot is for: nearly every later request goes on
 * from the tail; now and then one goes back to the anchor (what is open is arranged anew, or edited and tried again) or to
 * the baseline (the conversation is rewritten); other sessions of the agent share its instructions, and of other agents its
 * tools.
 */
import type { BreakpointPlace } from '../warnings.ts'
import type { Candidate, LifetimeRank } from './plan.ts'

/** A run of blocks: an estimate of its tokens, and its look-back positions. */
export interface Extent {
  readonly tokens: number
  readonly positions: number
}

/** A part at the head of a request. Its extent begins where the one before ends, so what cannot be marked is in the next. */
export interface HeadPart extends Extent {
  readonly place: 'tools' | 'instructions' | 'baseline'
  /** Where the caller marked its end: for how long. Several parts may have the same place then. */
  readonly marked?: LifetimeRank | undefined
}

/** A conversation as it is measured for its breakpoints. */
export interface MeasuredConversation {
  readonly head: readonly HeadPart[]
  /** From the head to the end of the last answered request; `undefined` where nothing was answered or it cannot be marked. */
  readonly answered: Extent | undefined
  /** From there to the last block that can be marked; `undefined` where there is none. */
  readonly open: Extent | undefined
  /** The caller's breakpoint at the end of the request: for how long. */
  readonly automatic?: LifetimeRank | undefined
  /** How long what is written at the head and in the conversation should live. */
  readonly ttl: { readonly head: LifetimeRank; readonly tail: LifetimeRank }
  /** How many requests are expected from this one on, itself counted; a few unless given. */
  readonly expectedTurns?: number | undefined
}

/** Requests that are expected of a conversation of which nobody says how long it will be. */
const TURNS = 5

/** So many later requests or more are all the same to a plan. */
const MANY = 100

/** How many later requests go back to a place and no further; to the tail, all that are expected. */
const reuse = { tools: 0.01, instructions: 0.5, baseline: 0.1, anchor: 0.1 } as const

/** How many requests come back to a place that none is expected to come back to. */
const UNLIKELY = 0.001

/** The places in the order of the request, as `planBreakpoints` takes them. */
export function conversationCandidates({
  head,
  answered,
  open,
  automatic,
  ttl,
  expectedTurns = TURNS,
}: MeasuredConversation): readonly Candidate<BreakpointPlace>[] {
  const later = Math.min(Math.max(0, expectedTurns - 1), MANY)
  const candidates: Candidate<BreakpointPlace>[] = []
  let tokens = 0
  let position = 0
  const written = answered !== undefined
  for (const part of head) {
    tokens += part.tokens
    position += part.positions
    // Only this conversation has the baseline; instructions and tools are read by others, whether it goes on or not. Where that
    // costs nothing, it is marked all the same: what is taken to be written at the anchor may be gone.
    const returns = part.place === 'baseline' && later === 0 ? UNLIKELY : reuse[part.place]
    candidates.push({
      place: part.place,
      tokens,
      position,
      written,
      reuse: returns,
      ttl: part.marked ?? ttl.head,
      fixed: part.marked !== undefined,
    })
  }
  if (answered !== undefined) {
    tokens += answered.tokens
    position += answered.positions
    const returns = later === 0 ? 0 : reuse.anchor
    candidates.push({ place: 'anchor', tokens, position, written: true, reuse: returns, ttl: ttl.tail })
  }
  if (open !== undefined) {
    candidates.push({
      place: 'tail',
      tokens: tokens + open.tokens,
      position: position + open.positions,
      written: false,
      reuse: later,
      ttl: automatic ?? ttl.tail,
      fixed: automatic !== undefined,
    })
  }
  return candidates
}
