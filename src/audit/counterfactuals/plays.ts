/** Plays of one group, each made once: what it would have cost with some things fixed. */
import type { PreparedRequest } from '../../cache/layout/prepared.ts'
import { FrozenRequests } from './frozen-requests.ts'
import type { Group, GroupTurn } from './group.ts'
import { pingsFor } from './pings.ts'
import { remediesFor, type Fix, type RemedyKind } from './remedies.ts'
import { Remarker } from './remark.ts'
import { asSent, playableCalls, replay, type PlayableCall, type ReplayOptions, type Requested } from './replay.ts'
import { addUp, Sum, type PriceOf } from './sum.ts'
import type { Played } from './types.ts'
import type { UpdatePolicy } from './update-text.ts'

/** What a play came to. */
export interface GroupPlay {
  /** By the id of the stream. */
  readonly streams: ReadonlyMap<string, Played>
  readonly all: Played
  /** Per turn of the group: input tokens, 0 where it was not played. */
  readonly totals: Uint32Array
  readonly pings: number
}

/** What plays of a group need. */
export interface PlaysOptions extends ReplayOptions {
  readonly priceOf: PriceOf
  readonly updates: UpdatePolicy
}

/** The plays of one group. */
export class Plays {
  readonly group: Group
  /** What something in the group speaks for; other remedies change none of its plays. */
  readonly remedies: ReadonlySet<RemedyKind>
  readonly #options: PlaysOptions
  readonly #known = new Map<string, GroupPlay>()
  readonly #remarker = new Remarker()
  readonly #calls: readonly PlayableCall[]

  constructor(group: Group, options: PlaysOptions) {
    this.group = group
    this.#options = options
    this.remedies = remediesFor(group, options.verdicts)
    this.#calls = playableCalls(group, options)
  }

  /** The play with `fix`; of its culprits those that the group has. */
  with(wanted: Fix): GroupPlay {
    const fix = this.#possible(wanted)
    const culprits = this.group.culprits.filter(({ id }) => fix.culprits.includes(id))
    const key = JSON.stringify([culprits.map(({ id }) => id), fix.ttl, fix.breakpoints, fix.pings])
    const known = this.#known.get(key)
    if (known !== undefined) return known
    const { requests, updates, countTokens } = this.#options
    const frozen =
      culprits.length === 0
        ? asSent(requests)
        : new FrozenRequests(this.group, requests, { culprits, updates, countTokens })
    const play = this.#play(this.#remarked(frozen, fix), fix)
    this.#known.set(key, play)
    return play
  }

  #possible({ culprits, ttl, breakpoints, pings }: Fix): Fix {
    const { remedies } = this
    return {
      culprits,
      ttl: ttl && remedies.has('ttl'),
      breakpoints: breakpoints && remedies.has('breakpoints'),
      pings: remedies.has('keep-alive') ? pings : 0,
    }
  }

  #remarked(requested: Requested, { ttl, breakpoints }: Fix): Requested {
    if (!ttl && !breakpoints) return requested
    return {
      skip: (call) => requested.skip(call),
      of: (call, texts) => {
        let request: PreparedRequest = requested.of(call, texts)
        if (breakpoints) request = this.#remarker.withIdealBreakpoints(request)
        return ttl ? this.#remarker.withLongestTtl(request) : request
      },
    }
  }

  #play(requested: Requested, { pings: most, ttl }: Fix): GroupPlay {
    const { group } = this
    const { priceOf, requests, countTokens } = this.#options
    const pings = most === 0 ? [] : pingsFor(group, requests, { most, longest: ttl })
    const sums = new Map(group.streams.map((stream) => [stream, new Sum()]))
    const totals = new Uint32Array(group.turns.length)
    let sent = 0
    replay(this.#calls, requested, countTokens, pings, (index, usage, isPing) => {
      const { turn, stream } = group.turns[index] as GroupTurn
      if (isPing) sent++
      else totals[index] = usage.total
      sums.get(stream)?.add(turn, usage, priceOf, isPing ? 1 : undefined)
    })
    const streams = new Map([...sums].map(([stream, sum]) => [stream, sum.played()]))
    return { streams, all: addUp([...streams.values()]), totals, pings: sent }
  }
}
