/**
 * What can be done besides freezing values: a longer lifetime, breakpoints in better places, pings through pauses. Each is
 * tried where the verdicts say that it could help, on top of what is fixed already; the best is the next step, until
 * none is worth it.
 */
import type { Verdict, VerdictKind } from '../verdicts/types.ts'
import type { Group } from './group.ts'
import type { Remedy } from './types.ts'

/** What is fixed in a play. */
export interface Fix {
  /** Ids of culprits. */
  readonly culprits: readonly string[]
  /** The longest lifetime on every breakpoint. */
  readonly ttl: boolean
  /** Breakpoints where they are worth most. */
  readonly breakpoints: boolean
  /** Pings after each call, at most. */
  readonly pings: number
}

/** Nothing is. */
export const nothing: Fix = { culprits: [], ttl: false, breakpoints: false, pings: 0 }

/** A remedy that may be tried. */
export type RemedyKind = Exclude<Remedy['type'], 'culprits'>

/** How many pings after a call are tried; the price of a read bounds what can be worth it. */
const pingsTried = [1, 2, 4, 8, 16] as const

/** Remedies that something in a group speaks for. */
export function remediesFor(
  { turns, culprits }: Group,
  verdicts: ReadonlyMap<number, Verdict>,
): ReadonlySet<RemedyKind> {
  const remedies = new Set<RemedyKind>()
  for (const { turn } of turns) {
    for (const { kind } of verdicts.get(turn.number)?.reasons ?? []) {
      for (const remedy of remediesOf[kind] ?? []) remedies.add(remedy)
    }
  }
  if (culprits.some(({ kind }) => kind === 'breakpoint-wasted')) remedies.add('breakpoints')
  return remedies
}

const remediesOf: Readonly<Partial<Record<VerdictKind, readonly RemedyKind[]>>> = {
  expired: ['ttl', 'keep-alive'],
  // Behind a change that loses all, nobody sees that what follows is not marked.
  rewritten: ['breakpoints'],
  unmarked: ['breakpoints'],
  'out-of-window': ['breakpoints'],
}

/** `fix` with one more remedy, in each form that is tried. */
export function tries(fix: Fix, remedies: ReadonlySet<RemedyKind>, longestPause: number): readonly Fix[] {
  const made: Fix[] = []
  if (remedies.has('ttl') && !fix.ttl && fix.pings === 0) made.push({ ...fix, ttl: true })
  if (remedies.has('breakpoints') && !fix.breakpoints) made.push({ ...fix, breakpoints: true })
  if (remedies.has('keep-alive') && fix.pings === 0) {
    const enough = pingsTried.findIndex((pings) => pings >= longestPause)
    const tried = enough < 0 ? pingsTried : pingsTried.slice(0, enough + 1)
    made.push(...tried.map((pings) => ({ ...fix, pings })))
  }
  return made
}

/** What `after` has beyond `before`; `pings` were sent in its play. */
export function remedyBetween(before: Fix, after: Fix, pings: number): Remedy {
  if (after.ttl && !before.ttl) return { type: 'ttl', ttl: '1h' }
  if (after.breakpoints && !before.breakpoints) return { type: 'breakpoints' }
  if (after.pings > before.pings) return { type: 'keep-alive', pings }
  return { type: 'culprits', ids: after.culprits.filter((culprit) => !before.culprits.includes(culprit)) }
}
