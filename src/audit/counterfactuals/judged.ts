/** Which culprits of a group are judged: each takes some plays of all its calls, and a log may have thousands of both. */
import type { Requests } from '../verdicts/requests.ts'
import { timesOf } from '../verdicts/play.ts'
import type { Verdict } from '../verdicts/types.ts'
import type { Group, GroupTurn } from './group.ts'
import { lifetimeOf } from './pings.ts'
import { MOST_SEARCHED } from './search.ts'

/** As many calls may be played for one group, in all its plays together: some 20 seconds. */
const MOST_CALLS = 40_000
const LEAST_CULPRITS = 2
const MOST_CULPRITS = 24

/** How many culprits are judged in a group of so many turns: each alone and last, and the first of them in sets. */
function judgedIn(turns: number): number {
  let most = LEAST_CULPRITS
  while (most < MOST_CULPRITS && playsOf(most + 1) * turns <= MOST_CALLS) most++
  return most
}

function playsOf(culprits: number): number {
  return 2 * culprits + Math.min(culprits, MOST_SEARCHED) ** 2 / 2
}

/** Those on whose turns most was lost, or could have been shared, in provider order. */
export function mostCostly(
  { turns, culprits }: Group,
  { verdicts, requests }: { readonly verdicts: ReadonlyMap<number, Verdict>; readonly requests: Requests },
): readonly string[] {
  const most = judgedIn(turns.length)
  const ids = culprits.map(({ id }) => id)
  if (ids.length <= most) return ids
  const lost = new Map<string, number>()
  for (const [at, call] of turns.entries()) {
    if (call.culprits.length === 0) continue
    const tokens =
      call.opening === undefined
        ? (verdicts.get(call.turn.number)?.lostTokens ?? 0)
        : shareable(call, turns[at - 1], requests)
    for (const culprit of call.culprits) lost.set(culprit, (lost.get(culprit) ?? 0) + tokens)
  }
  return highest(ids, (culprit) => lost.get(culprit) ?? 0, most)
}

/** Tokens that a conversation could have read of those before, had it begun like them; 0 where these were long ago. */
function shareable({ turn, opening }: GroupTurn, before: GroupTurn | undefined, requests: Requests): number {
  const [from, to] = [before && timesOf(before.turn).startedAt, timesOf(turn).startedAt]
  if (from !== undefined && to !== undefined && to - from >= lifetimeOf(turn, requests, false)) return 0
  return opening?.alignment.turn.places.reduce((sum, { raw }) => sum + raw.tokens, 0) ?? 0
}

/** At most `most` of `all`, by `weigh`, in the order in which they stand. */
export function highest(all: readonly string[], weigh: (one: string) => number, most: number): readonly string[] {
  if (all.length <= most) return all
  const kept = new Set(all.toSorted((one, other) => weigh(other) - weigh(one)).slice(0, most))
  return all.filter((one) => kept.has(one))
}
