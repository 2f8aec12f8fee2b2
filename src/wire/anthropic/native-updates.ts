/** Whether updates go out as native system messages. Depends on nothing that changes within an epoch. */
import { capability, isSameModel, type AnthropicPlatform } from '../../cache/index.ts'
import type { TurnView } from '../../session/types.ts'
import type { TaggedReason } from './warnings.ts'

/** `'native'`, or why not. */
export function decideUpdates(
  turn: Pick<TurnView<unknown>, 'refusals' | 'rulesAsOf'>,
  model: string,
  platform: AnthropicPlatform,
): 'native' | TaggedReason {
  const refused = turn.refusals.some(
    (refusal) =>
      refusal.feature === 'native-updates' &&
      isSameModel(refusal.model, model) &&
      (refusal.platform === undefined || refusal.platform === platform),
  )
  if (refused) return 'refused'
  const rule = capability({ model, platform, feature: 'native-updates', asOf: turn.rulesAsOf })
  if (rule === undefined) return 'unknown'
  return rule.supported ? 'native' : 'unsupported'
}
