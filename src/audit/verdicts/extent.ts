/**
 * How far a turn left its prompt in the cache, and what keeps a later turn from reading that far. The figures are the
 * report's where it says where reading and writing ended, else the simulator's.
 */
import type { CacheRules, Lifetime, Prediction, Section } from '../../cache/index.ts'
import { streamBegins } from '../../cache/anthropic/lifetimes.ts'
import { changedParameters, scopeOf } from '../../cache/simulator/scope.ts'
import type { LifetimeRange } from '../../cache/simulator/time.ts'
import { segmentsOf } from '../record/segments.ts'
import type { Turn } from '../record/types.ts'
import { needsMarks, timesOf, type PlayedTurn } from './play.ts'
import { cachedOf } from './reported.ts'

/** The start of a prompt that is cached after a turn. */
export interface Extent {
  /** The last segment of it. */
  readonly path: string
  readonly section: Section
  readonly tokens: number
  readonly lifetime: LifetimeRange
}

/** The deepest entry that a turn wrote or read; null where there is none. */
export function extentOf({ turn, prediction, rules }: PlayedTurn): Extent | null {
  const { hit, written } = prediction
  const reported = rules.type === 'entries' && rules.charges ? cachedOf(turn) : undefined
  if (reported === 0) return null
  const last = written.at(-1)
  const ttl: Lifetime | null = last?.ttl ?? null
  const lifetime = rules.type === 'entries' ? rules.lifetime(ttl) : rules.lifetime
  const deepest = last === undefined || (hit !== null && hit.tokens > last.tokens) ? hit : last
  if (deepest !== null) {
    const { path, section } = deepest
    const tokens = reported ?? readable(calibrated(deepest.tokens, turn, prediction), rules)
    return tokens > 0 ? { path, section, tokens, lifetime } : null
  }
  // Estimated to be too short, and cached after all.
  const marked = reported === undefined ? undefined : segmentsOf(turn).findLast(({ breakpoint }) => breakpoint !== null)
  if (reported === undefined || marked === undefined || rules.type === 'prefix') return null
  const { path, block, breakpoint } = marked
  return { path, section: block.section, tokens: reported, lifetime: rules.lifetime(breakpoint?.ttl ?? null) }
}

/** On the scale of the turn's own report, which the prediction was made without. */
function calibrated(tokens: number, { usage, answer }: Turn, { usage: { total } }: Prediction): number {
  if (usage?.total === undefined || answer.serverEdited || total === 0) return tokens
  return Math.round((tokens * usage.total) / total)
}

/** What of it can be read: whole steps, where there are as many as the provider caches from. */
function readable(tokens: number, { minimum, step }: CacheRules): number {
  return tokens < minimum ? 0 : Math.floor(tokens / step) * step
}

/** Milliseconds between the starts of two turns, at least and at most; undefined where a time is missing. */
export function gapBetween(earlier: Turn, turn: Turn): { readonly least: number; readonly most: number } | undefined {
  const [from, to] = [timesOf(earlier), timesOf(turn)]
  if (from.startedAt === undefined || to.startedAt === undefined) return undefined
  const gap = to.startedAt - from.startedAt
  return { least: Math.max(0, gap - (to.uncertainty ?? 0)), most: Math.max(0, gap + (from.uncertainty ?? 0)) }
}

/** Whether the answer to `earlier` had begun when `turn` was sent; undefined where times do not say. */
export function hadBegun(earlier: Turn, turn: Turn): boolean | undefined {
  const [from, to] = [timesOf(earlier), timesOf(turn)]
  if (from.startedAt === undefined || from.endedAt === undefined || to.startedAt === undefined) return undefined
  const begins = from.stream === true ? Math.min(from.endedAt, from.startedAt + streamBegins.within) : from.endedAt
  return to.startedAt >= begins
}

/** The parameters of the body in which two turns differ and that lose an entry ending in `section`. */
export function changedScope(earlier: Turn, turn: Turn, section: Section): readonly string[] {
  if (earlier.scope === turn.scope) return []
  return changedParameters(scopeOf(earlier.scope).parameters, scopeOf(turn.scope).parameters, section)
}

/** A cache of marks, and the turn has none: it neither looks for an entry nor writes one. */
export function hasNoMarks({ turn, rules }: PlayedTurn): boolean {
  return (
    needsMarks(rules) &&
    turn.automatic === null &&
    turn.places.every(({ raw }) => raw.marks.every((mark) => mark === null))
  )
}
