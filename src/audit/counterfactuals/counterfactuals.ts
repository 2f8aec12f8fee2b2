/**
 * What would have been: every conversation of a log played again with culprits frozen, one by one and together, by the
 * same rules, times, outputs and prices. A saving is the difference of two such plays; what was reported is in neither.
 */
import type { CountTokens } from '../../cache/index.ts'
import type { Changes } from '../changes/types.ts'
import type { Stream } from '../streams/types.ts'
import type { Judgement } from '../verdicts/judge.ts'
import type { Requests } from '../verdicts/requests.ts'
import { Calibration } from './calibrate.ts'
import { caveatsOf } from './caveats.ts'
import { floorOf } from './floor.ts'
import { groupsOf, type Group, type GroupTurn } from './group.ts'
import { describeSteps, plan } from './plan.ts'
import { Plays } from './plays.ts'
import { nothing, type Fix } from './remedies.ts'
import { highest, mostCostly } from './judged.ts'
import { MOST_SEARCHED } from './search.ts'
import { savingsOf, totalSavings, type Judged } from './savings.ts'
import { addUp, type PriceOf } from './sum.ts'
import type { Counterfactual, Played, Saving } from './types.ts'
import type { UpdatePolicy } from './update-text.ts'

export type { UpdatePolicy } from './update-text.ts'

/** How to play. */
export interface CounterfactualOptions {
  /** Counts what stands for the blocks of prepared requests: the recorder's. */
  readonly countTokens: CountTokens
  readonly priceOf: PriceOf
  /** Which changes are told; those of values unless said. */
  readonly updates?: UpdatePolicy | undefined
}

/** What is played again. */
export interface CounterfactualInput {
  readonly streams: readonly Stream[]
  readonly judgement: Pick<Judgement, 'verdicts' | 'scopes' | 'requests'>
  /** By stream id. */
  readonly changes: ReadonlyMap<string, Changes>
}

/** Of each stream that can be played, by its id, and of all of them. */
export interface Counterfactuals {
  readonly byStream: ReadonlyMap<string, Counterfactual>
  readonly total: Counterfactual
}

/** A group, its plays and what is least to pay. */
interface Case extends Judged {
  readonly group: Group
  readonly floors: ReadonlyMap<string, Played>
}

/** Plays a log again. */
export function counterfactuals(
  { streams, judgement, changes }: CounterfactualInput,
  { countTokens, priceOf, updates = 'values' }: CounterfactualOptions,
): Counterfactuals {
  const { verdicts, scopes, requests } = judgement
  const turns = streams.flatMap((stream) => stream.turns.map(({ turn }) => turn))
  const calibration = new Calibration(turns, requests)
  const options = { scopes, requests, calibration, verdicts, countTokens, priceOf, updates }
  const cases = groupsOf(streams, changes, scopes).map((group): Case => ({
    group,
    plays: new Plays(group, options),
    floors: floorOf(group, options),
    culprits: mostCostly(group, options),
  }))
  const byStream = new Map(cases.flatMap((one) => [...streamsOf(one, options)]))
  return { byStream, total: totalOf(cases, options) }
}

function streamsOf(
  one: Case,
  { requests, priceOf }: { readonly requests: Requests; readonly priceOf: PriceOf },
): ReadonlyMap<string, Counterfactual> {
  const { group, plays, floors, culprits } = one
  const steps = plan([plays], searched([one]), addUp([...floors.values()]), requests)
  const found = new Map<string, Counterfactual>()
  for (const stream of group.streams) {
    const occurs = (culprit: string): boolean => group.occurring.get(stream)?.has(culprit) === true
    const played = (fix: Fix): Played => plays.with(fix).streams.get(stream) ?? none
    if (played(nothing).tokens.total === 0) continue
    found.set(stream, {
      asSent: played(nothing),
      floor: floors.get(stream) ?? none,
      steps: describeSteps(steps, played, occurs),
      savings: savingsOf(culprits.filter(occurs), culprits, played),
      caveats: caveats([one], priceOf, stream),
    })
  }
  return found
}

const none: Played = addUp([])

function totalOf(
  cases: readonly Case[],
  { requests, priceOf }: { readonly requests: Requests; readonly priceOf: PriceOf },
): Counterfactual {
  const plays = cases.map((one) => one.plays)
  const floor = addUp(cases.flatMap(({ floors }) => [...floors.values()]))
  const played = (fix: Fix): Played => addUp(plays.map((one) => one.with(fix).all))
  const culprits = [...new Set(cases.flatMap((one) => one.culprits))]
  return {
    asSent: played(nothing),
    floor,
    steps: describeSteps(plan(plays, searched(cases), floor, requests), played, () => true),
    savings: totalSavings(cases, culprits),
    caveats: caveats(cases, priceOf),
  }
}

/** The culprits that are searched: those that save most, alone or last. In provider order. */
function searched(cases: readonly Case[]): readonly string[] {
  const culprits = [...new Set(cases.flatMap((one) => one.culprits))]
  const savings = totalSavings(cases, culprits)
  return highest(
    culprits,
    (culprit) => {
      const saving = savings.get(culprit)
      return saving === undefined ? 0 : Math.max(valueOf(saving.alone), valueOf(saving.last))
    },
    MOST_SEARCHED,
  )
}

function valueOf({ tokens, cost }: Saving): number {
  return cost ?? tokens
}

function caveats(cases: readonly Case[], priceOf: PriceOf, stream?: string): readonly string[] {
  const compared = cases.flatMap(({ group, plays, culprits }) => {
    if (culprits.length === 0) return []
    const before = plays.with(nothing).totals
    const after = plays.with({ ...nothing, culprits }).totals
    const indexes = stream === undefined ? group.turns.keys() : (group.indexes.get(stream) ?? [])
    return [...indexes].map((at) => ({
      turn: (group.turns[at] as GroupTurn).turn,
      before: before[at] ?? 0,
      after: after[at] ?? 0,
    }))
  })
  return caveatsOf(compared, priceOf)
}
