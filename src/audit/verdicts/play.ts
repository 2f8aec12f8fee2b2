/**
 * Every turn through the simulator of its scope, in the order of time. What was reported for a turn is told to the
 * simulator before the next is sent, so a prediction rests on all that came before and on nothing of its own.
 *
 * Turns without a time keep their place behind the turn before them in the log. Failed turns touch no cache.
 */
import {
  createSimulator,
  type CountTokens,
  type Prediction,
  type SendOptions,
  type Simulator,
} from '../../cache/index.ts'
import { RequestUnreadableError } from '../../cache/layout/errors.ts'
import type { CacheRules } from '../../cache/simulator/rules.ts'
import type { PreparedRequest } from '../../cache/layout/prepared.ts'
import type { FollowingRequest } from '../../cache/simulator/following.ts'
import type { Turn } from '../record/types.ts'
import type { LinkedTurn } from '../streams/types.ts'
import { Followed, followsOf, type Follows } from './followed.ts'
import { reportFor } from './reported.ts'
import type { Requests } from './requests.ts'
import { rulesOf, SEGMENTS, type Scopes } from './scopes.ts'

/** A turn, played. */
export interface PlayedTurn {
  readonly turn: Turn
  readonly prediction: Prediction
  /** That it was played by. */
  readonly rules: CacheRules
  /** Who wrote the entry that is predicted to be read. */
  readonly writer: Turn | undefined
}

/** What is needed to play. */
export interface PlayOptions {
  readonly scopes: Scopes
  readonly requests: Requests
  /** Counts what stands for the blocks of prepared requests: the recorder's. */
  readonly countTokens: CountTokens
  /** Each turn as it counts in this play, with less of its report; as it is unless given. */
  readonly taken?: (turn: Turn) => Turn
}

/** Plays turns; those that cannot be are not in the result, which is by turn number. */
export function play(linked: readonly LinkedTurn[], options: PlayOptions): ReadonlyMap<number, PlayedTurn> {
  const { scopes, requests, countTokens, taken = (turn) => turn } = options
  const caches = new Map<string, { readonly simulator: Simulator; readonly sent: Map<number, Turn> }>()
  const played = new Map<number, PlayedTurn>()
  const byTurn = new Map(linked.map((call) => [call.turn, call]))
  const calls = inOrder([...byTurn.keys()]).flatMap((turn) => byTurn.get(turn) ?? [])
  const follows = followsOf(calls)
  const followed = new Followed()
  for (const [index, call] of calls.entries()) {
    const { turn } = call
    const place = follows[index] ?? alone
    const before = followed.before(call, place)
    const rules = cacheRulesOf(turn, requests)
    if (rules === undefined || !isPlayable(turn, rules)) continue
    const key = scopes.keyOf(turn)
    const cache = caches.get(key) ?? {
      simulator: createSimulator({ provider: rulesOf(turn), countTokens, maxSegments: SEGMENTS }),
      sent: new Map<number, Turn>(),
    }
    caches.set(key, cache)
    const request = followed.request(call, place, requests.of(turn, rules.type === 'prefix'), before)
    const prediction = send(cache.simulator, request, timesOf(turn))
    if (prediction === undefined) continue
    const counted = taken(turn)
    const report = reportFor(counted)
    if (report !== undefined) cache.simulator.observe(report, prediction)
    cache.sent.set(prediction.request, counted)
    const writer = cache.sent.get(prediction.hit?.writtenBy ?? 0)
    played.set(turn.number, { turn: counted, prediction, rules, writer })
  }
  return played
}

/** Turns in the order in which they were made. */
export function inOrder(turns: readonly Turn[]): readonly Turn[] {
  const timed = turns
    .toSorted((one, other) => one.number - other.number)
    .map((turn) => ({ turn, time: timesOf(turn).startedAt ?? timesOf(turn).endedAt }))
  let last = -Infinity
  const placed = timed.map(({ turn, time }) => {
    last = typeof time === 'number' ? time : last
    return { turn, at: last }
  })
  return placed.sort((one, other) => one.at - other.at || one.turn.number - other.turn.number).map(({ turn }) => turn)
}

/** When a turn was made, as the simulator is told. */
export function timesOf({ exchange }: Turn): Pick<SendOptions, 'stream' | 'uncertainty'> & {
  readonly startedAt?: number | undefined
  readonly endedAt?: number | undefined
} {
  const { startedAt, endedAt, streamed, uncertainty, fidelity } = exchange
  return fidelity.time ? { startedAt, endedAt, stream: streamed, uncertainty } : {}
}

/** The rules for a turn; undefined where it has no body. */
export function cacheRulesOf(turn: Turn, requests: Requests): CacheRules | undefined {
  const { format, scope, automatic, settings, places } = turn
  if (format === null) return undefined
  const request = { format, model: requests.modelOf(turn), items: places, scope, automatic, settings }
  return rulesOf(turn).rulesFor(request, {
    at: timesOf(turn).startedAt,
    zeroDataRetention: false,
    blockSize: undefined,
  })
}

/** Whether a body says enough: a cache of marks cannot be played where the log left these out. */
export function isPlayable({ failed, exchange: { fidelity } }: Turn, rules: CacheRules): boolean {
  if (failed || fidelity.level === 'usage') return false
  return fidelity.breakpoints || !needsMarks(rules)
}

/** True where only what the caller marks is cached: those are the caches that look back some positions from a mark. */
export function needsMarks(rules: CacheRules): boolean {
  return rules.type === 'entries' && rules.window > 1 && rules.window !== Infinity
}

const alone: Follows = { isFollowed: false, isLast: false }

/** Undefined for a request that cannot be laid out. */
export function send(
  simulator: Simulator,
  request: PreparedRequest | FollowingRequest,
  times: SendOptions,
): Prediction | undefined {
  try {
    return simulator.send(request, times)
  } catch (error) {
    if (error instanceof RequestUnreadableError) return undefined
    throw error
  }
}
