/**
 * What the bodies of a recording say about a turn without any idea of a cache: how much of it was sent before, and
 * whether it is marked. Turns are sorted into categories by this, never by what was predicted.
 */
import { segmentsOf } from '../../src/audit/record/segments.ts'
import type { Segment, Turn as AuditTurn } from '../../src/audit/record/types.ts'
import { field } from '../../src/cache/layout/peek.ts'

/** A body, laid out. */
export interface Structure {
  readonly model: string
  readonly segments: readonly Segment[]
  /** Whatever besides the segments decides what can be read, as one text. */
  readonly scope: string
  /** False where the provider caches only what is marked, and nothing is. */
  readonly marked: boolean
}

/** Of a turn and the body that it was sent as. */
export function structureOf(turn: AuditTurn, body: unknown): Structure {
  const { provider, model = '', scope, settings, exchange } = turn
  const segments = segmentsOf(turn)
  return {
    model,
    segments,
    scope: JSON.stringify([provider, exchange.host, model, scope, settings]),
    marked: !needsMarks(provider, model, body) || segments.some(({ breakpoint }) => breakpoint !== null),
  }
}

function needsMarks(provider: string, model: string, body: unknown): boolean {
  if (provider === 'anthropic' || provider === 'bedrock') return true
  if (provider === 'openrouter') return model.startsWith('anthropic/')
  return field(field(body, 'prompt_cache_options'), 'mode') === 'explicit'
}

/** How many segments the two begin with in common. */
export function commonSegments(earlier: Structure, later: Structure): number {
  const { segments } = earlier
  const differs = segments.findIndex(({ block }, at) => block !== later.segments[at]?.block)
  return differs < 0 ? segments.length : differs
}

/** The share of `later` that `earlier` begins with too, by characters, into the segment where they part. */
export function commonShare(earlier: Structure, later: Structure): number {
  if (earlier.model !== later.model) return 0
  const common = commonSegments(earlier, later)
  const whole = later.segments.slice(0, common).reduce((sum, { block }) => sum + block.length, 0)
  const parted = sharedLength(textAt(earlier, common), textAt(later, common))
  const all = later.segments.reduce((sum, { block }) => sum + block.length, 0)
  return all === 0 ? 0 : (whole + parted) / all
}

function textAt({ segments }: Structure, at: number): string {
  return segments[at]?.block.text ?? ''
}

function sharedLength(one: string, other: string): number {
  let at = 0
  while (at < one.length && one[at] === other[at]) at++
  return at
}
