/**
 * The same elements with other breakpoints: each made once for the same marks, so that a play finds it again by
 * reference.
 */
import { anthropicBreakpoints, type Breakpoint } from '../../cache/index.ts'
import type { PreparedItem, PreparedPlace, PreparedRequest } from '../../cache/layout/prepared.ts'
import type { ItemSegment } from '../../cache/layout/types.ts'
import { breakpointLimits } from '../breakpoint-limits.ts'
import { copyOf } from './copy-of.ts'

/** Changes the breakpoints of requests. */
export class Remarker {
  readonly #made = new WeakMap<PreparedItem, Map<string, PreparedItem>>()

  /** Every breakpoint asks for the longest lifetime that there is. */
  withLongestTtl(request: PreparedRequest): PreparedRequest {
    if (breakpointLimits[request.format] === undefined) return request
    const [, ttl] = anthropicBreakpoints.ttls
    const longest = (mark: Breakpoint | null): Breakpoint | null => (mark === null ? null : { ...mark, ttl })
    return copyOf(request, {
      items: request.items.map((item) => this.#marked(item, marksOf(item).map(longest))),
      automatic: longest(request.automatic),
    })
  }

  /**
   * Breakpoints where they are worth most: at the end, behind what was answered last, behind the system prompt, behind
   * the tools. Lifetimes as the caller asked for, the longest of them.
   */
  withIdealBreakpoints(request: PreparedRequest): PreparedRequest {
    const limit = breakpointLimits[request.format]
    if (limit === undefined) return request
    const { items } = request
    const ideal = idealPlaces(items).slice(0, limit)
    const mark: Breakpoint = { kind: 'explicit', ttl: longestOf(request) }
    return copyOf(request, {
      items: items.map((item, at) => {
        const marks = item.raw.segments.map((_, index) =>
          ideal.some((place) => place.item === at && place.segment === index) ? mark : null,
        )
        return this.#marked(item, marks)
      }),
      automatic: null,
    })
  }

  #marked(item: PreparedPlace, marks: readonly (Breakpoint | null)[]): PreparedPlace {
    const key = marks.map((mark) => (mark === null ? '' : `${mark.kind} ${mark.ttl}`)).join('\n')
    if (item.raw.segments.every(({ mark }, at) => sameMark(mark, marks[at] ?? null))) return item
    const made = this.#made.get(item.raw) ?? new Map<string, PreparedItem>()
    this.#made.set(item.raw, made)
    const raw = made.get(key) ?? remark(item.raw, marks)
    made.set(key, raw)
    return { ...item, raw }
  }
}

/** The longest lifetime that a request asks for; what a mark means that names none where it has no mark. */
function longestOf({ items, automatic }: PreparedRequest): Breakpoint['ttl'] {
  const asked = new Set(items.flatMap((item) => marksOf(item)).map((mark) => mark?.ttl))
  asked.add(automatic?.ttl)
  const known = anthropicBreakpoints.ttls.filter((ttl) => asked.has(ttl))
  return known.at(-1) ?? anthropicBreakpoints.defaultTtl
}

interface MarkedPlace {
  readonly item: number
  readonly segment: number
}

/** In order of worth. */
function idealPlaces(items: readonly PreparedPlace[]): readonly MarkedPlace[] {
  const lastAnswer = items.findLastIndex(({ role }) => role === 'assistant')
  const isAnswered = (at: number): boolean => at < lastAnswer && items[at]?.role !== 'assistant'
  const places = [
    lastMarkable(items, () => true),
    lastMarkable(items, isAnswered),
    lastMarkable(items, (at) => items[at]?.section === 'system'),
    lastMarkable(items, (at) => items[at]?.section === 'tools'),
  ].filter((place) => place !== undefined)
  return places.filter(
    (place, at) => places.findIndex(({ item, segment }) => item === place.item && segment === place.segment) === at,
  )
}

function lastMarkable(items: readonly PreparedPlace[], counts: (at: number) => boolean): MarkedPlace | undefined {
  for (let item = items.length - 1; item >= 0; item--) {
    if (!counts(item)) continue
    const segment = items[item]?.raw.segments.findLastIndex(({ markable }) => markable) ?? -1
    if (segment >= 0) return { item, segment }
  }
  return undefined
}

function marksOf({ raw }: PreparedPlace): readonly (Breakpoint | null)[] {
  return raw.segments.map(({ mark }) => mark)
}

function sameMark(one: Breakpoint | null, other: Breakpoint | null): boolean {
  return one === other || (one !== null && other !== null && one.kind === other.kind && one.ttl === other.ttl)
}

function remark({ segments, textSegments }: PreparedItem, marks: readonly (Breakpoint | null)[]): PreparedItem {
  const mark = (segment: ItemSegment, at: number): ItemSegment => ({ ...segment, mark: marks[at] ?? null })
  return { segments: segments.map(mark), textSegments: textSegments.map(mark) }
}
