/**
 * Whether a feature of a provider is used for a turn. Depends on nothing that changes within an epoch: the model, the
 * platform, the rules that stood when it began, what was refused before it, and what the caller always asks for.
 */
import { capability, isSameModel, type Feature, type Platform } from '../cache/index.ts'
import type { TurnView } from '../session/types.ts'
import type { FallbackReason } from './warnings.ts'

/** What decides. */
export interface FeatureQuery {
  readonly model: string
  readonly platform: Platform
  readonly feature: Feature
  /** What the caller knows better than the table; must be the same in every request of a session. */
  readonly override?: boolean | undefined
}

/** `'supported'`, or why not. A refusal that the session was told of wins over the caller. */
export function decideFeature(
  turn: Pick<TurnView<unknown>, 'refusals' | 'rulesAsOf'>,
  { model, platform, feature, override }: FeatureQuery,
): 'supported' | FallbackReason {
  const refused = turn.refusals.some(
    (refusal) =>
      refusal.feature === feature &&
      isSameModel(refusal.model, model) &&
      (refusal.platform === undefined || refusal.platform === platform),
  )
  if (refused) return 'refused'
  if (override !== undefined) return override ? 'supported' : 'asked'
  const rule = capability({ model, platform, feature, asOf: turn.rulesAsOf })
  if (rule === undefined) return 'unknown'
  return rule.supported ? 'supported' : 'unsupported'
}

/** Why updates are tagged where an API has no place for native ones; what the table says of it, or that it says nothing. */
export function whyTagged(
  turn: Pick<TurnView<unknown>, 'refusals' | 'rulesAsOf'>,
  query: Omit<FeatureQuery, 'feature' | 'override'>,
): FallbackReason {
  const decided = decideFeature(turn, { ...query, feature: 'native-updates' })
  return decided === 'supported' ? 'unsupported' : decided
}

/** True where a thinking block is bound to the prefix that it was produced under. */
export function bindsThinking(
  { rulesAsOf }: Pick<TurnView<unknown>, 'rulesAsOf'>,
  { model, platform }: Pick<FeatureQuery, 'model' | 'platform'>,
): boolean {
  return capability({ model, platform, feature: 'thinking-binding', asOf: rulesAsOf })?.supported === true
}

/** An option as an override; `undefined` where the caller asks for nothing. */
export function isNative(asked: 'native' | 'tagged' | 'held' | undefined): boolean | undefined {
  return asked === undefined ? undefined : asked === 'native'
}
