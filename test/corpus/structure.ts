/**
 * What the bodies of a recording say about a turn without any idea of a cache: how much of it was sent before, and
 * whether it is marked. Turns are sorted into categories by this, never by what was predicted.
 */
import { layout } from '../../src/cache/layout/layout.ts'
import { field } from '../../src/cache/layout/peek.ts'
import type { ReadOptions, Segment } from '../../src/cache/layout/types.ts'
import type { Call } from './calls.ts'

/** A call, laid out. */
export interface Structure {
  readonly call: Call
  readonly model: string
  readonly segments: readonly Segment[]
  /** Whatever besides the segments decides what can be read, as one text. */
  readonly scope: string
  /** False where the provider caches only what is marked, and nothing is. */
  readonly marked: boolean
}

/** Throws where the body cannot be read. */
export function structureOf(call: Call, options: ReadOptions): Structure {
  const named = field(call.request, 'model')
  const model = typeof named === 'string' ? named : (call.model ?? '')
  const { segments, scope } = layout(call.request, { ...options, model })
  return {
    call,
    model,
    segments,
    scope: JSON.stringify([call.provider, call.host, model, scope, field(call.request, 'prompt_cache_key')]),
    marked: !needsMarks(call, model) || segments.some(({ breakpoint }) => breakpoint !== null),
  }
}

function needsMarks({ provider, request }: Call, model: string): boolean {
  if (provider === 'anthropic' || provider === 'bedrock') return true
  if (provider === 'openrouter') return model.startsWith('anthropic/')
  return field(field(request, 'prompt_cache_options'), 'mode') === 'explicit'
}

/** How many segments the two begin with in common. */
export function commonSegments(earlier: Structure, later: Structure): number {
  const { segments } = earlier
  const differs = segments.findIndex((segment, at) => !isSameSegment(segment, later.segments[at]))
  return differs < 0 ? segments.length : differs
}

function isSameSegment(one: Segment, other: Segment | undefined): boolean {
  return (
    other !== undefined &&
    one.section === other.section &&
    one.role === other.role &&
    one.type === other.type &&
    one.content === other.content
  )
}

/** The share of `later` that `earlier` begins with too, by characters, into the segment where they part. */
export function commonShare(earlier: Structure, later: Structure): number {
  if (earlier.model !== later.model) return 0
  const common = commonSegments(earlier, later)
  const whole = later.segments.slice(0, common).reduce((sum, { content }) => sum + content.length, 0)
  const parted = sharedLength(earlier.segments[common]?.content ?? '', later.segments[common]?.content ?? '')
  const all = later.segments.reduce((sum, { content }) => sum + content.length, 0)
  return all === 0 ? 0 : (whole + parted) / all
}

function sharedLength(one: string, other: string): number {
  let at = 0
  while (at < one.length && one[at] === other[at]) at++
  return at
}
