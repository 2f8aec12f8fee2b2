/** What freezing a culprit saves, by itself and as the last of all. */
import type { Plays } from './plays.ts'
import { nothing, type Fix } from './remedies.ts'
import { savingOf } from './sum.ts'
import type { Counterfactual, Played, Saving } from './types.ts'

/** A group's plays, and those of its culprits of which plays are made. */
export interface Judged {
  readonly plays: Plays
  /** In provider order. */
  readonly culprits: readonly string[]
}

/** What each saves where it occurs: groups share nothing, so that their savings add up. */
export function totalSavings(cases: readonly Judged[], culprits: readonly string[]): Counterfactual['savings'] {
  return new Map(
    culprits.map((culprit) => {
      const own = cases
        .filter((one) => one.culprits.includes(culprit))
        .map((one) => savingsOf([culprit], one.culprits, (fix) => one.plays.with(fix).all).get(culprit))
      const sum = (side: 'alone' | 'last'): Saving => addSavings(own.flatMap((saving) => saving?.[side] ?? []))
      return [culprit, { alone: sum('alone'), last: sum('last') }]
    }),
  )
}

function addSavings(savings: readonly Saving[]): Saving {
  const priced = savings.flatMap(({ cost }) => cost ?? [])
  return {
    tokens: savings.reduce((sum, { tokens }) => sum + tokens, 0),
    cost: priced.length === 0 ? null : priced.reduce((sum, cost) => sum + cost, 0),
  }
}

/** Alone: only this one fixed. Last: all fixed, less all but this one. */
export function savingsOf(
  culprits: readonly string[],
  all: readonly string[],
  played: (fix: Fix) => Played,
): Counterfactual['savings'] {
  return new Map(
    culprits.map((culprit) => {
      const others = all.filter((one) => one !== culprit)
      return [
        culprit,
        {
          alone: savingOf(played(nothing), played(freezing([culprit]))),
          last: savingOf(played(freezing(others)), played(freezing(all))),
        },
      ]
    }),
  )
}

function freezing(culprits: readonly string[]): Fix {
  return { ...nothing, culprits }
}
