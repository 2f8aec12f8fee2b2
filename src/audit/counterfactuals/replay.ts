/**
 * A group of streams, played: each call in the order of time through one simulator that learns nothing on the way.
 *
 * What the provider missed by its own fault is missed in every play, on the same turns: what was read there beyond what
 * was reported counts as it would have been billed, as a write, or as input where writes are not.
 */
import {
  createSimulator,
  type CountTokens,
  type PredictedUsage,
  type Prediction,
  type Simulator,
} from '../../cache/index.ts'
import type { PreparedRequest } from '../../cache/layout/prepared.ts'
import type { CacheRules, ProviderRules } from '../../cache/simulator/rules.ts'
import type { Turn } from '../record/types.ts'
import { Followed, followsOf, type Follows } from '../verdicts/followed.ts'
import { send, timesOf } from '../verdicts/play.ts'
import { readOf } from '../verdicts/reported.ts'
import type { Requests } from '../verdicts/requests.ts'
import { SEGMENTS, type Scopes } from '../verdicts/scopes.ts'
import type { Verdict } from '../verdicts/types.ts'
import type { Calibration } from './calibrate.ts'
import type { Group, GroupTurn } from './group.ts'

/** What every play of a log shares. */
export interface ReplayOptions {
  readonly scopes: Scopes
  readonly requests: Requests
  readonly calibration: Calibration
  readonly verdicts: ReadonlyMap<number, Verdict>
  /** Counts what stands for the blocks of prepared requests: the recorder's. */
  readonly countTokens: CountTokens
}

/** A ping to be sent after a call. */
export interface Ping {
  /** Milliseconds since the epoch. */
  readonly at: number
  readonly call: GroupTurn
}

/** What is played in place of the requests as they were sent. */
export interface Requested {
  of(call: GroupTurn, texts: boolean): PreparedRequest
  skip(call: GroupTurn): void
}

/** A call as every play of it needs it. */
export interface PlayableCall {
  readonly call: GroupTurn
  readonly follows: Follows
  /** Null where it cannot be played. */
  readonly stage: Stage | null
}

interface Stage {
  /** Names the cache that it is played through. */
  readonly cache: string
  readonly provider: ProviderRules
  readonly rules: CacheRules
  readonly times: ReturnType<typeof timesOf>
  /** What can be read at most: the provider is seen to have missed the rest. */
  readonly mostRead: number
}

/** The calls of a group, in the order of time. */
export function playableCalls({ turns }: Group, options: ReplayOptions): readonly PlayableCall[] {
  const { scopes, requests, calibration, verdicts } = options
  const places = followsOf(turns)
  return turns.map((call, index): PlayableCall => {
    const { turn } = call
    const follows = places[index] as Follows
    const rules = calibration.rulesFor(turn, requests)
    if (rules === undefined) return { call, follows, stage: null }
    const verdict = verdicts.get(turn.number)
    const mostRead = verdict === undefined ? Infinity : ownRead(verdict)
    // A stream seldom leaves its scope, as when it is answered by another provider for a while.
    const cache = scopes.keyOf(turn)
    return {
      call,
      follows,
      stage: { cache, provider: calibration.rulesOf(turn), rules, times: timesOf(turn), mostRead },
    }
  })
}

/** Takes what was predicted for the call at an index, or for a ping behind it. */
export type TakeUsage = (index: number, usage: PredictedUsage, isPing: boolean) => void

/** Plays calls; `pings`, in the order of time, between them. Those that cannot be played are left out. */
export function replay(
  calls: readonly PlayableCall[],
  requested: Requested,
  countTokens: CountTokens,
  pings: readonly Ping[],
  take: TakeUsage,
): void {
  const sent = new Map<number, { readonly request: PreparedRequest; readonly index: number }>()
  const pinged = new Set(pings.map(({ call }) => call.turn.number))
  const caches = new Map<string, Simulator>()
  const followed = new Followed()
  let next = 0
  for (let index = 0; index < calls.length; index++) {
    const { call, stage, follows } = calls[index] as PlayableCall
    const before = followed.before(call, follows)
    if (stage === null) {
      requested.skip(call)
      continue
    }
    const { times, rules, mostRead } = stage
    const simulator = cacheOf(stage, caches, countTokens)
    for (; next < pings.length && (pings[next] as Ping).at <= (times.startedAt ?? -Infinity); next++) {
      const { call: pinging, at } = pings[next] as Ping
      const earlier = sent.get(pinging.turn.number)
      const cache = earlier && calls[earlier.index]?.stage
      if (earlier === undefined || cache === null || cache === undefined) continue
      const made = send(cacheOf(cache, caches, countTokens), earlier.request, { startedAt: at })
      if (made !== undefined) take(earlier.index, made.usage, true)
    }
    const request = requested.of(call, rules.type === 'prefix')
    if (pinged.has(call.turn.number)) sent.set(call.turn.number, { request, index })
    const prediction = send(simulator, followed.request(call, follows, request, before), times)
    if (prediction !== undefined) take(index, withOwnMisses(prediction, rules, mostRead), false)
  }
}

function cacheOf({ cache, provider }: Stage, caches: Map<string, Simulator>, countTokens: CountTokens): Simulator {
  const known = caches.get(cache)
  if (known !== undefined) return known
  const simulator = createSimulator({ provider, countTokens, maxSegments: SEGMENTS })
  caches.set(cache, simulator)
  return simulator
}

/** A prediction in which the provider misses what it has missed. */
function withOwnMisses({ usage, written }: Prediction, rules: CacheRules, most: number): PredictedUsage {
  const missed = Math.max(0, usage.read - most)
  if (missed === 0) return usage
  const ttl = rules.type === 'entries' && rules.charges ? (written.at(-1)?.ttl ?? null) : null
  const bucket = ttl === null ? 'uncached' : (`write${ttl}` as const)
  return { ...usage, read: usage.read - missed, [bucket]: usage[bucket] + missed }
}

/** What could be read at most on a turn: all, unless the provider is seen to have missed without a reason of the caller's. */
function ownRead({ turn, verdict, reasons, reproduced, prediction }: Verdict): number {
  const read = readOf(turn)
  if (read === undefined) return Infinity
  const isMiss = verdict === 'provider-miss' || reasons.some(({ kind }) => kind === 'provider-miss')
  const isUnexplained = verdict === 'unknown' && reproduced === false && read < (prediction?.range.least ?? 0)
  return isMiss || isUnexplained ? read : Infinity
}

/** The request of a call as it was sent. */
export function asSent(requests: Requests): Requested {
  return {
    of: ({ turn }: { readonly turn: Turn }, texts: boolean) => requests.of(turn, texts),
    skip: () => undefined,
  }
}
