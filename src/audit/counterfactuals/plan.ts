/** What to fix, in which order: culprits first, then what else helps on top of them. */
import { longestPause } from './pings.ts'
import type { Plays } from './plays.ts'
import { nothing, remedyBetween, tries, type Fix } from './remedies.ts'
import { planSteps, WORTH_IT } from './search.ts'
import { addUp, savingOf, worth } from './sum.ts'
import type { Played, PlanStep, Remedy } from './types.ts'
import type { Requests } from '../verdicts/requests.ts'

/** A step, and what is fixed before and after it. */
export interface PlannedStep {
  readonly remedy: Remedy
  readonly before: Fix
  readonly after: Fix
}

/** Plans for groups together; `culprits` in provider order, at most as many as are searched. */
export function plan(
  plays: readonly Plays[],
  culprits: readonly string[],
  floor: Played,
  requests: Requests,
): readonly PlannedStep[] {
  const played = (fix: Fix): Played => addUp(plays.map((one) => one.with(fix).all))
  const asSent = played(nothing)
  const least = Math.max(0, worth(asSent) - worth(floor)) * WORTH_IT
  const steps: PlannedStep[] = []
  let fix = nothing
  for (const ids of planSteps(culprits, (fixed) => worth(played({ ...nothing, culprits: fixed })), least)) {
    const after = { ...fix, culprits: [...fix.culprits, ...ids] }
    steps.push({ remedy: { type: 'culprits', ids }, before: fix, after })
    fix = after
  }
  const remedies = new Set(plays.flatMap((one) => [...one.remedies]))
  const pause = remedies.has('keep-alive') ? Math.max(0, ...plays.map(({ group }) => longestPause(group, requests))) : 0
  for (;;) {
    const before = fix
    const left = worth(played(before))
    // Nothing can go below the floor, and each try plays everything again.
    if (left - worth(floor) < least) return steps
    const saves = (after: Fix): number => left - worth(played(after))
    const [best] = tries(before, remedies, pause)
      .map((after) => ({ after, saved: saves(after) }))
      .sort((one, other) => other.saved - one.saved)
    if (best === undefined || best.saved <= 0 || best.saved < least) return steps
    const pings = plays.reduce((sum, one) => sum + one.with(best.after).pings, 0)
    steps.push({ remedy: remedyBetween(before, best.after, pings), before, after: best.after })
    fix = best.after
  }
}

/** The steps as they are told, with what each saves of what `played` gives. Steps that change nothing of it are left out. */
export function describeSteps(
  steps: readonly PlannedStep[],
  played: (fix: Fix) => Played,
  occurs: (culprit: string) => boolean,
): readonly PlanStep[] {
  return steps.flatMap(({ remedy, before, after }): readonly PlanStep[] => {
    const [one, other] = [played(before), played(after)]
    const saves = savingOf(one, other)
    if (saves.tokens === 0 && (saves.cost ?? 0) === 0) return []
    if (remedy.type !== 'culprits') return [{ remedy, saves, after: other }]
    const ids = remedy.ids.filter(occurs)
    return [{ remedy: { type: 'culprits', ids: ids.length > 0 ? ids : remedy.ids }, saves, after: other }]
  })
}
