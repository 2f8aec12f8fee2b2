/** What a turn is to its conversation, where nothing was lost. */
import type { LinkedTurn } from '../streams/types.ts'
import type { Compared } from './losses.ts'
import type { Reason, VerdictKind } from './types.ts'

const details = {
  first: 'The conversation begins here.',
  'warm-start': 'The log begins in the middle: more was read than its requests can have written.',
  appended: 'The request goes on from the one before.',
  repeat: 'The same prompt was sent before.',
  prewarm: 'At most one token was asked for: the request fills the cache.',
} as const satisfies Readonly<Partial<Record<VerdictKind, string>>>

/** What is known of a turn for this. */
export interface Standing extends LinkedTurn {
  /** More was read than all that the log has seen can have written. */
  readonly readsMore: boolean
  /** It goes on from its parent. */
  readonly continues: boolean
  /** In place of the usual words. */
  readonly note?: string | null
}

/** The reason that takes nothing; none where the turn does not go on from its parent. */
export function standingOf({ turn, parent, repeats, readsMore, continues, note = null }: Standing): readonly Reason[] {
  const say = (kind: keyof typeof details): readonly Reason[] => [{ kind, tokens: 0, detail: note ?? details[kind] }]
  if (turn.maxTokens !== undefined && turn.maxTokens <= 1) return say('prewarm')
  if (parent === null)
    return readsMore ? [{ kind: 'warm-start', tokens: 0, detail: details['warm-start'] }] : say('first')
  if (repeats) return say('repeat')
  return continues ? say('appended') : []
}

/** Whether all that its parent left in the cache is whole in the turn: what stands behind that may change. */
export function goesOn({ differsAt, extent, common }: Compared): boolean {
  return differsAt === null || (extent !== null && extent.segments <= common.segments)
}
