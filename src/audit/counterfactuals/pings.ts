/**
 * Keeping a cache alive: the last request is sent again, for one token of output, some seconds before its entries would
 * expire. Nobody knows how long a pause will be, so whoever pings does so after every call, up to as many times as it was
 * decided; a pause that is longer costs all of these pings and saves nothing. Pings after the last call of a stream are
 * not counted: whether the conversation goes on is not in the log.
 */
import { anthropicBreakpoints, type Breakpoint } from '../../cache/index.ts'
import type { CacheRules } from '../../cache/simulator/rules.ts'
import type { Turn } from '../record/types.ts'
import { cacheRulesOf, timesOf } from '../verdicts/play.ts'
import type { Requests } from '../verdicts/requests.ts'
import type { Group, GroupTurn } from './group.ts'
import type { Ping } from './replay.ts'

/** Milliseconds before the end of a lifetime at which a ping is sent. */
const AHEAD = 30_000

/** How pings are sent. */
export interface PingOptions {
  /** After each call, at most. */
  readonly most: number
  /** Breakpoints ask for the longest lifetime, whatever was sent. */
  readonly longest: boolean
}

/** The pings of a group, in the order of time. */
export function pingsFor(group: Group, requests: Requests, { most, longest }: PingOptions): readonly Ping[] {
  const pings: Ping[] = []
  for (const { call, from, to } of pausesOf(group)) {
    const period = lifetimeOf(call.turn, requests, longest) - AHEAD
    if (!Number.isFinite(period) || period <= 0) continue
    for (let count = 1; count <= most && from + count * period < to; count++) {
      pings.push({ at: from + count * period, call })
    }
  }
  return pings.sort((one, other) => one.at - other.at)
}

/** How many pings the longest pause takes that a stream makes. */
export function longestPause(group: Group, requests: Requests): number {
  let most = 0
  for (const { call, from, to } of pausesOf(group)) {
    const period = lifetimeOf(call.turn, requests, false) - AHEAD
    if (Number.isFinite(period) && period > 0) most = Math.max(most, Math.ceil((to - from) / period) - 1)
  }
  return most
}

interface Pause {
  readonly call: GroupTurn
  readonly from: number
  readonly to: number
}

/** The time from each call of a stream to the next. */
function pausesOf({ turns }: Group): readonly Pause[] {
  const last = new Map<string, { readonly call: GroupTurn; readonly from: number }>()
  const pauses: Pause[] = []
  for (const call of turns) {
    const { startedAt } = timesOf(call.turn)
    if (startedAt === undefined || call.turn.failed) continue
    const before = last.get(call.stream)
    if (before !== undefined) pauses.push({ ...before, to: startedAt })
    last.set(call.stream, { call, from: startedAt })
  }
  return pauses
}

/** Milliseconds that what a call wrote lives at least; Infinity where nobody says. */
export function lifetimeOf(turn: Turn, requests: Requests, longest: boolean): number {
  const rules: CacheRules | undefined = cacheRulesOf(turn, requests)
  if (rules === undefined) return Infinity
  if (rules.type === 'prefix') return rules.lifetime.least
  return rules.lifetime(longest ? anthropicBreakpoints.ttls[1] : shortestOf(turn)).least
}

function shortestOf({ places, automatic }: Turn): Breakpoint['ttl'] | null {
  const asked = new Set(places.flatMap(({ raw }) => raw.marks).map((mark) => mark?.ttl))
  asked.add(automatic?.ttl)
  return anthropicBreakpoints.ttls.find((ttl) => asked.has(ttl)) ?? null
}
