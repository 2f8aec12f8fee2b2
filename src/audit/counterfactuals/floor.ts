/**
 * The least that the same conversations could cost: each segment is written once, when it is first sent, and read from
 * then on. Breakpoints stand where they should, nothing expires, nothing is missed, and what changed behind the
 * conversation's back is taken to have been told for nothing. Outputs and compactions are as they were.
 *
 * What a stream begins with is read where an earlier stream of its scope and family began with the same, or would have
 * but for culprits. The odd case is the end of a stream: what nothing reads afterwards is written only where the caller
 * had it written.
 */
import { anthropicBreakpoints, type PredictedUsage } from '../../cache/index.ts'
import { openAIBreakpoints } from '../../cache/openai/breakpoints.ts'
import type { CacheRules } from '../../cache/simulator/rules.ts'
import type { Lifetime } from '../../cache/layout/types.ts'
import type { Block, Place, Turn } from '../record/types.ts'
import type { Requests } from '../verdicts/requests.ts'
import type { Verdict } from '../verdicts/types.ts'
import { predictedTokens, type Calibration } from './calibrate.ts'
import { continuedIn, type Group, type GroupTurn } from './group.ts'
import { commonSegments, segmentCount } from './identity.ts'
import { Sum, type PriceOf } from './sum.ts'
import type { Played } from './types.ts'

/** What a floor needs. */
export interface FloorOptions {
  readonly requests: Requests
  readonly calibration: Calibration
  readonly verdicts: ReadonlyMap<number, Verdict>
  readonly priceOf: PriceOf
}

/** Blocks that streams began with, one behind the other. */
interface Start {
  readonly next: Map<Block, Start>
}

/** The floor of each stream of a group, by its id. */
export function floorOf(group: Group, options: FloorOptions): ReadonlyMap<string, Played> {
  const sums = new Map(group.streams.map((stream) => [stream, new Sum()]))
  const continued = continuedIn(group)
  const starts: Start = { next: new Map() }
  for (const call of group.turns) {
    const { turn, stream } = call
    const rules = options.calibration.rulesFor(turn, options.requests)
    if (rules === undefined) continue
    const isShared = group.byNumber.has(call.opening?.alignment.parent.number ?? -1)
    const old = isShared
      ? oldOpening(call, passStart(turn, starts))
      : oldPart(call, starts, options.verdicts.get(turn.number))
    const usage = usageOf(turn, old, rules, continued.has(turn))
    sums.get(stream)?.add(turn, usage, options.priceOf)
  }
  return new Map([...sums].map(([stream, sum]) => [stream, sum.played()]))
}

/** What of a turn was sent before. */
interface OldPart {
  /** Elements in front, of which all was. */
  readonly elements: number
  /** The segments of those. */
  readonly segments: number
  /** Whether a segment behind them was. */
  readonly has: (index: number) => boolean
}

function oldPart(
  { turn, parent, alignment, inPlace }: GroupTurn,
  starts: Start,
  verdict: Verdict | undefined,
): OldPart {
  if (parent !== null && inPlace?.length === 0) {
    return { elements: parent.places.length, segments: segmentCount(parent), has: () => false }
  }
  const common = parent === null ? passStart(turn, starts) : commonSegments(turn, parent)
  const isCompacted = verdict?.reasons.some(({ kind }) => kind === 'compacted') === true
  const isWhole = parent === null || common === segmentCount(parent)
  if (alignment === undefined || isCompacted || isWhole) {
    return { elements: 0, segments: 0, has: (index) => index < common }
  }
  const old = new Set<number>()
  for (const step of alignment.steps) {
    if (step.type === 'same' || step.type === 'edited' || step.type === 'moved') old.add(step.to)
  }
  return { elements: 0, segments: 0, has: (index) => old.has(index) }
}

/** Of a first turn, what the one that it is held against had too. */
function oldOpening({ opening }: GroupTurn, common: number): OldPart {
  const old = new Set<number>()
  for (const step of opening?.alignment.steps ?? []) {
    // What was asked is another text too, and nobody's fault.
    if (step.type === 'same' || step.type === 'moved') old.add(step.to)
    else if (step.type === 'edited' && step.hunks.every(({ culprit }) => culprit !== null)) old.add(step.to)
  }
  return { elements: 0, segments: 0, has: (index) => index < common || old.has(index) }
}

/** Segments that an earlier stream began with as well; remembers those of this one. */
function passStart({ places }: Turn, starts: Start): number {
  let common = 0
  let index = 0
  let at = starts
  for (const { raw } of places) {
    for (const block of raw.blocks) {
      const known = at.next.get(block)
      if (known !== undefined && common === index) common++
      const next: Start = known ?? { next: new Map() }
      at.next.set(block, next)
      at = next
      index++
    }
  }
  return common
}

function usageOf(turn: Turn, old: OldPart, rules: CacheRules, isContinued: boolean): PredictedUsage {
  const { ratio, tail, beforeMessages } = rules.tokens
  const total = Math.round(predictedTokens(turn, rules))
  const usage = { total, read: 0, write5m: 0, write30m: 0, write1h: 0, uncached: 0 }
  if (total < rules.minimum) return { ...usage, uncached: total }
  const { places } = turn
  const mark = lastMark(turn, old)
  let index = old.segments
  let [written, rest] = [0, tail]
  let section = places[old.elements - 1]?.section ?? ''
  for (let element = old.elements; element < places.length; element++) {
    for (const block of (places[element] as Place).raw.blocks) {
      const opens = block.section === 'messages' && section !== 'messages' ? beforeMessages : 0
      section = block.section
      const tokens = block.tokens * ratio + opens
      if (!old.has(index)) {
        if (isContinued || index <= mark.index) written += tokens
        else rest += tokens
      }
      index++
    }
  }
  const ttl = ttlOf(mark.ttl, rules, turn.format)
  if (ttl === null) return { ...usage, ...split(total, written + rest) }
  const { uncached, read } = split(total, rest)
  const write = Math.min(read, Math.round(written))
  return { ...usage, [`write${ttl}`]: write, uncached, read: read - write }
}

function split(total: number, uncached: number): { readonly uncached: number; readonly read: number } {
  const rest = Math.min(total, Math.round(uncached))
  return { uncached: rest, read: total - rest }
}

/** The last segment that the caller marked, -1 for none, and the lifetime that was asked for there. */
function lastMark(
  { places, automatic }: Turn,
  { elements, segments }: OldPart,
): { readonly index: number; readonly ttl: Lifetime | undefined } {
  let index = segments
  for (let element = elements; element < places.length; element++) index += (places[element] as Place).raw.blocks.length
  for (let element = places.length - 1; element >= 0; element--) {
    const { blocks, marks } = (places[element] as Place).raw
    for (let at = blocks.length - 1; at >= 0; at--) {
      index--
      const mark = marks[at] ?? (blocks[at]?.markable === true ? automatic : null)
      if (mark !== null) return { index, ttl: mark.ttl }
    }
  }
  return { index: -1, ttl: undefined }
}

/** The lifetime that is paid for; null where writing costs nothing. */
function ttlOf(asked: Lifetime | undefined, rules: CacheRules, format: Turn['format']): Lifetime | null {
  if (rules.type === 'prefix' || !rules.charges) return null
  if (asked !== undefined) return asked
  const isOpenAI = format === 'openai-chat' || format === 'openai-responses'
  return isOpenAI ? openAIBreakpoints.lifetime : anthropicBreakpoints.defaultTtl
}
