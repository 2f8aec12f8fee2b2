/** A segment with another text than before, in which what is frozen keeps the form that it has. */
import type { Hunk } from '../changes/types.ts'
import type { RequestFormat } from '../../cache/index.ts'
import type { Block } from '../record/types.ts'
import type { Foundry, Slot } from './slots.ts'
import { carry } from './substitutions.ts'
import { nativeTool } from './told.ts'

/** The segment before, frozen and as it was sent, and as it is sent now. */
export interface SlotEdit {
  readonly prior: Slot
  readonly sentBefore: Slot
  readonly sent: Slot
  /** Between the two texts as they were sent. */
  readonly hunks: readonly Hunk[]
}

/** The frozen segment. */
export function editedSlot(
  { prior, sentBefore, sent, hunks }: SlotEdit,
  isFrozen: (culprit: string | null) => boolean,
  format: RequestFormat | null,
  foundry: Foundry,
): Slot {
  const frozen = hunks.filter(({ culprit }) => isFrozen(culprit))
  if (frozen.length === 0 && prior.block === sentBefore.block) return prior.held ? { ...sent, held: true } : sent
  const texts = { before: sentBefore.block.text, after: sent.block.text }
  const substitutions = carry(prior.substitutions, hunks, isFrozen, texts)
  const isUnchanged = frozen.length === hunks.length
  const edited = isUnchanged ? prior.block : foundry.edited(sent.block as Block, prior.block, substitutions)
  const block = prior.native && !isUnchanged ? nativeTool(format, edited, foundry) : edited
  if (block.digest === sent.block.digest && !prior.native) return prior.held ? { ...sent, held: true } : sent
  return { ...sent, block, held: prior.held, native: prior.native, substitutions }
}
